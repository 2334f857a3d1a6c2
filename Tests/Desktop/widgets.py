"""The widgets that a program shows, as GTK lays them out, and the faults that a person would see.

    tree = WidgetTree(folder)
    program = subprocess.Popen([...], env=dict(os.environ, **tree.variables))
    faults(tree.read(program.pid), Texts(known=["Mina"]))
"""
import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

TARGET_PIXELS_MIN = 24
READ_SECONDS_MAX = 10
# Pixels by which a theme lets a widget stick out of another one.
TOLERANCE = 1
# Widgets whose children lie above each other, and widgets that float above what is beside them.
LAYERS = {"GtkOverlay", "GtkStack", "GtkFlowBox", "HdyDeck", "HdyLeaflet", "HdyFlap", "GtkNotebook"}
FLOATING = {"GtkPopover", "GtkPopoverMenu", "GtkScrollbar"}
# Widgets that show a part of a larger child.
VIEWS = {"GtkScrolledWindow", "GtkViewport", "GtkTextView", "GtkTreeView", "GtkCalendar"}
# The names of widgets that people can press, and that are small because a larger one around them
# can be pressed too, or because GTK itself draws them.
SMALL = {"GtkSpinButton", "GtkColorButton"}


@dataclass
class Widget:
    """One widget on the screen; `box` is x, y, width and height within its window."""
    kind: str
    box: tuple[int, int, int, int]
    parent: "Widget | None" = None
    children: list["Widget"] = field(default_factory=list)
    is_usable: bool = True
    is_pressable: bool = False
    text: str = ""
    name: str = ""
    description: str = ""
    tooltip: str = ""
    is_shortened: bool = False
    is_broken: bool = False
    needs: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        said = self.text or self.name
        return f"{self.kind} “{said}”" if said else f"{self.kind} in {self.said_around()}"

    def said_around(self) -> str:
        """The nearest text around the widget."""
        around = self.parent
        while around and not (around.text or around.name):
            around = around.parent
        return f"“{around.text or around.name}”" if around else "the window"

    def has_size(self) -> bool:
        return self.box[2] > 1 and self.box[3] > 1

    def around(self):
        """The widgets around this one, the nearest first."""
        parent = self.parent
        while parent:
            yield parent
            parent = parent.parent


class WidgetTree:
    """Reads the widgets of programs that are started with its `variables`."""

    def __init__(self, folder: Path):
        """`folder` receives the module that a program loads, and what it writes."""
        module, self.path = folder / "widget_tree.so", folder / "widgets.json"
        if not module.exists():
            flags = subprocess.run(
                ["pkg-config", "--cflags", "--libs", "gtk+-3.0", "gmodule-2.0"],
                check=True, capture_output=True, text=True).stdout.split()
            subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(module),
                            str(Path(__file__).with_name("widget_tree.c")), *flags], check=True)
        self.variables = {"GTK_MODULES": str(module), "WIDGET_TREE": str(self.path)}

    def read(self, pid: int) -> list[Widget]:
        """The widgets on the screen, parents first."""
        self.path.unlink(missing_ok=True)
        os.kill(pid, signal.SIGUSR1)
        end = time.monotonic() + READ_SECONDS_MAX
        while not self.path.exists():
            if time.monotonic() > end:
                raise AssertionError("the window does not write its widgets")
            time.sleep(0.002)
        widgets: list[Widget] = []
        for line in self.path.read_text().splitlines():
            widgets.append(self._widget(json.loads(line), widgets))
        return widgets

    def _widget(self, said: dict, before: list[Widget]) -> Widget:
        parent = before[said["parent"]] if said["parent"] >= 0 else None
        widget = Widget(
            said["kind"], tuple(said["box"]), parent, [], said["usable"], said["pressable"],
            said.get("text", ""), said.get("name", ""), said.get("description", ""),
            said.get("tooltip", ""), said.get("shortened", False), said.get("broken", False),
            tuple(said.get("needs", (0, 0))))
        if parent:
            parent.children.append(widget)
        return widget


