"""Proves that the checks of a window's layout find what they look for: a small GTK program shows
one fault after the other, and one window without any."""
import os
import subprocess
import sys
import time

from scratch import scratch_folder
from widgets import Texts, WidgetTree, faults

# What the program shows for each name, and a part of the sentence that the checks must say.
PLANTED = {
    "a shortened text": (
        "label('이 자리에는 너무 긴 글이에요. 정말로요.', ellipsize=3, max_width_chars=9, halign=1)",
        "is shortened"),
    "a shortened text in a button": (
        "label('이 자리에는 너무 긴 글이에요. 정말로요.', Gtk.Button, ellipsize=3, max_width_chars=9)",
        "is shortened"),
    "a text that is cut": ("cut('이 자리에는 너무 긴 글이에요. 정말로요.')", "needs"),
    "a text that is broken within a word": (
        "label('Waggle', wrap=True, wrap_mode=2, width_chars=3, max_width_chars=3, halign=1)",
        "is broken within a word"),
    "a badge that is higher than its button": ("badged()", "leaves GtkOverlay"),
    "two texts above each other": ("overlapping()", "overlaps"),
    "a widget that leaves the one around it": ("leaving()", "leaves"),
    "a small target": ("small()", "less than 24 pixels"),
    "an English word": ("label('산책 Walk')", "“산책 Walk”, which is not all Korean"),
    "an English name of a button": ("named(Gtk.Button(label='산책'), 'Ask')", "“Ask”, which is not all Korean"),
    "an English tooltip": ("label('산책', tooltip_text='Ask')", "“Ask”, which is not all Korean"),
}
# What is no fault: a message of a person that is shortened, a badge above a button, a name.
CLEAN = """box.add(label('같이산책하자! Today at six', ellipsize=3, max_width_chars=9, halign=1))
box.add(label('Mina 님의 GPX'))
box.add(label('Waggle은 Ctrl+F로 찾아요'))
overlay = Gtk.Overlay()
overlay.add(Gtk.Button(label='편지함'))
overlay.add_overlay(Gtk.Label(label='3', halign=Gtk.Align.END))
box.add(overlay)"""
PROGRAM = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

def label(text, around=None, **rest):
    made = Gtk.Label(label=text, **rest)
    if around is None:
        return made
    outer = around(halign=Gtk.Align.START)
    outer.add(made)
    return outer

def fixed(*children):
    made = Gtk.Fixed()
    for child, x in children:
        made.put(child, x, 0)
    return made

def cut(text):
    made = Gtk.Label(label=text)
    made.connect_after("size-allocate", shrink)
    return made

def shrink(made, size):
    if size.width > 40:
        size.width = 40
        made.size_allocate(size)

def badged():
    overlay = Gtk.Overlay(halign=Gtk.Align.START, valign=Gtk.Align.START)
    overlay.add(Gtk.Box(width_request=50, height_request=24))
    count = Gtk.Label(halign=Gtk.Align.END, valign=Gtk.Align.START)
    count.set_markup("<span size='30000'>3</span>")
    overlay.add_overlay(count)
    scroller = Gtk.ScrolledWindow(min_content_height=100)
    scroller.add(overlay)
    return scroller

def overlapping():
    return fixed((Gtk.Label(label="하나둘셋"), 0), (Gtk.Label(label="넷다섯"), 10))

def leaving():
    return fixed((Gtk.Label(label="하나둘셋"), -9))

def small():
    style = Gtk.CssProvider()
    style.load_from_data(b"button { padding: 0; border: none; min-height: 12px; min-width: 12px }")
    made = Gtk.Button(halign=Gtk.Align.START, valign=Gtk.Align.START)
    made.get_style_context().add_provider(style, 900)
    return made

def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget

window = Gtk.Window(title="창")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
SHOWN
window.set_default_size(400, 300)
window.show_all()
Gtk.main()
"""
START_SECONDS_MAX = 10


def found(tree: WidgetTree, shown: str) -> list[str]:
    """The faults in a window that shows this."""
    program = subprocess.Popen([sys.executable, "-B", "-c", PROGRAM.replace("SHOWN", shown)],
                               env=dict(os.environ, LANGUAGE="ko", **tree.variables))
    try:
        end = time.monotonic() + START_SECONDS_MAX
        while not is_shown(program.pid):
            if program.poll() is not None or time.monotonic() > end:
                raise AssertionError("the program with the planted fault shows no window")
            time.sleep(0.05)
        time.sleep(0.2)  # It is laid out and drawn by then.
        texts = Texts(["Mina", "같이산책하자! Today at six"], is_korean=True)
        return faults(tree.read(program.pid), texts)
    finally:
        program.kill()
        program.wait()


def is_shown(pid: int) -> bool:
    """Whether a program has a window on the screen."""
    return bool(subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(pid)],
                               capture_output=True, text=True).stdout)


def self_test() -> int:
    """Prints which faults are found, and the counts; returns the exit code."""
    passed = failed = 0
    with scratch_folder("planted-faults") as folder:
        tree = WidgetTree(folder)
        for name, (shown, sentence) in {**PLANTED, "nothing wrong": (CLEAN, "")}.items():
            said = found(tree, f"box.add({shown})" if sentence else shown)
            is_right = len(said) == 1 and sentence in said[0] if sentence else not said
            print(f"{'✓' if is_right else '✗'} {name}{'' if is_right else f': {said}'}", flush=True)
            passed, failed = passed + is_right, failed + (not is_right)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0
