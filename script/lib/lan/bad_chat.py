"""Invalid chat input: texts that are too long or have too many parts, unknown rooms, page positions
and searches. Each is refused with a sentence or answered, and the node continues."""

import json
from urllib.parse import quote

from lan.mishaps import NOT_FOUND, REFUSED, USAGE, refuses, says
from waggle import Node
from lan.people import Person, World
from lan.scenes import drop, found
from lan.story import Story

CHARACTERS_MAX = 2000
MARKS = "a" + "\u0301" * (32 * 1024)  # 64 KiB and a letter, one character as people count them
KEPT = "같이산책하자"
# Texts with a meaning for SQL, FTS5 or a shell, and none for a person who searches.
SIGNS = ['"', "'", '""', "*", "^산책", "-산책", "text:산책", "NEAR(산책)", "산책 OR", "AND", "(", "산책)",
         "{text}: 산책", "\\", "%", "_", "'; DROP TABLE chat_message; --", "🐶", "!?"]


def bad_chat(world: World, story: Story) -> None:
    """Invalid messages, rooms, page positions and searches."""
    found(world, story)
    drop(world, story)
    anna, ben = world.anna, world.ben
    long_texts(story, anna, ben)
    no_rooms(story, anna)
    no_questions(story, anna)
    no_places(story, anna, ben)
    no_photos(world, story, anna, ben)
    nothing_harmed(story, anna, ben)


def tells(who: Person, *words: str) -> tuple[int, str]:
    """The exit code of a chat command, and its output."""
    return says(who.node, "chat", *words, "--home", str(who.node.home))


def status(node: Node, route: str, body: dict | None = None) -> tuple[int, dict]:
    """The status of an answer of the local API, and the answer."""
    return node.api.send(route, None if body is None else json.dumps(body).encode())


def long_texts(story: Story, anna: Person, ben: Person) -> None:
    """One character too many, and one built of 32 769 parts."""
    for character in ("x", "산"):
        story.claim(f"a message of {CHARACTERS_MAX} times {character} is accepted", lambda: tells(
            anna, "send", ben.person, character * CHARACTERS_MAX)[0] == 0)
        refuses(story, f"and of {CHARACTERS_MAX + 1} times", tells(
            anna, "send", ben.person, character * (CHARACTERS_MAX + 1)), {USAGE}, "2001")
    refuses(story, "a message of 64 KiB of combining marks",
            tells(anna, "send", ben.person, MARKS), {USAGE}, "code points")
    for name, text in (("nothing", ""), ("blanks", " \n "), ("invisible characters", "\u3164")):
        refuses(story, f"a message of {name}",
                tells(anna, "send", ben.person, text), {USAGE}, "blank")
    for name, text in (("NUL", "a\0b"), ("a mark that changes the direction", "a\u202eb")):
        code, answer = status(anna.node, "chat/send", {"room": ben.person, "text": text})
        story.claim(f"a message with {name}: {code}, “{answer['error']['message']}”",
                    lambda: code == 400 and "control" in answer["error"]["message"])


def no_rooms(story: Story, anna: Person) -> None:
    """Rooms that do not exist."""
    refuses(story, "an unknown room", tells(anna, "send", "0" * 64, "hello"), {NOT_FOUND},
            "chat rooms")
    refuses(story, "a room of five digits", tells(anna, "open", "abcde"), {NOT_FOUND}, "chat rooms")
    refuses(story, "a room of other characters", tells(anna, "open", "' OR 1=1 --"), {NOT_FOUND},
            "chat rooms")
    refuses(story, "a room without a name", tells(anna, "open", " "), {USAGE}, "blank")
    refuses(story, "an id of five digits", tells(anna, "delete", "f" * 5), {USAGE}, "6 to 32")
    refuses(story, "digits that begin no message's id", tells(anna, "delete", "f" * 31), {NOT_FOUND},
            "no message")
    refuses(story, "a message that does not exist", tells(anna, "delete", "f" * 32), {NOT_FOUND}, "no message")


def no_questions(story: Story, anna: Person) -> None:
    """Searches for nothing, and for texts with a meaning elsewhere."""
    for name, text in (("nothing", ""), ("blanks", "  "), ("two lines", "a\nb")):
        refuses(story, f"a search for {name}", tells(anna, "search", text), {USAGE})
    refuses(story, "a search for 101 letters", tells(anna, "search", "x" * 101), {USAGE}, "100")
    code, answer = status(anna.node, "chat/search?text=a%00b")
    story.claim(f"a search with NUL: {code}, “{answer['error']['message']}”", lambda: code == 400)
    for text in SIGNS:
        code, answer = status(anna.node, "chat/search?text=" + quote(text))
        story.claim(f"a search for {text} is answered", lambda: code == 200 and "messages" in answer)
    for text in ("x", "산"):
        code, answer = status(anna.node, "chat/search?text=" + quote(text))
        story.claim(f"a search for one letter, {text}, finds what has it",
                    lambda: code == 200 and len(answer["messages"]) == 1)


def no_places(story: Story, anna: Person, ben: Person) -> None:
    """Page positions that no page contained."""
    for cursor in ("zz", "12", "f" * 111, "f" * 113, "-1", "' OR 1"):
        refuses(story, f"a page before {cursor[:8]}",
                tells(anna, "page", ben.person, "--before", cursor), {NOT_FOUND}, "cursor")
    refuses(story, "a search that continues from an unknown position",
            tells(anna, "search", "x", "--before", "y"), {NOT_FOUND}, "search")
    for place in ("x.y", "." * 40, "9" * 60):
        code, answer = status(anna.node, "chat/follow?after=" + place)
        story.claim(f"following from {place[:8]} begins now",
                    lambda: code == 200 and answer["messages"] == [])
    for limit in ("0", "101", "-1"):
        refuses(story, f"a page of {limit} messages",
                tells(anna, "page", ben.person, f"--limit={limit}"), {USAGE, REFUSED}, "100")


def no_photos(world: World, story: Story, anna: Person, ben: Person) -> None:
    """Files that are no pictures, and photos of messages without one."""
    text = world.scratch / "text.jpg"
    text.write_text("Once upon a time")
    for name, path, said in (
            ("not there", world.scratch / "none.jpg", "cannot be read"),
            ("a folder", world.scratch, "is not a file"),
            ("a device without an end", "/dev/zero", "is not a file"),
            ("a text", text, "neither a JPEG nor a PNG")):
        refuses(story, f"a photo that is {name}",
                tells(anna, "send", ben.person, "--photo", str(path)), {REFUSED}, said)
    refuses(story, "neither a text nor a photo", tells(anna, "send", ben.person), {USAGE}, "photo")
    message = anna.node.get(f"chat/page?room={ben.person}")["messages"][0]["id"]
    refuses(story, "the photo of a message without one",
            tells(anna, "photo", message), {NOT_FOUND}, "no photo")


def nothing_harmed(story: Story, anna: Person, ben: Person) -> None:
    """Valid input is still accepted."""
    story.claim("a valid message is accepted", lambda: tells(anna, "send", ben.person, KEPT)[0] == 0)
    story.claim("and it arrives", lambda: any(
        each["text"] == KEPT
        for each in ben.node.get(f"chat/page?room={anna.person}").get("messages", [])), within=10)
    for who in (anna, ben):
        story.claim(f"{who.name}'s node has three messages, and no more", lambda: len(
            who.node.cli("chat", "open", (ben if who is anna else anna).person)["messages"]) == 3)
