"""Four people promise to meet, and three recorded tracks are played at sixty times their pace.

Anna comes early, Ben half a minute after the time, Dora two minutes after it, Emil not at all. No
window is open anywhere. Ben's node is killed on the way. Afterwards the files hold each person's
point of departure and time of arrival, and no other location.
"""

import struct
import time
from datetime import datetime, timezone
from pathlib import Path

from clock import shifted
from lan.files import contents
from lan.group import arrive
from lan.people import Person, World
from lan.story import Story

PLACE = (37.5665, 126.9780)
METRES_PER_DEGREE = 6_371_000 * 3.141592653589793 / 180
SPEED = 60
# Rules: tracking begins half an hour before the time, and the promise is past three hours after.
TRACKING_SECONDS, PAST_SECONDS = 1800, 10_800
PENALTY = 500
# The start of each, in metres north of the meeting point, and the arrival, in seconds after the
# promise's time.
TRACKS = {"Anna": (1500.25, -300), "Ben": (2000.75, 30), "Dora": (2500.5, 120)}
LATENESS = {"Anna": "early", "Ben": "onTime", "Dora": "late"}


def promise(world: World, story: Story) -> None:
    """Plays the scene."""
    dora, emil = friends(world, story)
    four = [world.anna, world.ben, dora, emil]
    at_ms, dinner = promised(story, four)
    walk(world, story, four, dinner, at_ms)
    arrived(story, four, dinner)
    nothing_kept(story, four)
    afterwards(story, four, dinner)


def friends(world: World, story: Story) -> list[Person]:
    """Dora and Emil, who join the LAN if they are not there yet."""
    known = [each for each in world.people if each.name in ("Dora", "Emil")]
    return known or arrive(world, story)


def promised(story: Story, four: list[Person]) -> tuple[int, str]:
    """Anna makes the promise, the others accept; it is tracked a few seconds later."""
    anna = four[0]
    at_ms = anna.node.get("status/show")["nowMs"] + (TRACKING_SECONDS + 8) * 1000
    guests = [word for each in four[1:] for word in ("--with", each.person)]
    dinner = anna.node.cli(
        "promise", "create", "--title", "Dinner", "--at", str(at_ms), f"--latitude={PLACE[0]}",
        f"--longitude={PLACE[1]}", "--penalty", str(PENALTY), *guests)["id"]
    for each in four[1:]:
        story.claim(f"{each.name} has it in the inbox", lambda: any(
            item.get("ref") == dinner for item in each.node.get("inbox/list")["items"]), within=15)
        if story.does("promise-accept"):
            each.node.cli("promise", "accept", dinner)
    story.claim("all four take part, as each of them says", lambda: all(
        show(each, dinner).get("peopleCount") == 4 for each in four), within=15)
    story.claim("it is tracked, and none is reminded late", lambda: all(
        show(each, dinner)["phase"] == "tracking" and reminded(each) for each in four), within=20)
    return at_ms, dinner


def show(person: Person, dinner: str) -> dict:
    """The promise as a person's node shows it."""
    return person.node.get(f"promise/show?promise={dinner}")


def seen(person: Person, other: Person, dinner: str) -> dict:
    """One participant's node's entry for another."""
    people = show(person, dinner).get("people", [])
    return next((each for each in people if each["person"] == other.person), {})


def reminded(person: Person) -> bool:
    """Whether the reminder is in the inbox."""
    items = person.node.get("inbox/list")["items"]
    return any(item["title"].startswith("Dinner in ") for item in items)


# On the way


def latitude(metres: float) -> float:
    """The latitude so many metres north of the meeting point."""
    return PLACE[0] + metres / METRES_PER_DEGREE


def way(name: str) -> list[tuple[int, float]]:
    """The points of a track: seconds after the promise's time, and latitude. It ends at the meeting
    point."""
    metres, arrival = TRACKS[name]
    seconds = list(range(-1500, arrival, 30)) + [arrival]
    return [(at, latitude(metres * (arrival - at) / (arrival + 1500))) for at in seconds]


def record(person: Person, at_ms: int, since: int = -1500) -> Path:
    """Writes a person's track from a moment on as a GPX file."""
    points = []
    for seconds, north in way(person.name):
        moment = datetime.fromtimestamp(at_ms / 1000 + seconds, timezone.utc)
        if seconds >= since:
            points.append(
                f'<trkpt lat="{north!r}" lon="{PLACE[1]!r}">'
                f"<time>{moment.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}</time></trkpt>")
    # Beside the home, which is searched for the locations in it.
    file = person.node.home.parent / f"{person.node.home.name}.gpx"
    file.write_text(f"<gpx><trk><trkseg>{''.join(points)}</trkseg></trk></gpx>")
    return file


def play(person: Person, at_ms: int, since: int = -1500) -> None:
    """Plays a person's track on their node."""
    person.node.cli("location", "source", "gpx", "--file", str(record(person, at_ms, since)),
                    "--speed", str(SPEED))


