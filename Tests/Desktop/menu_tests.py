"""Actions that lead from one page to another: menus of the map and of mates, and dropped files."""
import select
import subprocess
import sys

from accessible import click, has_focus, key, until
from promise_tests import own_with
from stage import expect, stage

TRACK = """<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
<trkpt lat="37.5700" lon="126.9800"><time>2026-05-01T09:00:00Z</time></trkpt>
<trkpt lat="37.5800" lon="126.9900"><time>2026-05-01T10:00:00Z</time></trkpt>
</trkseg></trk></gpx>"""

# After so long a place that has not accepted a file counts as one that does not.
REFUSAL_SECONDS = 2
# A window with nothing but a file to drag; it says when it is over a place that accepts the file,
# and ends when the file was dropped.
DRAGGED = """
import sys, gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(40, 40)
box = Gtk.EventBox()
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", lambda box, context, data, *_: data.set_uris(["file://" + path for path in sys.argv[1:]]))
box.connect("drag-end", lambda *_: Gtk.main_quit())
def look(context):
    if context.get_selected_action():
        print("accepted", flush=True)
    return not context.get_selected_action()
box.connect("drag-begin", lambda box, context: GLib.timeout_add(20, look, context))
window.add(box)
window.show_all()
window.move(0, 0)
Gtk.main()
"""


def mates(on) -> dict[str, str]:
    """The keys of Sora's mates, by name."""
    return {each["profile"]["nickname"]: each["person"] for each in on.ask("mates/list")["mates"]}


def chosen(on) -> tuple[float, float]:
    """The chosen point, once there is one."""
    text = until(lambda: on.frame.line("Chosen point"), "a chosen point")
    latitude, longitude = text.split(", ")
    return float(latitude), float(longitude)


def is_at(record: dict, point: tuple[float, float]) -> bool:
    """Whether a record has this location, as exactly as the window shows it."""
    return (abs(record["latitude"] - point[0]) < 0.00001
            and abs(record["longitude"] - point[1]) < 0.00001)


def test_menu_of_the_map_asks_for_a_walk():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        expect(on.frame.seen("More for the chosen point") is None, "no point has a menu")
        click(on.frame.find("Map", "canvas"), 0.25, 0.75, button=3)
        on.frame.find("I am here", "push button")
        on.frame.find("New promise here…")
        on.shot("menu-map")
        on.frame.press("Ask for a walk here…")
        on.frame.find("Ask for a walk", "dialog")
        point = chosen(on)
        on.frame.says(f"Meet at the point you chose ({point[0]:.5f}° N, {point[1]:.5f}° E).")
        on.expect_good_layout()
        mate = on.ask("mates/list")["mates"][1]
        on.frame.press(f"To {mate['profile']['nickname']}")
        on.frame.type("Your message", "Here?")
        on.shot("menu-map-walk")
        on.expect_tab_reaches_all()
        on.frame.press("Ask")
        walk = on.wait("walk/list", lambda answer: answer["requests"], "the request")[0]
        expect(is_at(walk, point), f"it asks for {walk}, not for {point}")
        expect(walk["person"] == mate["person"], f"it asks {walk}")
        on.frame.says("for a walk")
        on.frame.find("Waiting for others", "list")


def test_menu_of_the_map_makes_a_promise():
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        key("Right", "space")
        point = chosen(on)
        key("shift+F10")
        on.frame.find("New promise here…")
        key("Escape")
        on.frame.gone("New promise here…")
        on.frame.press("More for the chosen point")
        on.frame.press("New promise here…")
        on.frame.find("Make a promise", "dialog")
        on.frame.says(f"Meet at the point you chose ({point[0]:.5f}° N, {point[1]:.5f}° E).")
        on.frame.type("What", "Dinner")
        on.frame.type("When", "2030-05-01 18:30")
        mina = mates(on)["Mina"]
        on.frame.press("With Mina")
        on.expect_good_layout()
        on.shot("menu-map-promise")
        on.frame.press("Promise")
        made = own_with(on, 2)
        expect(is_at(made, point), f"it is made for {made}, not for {point}")
        expect(mina in [each["person"] for each in made["people"]], f"it made {made}")
        on.frame.find("Past promises")


def test_menu_of_a_mate():
    with stage("chat") as on:
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.find("New promise with…")
        on.shot("menu-mate")
        on.frame.press("Message")
        on.frame.says("You read up to here")
        until(lambda: has_focus(on.frame, "Message"),
              "the focus on the new message")
        on.expect_good_layout()
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("New promise with…")
        on.frame.find("Make a promise", "dialog")
        on.frame.type("What", "Dinner")
        on.frame.type("When", "2030-05-01 18:30")
        on.frame.says("Participants see")
        on.shot("menu-mate-promise")
        on.frame.press("Promise")
        asked = [each["person"] for each in own_with(on, 2)["people"] if not each["me"]]
        expect(asked == [mates(on)["Mina"]], f"it asks {asked}")


def test_menu_of_a_mate_on_the_map():
    with stage("chat", "mina") as on:
        on.wait("mates/list", lambda answer: any("location" in each for each in answer["mates"]),
                "the location of a mate")
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        on.frame.says("2 locations")
        key("Tab", "Tab")
        on.frame.says("Selected: Mina")
        key("shift+F10")
        on.frame.press("Message")
        on.frame.says("You read up to here")


def drop(on, *paths: str, at: tuple[int, int] = (310, 310)) -> None:
    """Drags files from another program onto a point of the window."""
    source = subprocess.Popen([sys.executable, "-c", DRAGGED, *paths], env=on.environment,
                              stdout=subprocess.PIPE)
    near, there = [[str(place - short) for place in at] for short in (10, 0)]
    try:
        until(lambda: subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(source.pid)],
            capture_output=True, text=True).stdout, "the file to drag")
        for step in (["mousemove", "20", "20"], ["mousedown", "1"], ["mousemove", "60", "120"],
                     ["mousemove", *near], ["mousemove", *there]):
            subprocess.run(["xdotool", *step, "sleep", "0.2"], check=True)
        # GTK drops nothing on a place that has not accepted it yet.
        select.select([source.stdout], [], [], REFUSAL_SECONDS)
        subprocess.run(["xdotool", "mouseup", "1"], check=True)
        source.wait(timeout=15)
    finally:
        source.kill()
        source.wait()


def test_track_that_is_dropped():
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        before = on.ask("location/show")
        track = on.cast.folder / "north.gpx"
        track.write_text(TRACK)
        drop(on, str(track))
        on.frame.find("“north.gpx” is on the map", "alert")
        on.frame.says("1.42 km in 1 h.")
        on.expect_good_layout()
        on.shot("track-dropped")
        expect(on.ask("location/show")["source"] == "hand", "it plays before the answer")
        on.frame.press("Play")
        on.frame.find("“north.gpx” is playing as your location", "alert")
        on.wait("location/show", lambda now: now["source"] == "gpx" and now.get("latitude") and
                now["latitude"] != before["latitude"] and now["ageSeconds"] < 60,
                "the track's location, as of now")
        on.expect_good_layout()
        on.shot("track-plays")
        on.frame.press("Stop")
        after = on.wait("location/show", lambda now: now["source"] == "hand" and now, "the end")
        expect((after["latitude"], after["longitude"]) == (
            before["latitude"], before["longitude"]), f"{before} became {after}")
        on.frame.gone("“north.gpx” is playing as your location")


def test_file_that_nothing_opens():
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        song = on.cast.folder / "song.ogg"
        song.write_text("")
        drop(on, str(song))
        on.frame.says("No program here can open song.ogg.")