@dataclass
class Texts:
    """The knowledge about the texts of a window: `known` are those that people wrote, which may be
    shortened and in any language; `is_korean` says that all others must be Korean."""
    known: list[str] = field(default_factory=list)
    is_korean: bool = False

    # Words that stay Latin in a Korean text: names of things, formats, keys, units and commands.
    LATIN = re.compile(
        r"[“']waggle[a-z -]*[”']|'lusab'|sudo systemctl start dbus|(?:/[\w.-]+)+|(?<![A-Za-z])("
        r"Waggle|waggle|Space|QR|GPX|MBTiles|GPS|gpsd|Avahi|avahi-daemon|PNG|JPEG|JSON|PATH|km|h|kcal|MiB|off|"
        r"Ctrl|Shift|Enter|Esc|Tab|Home|F\d+|[0-9a-f]{6,}|(?:[0-9a-f]{4} ){15}[0-9a-f]{4}|"
        r"\d+\. [a-z]+|Apache License"
        r")(?![A-Za-z])")

    def without_known(self, text: str) -> str:
        """The rest of a text, without what people wrote."""
        for part in sorted(self.known, key=len, reverse=True):
            text = text.replace(part, " ")
        # A long message is named by its beginning.
        name, mark, beginning = text.partition(": ")
        if beginning.endswith("…") and any(
                part.startswith(beginning[:-1]) for part in self.known):
            return name + mark
        return text

    def is_of_people(self, text: str) -> bool:
        """Whether people wrote all of a text but for marks and numbers, or a message in it."""
        return any(" " in part and part in text for part in self.known) or not any(
            letter.isalpha() for letter in self.without_known(text))

    def latin_words(self, text: str) -> list[str]:
        """The Latin words of a text that nobody wrote and that are no names or commands."""
        return re.findall(r"[A-Za-z]{2,}", self.LATIN.sub(" ", self.without_known(text)))


def faults(widgets: list[Widget], texts: Texts) -> list[str]:
    """The faults, as sentences; none is good."""
    found = []
    for widget in widgets:
        if widget.has_size():
            found += text_faults(widget, texts) + place_faults(widget) + target_faults(widget)
            found += overlap_faults(widget)
        if texts.is_korean:
            found += language_faults(widget, texts)
    return list(dict.fromkeys(found))


def text_faults(widget: Widget, texts: Texts) -> list[str]:
    """A text that is shortened, broken within a word, or larger than its space."""
    if not widget.text or widget.kind == "GtkEntry":
        return []
    if widget.is_shortened:
        return [] if texts.is_of_people(widget.text) else [f"{widget} is shortened"]
    if widget.is_broken and not texts.is_of_people(widget.text):
        return [f"{widget} is broken within a word"]
    if any(need > space + TOLERANCE for need, space in zip(widget.needs, widget.box[2:])):
        return [f"{widget} needs {widget.needs} and has {widget.box[2:]}"]
    return []


def place_faults(widget: Widget) -> list[str]:
    """A widget that sticks out of what is around it: of a view at its sides only. An overlay cuts
    what sticks out of it, also in a view."""
    if not widget.parent or widget.kind in FLOATING:
        return []
    x, _, width, _ = widget.box
    is_over = widget.parent.kind == "GtkOverlay"
    view = None if is_over else next((each for each in widget.around() if each.kind in VIEWS), None)
    if view is None:
        outer = widget.parent
        is_out = any(value < 0 for value in margins(widget.box, outer.box))
    else:
        outer = view
        is_out = x < view.box[0] - TOLERANCE or \
            x + width > view.box[0] + view.box[2] + TOLERANCE
    return [f"{widget} at {widget.box} leaves {outer.kind} at {outer.box}"] if is_out else []


def margins(inner, outer) -> tuple[int, int, int, int]:
    """The pixels from one box to the box around it on each side, and the tolerance."""
    return (inner[0] - outer[0] + TOLERANCE, inner[1] - outer[1] + TOLERANCE,
            outer[0] + outer[2] - inner[0] - inner[2] + TOLERANCE,
            outer[1] + outer[3] - inner[1] - inner[3] + TOLERANCE)


def target_faults(widget: Widget) -> list[str]:
    """A control that is too small for a finger."""
    _, _, width, height = widget.box
    is_target = widget.is_pressable and widget.kind not in SMALL
    if is_target and min(width, height) < TARGET_PIXELS_MIN:
        return [f"{widget} is {width} × {height}, less than {TARGET_PIXELS_MIN} pixels"]
    return []


def overlap_faults(parent: Widget) -> list[str]:
    """Children of a widget that lie above each other."""
    if parent.kind in LAYERS or parent.kind in VIEWS:
        return []
    beside = [each for each in parent.children if each.has_size() and each.kind not in FLOATING]
    return [f"{one} at {one.box} overlaps {other} at {other.box}"
            for index, one in enumerate(beside) for other in beside[index + 1:]
            if overlap(one.box, other.box)]


def overlap(a, b) -> bool:
    return (a[0] + TOLERANCE < b[0] + b[2] and b[0] + TOLERANCE < a[0] + a[2]
            and a[1] + TOLERANCE < b[1] + b[3] and b[1] + TOLERANCE < a[1] + a[3])


def language_faults(widget: Widget, texts: Texts) -> list[str]:
    """A text for eyes or for a screen reader with a word that is not translated."""
    if widget.kind == "GtkImage" or widget.name in texts.known:
        return []
    return [f"{widget.kind} says “{said}”, which is not all Korean"
            for said in dict.fromkeys((widget.text, widget.name, widget.description, widget.tooltip))
            if texts.latin_words(said)]
