"""Three people look for others with the same interests, and two of them say that they have met,
and then hold their devices together.

Ben shares 3 interests with Anna, then Cleo shares 3 too, then more; the match is Ben, still Ben,
then Cleo, and stays Cleo when Ben shares as many. What is announced is read by Avahi on a third host.
"""

import re
import time

from lan.outside import connections
from lan.people import Person, World
from lan.ranged import play
from lan.scenes import together
from lan.story import Story

# The index of each interest on the wire.
INDEX = {"cats": 5, "coffee": 21, "films": 30, "walks": 33, "hockey": 40, "gym": 51, "travel": 53,
         "stocks": 57, "vr": 58, "boxing": 72, "tea": 80}
BYTES = 11
ANNA = ("coffee", "tea", "walks", "cats", "films")
THREE_OF_BEN = ("coffee", "tea", "walks", "vr", "gym")
THREE_OF_CLEO = ("films", "tea", "walks", "vr", "gym")
FOUR_OF_CLEO = ("films", "cats", "tea", "walks", "gym")
FOUR_OF_BEN = ("coffee", "tea", "walks", "cats", "gym")
# Rule: both tap within 5 s.
TAPS_SECONDS = 5
# Rule: devices touch below 0.08 m, with an uncertainty of at most 0.03 m.
TOUCHING, NOT_TOUCHING, UNCERTAINTY = 0.0799, 0.08, 0.03
# How long the recorded distance lasts, and how often it is measured.
MEASURED_SECONDS, PER_SECOND = 30, 10
# A byte that is not printed as itself, as avahi-browse writes it: a backslash and three decimals.
ESCAPED = re.compile(r"\\(\d{3}|.)", re.DOTALL)


