"""A home that is destroyed, and its person, who comes back on a new host by the recovery words: what
mates share is there again, row by row."""

import shutil
import subprocess
import time

from waggle import Node
from lan.outside import dump, sqlite
from lan.people import Person, World
from lan.scenes import both_equal
from lan.story import Story

# What Anna writes before her host burns.
MESSAGE, WALKERS, NOTE, TITLE = "Keep this for me", "The early ones", "At six, as always", "Picnic"


def recovered(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = world.anna, world.ben
    person, device, words = anna.person, anna.device, anna.words
    write(story, anna, ben)
    before = shared_rows(anna, ben)
    story.tell(f"  ({len(before)} rows of pairs and groups in Anna's file)")
    destroy(story, anna)
    type_words(world, story, anna, words)
    come_back(story, anna, ben, person)
    compare(story, anna, ben, before, device)
    go_on(story, anna, ben, person)


def write(story: Story, anna: Person, ben: Person) -> None:
    """Anna writes a message, a note in a group and a promise, and Ben has all of it."""
    anna.node.cli("chat", "send", ben.person, MESSAGE)
    group = anna.node.cli("group", "create", WALKERS)["id"]
    anna.node.cli("group", "invite", group, ben.person)
    story.claim("Ben is invited to a group", lambda: any(
        each["id"] == group and each["state"] == "invited"
        for each in ben.node.get("group/list").get("groups", [])), within=15)
    ben.node.cli("group", "accept", group)
    anna.node.cli("group", "note", group, NOTE)
    at_ms = (int(time.time()) + 7 * 24 * 3600) * 1000
    anna.node.cli("promise", "create", "--title", TITLE, "--at", str(at_ms),
                  "--latitude=37.5", "--longitude=127", "--with", ben.person)
    story.claim("Ben has Anna's message, her note and her promise", lambda: (
        facts(ben) == {MESSAGE, NOTE, TITLE}), within=20)
    both_equal(story, anna, ben, within=15)


def facts(who: Person) -> set[str]:
    """The texts that the two share, as a node's file has them."""
    tables = {"neighbours_note": "text", "promises_promise": "title", "chat_message": "text"}
    known = set(sqlite(who.node.home, "SELECT name FROM sqlite_master WHERE type = 'table'"))
    found = set()
    for table, column in tables.items():
        if table in known:
            found |= set(sqlite(who.node.home, f"SELECT {column} FROM {table}"))
    return found & {MESSAGE, NOTE, TITLE}


def shared_rows(one: Person, other: Person) -> set[str]:
    """The rows of a person's file in the pair with another and in all groups of the two."""
    return set(dump(one.node.home, shared_spaces(one.node.home, other.person)))


def shared_spaces(home, person: str) -> list[str]:
    """The ids of the pair with a person, and of the groups in which that person wrote."""
    return sorted(sqlite(home, f"""
        SELECT hex(id) FROM space WHERE kind = 'pair' AND hex(person) = '{person.upper()}'
        UNION SELECT hex(space.id) FROM space JOIN log ON log.space = space.number
            WHERE space.kind = 'group' AND hex(log.person) = '{person.upper()}'"""))


def destroy(story: Story, anna: Person) -> None:
    """Her host burns, with her home."""
    if story.does("recover-burn"):
        anna.node.kill()
        anna.host.link_down()
        shutil.rmtree(anna.node.home)
    story.claim("Anna's home is gone, and no backup is used", lambda: not anna.node.home.exists())


def type_words(world: World, story: Story, anna: Person, words: list[str]) -> None:
    """On a new host she types her words; a wrong order is refused."""
    host = world.lan.add("anna3")
    host.start_discovery()
    node = Node(anna.name, anna.node.binary, world.scratch / "anna3", host)
    swapped = [words[1], words[0], *words[2:]]
    story.claim("two words in the wrong order are refused", lambda: (
        typed(node, swapped).returncode == 2))
    misspelt = typed(node, [*words[:4], "xxxxx", *words[5:]])
    story.claim("a word that cannot be one is named by its place", lambda: (
        misspelt.returncode == 2 and "Word 5" in misspelt.stderr))
    if story.does("recover-words"):
        typed(node, words)
    story.claim("the new home waits, with the words in a file that only she can read", lambda: (
        (node.home / "recovering" / "words").stat().st_mode & 0o777 == 0o600))
    anna.host, anna.node = host, node


def typed(node: Node, words: list[str]) -> subprocess.CompletedProcess:
    """Runs `waggle init --recover` with words on its standard input."""
    return subprocess.run(node.command_line.line("init", "--recover", as_json=False),
                          input=" ".join(words) + "\n", capture_output=True, text=True, timeout=30)


def come_back(story: Story, anna: Person, ben: Person, person: str) -> None:
    """The node asks those nearby who she is, and is hers."""
    if story.does("recover-start"):
        anna.node.start()
    story.claim("Anna's person is back, from Ben", lambda: any(
        source["person"] == ben.person
        for source in anna.node.get("recovery/show").get("sources", [])), within=60)
    story.claim("it is the same person, with the same mate", lambda: (
        anna.person == person and anna.mate(ben.person) is not None))
    story.claim("the words are on the disk no longer", lambda: (
        not (anna.node.home / "recovering").exists()))


def compare(story: Story, anna: Person, ben: Person, before: set[str], device: str) -> None:
    """What was in her file is there again."""
    story.claim("every row that she shared with Ben is in the new file, found by sqlite3", lambda: (
        len(before) > 0 and before <= shared_rows(anna, ben)), within=30)
    story.claim("her message, her note and her promise among them", lambda: (
        facts(anna) == {MESSAGE, NOTE, TITLE}))
    story.claim("her name is back on her card", lambda: (
        anna.node.get("me/show").get("nickname") == anna.character.nickname), within=20)
    story.claim("under a new device key", lambda: anna.device != device)
    both_equal(story, anna, ben, within=20)


def go_on(story: Story, anna: Person, ben: Person, person: str) -> None:
    """Ben is told, and sees one Anna."""
    story.claim("Ben's inbox says that Anna has a new device", lambda: any(
        item["kind"] == "mates" and "new device" in item["title"] and "block" in item["actions"]
        for item in ben.node.get("inbox/list")["items"]), within=15)
    story.claim("and he has one mate of that name", lambda: [
        mate["person"] for mate in ben.node.get("mates/list")["mates"]
        if mate["profile"].get("nickname") == anna.character.nickname] == [person])
    anna.node.cli("chat", "send", ben.person, "I am back")
    story.claim("what she writes now reaches him", lambda: any(
        message["text"] == "I am back"
        for message in ben.node.get(f"chat/page?room={person}")["messages"]), within=15)
    anna.node.cli("promise", "call-off", TITLE)
    story.claim("and the promise that she made before is still hers: Ben sees it called off", lambda: (
        not ben.node.get("promise/list").get("promises")), within=15)
