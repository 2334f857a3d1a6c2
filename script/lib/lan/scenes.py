"""The story of Anna, Ben and the stranger Cleo, scene by scene.

Every claim is checked from outside the product: curl on the socket, sqlite3 on the files, ss on the
links, and a ledger that this script keeps itself.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Callable

from waggle import CommandFailed
from lan.outside import bodies_with, connections, stored_note, sqlite, stamp_of
from lan.people import Person, World
from lan.story import Story

# Rules: a walk request lives 60 s, a mateship is two edges, a check code has six digits.
REQUEST_SECONDS = 60
WRITES_NEEDED = 40


@dataclass
class Scene:
    """A part of the story, and the steps of it that may be left out."""

    name: str
    title: str
    play: Callable[[World, Story], None]
    steps: dict[str, str] = field(default_factory=dict)
    # The scenes that must be played before.
    needs: list[str] = field(default_factory=list)


def together(*actions: Callable) -> list:
    """Does several things at the same moment, and returns their results."""
    gate = threading.Barrier(len(actions))

    def at_the_gate(action):
        gate.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(at_the_gate, actions))


# Found


def found(world: World, story: Story) -> None:
    """Each person starts a node; they find each other by Avahi alone."""
    for person in world.people:
        if person.host and (person is not world.ben or story.does("avahi")):
            person.host.start_discovery()
        person.begin()
        if person is not world.ben or story.does("node"):
            person.node.launch()
    story.claim("every node answers on its socket",
                lambda: all(each.node.answers() for each in world.people), within=20)
    for person in world.people:
        person.introduce()
    anna, ben = world.anna, world.ben
    if world.lan:
        story.claim("nobody was told an address",
                    lambda: not any(each.node.get("peer/list")["peers"] for each in world.people))
    else:
        story.skip("being found by Avahi: without root all nodes share one machine's network")
        if story.does("addresses"):
            world.link_addresses()
    others = len(world.people) - 1
    story.claim(
        "Anna and Ben see each other nearby" + (", and all the others" if others > 2 else ""),
        lambda: anna.sees(ben.device) and ben.sees(anna.device) and all(
            len(each.node.get("nearby/list")["people"]) == others for each in world.people),
        within=25)
    story.claim("to each other they are strangers without a name: both are visible to mates only",
                lambda: "name" not in anna.sees(ben.device) and "name" not in ben.sees(anna.device))


# Drop


def press(person: Person) -> None:
    """Presses the drop button."""
    person.node.cli("drop", "start")


def drop(world: World, story: Story) -> None:
    """Both press Drop at the same moment, compare the code, accept, and are mates."""
    anna, ben = world.anna, world.ben
    story.claim("nobody has a mate yet", lambda: not any(
        each.node.get("mates/list")["mates"] for each in (anna, ben)))
    pressing = [who for step, who in (("drop-a", anna), ("drop-b", ben)) if story.does(step)]
    story.tell("Anna and Ben press Drop at the same moment")
    together(*(lambda who=who: press(who) for who in pressing))
    story.claim("both screens show a check code",
                lambda: anna.drop().get("checkCode") and ben.drop().get("checkCode"), within=12)
    code = anna.drop()["checkCode"]
    story.equal(f"it is the same one on both: {code}", code, ben.drop()["checkCode"])
    story.claim("it has six digits", lambda: len(code) == 6 and code.isdecimal())
    story.claim("each is shown the other's card", lambda: (
        anna.drop()["peer"]["card"]["nickname"], ben.drop()["peer"]["card"]["nickname"]
    ) == ("Ben", "Anna"), within=5)
    story.claim("nobody is anybody's mate before both have accepted",
                lambda: not anna.mate(ben.person) and not ben.mate(anna.person))
    for step, who in (("accept-a", anna), ("accept-b", ben)):
        if story.does(step):
            story.tell(f"{who.name} accepts")
            who.node.cli("drop", "accept")
    story.claim("they are mates, each in the other's list",
                lambda: anna.mate(ben.person) and ben.mate(anna.person), within=10)
    story.claim("each has the other's card: Bruno is Ben's dog, Ada is Anna's", lambda: (
        anna.mate(ben.person)["profile"].get("dogName"),
        ben.mate(anna.person)["profile"].get("dogName")) == ("Bruno", "Ada"), within=5)
    both_equal(story, anna, ben)
    story.claim("ss shows one connection between them, not two",
                lambda: connections(anna.node, ben.node) == 1, within=5)


def both_equal(story: Story, one: Person, other: Person, within: float = 10) -> None:
    """Compares everything that two people share: row by row in both files, then by digest."""
    persons = one.person, other.person

    def same_rows() -> int:
        left, right = one.dump_with(*persons), other.dump_with(*persons)
        return len(left) if left == right else 0

    rows = story.claim("sqlite3 finds the same rows in both files", same_rows, within)
    story.tell(f"  ({rows} rows of batches, registers and tables)")
    story.claim("and the nodes find the same digests", lambda: one.node.get(
        f"verify/run?peer={other.person}").get("equal"), within=5)


# Walk


def walk(world: World, story: Story) -> None:
    """Anna asks for a walk, Ben accepts, Anna sees it."""
    anna, ben = world.anna, world.ben
    message = "Ada would like to meet Bruno"
    request = anna.asks(ben.person, message) if story.does("walk-ask") else "none"
    arrived = story.claim("Ben has the request",
                          lambda: ben.walk(request).get("state") == "pending"
                          and ben.walk(request), within=8)
    story.equal("with its place and message", (arrived["locationName"], arrived["message"]),
                ("the old oak", message))
    story.claim("it is in his inbox", lambda: any(
        item.get("ref") == request or message in item["body"]
        for item in ben.node.get("inbox/list")["items"]), within=3)
    if story.does("walk-accept"):
        story.tell("Ben accepts")
        ben.node.cli("walk", "accept", request)
    story.claim("Anna sees that he accepted",
                lambda: anna.walk(request).get("state") == "accepted", within=8)
    story.claim("so does he", lambda: ben.walk(request).get("state") == "accepted")


# A request that runs out


def expiry(world: World, story: Story) -> None:
    """A second request runs out, and both say so."""
    anna, ben = world.anna, world.ben
    asked = time.monotonic()
    request = anna.asks(ben.person, "Now or never") if story.does("expiry-ask") else "none"
    story.claim("Ben has a second request and does not answer it",
                lambda: ben.walk(request).get("state") == "pending", within=8)
    left = ben.walk(request)["secondsLeft"]
    story.claim(f"it shows the seconds left: {left}", lambda: 50 <= left <= REQUEST_SECONDS)
    if story.does("expiry-wait"):
        time.sleep(max(0, asked + REQUEST_SECONDS - 3 - time.monotonic()))
        story.claim("3 s before its time it is still open", lambda: (
            anna.walk(request)["state"], ben.walk(request)["state"]) == ("delivered", "pending"))
        time.sleep(max(0, asked + REQUEST_SECONDS + 1 - time.monotonic()))
    over = {"expired", "notAnswered", "missed"}
    story.claim("60 s after it was made it has run out, for both", lambda: (
        anna.walk(request)["state"] in over and ben.walk(request)["state"] in over), within=5)
    story.claim("an answer comes too late, and is refused", lambda: refused(
        ben, "walk", "accept", request))


def refused(person: Person, *words: str) -> bool:
    """Whether a command ends with exit code 5 (refused) or 7 (conflict)."""
    try:
        person.node.cli(*words)
    except CommandFailed as failure:
        return failure.exit_code in (5, 7)
    return False


# Apart


def apart(world: World, story: Story) -> None:
    """Ben's cable is out; both edit the same and different fields; then they are equal again."""
    anna, ben = world.anna, world.ben
    both_edit = anna.asks(ben.person, "Shall we, or not?")
    story.claim("Ben has a request that both will now change",
                lambda: ben.walk(both_edit).get("state") == "pending", within=8)
    if story.does("link-down"):
        ben.host.link_down()
    story.claim("Ben's cable is out", lambda: not ben.host.has_carrier(), within=3)
    ages = {anna.name: 32, ben.name: 45}
    for step, who, dog in (("edit-a", anna, "Adele"), ("edit-b", ben, "Balu")):
        if story.does(step):
            story.tell(f"{who.name} edits three fields, one of them twice")
            who.node.cli("me", "edit", "--dog-name", "Nobody")
            who.node.cli("me", "edit", "--dog-name", dog, "--age", str(ages[who.name]))
            who.node.cli("me", "edit", "--size", "big")
    later_note = both_note(story, anna, ben, both_edit)
    if story.does("cancel-apart"):
        story.tell("Anna cancels the request while Ben, who cannot know, accepts it")
        anna.node.cli("walk", "cancel", both_edit)
    ben.node.cli("walk", "accept", both_edit)
    asked = anna.asks(ben.person, "When you are back") if story.does("ask-apart") else "none"
    story.claim("Anna's new request waits in the queue",
                lambda: anna.walk(asked).get("state") == "queued")
    story.claim("Ben knows nothing of all this", lambda: not ben.walk(asked) and (
        ben.mate(anna.person)["profile"]["dogName"] == "Ada"))
    if story.does("link-up"):
        story.tell("the cable goes in again")
        ben.host.link_up()
    story.claim("the request reaches Ben",
                lambda: ben.walk(asked).get("state") in ("pending", "missed"), within=45)
    for one, other, dog in ((anna, ben, "Balu"), (ben, anna, "Adele")):
        edits = dog, ages[other.name], "big"
        told = ", ".join(map(str, edits))
        story.claim(f"{one.name} has what {other.name} wrote: {told}", lambda: (
            lambda card: (card["dogName"], card["age"], card["size"])
        )(one.mate(other.person)["profile"]) == edits, within=15)
    story.claim("cancelled beats accepted, on both sides", lambda: [
        each.walk(both_edit)["state"] for each in (anna, ben)] == ["cancelled"] * 2, within=10)
    story.claim(f"both show the note that was written later: {later_note}", lambda: [
        each.walk(both_edit)["note"] for each in (anna, ben)] == [later_note] * 2, within=10)
    story.claim("sqlite3 finds it in both files", lambda: [
        stored_note(each.node.home, both_edit) for each in (anna, ben)] == [later_note] * 2)
    both_equal(story, anna, ben, within=15)
    story.claim("ss shows one connection between them",
                lambda: connections(anna.node, ben.node) == 1, within=10)


