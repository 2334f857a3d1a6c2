"""The map: a file of tiles beneath it, choosing a point, and what it forgets."""
import re
import sqlite3
import struct
import subprocess
import zlib
from pathlib import Path

from accessible import Atspi, click, key, until
from menu_tests import chosen, drop, is_at
from promise_tests import own
from snapshots import LOCATIONS, ask_for_walk
from stage import expect, stage


def picture(colour: tuple[int, int, int], pixels: int = 256) -> bytes:
    """A PNG of one colour with a darker edge."""
    dark = bytes(part // 2 for part in colour)
    edge = b"\0" + dark * pixels
    line = b"\0" + dark + bytes(colour) * (pixels - 2) + dark

    def chunk(kind: bytes, content: bytes) -> bytes:
        whole = kind + content
        return struct.pack(">I", len(content)) + whole + struct.pack(">I", zlib.crc32(whole))
    header = struct.pack(">IIBBBBB", pixels, pixels, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(edge + line * (pixels - 2) + edge))
            + chunk(b"IEND", b""))


def tiles(path: Path, form: str = "png", attribution: str = "") -> str:
    """Makes an MBTiles file with the whole world on three levels."""
    file = sqlite3.connect(path)
    file.executescript(
        "CREATE TABLE metadata (name TEXT, value TEXT);"
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,"
        " tile_data BLOB);"
        "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);")
    file.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", "Squares"), ("format", form), ("minzoom", "0"), ("maxzoom", "14"),
        ("attribution", attribution)])
    shades = [picture((170, 210 - 20 * shade, 170)) for shade in range(3)]
    places = [(zoom, x, y) for zoom in range(3) for x in range(1 << zoom) for y in range(1 << zoom)]
    # Around Seoul there are tiles on the other levels too.
    places += [(zoom, (6986 >> 13 - zoom) + x, (5020 >> 13 - zoom) + y)
               for zoom in range(9, 14) for x in range(-2, 3) for y in range(-2, 3)]
    file.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)",
                     [(zoom, x, y, shades[(x + y) % 3]) for zoom, x, y in places])
    file.commit()
    file.close()
    return str(path)


def map_file(on) -> str:
    """The setting `map.file`."""
    return on.ask("config/get?name=map.file")["value"]


def test_map_file_that_is_dropped():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        path = tiles(on.cast.folder / "squares.mbtiles",
                     attribution='<a href="x">&copy; Ann &amp; Ben</a>')
        drop(on, path)
        on.frame.find("© Ann & Ben", "label")
        on.frame.says("The map shows “Squares”")
        expect(map_file(on) == path, f"the setting is {map_file(on)}")
        on.expect_good_layout()
        on.shot("map-file")
        on.frame.press("More for the map")
        on.frame.press("Remove the map “Squares”")
        on.frame.gone("© Ann & Ben")
        on.wait("config/get?name=map.file", lambda answer: answer["value"] == "none", "no file")
        on.node.api.ask("config/set", {"name": "map.file", "value": path})
        on.frame.find("© Ann & Ben", "label")


def test_map_file_that_cannot_be_drawn():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        drop(on, tiles(on.cast.folder / "shapes.mbtiles", form="pbf"))
        on.frame.find("The map file cannot be shown", "alert")
        on.frame.says("“shapes.mbtiles” has vector tiles, which Waggle cannot draw.")
        expect(map_file(on) == "none", f"the setting is {map_file(on)}")
        on.frame.press("Close")
        on.node.api.ask("config/set", {"name": "map.file", "value": "/nowhere/lost.mbtiles"})
        on.frame.says("There is no file “lost.mbtiles”.")
        on.frame.press("Remove the map file")
        on.frame.gone("The map file cannot be shown")


def test_location_that_is_forgotten():
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        until(lambda: locations_count(on) > 0, "Sora on the map")
        on.frame.press("More for the map")
        on.frame.press("Forget my location")
        on.wait("location/show", lambda known: "latitude" not in known, "no location")
        on.frame.says("Where are you?")
        on.expect_good_layout()
        on.shot("map-forgotten")


def locations_count(on) -> int:
    """The number of locations on the map, as it says to a screen reader; -1 if it says none."""
    text = on.frame.find("Map", "canvas").get_description() or ""
    count = re.match(r"(\d+) locations?\. ", text)
    return int(count[1]) if count else -1


def test_flag_of_a_walk_ends_with_it():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        until(lambda: locations_count(on) == 2, "Sora and Mina on the map")
        id = ask_for_walk(on.cast, "A walk?")
        until(lambda: locations_count(on) == 3, "the flag of the walk")
        on.node.api.ask("walk/decline", {"id": id})
        until(lambda: locations_count(on) == 2, "the flag to end with the walk")


def choose_beside_sheet(on, title: str, line: str) -> tuple[float, float]:
    """Clicks on the map twice while a sheet is open, which stays with the text of one of its lines;
    returns the second point."""
    points = []
    for across, down in ((0.25, 0.75), (0.3, 0.25)):
        click(on.frame.find("Map", "canvas"), across, down)
        point = until(lambda: chosen(on) not in points and chosen(on), "another chosen point")
        on.frame.says(f"Meet at the point you chose ({point[0]:.5f}° N, {point[1]:.5f}° E).")
        expect(on.frame.seen(title, "dialog"), "the click closed the sheet")
        expect(on.frame.line(line) == "Before dinner", "the click lost the text")
        points.append(point)
    return points[-1]


