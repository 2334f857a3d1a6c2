"""The map: a file of tiles beneath it, choosing a point, and what it forgets."""
import re
import sqlite3
import struct
import zlib
from pathlib import Path

from accessible import until
from menu_tests import drop
from snapshots import ask_for_walk
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