def both_note(story: Story, anna: Person, ben: Person, request: str) -> str:
    """Both write the one note of a request; returns the note with the later stamp."""
    notes = {anna: "By the pond gate", ben: "By the mill gate"}
    story.tell("both write a note on the same request, which has room for one")
    for step, who in (("note-a", anna), ("note-b", ben)):
        if story.does(step):
            who.node.cli("walk", "note", request, "--note", notes[who])
    story.claim("each file has its own writer's note on it", lambda: all(
        stored_note(who.node.home, request) == note for who, note in notes.items()))
    stamps = {note: stamp_of(who.node.home, request, note) for who, note in notes.items()}
    story.claim("one of the two was written later", lambda: len(set(stamps.values())) == 2)
    return max(stamps, key=stamps.get)


# Killed


class Writer(threading.Thread):
    """Writes as fast as the node acknowledges, and records the acknowledged writes."""

    def __init__(self, person: Person, ledger: list[str]):
        super().__init__(daemon=True)
        self.person = person
        self.ledger = ledger

    def run(self) -> None:
        """Writes until the node does not answer any more."""
        for number in range(100_000):
            dog = f"Rex no. {number:06}"
            answer = self.person.node.post("me/edit", {"dogName": dog})
            if not answer or "error" in answer:
                return
            self.ledger.append(dog)


