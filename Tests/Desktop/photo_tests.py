"""Photos in a chat, sent and received by the real window."""
import subprocess
import sys
import time

from accessible import extent, has_focus, key, until
from menu_tests import drop
from pictures import pond
from snapshots import room
from stage import expect, stage

# Owns the clipboard with the picture of a file, until it is ended.
OWNER = """
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, Gtk
clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
clipboard.set_image(GdkPixbuf.Pixbuf.new_from_file(sys.argv[1]))
print("ready", flush=True)
Gtk.main()
"""


def open_room(on) -> None:
    on.frame.press("Chat (2)")
    on.frame.press("Open the chat with Mina")
    on.frame.says("You read up to here")


def picture(on, name: str = "pond.png", content: bytes = b"") -> str:
    """The path of a file, by default a picture."""
    path = on.cast.folder / name
    path.write_bytes(content or pond())
    return str(path)


def in_conversation(on) -> tuple[int, int]:
    """A point among the messages."""
    box = extent(on.frame.find("Message", "text"))
    return box[0] + box[2] // 2, box[1] - 120


def photos(page: dict) -> list[dict]:
    """The messages of a page that have a photo."""
    return [each for each in page["messages"] if each.get("photo")]


def of_sora(on) -> str:
    """The page of the room with Sora, at Mina's node."""
    return f"chat/page?room={on.node.person}"


def is_loaded(on) -> bool:
    """Whether the sheet shows the photo: only then it can be saved."""
    return on.frame.seen("Save as…") is not None


def test_photos_that_are_dropped_reach_the_mate():
    with stage("chat", "mina") as on:
        open_room(on)
        paths = [picture(on, "one.png"), picture(on, "two.jpg", b"Once upon a time"),
                 picture(on, "three.png", pond(300, 400))]
        drop(on, *paths, at=in_conversation(on))
        on.frame.says("Could not send two.jpg: This is neither a JPEG nor a PNG picture.")
        sides = [each["photo"] for each in on.wait(
            of_sora(on), lambda page: len(photos(page)) == 2 and photos(page),
            "two photos at Mina's", on.cast.mina)]
        expect(sides == ["800x600", "300x400"], f"Mina has {sides}")
        on.frame.gone("Sending photo 3 of 3…")
        on.expect_good_layout()
        on.shot("photos-sent")
        on.frame.press("Photo from you")
        on.frame.find("Photo from you", "dialog")
        until(lambda: is_loaded(on), "the whole photo")
        on.expect_good_layout()
        on.shot("photo-sheet")
        on.frame.press("Close")
        on.frame.gone("Save as…")


def test_photo_is_opened_and_closed_by_the_keyboard_alone():
    with stage("chat", "mina") as on:
        open_room(on)
        on.cast.mina.api.ask("chat/send", {
            "room": on.node.person, "text": "At the pond", "photo": picture(on)})
        on.frame.find("Mina: Photo: At the pond", "list item")
        until(lambda: has_focus(on.frame, "Message"), "the focus on the new message")
        tab_back_to(on, "Photo from Mina")
        key("Return")
        on.frame.find("Photo from Mina", "dialog")
        until(lambda: is_loaded(on), "the whole photo")
        on.expect_tab_reaches_all()
        key("Escape")
        on.frame.gone("Save as…")
        until(lambda: has_focus(on.frame, "Photo from Mina"), "the focus on the photo again")
        key("space")
        on.frame.find("Photo from Mina", "dialog")


def tab_back_to(on, name: str) -> None:
    """Presses Shift+Tab until a control has the focus, at most as often as there are stops before
    it on the page."""
    for _ in range(12):
        key("shift+Tab")
        time.sleep(0.1)  # The key travels through the X server.
        if has_focus(on.frame, name):
            return
    raise AssertionError(f"Shift+Tab does not reach “{name}”")


def test_photo_that_is_pasted():
    with stage("chat", "mina") as on:
        open_room(on)
        owner = subprocess.Popen([sys.executable, "-c", OWNER, picture(on)], env=on.environment,
                                 stdout=subprocess.PIPE, text=True)
        try:
            expect(owner.stdout.readline() == "ready\n", "the clipboard has no picture")
            on.frame.find("Message", "text").get_component_iface().grab_focus()
            key("ctrl+v")
            on.wait(of_sora(on), photos, "the photo at Mina's", on.cast.mina)
        finally:
            owner.kill()
            owner.wait()
        on.frame.find("Photo from you")


def test_photo_of_a_mate_who_is_away_loads_when_they_are_back():
    with stage("chat", "mina") as on:
        open_room(on)
        on.cast.mina.api.ask("chat/send", {
            "room": on.node.person, "text": "At the pond", "photo": picture(on)})
        on.frame.find("Mina: Photo: At the pond", "list item")
        on.cast.mina.stop()
        on.frame.press("Photo from Mina")
        on.frame.says("Loads when you meet Mina.")
        expect(not is_loaded(on), "a photo that is not here can be saved")
        on.expect_good_layout()
        on.shot("photo-away")
        on.cast.start("mina")
        until(lambda: is_loaded(on), "the photo, without another press")
        key("Escape")
        on.frame.gone("Save as…")
        mine = room(on.node, "Mina")
        expect(mine["lastText"] == "At the pond" and mine["lastPhoto"] == "800x600",
               f"the room says {mine}")
