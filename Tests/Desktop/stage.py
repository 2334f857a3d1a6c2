"""The stage of a window test: one window, Sora's node behind it, and the nodes of the others."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "script" / "lib"))
from accessible import Frame, layout_faults, unreached_by_tab, until  # noqa: E402
import started  # noqa: E402
from clock import shifted  # noqa: E402
from snapshots import Cast, Snapshots  # noqa: E402
from words import CATALOGUES, Words  # noqa: E402


class Theatre:
    """The parts that all tests share: programs, folder for pictures, snapshots of the homes."""

    def __init__(self, window: str, shots: str, node: str, folder: Path):
        """`folder` is for the homes, the logs and all else that the tests write."""
        self.folder = folder
        self.window = self._alone(window)
        self.shots = shots
        self.node = Path(node).resolve()
        (self.folder / "snapshots").mkdir()
        self.snapshots = Snapshots(self.node, self.folder / "snapshots")

    def _alone(self, program: str) -> str:
        """A copy of the window with its resources and the worker that reads photos, and without a
        `waggle` beside it, so that the window starts no node that a test does not give it."""
        (self.folder / "bin").mkdir()
        (self.folder / "ui").mkdir()
        (self.folder / "ui/data").symlink_to(HERE.parents[1] / "ui/data")
        (self.folder / "share/waggle").mkdir(parents=True)
        (self.folder / "share/waggle/translations").symlink_to(CATALOGUES)
        (self.folder / "share/waggle/plugins").symlink_to(HERE.parents[1] / "plugins")
        shutil.copy(Path(program).with_name("waggle-photo"), self.folder / "bin")
        return shutil.copy(program, self.folder / "bin")

    def empty(self) -> Cast:
        """The nodes without homes."""
        folder = Path(tempfile.mkdtemp(prefix="s.", dir=self.folder))
        return Cast(self.node, folder, self.snapshots.ports, -self.snapshots.seconds_ahead)

    def command(self, *words: str) -> list[str]:
        """The command line of the window, whose clock is that of the nodes."""
        ahead = self.snapshots.seconds_ahead
        return [*(shifted(ahead, self.folder) if ahead else []), self.window, *words]

    def open(self, snapshot: str) -> Cast:
        """The nodes on a copy of a snapshot, not started yet."""
        folder = Path(tempfile.mkdtemp(prefix="s.", dir=self.folder))
        return self.snapshots.open(snapshot, folder / "homes")


class Stage:
    """A window on Sora's node. Use it in a `with`: afterwards, window and nodes have ended, and
    the homes are gone if nothing failed.

        with Stage(theatre.open("mates"), "mina") as stage:
            stage.frame.find("Mina: Ask for a walk…")
    """

    theatre: Theatre

    def __init__(self, cast: Cast, *others: str, has_node: bool = True, path: str = "",
                 scale: int = 1, before=lambda cast: None,
                 variables: dict[str, str] = {}, is_quiet: bool = False,
                 words: Words = Words()):
        """Starts Sora's node and those of `others`, calls `before`, and opens the window, which
        finds programs in `path` first, shows texts `scale` times as large as usual, has these
        `variables` in its environment, and whose messages are dropped if it `is_quiet`. Its texts
        are in the language of `words`."""
        self.cast = cast
        self.words = words
        self.messages = subprocess.DEVNULL if is_quiet else None
        self.node = cast.sora
        self.path = path
        self.environment = dict(os.environ, PATH=f"{path}:/usr/bin:/bin".lstrip(":"),
                                G_DEBUG="fatal-criticals", GDK_DPI_SCALE=str(scale), **variables)
        self.window = None
        try:
            if has_node:
                cast.start("sora", *others)
                self._await_locations(others)
            before(cast)
            self.open_window()
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, fault: type[BaseException] | None, *_) -> None:
        self._end()
        if fault is None:
            shutil.rmtree(self.cast.folder)

    def _end(self) -> None:
        """Ends the window and the nodes; their homes and logs stay."""
        if self.window:
            self.window.terminate()
            self.window.wait()
        if self.path:
            started.end_started(self.path)
        for node in self.cast.nodes.values():
            if node.pid():
                node.go_on()  # One that is paused could not end.
        self.cast.__exit__()

    def _await_locations(self, others) -> None:
        """Waits until Sora's node knows the locations of the mates that run."""
        for name in {"mina", "jun"} & set(others):
            node = self.cast.nodes[name]
            until(lambda: self._location_of(node), f"the location of {node.name}")

    def _location_of(self, node) -> dict | None:
        """A mate's location as Sora's node knows it."""
        return next((mate.get("location") for mate in self.ask("mates/list")["mates"]
                     if mate["profile"]["nickname"] == node.name), None)

    def open_window(self) -> None:
        """Opens the window, at first or after it was closed."""
        self.window = subprocess.Popen(
            self.theatre.command("--home", str(self.node.home)), env=self.environment,
            start_new_session=True, stderr=self.messages,
            # The test runner may ignore the signal of a terminal that closes; the window must not.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        self.frame = Frame(self.window.pid, self.words)

    # The nodes

    def ask(self, route: str, body: dict | None = None) -> dict:
        """The answer of Sora's node; raises Refused for an error."""
        return self.node.api.ask(route, body)

    def wait(self, route: str, test, what: str, node=None):
        """Waits until `test` of an answer of Sora's node, or another one, is true; returns that."""
        return until(lambda: test((node or self.node).api.ask(route)), what)

    # The window

    def shot(self, name: str) -> None:
        """Saves a picture of the screen."""
        time.sleep(0.4)  # A transition may still run; nothing says when the last frame is out.
        target = os.path.join(self.theatre.shots, name + ".png")
        subprocess.run(["import", "-window", "root", target], check=True)

    def resize(self, width: int, height: int, is_awaited: bool = True) -> None:
        """Asks for another size, in pixels; waits until the size changes if that `is_awaited`."""
        window = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.window.pid), "--name",
             "Waggle"], check=True, capture_output=True, text=True).stdout.split()[-1]
        # Without a window manager, keys go to the window under the pointer.
        wait = ["--sync"] if is_awaited else []
        subprocess.run(["xdotool", "windowsize", *wait, window, str(width), str(height),
                        "mousemove", "--window", window, "2", "2"], check=True)

    def size(self):
        """The extents of the window, in pixels."""
        return self.frame.root.get_component_iface().get_extents(0)

    def make_small(self) -> None:
        """Makes the window 640 × 480 or less. A content that was just replaced may have made GTK
        ask for the old size, and that request may come after this one, so this one is repeated."""
        def is_small_once_asked() -> bool:
            if not self.is_small():
                self.resize(640, 480, is_awaited=False)
                time.sleep(0.2)  # Nothing says when GTK has answered.
            return self.is_small()
        until(is_small_once_asked, "the window to be 640 × 480 or less")

    def is_small(self) -> bool:
        """Whether the window is 640 × 480 or less."""
        return self.size().width <= 640 and self.size().height <= 480

    # Checks

    def expect_good_layout(self) -> None:
        """Fails if the layout stays wrong; gives a moving transition its time."""
        faults = []

        def is_good():
            faults[:] = layout_faults(self.frame)
            return not faults
        try:
            until(is_good, "a good layout")
        except AssertionError:
            raise AssertionError(
                "the layout is wrong:\n    " + "\n    ".join(faults)) from None

    def expect_good_when_small(self, name: str) -> None:
        """Makes the window 640 × 480. GTK may report that size and then grow to the content's."""
        self.make_small()
        self.expect_good_layout()
        self.shot(name)
        expect(self.is_small(),
               f"the window wants {self.size().width} × {self.size().height}")

    def expect_tab_reaches_all(self) -> None:
        """Fails if Tab does not reach every control."""
        missing = unreached_by_tab(self.frame)
        expect(not missing, "Tab never reaches " + ", ".join(missing))


def stage(snapshot: str, *others: str, **rest) -> Stage:
    """A stage on a snapshot, with Sora's node and those of `others` started."""
    return Stage(Stage.theatre.open(snapshot), *others, **rest)


def programs(options: str = "", seconds: float = 0) -> AbstractContextManager[str]:
    """A folder with a `waggle` for a window; see `started.programs`."""
    return started.programs(Stage.theatre.node, options, seconds)


def expect(condition, sentence: str) -> None:
    """Fails with a sentence if the condition does not hold."""
    if not condition:
        raise AssertionError(sentence)
