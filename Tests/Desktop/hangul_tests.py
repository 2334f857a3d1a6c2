"""Hangul by a real input method: ibus and its engine ibus-hangul, both from Debian."""
import os
import shutil
import subprocess
from pathlib import Path

from accessible import click, has_focus, key, until
from chat_tests import mine
from stage import Stage, expect, stage

# Where the letters of 한글 lie on a Korean keyboard; the engine reads the places, not the letters.
HANGUL = ("g", "k", "s", "r", "m", "f")
SETTINGS = "/usr/libexec/ibus-memconf"
ENGINE = "/usr/libexec/ibus-engine-hangul"
MODULES = Path("/usr/lib").glob("*/gtk-3.0/3.0.0/immodules/im-ibus.so")


class InputMethod:
    """ibus on the bus of the tests, with the Hangul engine. Use it in a `with`."""

    def __init__(self):
        folder = Stage.theatre.folder / "ibus"
        folder.mkdir(exist_ok=True)
        # The daemon writes its address into the first folder, where the window looks for it.
        # On a busy machine ibus would stop waiting for its engine, and keys would overtake.
        self.variables = {"IBUS_ENABLE_SYNC_MODE": "1", "XDG_CONFIG_HOME": str(folder),
                          "XDG_CACHE_HOME": str(folder), "GSETTINGS_BACKEND": "memory",
                          "GTK_IM_MODULE": "ibus"}
        self.environment = dict(os.environ, **self.variables)
        self.daemon = subprocess.Popen(
            ["ibus-daemon", "--panel", "disable", "--config", SETTINGS], env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> "InputMethod":
        until(self.has_engine, "the Hangul engine")
        return self

    def __exit__(self, *_) -> None:
        self.daemon.terminate()
        self.daemon.wait()

    def has_engine(self) -> bool:
        """Starts the engine; it ends again if the daemon's settings are not there yet, and the
        daemon then answers only after a long time."""
        try:
            return not subprocess.run(
                ["ibus", "engine", "hangul"], env=self.environment, timeout=2,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        except subprocess.TimeoutExpired:
            return False


def missing() -> list[str]:
    """The parts of ibus that this machine does not have."""
    parts = {"ibus": shutil.which("ibus-daemon"), "ibus-hangul": os.path.exists(ENGINE),
             "ibus-gtk3": any(MODULES)}
    return [package for package, is_here in parts.items() if not is_here]


def is_written(on, text: str) -> bool:
    """Whether this is the text of the message that is not sent yet."""
    return on.frame.line("Message") == text


def test_hangul_is_sent_once():
    if missing():
        print(f"  SKIPPED hangul is sent once: the packages {' '.join(missing())} are missing")
        return
    with InputMethod() as method, stage(
            # GTK warns about each key that ibus gives back.
            "chat", variables=method.variables, is_quiet=True) as on:
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        until(lambda: has_focus(on.frame, "Message"),
              "the focus on the new message")
        before = mine(on)
        key("Hangul")
        key(*HANGUL)
        until(lambda: is_written(on, "한"), "the first syllable, while the second is composed")
        on.shot("hangul-composed")
        key("Return")
        until(lambda: mine(on) == [*before, "한글"], "Enter to finish the syllable and to send")
        until(lambda: is_written(on, ""), "an empty line")
        # A person types faster than a program answers: Enter follows the last letter at once.
        key(*HANGUL, "Return", *HANGUL, "shift+Return", *HANGUL, "Return")
        until(lambda: mine(on) == [*before, "한글", "한글", "한글\n한글"], "both messages")
        key("Return", *HANGUL)
        until(lambda: is_written(on, "한"), "a new message")
        click(on.frame.find("Send"), 0.5, 0.5)
        until(lambda: len(mine(on)) == len(before) + 4, "the button to send")
        expect(mine(on)[-1] == "한글", f"the button sent {mine(on)[-1]}")
