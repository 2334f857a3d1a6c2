"""Takes pictures of the pages and sheets of the real window, and checks what they show.

Run by script/screenshots, which gives it a display and a bus of its own.
usage: screenshots.py --window PROGRAM --node PROGRAM [--self-test] [--only PAGE[,PAGE...]]
                      [--docs] --variants VARIANT[,VARIANT...] FOLDER
"""
import argparse
import os
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "script" / "lib")]
import gi  # noqa: E402
import scenes  # noqa: E402
from accessible import Atspi, descendants, GLib, key, until  # noqa: E402
from menu_tests import drop  # noqa: E402
from snapshots import participant  # noqa: E402
from stage import Stage, Theatre, programs  # noqa: E402
from waggle import Refused  # noqa: E402
from words import Words  # noqa: E402
from scratch import scratch_folder  # noqa: E402
from widgets import FLOATING, Texts, Widget, WidgetTree, faults  # noqa: E402

gi.require_version("Gdk", "3.0")
from gi.repository import Gdk  # noqa: E402

HEIGHTS = {600: 800, 980: 697, 1600: 900, 3840: 2160}
FOR_DOCS = {"first-run", "nearby", "mates", "inbox", "chat", "promise", "profile", "drop",
            "device-code", "recover-form", "interests-match", "walks-one",
            "matching-people", "neighbourhood"}
# The times of day at which the homes are made, and at which a window over them opens.
MADE, OPENED = (17, 38), (17, 40)
# From where Sora and Mina set out to dinner, and where they are now.
ON_THE_WAY = {"sora": [(37.5640, 126.9755), (37.5665, 126.9800)],
              "mina": [(37.5790, 126.9775), (37.5745, 126.9800)]}
DOCS = HERE.parents[1] / "docs/images"
# A window may still be laying itself out; after this time its faults count.
SETTLE_SECONDS = 1.5
SETTINGS = "[Settings]\ngtk-enable-animations=0\ngtk-cursor-blink=0\n"


@dataclass(frozen=True)
class Variant:
    """A window of this width, theme, language and size of texts, which is in per cent."""
    width: int
    theme: str
    language: str
    text: int

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}-{self.language}-{self.text}"

    @classmethod
    def named(cls, name: str) -> "Variant":
        width, theme, language, text = name.split("-")
        return cls(int(width), theme, language, int(text))

    def variables(self) -> dict[str, str]:
        """The environment of its window."""
        theme = "Adwaita:dark" if self.theme == "dark" else "Adwaita"
        return {"GTK_THEME": theme, "LANGUAGE": self.language}


