"""A display of its own with a bus, the window on it, and what can be measured of it from outside."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.x11 import Display
from processes import die_with_parent, processor_seconds, wait_until

WIDTH, HEIGHT = 1000, 700
HERE = Path(__file__).resolve().parent
# What a screen reader listens to.
READER = """
import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi
def heard(event):
    event.source.get_name()
listener = Atspi.EventListener.new(heard)
for topic in ("object:state-changed", "object:children-changed", "object:property-change",
              "object:text-changed", "object:bounds-changed", "window", "focus"):
    listener.register(topic)
print("listening", flush=True)
Atspi.event_main()
"""


class Answer(NamedTuple):
    """An answer of the main loop, in nanoseconds."""

    asked: int
    took: int
    waited: int


class Screen:
    """A display with one window at most."""

    def __init__(self, display: str, environment: dict[str, str]):
        self.server = Display(display)
        self.environment = environment
        self.window: subprocess.Popen | None = None
        self.number = ""

    def open(self, program: Path, home: Path) -> None:
        """Starts the window and returns at once."""
        self.window = subprocess.Popen(
            [str(program), "--home", str(home)], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=die_with_parent())

    def await_window(self) -> None:
        """Waits until the window is on the screen, and points at it, so that it gets the keys."""
        def found() -> bool:
            words = self.xdo("search", "--onlyvisible", "--pid", str(self.window.pid)).split()
            self.number = words[-1] if words else ""
            return bool(words)
        if not wait_until(found, 20):
            raise SystemExit("nothing is reported: the window does not appear")
        self.xdo("windowsize", "--sync", self.number, str(WIDTH), str(HEIGHT))
        self.point(2, 2)

    def close(self) -> None:
        """Ends the window."""
        if self.window:
            self.window.terminate()
            self.window.wait()
            self.window = None

    # What a person does

    def xdo(self, *words: str) -> str:
        """Runs xdotool and returns its output."""
        return subprocess.run(["xdotool", *words], env=self.environment, capture_output=True,
                              text=True).stdout

    def press(self, *keys: str) -> None:
        """Presses keys one after the other."""
        self.xdo("key", "--delay", "40", *keys)

    def type(self, text: str) -> None:
        """Types a text."""
        self.xdo("type", "--delay", "60", text)

    def point(self, x: int, y: int) -> None:
        """Moves the pointer."""
        self.xdo("mousemove", "--window", self.number, str(x), str(y))

    def click(self, x: int, y: int) -> None:
        """Clicks a point of the window."""
        self.point(x, y)
        self.xdo("click", "1")

    def scroll(self, x: int, y: int, steps: int, down: bool = True) -> None:
        """Turns the wheel over a point of the window, 30 ms for each step."""
        self.point(x, y)
        self.xdo("click", "--repeat", str(steps), "--delay", "30", "5" if down else "4")

    def drag(self, start: tuple[int, int], end: tuple[int, int], steps: int = 30) -> None:
        """Drags with the first button, one step in each 20 ms or more."""
        self.point(*start)
        self.xdo("mousedown", "1")
        for step in range(1, steps + 1):
            self.point(*(round(a + (b - a) * step / steps) for a, b in zip(start, end)))
            time.sleep(0.02)
        self.xdo("mouseup", "1")

    # What it costs

    def processor_seconds(self) -> float:
        """The processor time that the window has used."""
        return processor_seconds(self.window.pid)

    def private_megabytes(self) -> float:
        """The memory that is the window's alone."""
        rollup = Path(f"/proc/{self.window.pid}/smaps_rollup").read_text()
        return sum(int(kib) for kib in re.findall(r"^Private_\w+:\s+(\d+)", rollup, re.M)) / 1024

    def picture(self) -> bytes:
        """The screen, four bytes for each point."""
        return self.server.picture(WIDTH, HEIGHT)

    @contextmanager
    def pings(self):
        """Pings the window meanwhile. Yields a function that returns the answers so far."""
        with tempfile.NamedTemporaryFile("ab") as lines:
            pinger = subprocess.Popen(
                [sys.executable, "-B", str(HERE / "pings.py"), self.number, str(self.window.pid)],
                env=self.environment, stdout=lines, preexec_fn=die_with_parent())

            def answers() -> list[Answer]:
                written = Path(lines.name).read_text().splitlines(keepends=True)
                return [Answer(*map(int, line.split())) for line in written
                        if line.endswith("\n")]
            try:
                yield answers
            finally:
                pinger.send_signal(signal.SIGINT)
                pinger.wait()


@contextmanager
def screen(scratch: Path, with_reader: bool):
    """A screen; with a screen reader's ear on it or without the bus of accessibility."""
    ended = []
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "GTK_THEME": "Adwaita",
                   "NO_AT_BRIDGE": "0" if with_reader else "1",
                   "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={scratch}/no-bus"}
    environment.pop("WAYLAND_DISPLAY", None)
    try:
        environment["DISPLAY"] = _start_display(ended)
        environment["DBUS_SESSION_BUS_ADDRESS"] = _start_bus(ended, environment)
        if with_reader:
            ended.append(_listen(environment))
        stage = Screen(environment["DISPLAY"], environment)
        try:
            yield stage
        finally:
            stage.close()
    finally:
        for process in reversed(ended):
            process.terminate()
            process.wait()


def _start_display(ended: list[subprocess.Popen]) -> str:
    read, write = os.pipe()
    ended.append(subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-noreset",
         "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL,
        preexec_fn=die_with_parent()))
    os.close(write)
    with os.fdopen(read) as numbers:
        return ":" + numbers.readline().strip()


def _start_bus(ended: list[subprocess.Popen], environment: dict[str, str]) -> str:
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        preexec_fn=die_with_parent())
    ended.append(bus)
    return bus.stdout.readline().strip()


def _listen(environment: dict[str, str]) -> subprocess.Popen:
    reader = subprocess.Popen(
        ["/usr/bin/python3", "-W", "ignore", "-c", READER], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        preexec_fn=die_with_parent())
    if reader.stdout.readline().strip() != "listening":
        raise SystemExit("nothing is reported: the accessibility bus does not start")
    return reader


def picture_likeness(one: bytes, other: bytes) -> float:
    """The part of the points that are alike in two pictures, judged by every 97th."""
    left, right = one[::97 * 4], other[::97 * 4]
    return sum(a == b for a, b in zip(left, right)) / len(left)
