"""A walk request that Anna erases: its bytes leave her disk and Ben's, whose node was away."""

from pathlib import Path

from lan.files import contents
from lan.people import Person, World
from lan.story import Story

# The texts that are written; the first two must leave every disk.
MESSAGE, NOTE, KEPT = "regretted already, said Anna", "by the gate of regrets", "this one may stay"


def erased(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = world.anna, world.ben
    request = write(story, anna, ben)
    go_away(story, ben)
    retract(story, anna, ben, request)
    come_back(story, ben, request)


def holds(home: Path, text: str) -> bool:
    """Whether any file of a home contains the bytes of a text."""
    return holds_bytes(home, text.encode())


def holds_bytes(home: Path, needle: bytes) -> bool:
    """Whether any file of a home contains some bytes."""
    return any(needle in content for content in contents(home))


def write(story: Story, anna: Person, ben: Person) -> str:
    """Anna asks for a walk and writes a note on the request; Ben accepts."""
    anna.asks(ben.person, KEPT)
    request = anna.asks(ben.person, MESSAGE) if story.does("erase-ask") else "none"
    story.claim("Ben has a request that Anna will regret",
                lambda: ben.walk(request).get("message") == MESSAGE, within=8)
    anna.node.cli("walk", "note", request, "--note", NOTE)
    story.claim("and her note on it", lambda: ben.walk(request).get("note") == NOTE, within=8)
    story.claim("both homes contain the bytes of both, and of another request", lambda: all(
        holds(each.node.home, text) for each in (anna, ben) for text in (MESSAGE, NOTE, KEPT)))
    return request


def go_away(story: Story, ben: Person) -> None:
    """Ben's node is killed, so that it receives nothing."""
    if story.does("erase-away"):
        ben.node.kill()
    story.claim("Ben's node is gone", lambda: not ben.node.answers())


def retract(story: Story, anna: Person, ben: Person, request: str) -> None:
    """Anna erases the request."""
    if story.does("erase"):
        story.tell("Anna erases the request")
        anna.node.cli("walk", "erase", request)
    story.claim("no file of Anna's home contains it", lambda: not any(
        holds(anna.node.home, text) for text in (MESSAGE, NOTE)), within=15)
    story.claim("Ben's disk still has it", lambda: holds(ben.node.home, MESSAGE))


def come_back(story: Story, ben: Person, request: str) -> None:
    """Ben's node is started again."""
    if story.does("erase-back"):
        ben.node.start()
    story.claim("Ben is back, and his node knows of no such request", lambda: (
        ben.node.answers() and not ben.walk(request)), within=45)
    story.claim("no file of his home contains it", lambda: not any(
        holds(ben.node.home, text) for text in (MESSAGE, NOTE)), within=15)
    story.claim("his inbox has nothing of it", lambda: MESSAGE not in str(
        ben.node.get("inbox/list")))
    story.claim("the other request is there", lambda: (
        holds(ben.node.home, KEPT) and KEPT in str(ben.node.get("walk/list"))))
