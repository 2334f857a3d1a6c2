"""Five people on five hosts in a chain: each host reaches only the ones beside it. A post with a
photo, comments and likes travel from one end to the other, though the ends are never linked.

Every host hears the announcements of all, and can open no connection except to its neighbours. They
are strangers to each other, who joined the same neighbourhood and nothing else.
"""

import time
from pathlib import Path

from clock import shifted
from lan.erased import holds, holds_bytes
from lan.outside import connections
from lan.people import Character, Person, World
from lan.scenes import together
from lan.story import Story
from pictures import pond

NAMES = ("Gabi", "Hana", "Ivo", "Jana", "Karl")
PLACE = "Seongsu"
TITLE, EDITED = "Who lost a red leash?", "Found: the owner of the red leash"
TEXT, EDITED_TEXT = "It hangs at the gate of the pond", "It hung there, thank you"
OLD_WORD, NEW_WORD = "hangs", "thank"
COMMENT, ANSWER = "Mine, I come at six", "Then until six"
KEPT = "A sofa, for whoever takes it"
# Rule: a post goes after 30 days, unless it is renewed.
EXPIRY_SECONDS = 30 * 24 * 3600
# The bytes of a photo by which it is found in files: from its middle, which is different in every
# photo.
NEEDLE_BYTES = 64


def neighbourhood(world: World, story: Story) -> None:
    """Plays the scene, with five people of its own."""
    folder = world.scratch / "chain"
    folder.mkdir()
    chain = World(world.binary, folder, 0, True)
    try:
        play(chain, story)
    finally:
        chain.close()


def play(world: World, story: Story) -> None:
    """The chain, one post, its end, and one that expires."""
    people = linked(world, story)
    joined(story, people)
    post, photo = written(story, people, world.scratch)
    answered(story, people, post)
    edited(story, people, post)
    deleted(story, people, post, photo)
    expired(story, people)


# The chain


def linked(world: World, story: Story) -> list[Person]:
    """Five hosts that reach only their neighbours, and their nodes."""
    people = [world.join(Character(name.lower(), name, f"{name}'s dog", 30, "smart"))
              for name in NAMES]
    for at, one in enumerate(people):
        one.host.run("ip", "-6", "address", "flush", "dev", "eth0")
        for other in people[:max(0, at - 1)] + people[at + 2:]:
            if story.does("hood-apart"):
                one.host.run("ip", "route", "add", "blackhole", f"{other.address}/32")
    together(*(each.host.start_discovery for each in people), *(each.begin for each in people))
    for each in people:
        each.node.launch()
    story.claim("all five nodes answer", lambda: all(
        each.node.answers() for each in people), within=30)
    for each in people:
        each.node.api.ask("me/edit", {"nickname": each.name})
    wanted = [1 if abs(one - other) == 1 else 0
              for one in range(len(people)) for other in range(one + 1, len(people))]
    story.claim("ss shows a connection between each two neighbours, and no other", lambda: (
        links(people) == wanted), within=40)
    return people


def links(people: list[Person]) -> list[int]:
    """Whether each two of these are connected."""
    return [min(1, connections(one.node, other.node))
            for at, one in enumerate(people) for other in people[at + 1:]]


def joined(story: Story, people: list[Person]) -> None:
    """All join the neighbourhood."""
    ready = people if story.does("hood-join") else people[:-1]
    together(*(lambda node=each.node: node.cli("neighbourhood", "join", PLACE, "--yes")
               for each in ready))
    story.claim("all five joined it", lambda: all(
        [found["name"] for found in each.node.get("neighbourhood/list")["neighbourhoods"]]
        == [PLACE] for each in people))


# Reading nodes


def titles(person: Person) -> list[str]:
    """The titles of the posts that a node lists."""
    return [each["title"] for each in person.node.get("posts/list").get("posts", [])]


def found(person: Person, word: str) -> list[str]:
    """The titles of the posts that a node finds by a word."""
    return [each["title"] for each in person.node.get(f"posts/search?text={word}")["posts"]]


def show(person: Person, post: str) -> dict:
    """A post as a node shows it, with its comments; empty if the node does not have it."""
    return person.node.get(f"posts/show?id={post}")


def comments(person: Person, post: str) -> list[tuple[str, str]]:
    """The comments of a post: authors and texts."""
    return [(each["author"], each["text"]) for each in show(person, post).get("comments", [])]


def thumbnails(person: Person, post: str) -> list[str]:
    """The thumbnails of a post that a node has."""
    photos = [each["id"] for each in show(person, post).get("post", {}).get("photos", [])]
    query = "&".join(f"ids={photo}" for photo in photos)
    found = person.node.get(f"posts/thumbnails?{query}") if photos else {}
    return [each["jpeg"] for each in found.get("thumbnails", [])]


def photo_of(person: Person, post: str) -> bytes:
    """The photo of a post on a person's disk; empty while it is not there. Asks for it."""
    photo = show(person, post)["post"]["photos"][0]["id"]
    file = person.node.cli("posts", "photo", photo).get("file")
    return Path(file).read_bytes() if file else b""