def test_map_beside_a_sheet_can_be_clicked():
    with stage("mates", "mina") as on:
        on.frame.press("Mina: Ask for a walk…")
        on.frame.type("Your message", "Before dinner")
        point = choose_beside_sheet(on, "Ask Mina for a walk", "Your message")
        on.expect_good_layout()
        on.shot("map-beside-sheet")
        on.frame.press("Ask")
        walk = on.wait("walk/list", lambda answer: answer["requests"], "the request")[0]
        expect(is_at(walk, point), f"it asks for {walk}, not for {point}")
        on.frame.press("Promises")
        on.frame.press("Make a promise")
        on.frame.type("What", "Before dinner")
        on.frame.type("When", "2030-05-01 18:30")
        point = choose_beside_sheet(on, "Make a promise", "What")
        on.frame.reach("With Mina")
        on.frame.press("With Mina")
        on.frame.press("Promise")
        on.wait("promise/list", lambda answer: answer["promises"], "the promise")
        expect(is_at(own(on), point), f"it is made for {own(on)}, not for {point}")


def middle(on) -> tuple[float, float]:
    """The point in the middle of the map."""
    on.frame.find("Map", "canvas").get_component_iface().grab_focus()
    if on.frame.seen("Chosen point"):
        key("Escape")
        on.frame.gone("Chosen point")
    key("space")
    return chosen(on)


def rested_middle(on) -> tuple[float, float]:
    """The point in the middle of the map, once it does not move any more."""
    def rested() -> tuple[float, float] | None:
        before, now = middle(on), middle(on)
        return now if is_near(before, now) else None
    return until(rested, "the map to rest")


def test_line_under_the_map_is_there_for_a_chosen_point():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.frame.gone("Chosen point")
        middle(on)
        point = chosen(on)
        expect(on.frame.is_usable("I am here: set the chosen point as my location"), str(point))
        key("Escape")
        on.frame.gone("Chosen point")
        on.frame.press("More for the map")
        on.frame.press("Type a location…")
        on.frame.type("Chosen point", f"{LOCATIONS['jun'][0]}, {LOCATIONS['jun'][1]}")
        on.frame.press("I am here: set the chosen point as my location")
        on.wait("location/show", lambda known: is_at(known, LOCATIONS["jun"]), "another location")
        on.frame.gone("Chosen point")
        on.frame.press("More for the map")
        on.frame.press("Type a location…")
        on.frame.find("Chosen point")
        key("Escape")
        on.frame.gone("Chosen point")
        on.expect_good_layout()


def letters_height(on) -> int:
    """The height in pixels of the letters on the map's scale, in a picture of it; 0 while it is not
    drawn."""
    box = on.frame.find("Map", "canvas").get_component_iface().get_extents(Atspi.CoordType.SCREEN)
    width, height = 40, 90
    picture = subprocess.run(
        ["import", "-window", "root", "-depth", "8", "-crop",
         f"{width}x{height}+{box.x + 20}+{box.y + box.height - height - 13}", "gray:-"],
        check=True, capture_output=True).stdout
    rows = [picture[start:start + width] for start in range(0, len(picture), width)]
    inked = "".join("x" if min(row) < 100 else " " for row in rows)
    # The last rows with ink are the bar; those above it are the letters.
    parts = inked.split()
    return len(parts[-2]) if len(parts) > 1 else 0


def test_letters_of_the_map_follow_the_text_scale():
    heights = []
    for scale in (1, 2):
        with stage("mates", scale=scale) as on:
            on.frame.press("Mates")
            until(lambda: locations_count(on) == 1, "Sora on the map")
            on.shot(f"map-letters-{scale}00")
            heights.append(until(lambda: letters_height(on), "the scale of the map"))
    expect(1.7 <= heights[1] / heights[0] <= 2.3, f"the letters are {heights} pixels high")


def is_near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two points are within about two metres."""
    return all(abs(a - b) < 0.00002 for a, b in zip(one, other))


def move_to(on, location: tuple[float, float]) -> None:
    """Moves Sora to a location, and waits until the window shows it, by the distance to Mina."""
    before = distance_to_mina(on)
    on.ask("location/set", {"latitude": location[0], "longitude": location[1]})
    until(lambda: distance_to_mina(on) != before, "another distance to Mina")


def distance_to_mina(on) -> str:
    """The distance in the list of mates, such as "499 m"."""
    return until(lambda: next((found[0] for text in on.frame.texts()
                               if (found := re.search(r"\d+ m\b", text))), None), "a distance")


def test_my_location_is_followed_until_the_map_is_moved():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        until(lambda: locations_count(on) == 2, "Sora and Mina on the map")
        expect(not is_near(middle(on), LOCATIONS["sora"]), "Sora is in the middle from the start")
        here = LOCATIONS["sora"]
        for step, (name, go_to_me) in enumerate((
                ("the Home key", lambda: key("Home")),
                ("the button", lambda: on.frame.press("My location")),
                ("the Home key again", lambda: key("Home")))):
            go_to_me()
            until(lambda: is_near(middle(on), here), f"Sora in the middle after {name}")
            here = (37.5690 + step / 1000, 126.9830)
            move_to(on, here)
            until(lambda: is_near(middle(on), here), f"the map to follow after {name}")
            key("Right", "Up")
            until(lambda: not is_near(middle(on), here), "the arrow keys to move the map")
            left = rested_middle(on)
            here = (37.5690 + step / 1000, 126.9850)
            move_to(on, here)
            expect(is_near(middle(on), left), "the map follows after it was moved")
