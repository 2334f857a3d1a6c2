"""The walk log: a recording of six hours, and a thousand walks in the node and in the window."""

import math
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from bench.node import BenchNode
from bench.screen import HEIGHT, WIDTH, Screen, screen
from bench.timing import milliseconds
from bench.window import PAGE_POINT, SETTLE_SECONDS, longest_answer

HOURS = 6
SECONDS = HOURS * 3600
WALKS = 1000
SHORT_POINTS = 30
LONG_POINTS = 20_000
# As many as the window's list asks for at a time, and as the map does for a way.
PAGE_WALKS, MAP_POINTS = 20, 2000
# The page of walks, by the order of the window's pages.
WALKS_KEY = "ctrl+7"
# The newest walk in the list, and the map beside the page.
ROW_POINT, MAP_POINT = (300, 403), (800, 350)
# The columns of the screen in which the map has no button, and the least height of a way that was
# brought into view.
MAP_COLUMNS, WAY_PIXELS_MIN = range(600, 940), 180
NEWEST = datetime.now(timezone.utc) - timedelta(days=1)


def walk_recording(bench) -> None:
    """a walk of six hours with a location in each second: memory and writes"""
    found = bench.call("walk", str(bench.home("walk", "first")))
    points, memory = found["pointsCount"], found["memoryMebibytes"]
    bench.report.check("the walk of six hours has its points, its time and its length", (
        points > SECONDS * 0.95 and found["elapsedSeconds"] == SECONDS
        and abs(found["distanceMetres"] / found["walkedMetres"] - 1) < 0.01))
    bench.report.record("walk_memory_mb", max(memory) - memory[0])
    bench.report.record("walk_written_mb", found["writtenBytes"] / 1e6)
    for name, value in {
        "points of a walk of six hours": points,
        "memory before it, MB": memory[0],
        "memory after its first hour, MB": memory[1],
        "memory after six hours, MB": memory[-1],
        "memory when it is kept, MB": found["memoryMebibytesAfter"],
        "the most memory meanwhile, MB": found["memoryMebibytesMax"],
        "its journal, MB": found["journalBytes"] / 1e6,
        "processor time of the node in these six hours, s": found["processorSeconds"],
    }.items():
        bench.report.record_beside(name, value)


def walks(bench) -> None:
    """a thousand walks: the list, the page, and one of 20 000 points on the map"""
    node = BenchNode(bench.binary, bench.home("walks", "first"))
    try:
        node.ask("me/edit", {"nickname": "Mina", "dogName": "Bori"})
        node.ask("location/set", {"latitude": 37.5665, "longitude": 126.978})
        fill(bench, node)
        for _ in range(bench.runs):
            measure_commands(bench, node)
            with screen(bench.scratch, with_reader=False) as stage:
                measure_window(bench, node, stage)
    finally:
        node.end()


def fill(bench, node: BenchNode) -> None:
    """Imports the walks, one a day; the newest is the long one."""
    file = bench.scratch / "walk.gpx"
    for number in range(WALKS - 1):
        write(file, NEWEST - timedelta(days=WALKS - number), SHORT_POINTS, 60)
        node.ask("walk-log/import", {"file": str(file)})
    write(file, NEWEST, LONG_POINTS, 1)
    longest = node.ask("walk-log/import", {"file": str(file)})
    bench.report.check("there are 1 000 walks, and the newest has 20 000 points", (
        len(node.ask(f"walk-log/list?count={WALKS}")["walks"]) == WALKS
        and longest["pointsCount"] == LONG_POINTS))


def write(file: Path, began: datetime, points: int, step_seconds: int) -> None:
    """Writes a track of rounds that grow and shrink, about 6 m from point to point, so that a long
    one fills the map with its loops."""
    lines, angle = [], 0.0
    for index in range(points):
        at = (began + timedelta(seconds=index * step_seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
        metres = 800 + 600 * math.sin(angle * 0.37)
        north, east = metres * math.cos(angle), metres * math.sin(angle)
        lines.append(f'<trkpt lat="{37.5 + north / 111_195:.7f}" lon="{127 + east / 88_200:.7f}">'
                     f"<time>{at}</time></trkpt>")
        angle += 6 / metres
    file.write_text(f"<gpx><trk><trkseg>{''.join(lines)}</trkseg></trk></gpx>")


def measure_commands(bench, node: BenchNode) -> None:
    """The answers to the window's questions."""
    newest = f"walk-log/list?count={PAGE_WALKS}"
    bench.report.record("walks_list_ms", milliseconds(lambda: node.ask(newest)))
    first = node.ask(newest)["walks"]
    oldest = node.ask(f"walk-log/list?count={WALKS}")["walks"][-PAGE_WALKS]["id"]
    for name, route in {
        "the page of the oldest walks, ms": f"walk-log/list?count={PAGE_WALKS}&before={oldest}",
        "all 1 000 walks, ms": f"walk-log/list?count={WALKS}",
        "sums of weeks and months, ms": "walk-log/totals",
        "20 000 points simplified to 2 000, ms":
            f"walk-log/track?id={first[0]['id']}&points={MAP_POINTS}",
    }.items():
        bench.report.record_beside(name, milliseconds(lambda route=route: node.ask(route)))


def measure_window(bench, node: BenchNode, stage: Screen) -> None:
    """The longest answers of the window's main loop, as in the measurement of the window."""
    stage.open(bench.binary.parent / "waggle-window", node.home)
    stage.await_window()
    time.sleep(SETTLE_SECONDS)
    with stage.pings() as answers:
        def longest(act) -> float:
            return longest_answer(answers, act) / 1e6
        bench.report.record("walks_page_ms", longest(lambda: stage.press(WALKS_KEY)))
        bench.report.record_beside("stall, scrolling the walks, ms", longest(lambda: (
            stage.scroll(*PAGE_POINT, 40), stage.scroll(*PAGE_POINT, 60, down=False))))
        bench.report.record_beside("stall, opening the walk of 20 000 points, ms", longest(
            lambda: (stage.click(*ROW_POINT), time.sleep(1))))
        bench.report.check("the long walk is on the map, as large as it fits",
                           way_height(stage) > WAY_PIXELS_MIN)
        bench.report.record("walk_map_ms", longest(lambda: look_around(stage)))


def way_height(stage: Screen) -> int:
    """The number of the screen's rows in which the map has the colour of a way."""
    picture = stage.picture()
    return sum(any(is_way(*picture[(y * WIDTH + x) * 4:][:3]) for x in MAP_COLUMNS)
               for y in range(HEIGHT))


def is_way(blue: int, green: int, red: int) -> bool:
    """Whether this is the dark blue of a way, and not the lighter one of a selected row."""
    return red < 60 and 60 < green < 120 and 130 < blue < 200


def look_around(stage: Screen) -> None:
    """Drags the map, looks nearer step by step, drags it there, and looks from afar again."""
    for nearer in (0, 3, 3):
        stage.scroll(*MAP_POINT, nearer, down=False)
        stage.drag(MAP_POINT, (MAP_POINT[0] - 120, MAP_POINT[1] + 200))
    stage.scroll(*MAP_POINT, 12)