# A post


def written(story: Story, people: list[Person], scratch: Path) -> tuple[str, bytes]:
    """The first writes a post with a photo, and another one; both arrive at the other end."""
    first, last = people[0], people[-1]
    picture = scratch / "pond.png"
    picture.write_bytes(pond())
    story.tell(f"{first.name} writes a post with a photo")
    words = ["--photo", str(picture)] if story.does("hood-photo") else []
    post = first.node.cli("posts", "write", "--category", "question", "--title", TITLE,
                          "--text", TEXT, *words)["id"] if story.does("hood-write") else "0" * 32
    began = time.monotonic()
    story.claim(f"{last.name}, at the other end, reads it", lambda: (
        show(last, post).get("post", {}).get("text") == TEXT), within=30)
    story.tell(f"  ({time.monotonic() - began:.1f} s over {len(people) - 1} links)")
    story.claim("the thumbnail has come along", lambda: (
        len(thumbnails(last, post)) == 1
        and thumbnails(last, post) == thumbnails(first, post)), within=30)
    first.node.cli("posts", "write", "--category", "second-hand", "--title", KEPT)
    photo = photo_of(first, post)
    story.claim(f"{last.name}'s disk does not have the photo: nobody there has looked at it",
                lambda: not holds_bytes(last.node.home, needle(photo)))
    story.claim(f"{last.name} looks at it, and it comes through the chain, byte for byte",
                lambda: photo_of(last, post) == photo, within=30)
    story.claim("the ends have no connection", lambda: connections(first.node, last.node) == 0)
    return post, photo


def needle(photo: bytes) -> bytes:
    """The bytes by which a photo is found."""
    return photo[len(photo) // 2:][:NEEDLE_BYTES]


def answered(story: Story, people: list[Person], post: str) -> None:
    """The other end comments and likes, the first answers, and the middle likes it too."""
    first, middle, last = people[0], people[2], people[-1]
    if story.does("hood-comment"):
        last.node.cli("posts", "comment", post, COMMENT)
    if story.does("hood-like"):
        last.node.cli("posts", "like", post)
    middle.node.cli("posts", "like", post)
    story.claim(f"{first.name} has {last.name}'s comment", lambda: (
        comments(first, post) == [(last.person, COMMENT)]), within=30)
    first.node.cli("posts", "comment", post, ANSWER)
    talk = [(last.person, COMMENT), (first.person, ANSWER)]
    story.claim("all five have both comments, in the same order, and two likes", lambda: all(
        comments(each, post) == talk and show(each, post)["post"]["likes"] == 2
        for each in people), within=30)


def edited(story: Story, people: list[Person], post: str) -> None:
    """The first changes the post."""
    if story.does("hood-edit"):
        people[0].node.cli("posts", "edit", post, "--title", EDITED, "--text", EDITED_TEXT)
    story.claim("all five list it with its new title alone, and with the comments", lambda: all(
        sorted(titles(each)) == sorted([EDITED, KEPT]) and len(comments(each, post)) == 2
        for each in people), within=30)
    story.claim("nobody finds the old text, and all find the new one", lambda: all(
        found(each, OLD_WORD) == [] and found(each, NEW_WORD) == [EDITED] for each in people))


def deleted(story: Story, people: list[Person], post: str, photo: bytes) -> None:
    """The first deletes the post: its bytes go from every disk, and the photo's."""
    with_photo = [each for each in people if holds_bytes(each.node.home, needle(photo))]
    story.claim("both ends hold the photo", lambda: {people[0], people[-1]} <= set(with_photo))
    if story.does("hood-delete"):
        story.tell(f"{people[0].name} deletes the post")
        people[0].node.cli("posts", "delete", post)
    story.claim("nobody lists it", lambda: all(
        titles(each) == [KEPT] and not show(each, post).get("post") for each in people), within=30)
    texts = [TITLE, TEXT, EDITED, EDITED_TEXT]
    story.claim("no file of anyone holds its titles, its texts or its photo", lambda: not any(
        any(holds(each.node.home, text) for text in texts)
        or holds_bytes(each.node.home, needle(photo)) for each in people), within=30)


def expired(story: Story, people: list[Person]) -> None:
    """A month later the other post is gone too, without anyone doing anything."""
    together(*(lambda node=each.node: node.stop() for each in people))
    if story.does("hood-expire"):
        story.tell("the clocks are put forward by 30 days")
        for each in people:
            each.node.clock = shifted(EXPIRY_SECONDS + 60, each.node.home.parent)
    story.claim("all have the post that was not renewed", lambda: all(
        holds(each.node.home, KEPT) for each in people))
    for each in people:
        each.node.launch()
    story.claim("all nodes answer again", lambda: all(
        each.node.answers() for each in people), within=30)
    story.claim("nobody lists it any more", lambda: not any(
        titles(each) for each in people), within=30)
    story.claim("and no file of anyone holds it", lambda: not any(
        holds(each.node.home, KEPT) for each in people), within=60)