class Results:
    """The pictures that were taken, and the mistakes in them."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def add(self, name: str, wrong: list[str]) -> None:
        """Counts a picture or a test, and prints its faults."""
        if not wrong:
            self.passed += 1
            return
        self.failed += 1
        print(f"✗ {name}", flush=True)
        for sentence in wrong:
            print(f"    {sentence}", flush=True)


class Shooting:
    """Takes the pictures of one window."""

    def __init__(self, on: Stage, variant: Variant, tree: WidgetTree, folder: Path,
                 results: Results, programs: Path):
        """`programs` is the folder in which the window looks for `waggle`."""
        self.on = on
        self.programs = programs
        self.frame = on.frame
        self.variant = variant
        self.tree = tree
        self.folder = folder
        self.results = results
        self.texts = Texts(list(scenes.WRITTEN), variant.language == "ko")

    @property
    def is_narrow(self) -> bool:
        """Whether the window shows one thing at a time."""
        return self.variant.width == min(HEIGHTS)

    def page(self, title: str) -> None:
        """Turns to a page, which may have a number of things that wait, and whose button may be
        scrolled out of view."""
        names = [self.frame.words.pattern(name) for name in (title, f"{title} (*)")]

        def button():
            return next((each for each in descendants(self.frame.root)
                         if each.get_role_name() == "radio button"
                         and any(name.fullmatch(each.get_name() or "") for name in names)), None)
        found = until(button, f"the page “{title}”")
        found.get_component_iface().grab_focus()
        Atspi.Action.do_action(found.get_action_iface(), 0)

    def press_below(self, name: str) -> None:
        """Presses a control that may be scrolled out of view, as Tab and a key do."""
        below = self.below(name)
        below.get_component_iface().grab_focus()
        action = below.get_action_iface()
        if action and Atspi.Action.get_n_actions(action):
            Atspi.Action.do_action(action, 0)
        else:
            key("Return")

    def below(self, name: str):
        """The first widget of a name, which may be scrolled out of view."""
        pattern = self.frame.words.pattern(name)
        return until(lambda: next((each for each in descendants(self.frame.root)
                                   if pattern.fullmatch(each.get_name() or "")), None), name)

    def first_below(self, name: str):
        """The first row of a list that may be scrolled out of view."""
        pattern = self.frame.words.pattern(name)
        return until(lambda: next(
            (each.get_child_at_index(0) for each in descendants(self.frame.root)
             if each.get_role_name() == "list" and each.get_child_count()
             and pattern.fullmatch(each.get_name() or "")), None), name)

    def take_sheet(self, name: str) -> None:
        """Takes the picture of the sheet on top, and closes it."""
        self.frame.find("*", "dialog")
        self.take(name)
        self.close_sheet()

    def close_sheet(self) -> None:
        """Closes the sheet on top."""
        key("Escape")
        until(lambda: self.frame.seen("*", "dialog") is None, "the sheet to close")

    def take_menu(self, button: str, entry: str, name: str) -> None:
        """Takes the picture of the menu behind a button, which has this entry, and closes it."""
        self.frame.press(button)
        self.frame.find(entry)
        self.take(name)
        key("Escape")
        self.frame.gone(entry)

    def take_rest(self, name: str) -> None:
        """Takes pictures of what is below the fold: of each next part, down to the end."""
        bar = self._scroll_bar()
        number = 1
        while bar and scroll_down(bar):
            number += 1
            self.take(f"{name}-{number}")

    def scroll_to_top(self) -> None:
        """Scrolls what `take_rest` scrolls back to its beginning."""
        if bar := self._scroll_bar():
            Atspi.Value.set_current_value(bar.get_value_iface(), 0)

    def _scroll_bar(self):
        """The scroll bar of the sheet on top, or else of the page that scrolls furthest."""
        around = self.frame.seen("*", "dialog") or self.frame.root
        bars = [each for each in self.frame.all(around) if is_upright_scroll_bar(each)]
        return max(bars, default=None, key=lambda bar: Atspi.Value.get_maximum_value(
            bar.get_value_iface()))

    def drop(self, path: str | Path) -> None:
        """Drags a file from another program onto the window, and moves the pointer away."""
        drop(self.on, str(path))
        subprocess.run(["xdotool", "mousemove", "2", "2"], check=True)

    def show_map(self) -> None:
        """Shows the map, alone if the window is narrow."""
        self.page("Map" if self.is_narrow else "Mates")
        self.frame.find("Map", "canvas")

    def take(self, name: str) -> None:
        """Checks what the window shows now, and saves a picture of it."""
        wrong = self._faults()
        self._save(name)
        self.results.add(f"{self.variant} {name}", wrong)

    def _faults(self) -> list[str]:
        end = time.monotonic() + SETTLE_SECONDS
        while True:
            time.sleep(0.08)  # One frame or two: the last change is laid out and drawn.
            widgets = self.tree.read(self.on.window.pid)
            wrong = self._size_faults(widgets) + faults(widgets, self.texts)
            if not wrong or time.monotonic() > end:
                return wrong

    def _size_faults(self, widgets) -> list[str]:
        """A window that is larger than it was asked to be."""
        asked = self.variant.width, HEIGHTS[self.variant.width]
        box = main_window(widgets).box
        return [] if box[2:] == asked else [f"the window is {box[2:]}, not {asked}"]

    def _save(self, name: str) -> None:
        """Saves what the screen shows where the window is, without its frame."""
        path = self.folder / str(self.variant) / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = next(each for each in main_window(self.tree.read(self.on.window.pid)).children
                       if each.kind not in FLOATING)
        picture = Gdk.pixbuf_get_from_window(Gdk.get_default_root_window(), *content.box)
        picture.savev(str(path), "png", [], [])

    def play(self, scene) -> None:
        """Takes the pictures of a scene; a scene that cannot go on counts as one that failed."""
        try:
            scene(self)
        except Exception as fault:  # The other scenes are played in any case.
            self.results.add(f"{self.variant} {scenes.title(scene)}", [said(fault)])
            self._save(f"{scenes.title(scene)}-stuck")
            for _ in range(3):
                key("Escape")


class Shoot:
    """Takes the pictures of variants, one after the other."""

    def __init__(self, theatre: Theatre, folder: Path, wanted: list[str]):
        self.theatre = theatre
        self.folder = folder
        self.wanted = wanted
        self.results = Results()
        # Midnight may pass while the pictures are taken.
        self.day = datetime.now()
        self.tree = WidgetTree(theatre.folder)
        settings = theatre.folder / "config/gtk-3.0/settings.ini"
        settings.parent.mkdir(parents=True)
        settings.write_text(SETTINGS)
        self.variables = {**self.tree.variables, "XDG_CONFIG_HOME": str(theatre.folder / "config")}

    def take(self, variant: Variant) -> None:
        """Takes the pictures of one variant."""
        self._play(variant, scenes.ON_SORAS, "gallery", "mina", "haneul", before=go_on)
        self._play(variant, scenes.ON_NEW_USERS)
        self._play(variant, scenes.RETURNING)
        self._play(variant, scenes.WITHOUT_NODE, before=fall_silent)
        self._play(variant, scenes.WITHOUT_HOME, before=open_to_others)

    def _set_clocks(self, time_of_day: tuple[int, int]) -> None:
        """Lets the nodes and windows that start now see this time of the day of all pictures."""
        wanted = self.day.replace(hour=time_of_day[0], minute=time_of_day[1], second=0)
        self.theatre.snapshots.seconds_ahead = int((wanted - datetime.now()).total_seconds())

    def _play(self, variant: Variant, of: tuple, snapshot: str = "", *others: str,
              before=lambda cast: None) -> None:
        """Plays the chosen ones of these scenes on a window over a snapshot or an empty home."""
        chosen = [scene for scene in of
                  if not self.wanted or any(word in scenes.title(scene) for word in self.wanted)]
        if not chosen:
            return
        if snapshot:
            self._set_clocks(MADE)
            self.theatre.snapshots.make(snapshot)
        self._set_clocks(OPENED)
        cast = self.theatre.open(snapshot) if snapshot else self.theatre.empty()
        # Over a snapshot, the mates find a node again that the window has started.
        options = " ".join(cast.sora.options) if snapshot else ""
        with programs(options) as path, Stage(
                cast, *others, has_node=bool(snapshot), before=before, path=path,
                scale=variant.text / 100, words=Words(variant.language),
                variables={**self.variables, **variant.variables()}) as on:
            on.resize(variant.width, HEIGHTS[variant.width])
            shooting = Shooting(on, variant, self.tree, self.folder, self.results, Path(path))
            for scene in chosen:
                shooting.play(scene)


def said(fault: Exception) -> str:
    """A fault in words, with the place in the script if it is none that a scene expects."""
    if isinstance(fault, (AssertionError, GLib.Error, Refused)):
        return str(fault)
    return "".join(traceback.format_exception(fault)).strip()


def main_window(widgets: list[Widget]) -> Widget:
    """The window itself, which may not be the first of its menus."""
    return next(each for each in widgets if each.kind == "HdyApplicationWindow")


def go_on(cast) -> None:
    """Sora and Mina have come some of the way to dinner, and show it to each other."""
    dinner = next(each["id"] for each in cast.sora.api.ask("promise/list")["promises"]
                  if each["title"] == "Dinner")
    for name, points in ON_THE_WAY.items():
        node = cast.nodes[name]
        if node.api.ask(f"promise/show?promise={dinner}")["sharing"] == "interrupted":
            node.api.ask("promise/share", {"promise": dinner})
        for latitude, longitude in points:
            node.api.ask("location/set", {"latitude": latitude, "longitude": longitude})
            # The way begins at the first location that is stored.
            until(lambda: participant(node, dinner, node.name).get("departedMs"),
                  f"{node.name} to set out")
    for name in ON_THE_WAY:
        until(lambda: participant(cast.sora, dinner, cast.nodes[name].name).get("progress"),
              f"{name} to be on the way")


def fall_silent(cast) -> None:
    """Sora's node runs and does not answer."""
    cast.sora.cli("init")
    cast.sora.start()
    cast.sora.pause()


