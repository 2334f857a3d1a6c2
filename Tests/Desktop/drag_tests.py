"""Items that are dragged out of the window, as files for other programs."""
import json
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from accessible import Atspi, until
from menu_tests import TRACK
from promise_tests import lunch_is_promised
from snapshots import HOUR, ask_for_walk
from stage import expect, stage

# A window with nothing but a place for files; it ends when some were dropped, and prints them.
TARGET = """
import gi, json
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(40, 40)
window.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
window.drag_dest_add_uri_targets()
def dropped(window, context, x, y, data, info, time):
    print(json.dumps(data.get_uris()), flush=True)
    Gtk.main_quit()
window.connect("drag-data-received", dropped)
window.show_all()
window.move(0, 0)
print("ready", flush=True)
Gtk.main()
"""


def move(node, *to: tuple[int, int]) -> None:
    """Drags a row by its text, over these points of the screen, and lets go of it at the last."""
    box = node.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
    start = box.x + box.width // 4, box.y + 16
    points = [start, (start[0] + 15, start[1] + 5), *to]
    for number, (x, y) in enumerate(points):
        press = [] if number else ["mousedown", "1"]
        subprocess.run(
            ["xdotool", "mousemove", str(x), str(y), *press, "sleep", "0.2"], check=True)
    subprocess.run(["xdotool", "mouseup", "1"], check=True)


def dragged(on, node) -> Path:
    """Drags a row of the window to another program; returns the path of the file it receives."""
    target = subprocess.Popen([sys.executable, "-c", TARGET], env=on.environment,
                              stdout=subprocess.PIPE, text=True)
    try:
        expect(target.stdout.readline() == "ready\n", "the other program does not start")
        move(node, (60, 120), (25, 25), (20, 20))
        said, _ = target.communicate(timeout=15)
    finally:
        target.kill()
        target.wait()
    addresses = json.loads(said)
    expect(len(addresses) == 1, f"the other program receives {addresses}")
    return Path(unquote(urlsplit(addresses[0]).path))


def test_mate_is_dragged_out_of_the_window_as_a_contact():
    with stage("mates") as on:
        on.frame.press("Mates")
        for number in (1, 2):
            path = dragged(on, on.frame.find("Mina. *"))
            expect(path.name == "Mina.vcf", f"the file is called {path}")
            expect("FN:Mina\r\n" in path.read_bytes().decode(), "the contact has no name")
        folder = on.node.home / "dragged"
        for place in (folder, path.parent):
            mode = stat.S_IMODE(place.stat().st_mode)
            expect(mode == 0o700, f"{place} has the mode {mode:o}")
        expect(len(list(folder.glob("*/Mina.vcf"))) == 2, "the second drag replaces the first")
        on.window.terminate()
        on.window.wait()
        expect(folder.exists(), "a window that is killed cannot remove its files")
        on.open_window()
        until(lambda: not folder.exists(), "the next window to remove them")
        on.frame.press("Mates")
        dragged(on, on.frame.find("Mina. *"))
        subprocess.run(["xdotool", "key", "ctrl+q"], check=True)
        on.window.wait(timeout=15)
        expect(not folder.exists(), "the files stay after the window was closed")


def test_row_that_is_let_go_over_the_window_changes_nothing():
    with stage("mates") as on:
        on.frame.press("Mates")
        row = on.frame.find("Mina. *")
        box = on.frame.find("Map", "canvas").get_component_iface().get_extents(
            Atspi.CoordType.SCREEN)
        move(row, (box.x + 90, box.y + 90), (box.x + 100, box.y + 100))
        until(lambda: list(on.node.home.glob("dragged/*/Mina.vcf")), "the file of the drag")
        on.frame.press("Profile")
        on.frame.find("Edit your card")
        expect(on.frame.seen("Your name", "text") is None, "it fills the form of the profile")


def test_promise_is_dragged_out_of_the_window_as_an_event():
    with stage("mates", before=lunch_is_promised) as on:
        on.frame.press("Promises")
        path = dragged(on, on.frame.find("Lunch", "list item"))
        expect(path.name == "Lunch.ics", f"the file is called {path}")
        expect("SUMMARY:Lunch\r\n" in path.read_bytes().decode(), "the event has no title")
        expect(on.frame.seen("All promises") is None, "the drag opens the promise")


def test_walk_at_a_time_is_dragged_out_of_the_inbox_as_an_event():
    with stage("mates", "mina") as on:
        ask_for_walk(on.cast, "Once round the pond?", in_seconds=24 * HOUR)
        on.frame.press("Inbox (1)")
        path = dragged(on, on.frame.find("Mina asks you for a walk*", "list item"))
        expect(path.name == "Mina.ics", f"the file is called {path}")
        text = path.read_bytes().decode()
        expect("LOCATION:Stream by the old bridge\r\n" in text, f"the event is {text}")


def test_walk_of_the_log_is_dragged_out_of_the_window_as_a_track():
    with stage("mates") as on:
        file = on.cast.folder / "north.gpx"
        file.write_text(TRACK)
        on.ask("walk-log/import", {"file": str(file)})
        on.frame.press("Walks")
        path = dragged(on, on.frame.find("Your walks", "list").get_child_at_index(0))
        expect(path.suffix == ".gpx", f"the file is called {path}")
        expect('<trkpt lat="37.57' in path.read_text(), "the track has no points")
        expect(on.frame.seen("All walks") is None, "the drag opens the walk")