def interests(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben, cleo = world.anna, world.ben, world.cleo
    # If two nodes dialled each other at once, they end one of the two connections.
    story.claim("each two of the three have one connection",
                lambda: links(world) == [1, 1, 1], within=5)
    silent(world, story, "before they look, nobody announces interests")
    for each in (anna, ben):
        story.tell(f"{each.name} looks")
    look(anna, ANNA)
    look(ben, THREE_OF_BEN)
    matched(story, "Ben is Anna's match, with 3 in common", anna, ben, 3)
    read_by_others(world, story)
    if story.does("interests-look"):
        story.tell("Cleo looks")
        look(cleo, THREE_OF_CLEO)
    story.claim("Anna sees that two others look",
                lambda: state(anna).get("lookingCount") == 2, within=8)
    matched(story, "a tie keeps Ben", anna, ben, 3)
    if story.does("interests-better"):
        look(cleo, FOUR_OF_CLEO)
    matched(story, "Cleo shares 4 and is the match now", anna, cleo, 4)
    look(ben, FOUR_OF_BEN)
    story.claim("Ben shares 4 too, as his own node says",
                lambda: common(ben) == 4, within=8)
    time.sleep(1)
    matched(story, "a tie keeps Cleo", anna, cleo, 4)
    story.claim("ss shows the connections that were there before, and no other",
                lambda: links(world) == [1, 1, 1])
    met(story, anna, cleo)
    touched(world, story, anna, cleo)
    for each in (anna, ben, cleo):
        each.node.cli("interests", "stop")
    silent(world, story, "afterwards, nobody does any more")


def look(person: Person, words: tuple[str, ...]) -> None:
    """A person chooses interests and looks."""
    person.node.cli("interests", "choose", *words)
    person.node.cli("interests", "look")


def state(person: Person) -> dict:
    """A person's interests and match, as their node shows them."""
    return person.node.get("interests/show")


def common(person: Person) -> int:
    """The number of interests that a person shares with their match; 0 without one."""
    return len(state(person).get("match", {}).get("common", []))


def matched(story: Story, text: str, person: Person, other: Person, count: int) -> None:
    """Claims who the match of a person is."""
    def is_match() -> bool:
        match = state(person).get("match", {})
        return match.get("device") == other.device and len(match["common"]) == count
    story.claim(text, is_match, within=8)


def links(world: World) -> list[int]:
    """The connections between each two of the three."""
    three = world.people[:3]
    return [connections(one.node, other.node)
            for at, one in enumerate(three) for other in three[at + 1:]]


def bits(words: tuple[str, ...]) -> bytes:
    """The announcement of interests, made by the rule of docs/protocol.md."""
    number = sum(1 << INDEX[word] for word in words)
    return number.to_bytes(BYTES, "little")


def announced(world: World, key: str = "in") -> dict[str, bytes]:
    """A field that hosts announce, by their addresses, as Cleo's Avahi reads it: their interests,
    or another one. It is empty for a host that does not announce it."""
    # A name that does not resolve would keep avahi-browse waiting.
    browse = "timeout 5 avahi-browse --terminate --resolve --parsable _waggle._tcp || true"
    found = {}
    for row in world.cleo.host.run("sh", "-c", browse).split("\n="):
        fields = row.split(";", 9)
        if len(fields) == 10:
            field = re.search(rf'"{key}=((?:[^"\\]|\\\d{{3}}|\\.)*)"', fields[9], re.DOTALL)
            found[fields[7]] = plain(field[1]) if field else b""
    return found


def plain(text: str) -> bytes:
    """The bytes that avahi-browse prints with escapes."""
    def byte(found: re.Match) -> str:
        return chr(int(found[1])) if len(found[1]) == 3 else found[1]
    return ESCAPED.sub(byte, text).encode("latin-1")


def silent(world: World, story: Story, text: str) -> None:
    """Nobody's host announces interests."""
    if not world.lan:
        return story.skip(f"{text}: without root there is no LAN")
    story.claim(text, lambda: all(
        announced(world).get(each.address) == b"" for each in world.people), within=20)


def read_by_others(world: World, story: Story) -> None:
    """Any host on the LAN can read the interests of those who look, and no others."""
    if not world.lan:
        return story.skip("the announcement as Avahi shows it: without root there is no LAN")
    wanted = {world.anna.address: bits(ANNA), world.ben.address: bits(THREE_OF_BEN),
              world.cleo.address: b""}
    story.claim("Avahi on Cleo's host shows the interests of Anna and Ben bit by bit, and none of "
                "Cleo", lambda: wanted.items() <= announced(world).items(), within=20)


def met(story: Story, anna: Person, cleo: Person) -> None:
    """One tap alone does nothing at the other; two within 5 s begin a drop, which Anna declines."""
    cleo.node.cli("interests", "met")
    story.claim("Cleo says that they met; Anna, who does not, is shown nothing",
                lambda: still_nothing(anna, "idle", seconds=2))
    story.claim(f"after {TAPS_SECONDS} s it is over",
                lambda: cleo.drop()["phase"] == "failed", within=TAPS_SECONDS + 3)
    if story.does("interests-tap"):
        story.tell("Anna and Cleo both say so")
        cleo.node.cli("interests", "met")
    anna.node.cli("interests", "met")
    exchange(story, anna, cleo)
    anna.node.cli("drop", "decline")
    story.claim("Anna declines, and they are no mates", lambda: not anna.mate(cleo.person)
                and not cleo.mate(anna.person) and cleo.drop()["phase"] == "declined", within=8)


def touched(world: World, story: Story, anna: Person, cleo: Person) -> None:
    """Recorded distances are no touch at 0.08 m, and begin a drop without a tap at 0.0799 m."""
    story.tell(f"Anna and Cleo hold their devices {NOT_TOUCHING} m apart, by recorded distances")
    measure(world, anna, cleo, NOT_TOUCHING)
    story.claim("both nodes show this distance of the match",
                lambda: {distance(each) for each in (anna, cleo)} == {NOT_TOUCHING}, within=4)
    story.claim("it is no touch: neither is shown anything", lambda: all(together(
        *(lambda each=each: still_nothing(each, "declined", seconds=1) for each in (anna, cleo)))))
    if story.does("interests-touch"):
        story.tell(f"they hold them {TOUCHING} m apart; nobody taps")
        measure(world, anna, cleo, TOUCHING)
    exchange(story, anna, cleo)
    for each in (anna, cleo):
        each.node.cli("ranging", "source", "off")
    cleo.node.cli("drop", "decline")
    story.claim("Cleo declines, and Anna reads it",
                lambda: anna.drop()["phase"] == "declined", within=5)


def exchange(story: Story, anna: Person, cleo: Person) -> None:
    """Both are shown the same code, the same question and each other's card."""
    story.claim("both screens show a check code", lambda: all(
        each.drop()["phase"] == "deciding" and each.drop()["checkCode"] for each in (anna, cleo)
    ), within=8)
    story.equal("it is the same one on both", anna.drop()["checkCode"], cleo.drop()["checkCode"])
    story.equal("both see the same question to begin with, and what they share",
                anna.drop()["meeting"], cleo.drop()["meeting"])
    story.claim("and each other's card", lambda: (
        anna.drop()["peer"]["card"]["nickname"], cleo.drop()["peer"]["card"]["nickname"]
    ) == ("Cleo", "Anna"), within=5)


def measure(world: World, anna: Person, cleo: Person, metres: float) -> None:
    """Gives both nodes a recording in which the other's device is so far away."""
    def lines(other: Person) -> list[dict]:
        return [{"seconds": tick / PER_SECOND, "device": other.device, "distanceMetres": metres,
                 "uncertaintyMetres": UNCERTAINTY} for tick in range(MEASURED_SECONDS * PER_SECOND)]
    together(lambda: play(world, anna, lines(cleo)), lambda: play(world, cleo, lines(anna)))


def distance(person: Person) -> float | None:
    """The measured distance of a person's match, in metres."""
    return state(person).get("match", {}).get("distanceMetres")


def still_nothing(person: Person, phase: str, seconds: float) -> bool:
    """Whether a person is shown no other phase of the drop and no item in the inbox for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        drop = person.drop()
        items = person.node.get("inbox/list")["items"]
        if drop["phase"] != phase or drop.get("incoming") or items:
            return False
        time.sleep(0.2)
    return True