def killed(world: World, story: Story) -> None:
    """Ben's node is killed with signal 9 while it writes; nothing acknowledged is lost."""
    anna, ben = world.anna, world.ben
    ledger: list[str] = []
    writer = Writer(ben, ledger)
    if story.does("write"):
        story.tell("Ben's profile is edited without a pause")
        writer.start()
    story.claim(f"more than {WRITES_NEEDED} edits are acknowledged",
                lambda: len(ledger) > WRITES_NEEDED, within=20)
    started = ben.node.get("status/show")["startedMs"]
    if story.does("kill"):
        status = ben.node.kill()
        story.claim("the node was ended by signal 9, in the middle of it",
                    lambda: status in (-9, 137) and not ben.node.answers())
    else:
        writer.join(timeout=2)
    if story.does("restart") and ben.node.pid() is None:
        ben.node.start()
    story.claim("it is a new process that answers now",
                lambda: ben.node.get("status/show").get("startedMs", 0) > started, within=10)
    writer.join(timeout=30)
    if not story.does("keep"):
        ledger.append("Rex never was")
    nothing_lost(story, anna, ben, ledger)


def nothing_lost(story: Story, anna: Person, ben: Person, ledger: list[str]) -> None:
    """Holds the ledger against both files."""
    def missing(home) -> list[str]:
        return [dog for dog in ledger if bodies_with(home, dog) != 1]

    story.claim(f"each of the {len(ledger)} acknowledged edits is in Ben's file, once",
                lambda: not missing(ben.node.home))
    # One edit may have been committed whose acknowledgement the kill cut off.
    story.claim("his dog has the name that was acknowledged last, or the next", lambda: (
        ledger.index(ledger[-1]) <= number_of(ben.node.get("me/show")["dogName"]) <= len(ledger)))
    story.claim("and Anna's node gets them all",
                lambda: not missing(anna.node.home), within=20)
    both_equal(story, anna, ben, within=15)


def number_of(dog: str) -> int:
    """The number in a written dog's name."""
    return int(dog.rpartition(" ")[2])


# The end


def goodbye(world: World, story: Story) -> None:
    """Every node ends when asked, and leaves no socket behind."""
    for person in world.people:
        if story.does("stop"):
            status = person.node.stop()
            story.claim(f"{person.name}'s node ends with exit code 0", lambda: status == 0)
    story.claim("no socket is left behind", lambda: not any(
        (each.node.home / "api.sock").exists() for each in world.people))
    story.claim("sqlite3 finds every database whole", lambda: all(
        sqlite(each.node.home, "PRAGMA integrity_check") == ["ok"] for each in world.people))
