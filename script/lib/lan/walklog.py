"""Anna records a walk while a track is played at sixty times its pace. Her node is killed in the
middle. She shows the walk to Ben without its ends, and takes it back."""

import time
from datetime import datetime, timezone
from pathlib import Path

from lan.erased import holds_bytes
from lan.outside import sqlite
from lan.people import Person, World
from lan.story import Story

GATE = (37.5665, 126.9780)
METRES_PER_DEGREE = 6_371_000 * 3.141592653589793 / 180
SPEED = 60
# The track: a point each five seconds for half an hour, north at 1.4 m/s and a little to and fro.
STEP_SECONDS, POINTS, STEP_METRES = 5, 361, 7.0
BEND_POINTS, BEND_METRES = 20, 60.0
# Rules: a crash costs at most five seconds of points, and the ends that Ben does not see.
LOST_SECONDS_MAX, HIDDEN_METRES = 5, 200


def walklog(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = world.anna, world.ben
    record(story, anna)
    killed(story, anna)
    walk = finished(story, anna)
    share = shared(story, anna, ben, walk)
    taken_back(story, anna, ben, share)


# The track


def place(index: int) -> tuple[float, float]:
    """The degrees of a point of the track."""
    turn = abs(index % (2 * BEND_POINTS) - BEND_POINTS) / BEND_POINTS
    east = turn * BEND_METRES / METRES_PER_DEGREE / 0.7926
    return (GATE[0] + index * STEP_METRES / METRES_PER_DEGREE, GATE[1] + east)


def metres(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The distance of two places near each other."""
    north, east = other[0] - one[0], (other[1] - one[1]) * 0.7926
    return METRES_PER_DEGREE * (north * north + east * east) ** 0.5


def length(first: int = 0) -> float:
    """The length of the track from a point on."""
    return sum(metres(place(index), place(index + 1)) for index in range(first, POINTS - 1))


def play(anna: Person, first: int = 0) -> None:
    """Plays the track from a point on, with its times."""
    began = anna.node.get("status/show")["nowMs"] / 1000
    points = []
    for index in range(first, POINTS):
        moment = datetime.fromtimestamp(began + index * STEP_SECONDS, timezone.utc)
        north, east = place(index)
        points.append(
            f'<trkpt lat="{north:.7f}" lon="{east:.7f}">'
            f"<time>{moment.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}</time></trkpt>")
    file: Path = anna.node.home.parent / f"{anna.node.home.name}-walk.gpx"
    file.write_text(f"<gpx><trk><trkseg>{''.join(points)}</trkseg></trk></gpx>")
    anna.node.cli("location", "source", "gpx", "--file", str(file), "--speed", str(SPEED))


# Recording


def status(anna: Person) -> dict:
    """The recording as Anna's node shows it."""
    return anna.node.get("walk-log/status")


def points_count(anna: Person) -> int:
    """The number of points of the recording."""
    return status(anna).get("walk", {}).get("pointsCount", 0)


def record(story: Story, anna: Person) -> None:
    """Anna starts to record, and walks."""
    if story.does("walk-record"):
        anna.node.cli("walk-log", "start", "--dog", "Ada")
    story.claim("Anna's walk is being recorded, and its distance is 0", lambda: (
        status(anna)["state"] == "recording" and status(anna)["walk"]["distanceMetres"] == 0))
    play(anna)
    story.claim("the walk becomes longer", lambda: points_count(anna) > 100, within=30)


def killed(story: Story, anna: Person) -> None:
    """Anna's node is killed in the middle, and the walk goes on where it was recorded last."""
    before = points_count(anna)
    if story.does("walk-kill"):
        story.tell("Anna's node is killed")
        anna.node.kill()
        anna.node.start()
    story.claim("started again, it asks whether the walk goes on", lambda: (
        status(anna)["state"] == "interrupted" and any(
            item["kind"] == "walklog" for item in anna.node.get("inbox/list")["items"])), within=15)
    lost_max = LOST_SECONDS_MAX * SPEED // STEP_SECONDS
    story.claim(f"of {before} points at most {lost_max} are lost, those of five seconds",
                lambda: points_count(anna) >= before - lost_max)
    if story.does("walk-resume"):
        anna.node.cli("walk-log", "resume")
    last = anna.node.get("walk-log/track")["points"][-1]
    nearest = min(range(POINTS), key=lambda index: metres(
        place(index), (last["latitude"], last["longitude"])))
    play(anna, nearest)


def finished(story: Story, anna: Person) -> str:
    """The track ends, and the walk is kept."""
    goal = length()
    story.claim(f"its distance comes within 1 % of the track's {goal:.0f} m", lambda: (
        abs(status(anna)["walk"]["distanceMetres"] - goal) <= goal / 100), within=60)
    time.sleep(1)
    walk = anna.node.cli("walk-log", "finish")
    story.claim("the finished walk has it too, and the dog", lambda: (
        abs(walk["distanceMetres"] - goal) <= goal / 100 and walk["dogs"] == ["Ada"]))
    story.claim("it is in the list, and nothing is being recorded", lambda: (
        [each["id"] for each in anna.node.get("walk-log/list")["walks"]] == [walk["id"]]
        and status(anna)["state"] == "idle"))
    return walk["id"]


# Sharing


def shared(story: Story, anna: Person, ben: Person, walk: str) -> str:
    """Anna shows the walk to Ben; he does not see where it begins and ends."""
    share = "none"
    if story.does("walk-share"):
        share = anna.node.cli("walk-log", "share", walk, "--with", ben.person)["id"]
    story.claim("Ben sees the walk", lambda: [
        each["id"] for each in ben.node.get("walk-log/shared")["walks"]] == [share], within=15)
    way = [(each["latitude"], each["longitude"])
           for each in ben.node.get(f"walk-log/way?id={share}")["points"]]
    story.claim(f"he sees {len(way)} points of the way, none within 200 m of its ends", lambda: (
        len(way) > 10 and all(metres(each, place(end)) > HIDDEN_METRES
                              for each in way for end in (0, POINTS - 1))))
    return share


def taken_back(story: Story, anna: Person, ben: Person, share: str) -> None:
    """Anna takes the walk back; its bytes leave both homes."""
    way = bytes.fromhex(sqlite(ben.node.home, "SELECT hex(way) FROM walklog_shared")[0])
    needle = way[len(way) // 2:][:32]
    story.claim("the bytes of the way are in both homes", lambda: all(
        holds_bytes(each.node.home, needle) for each in (anna, ben)))
    if story.does("walk-unshare"):
        story.tell("Anna takes the walk back")
        anna.node.cli("walk-log", "unshare", share)
    story.claim("Ben sees it no longer", lambda: not ben.node.get("walk-log/shared")["walks"],
                within=15)
    story.claim("no file of either home has the bytes", lambda: not any(
        holds_bytes(each.node.home, needle) for each in (anna, ben)), within=15)