def walk(world: World, story: Story, four: list[Person], dinner: str, at_ms: int) -> None:
    """Three are on the way; Ben's node is killed, and he is not shown until he agrees again."""
    anna, ben, dora, emil = four
    for each in (anna, ben, dora):
        if each is not anna or story.does("promise-track"):
            play(each, at_ms)
    story.claim("Emil, who stays at home, sees the three come nearer", lambda: all(
        0 < seen(emil, each, dinner).get("progress", 0) < 1 for each in (anna, ben, dora)), within=15)
    if story.does("promise-kill"):
        story.tell("Ben's node is killed")
        ben.node.kill()
        ben.node.start()
    story.claim("started again, Ben's node shares nothing and offers to go on",
                lambda: show(ben, dinner).get("sharing") == "interrupted", within=10)
    play(ben, at_ms, since=-600)
    time.sleep(2)
    story.claim("a source that reports again does not change that",
                lambda: show(ben, dinner).get("sharing") == "interrupted")
    if story.does("promise-share"):
        ben.node.cli("promise", "share", dinner)


def arrived(story: Story, four: list[Person], dinner: str) -> None:
    """The three arrive, and every node reports the same."""
    for each in four:
        story.claim(f"{each.name}'s node: Anna early, Ben on time, Dora late, Emil not here", lambda: (
            outcome(each, dinner, four) == LATENESS | {"Emil": "open"}), within=60)
    story.claim("all four tell the same ranks, lateness and debts, in the same order", lambda: (
        len({tuple(result(each, dinner)) for each in four}) == 1), within=10)
    story.claim("each was told of each arrival", lambda: all(
        sum(" arrived, " in item["title"] for item in each.node.get("inbox/list")["items"]) == 3
        for each in four), within=10)
    story.claim("and no one is shown on the way any more", lambda: not any(
        "position" in seen(each, other, dinner) for each in four for other in four))


def result(person: Person, dinner: str) -> list[tuple]:
    """The result on a node: who arrived when, in order; without names, which differ per node."""
    people = person.node.get(f"promise/result?promise={dinner}").get("people", [])
    return [(each["person"], each["lateness"], each.get("rank"), each.get("medal"),
             each.get("arrivedMs"), each["owes"]) for each in people]


def outcome(person: Person, dinner: str, four: list[Person]) -> dict[str, str]:
    """The punctuality of each person, by name."""
    names = {each.person: each.name for each in four}
    return {names[key]: lateness for key, lateness, *_ in result(person, dinner)}


# Afterwards


def nothing_kept(story: Story, four: list[Person]) -> None:
    """No file of any home holds a location except the points of departure."""
    departures = [way(name)[0][1] for name in TRACKS]
    story.claim("the files of all hold the points of departure of the three", lambda: all(
        holds(each.node.home, [north]) for each in four for north in departures))
    # The last one is the meeting point itself, which the promise holds.
    between = [north for name in TRACKS for _, north in way(name)[1:-1]]
    story.claim(f"no file of anyone holds one of {len(between)} other locations", lambda: not any(
        holds(each.node.home, between) for each in four))


def holds(home: Path, numbers: list[float]) -> bool:
    """Whether any file of a home holds one of these numbers, in either order of its bytes."""
    needles = [struct.pack(order + "d", number) for number in numbers for order in "<>"]
    needles += [repr(number).encode() for number in numbers]
    return any(needle in content for content in contents(home) for needle in needles)


def afterwards(story: Story, four: list[Person], dinner: str) -> None:
    """Three hours later it is final: the nodes are started again with their clocks put forward."""
    for each in four:
        each.node.stop()
        if story.does("promise-wait"):
            each.node.clock = shifted(
                TRACKING_SECONDS + PAST_SECONDS + 60, each.node.home.parent)
        each.node.start()
    for each in four:
        story.claim(f"{each.name}'s node: it is past, and Emil did not come", lambda: (
            outcome(each, dinner, four) == LATENESS | {"Emil": "noShow"}), within=20)
    owes = {each.person: PENALTY if each.name in ("Dora", "Emil") else 0 for each in four}
    for each in four:
        story.claim(f"in {each.name}'s ledger Dora and Emil owe {PENALTY} potatoes each",
                    lambda: ledger(each) == owes, within=10)
    story.claim("it is listed among the past ones, and not among those to come", lambda: all(
        listed(each, "?past=true") == [dinner] and not listed(each) for each in four))
    for each in four:
        each.node.stop()
        each.node.clock = []
        each.node.start()


def ledger(person: Person) -> dict[str, int]:
    """The debt of each person in a node's ledger."""
    return {each["person"]: each["owes"] for each in person.node.get("promise/ledger")["people"]}


def listed(person: Person, query: str = "") -> list[str]:
    """The ids of promises that a node lists."""
    return [each["id"] for each in person.node.get(f"promise/list{query}")["promises"]]