def open_to_others(cast) -> None:
    """Other users of the machine can read Sora's folder."""
    cast.sora.cli("init")
    cast.sora.home.chmod(0o755)


def is_upright_scroll_bar(node) -> bool:
    """Whether a node scrolls up and down."""
    if node.get_role_name() != "scroll bar":
        return False
    box = Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.WINDOW)
    return box.height > box.width


def scroll_down(bar) -> bool:
    """Scrolls down by nearly as much as is in view; returns whether anything has moved."""
    height = Atspi.Component.get_extents(
        bar.get_component_iface(), Atspi.CoordType.WINDOW).height
    value = bar.get_value_iface()
    before, end = Atspi.Value.get_current_value(value), Atspi.Value.get_maximum_value(value)
    Atspi.Value.set_current_value(value, min(end, before + height * 0.9))
    return Atspi.Value.get_current_value(value) > before


def publish(folder: Path, variants: list[str]) -> None:
    """Copies the documents' pictures of these variants, made as small as they can be."""
    DOCS.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob("980-*-*-100/*.png")):
        _, theme, language, _ = path.parent.name.split("-")
        if path.stem in FOR_DOCS and path.parent.name in variants:
            subprocess.run(
                ["convert", str(path), "-strip", "+dither", "-colors", "256", "-define",
                 "png:compression-level=9", f"PNG8:{DOCS}/{path.stem}-{theme}-{language}.png"],
                check=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="screenshots")
    parser.add_argument("--window", required=True)
    parser.add_argument("--node", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--variants", default="")
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("folder", type=Path)
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    if chosen.self_test:
        from planted_faults import self_test
        sys.exit(self_test())
    results = None
    with scratch_folder("screenshots", lambda: not results or results.failed > 0) as folder:
        Stage.theatre = Theatre(chosen.window, str(chosen.folder), chosen.node, folder)
        # Neither the nodes nor the window may use the machine's own system bus.
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/no-bus"
        shoot = Shoot(Stage.theatre, chosen.folder, chosen.only.split(",") if chosen.only else [])
        results = shoot.results
        for name in chosen.variants.split(","):
            began = time.monotonic()
            try:
                shoot.take(Variant.named(name))
            except Exception as fault:  # The other variants are taken in any case.
                results.add(name, [said(fault)])
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    if chosen.docs:
        publish(chosen.folder, chosen.variants.split(","))
    print(f"{results.passed} passed, {results.failed} failed, 0 skipped")
    sys.exit(1 if results.failed else 0)


if __name__ == "__main__":
    main()
