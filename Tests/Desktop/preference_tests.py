"""Window tests: the preferences."""
import contextlib
import os
import subprocess
import tempfile
import time
from pathlib import Path

from gi.repository import Atspi

from accessible import choose, key, until
from stage import Stage, expect, stage
from waggle import Refused

THEME = "Theme"
SOURCE = "My location"
SIZES = ((360, 640), (600, 640), (980, 690))


def save_as(on, path) -> None:
    """Answers the dialog for a new file."""
    program = on.frame.root.get_parent()

    def dialog():
        children = (program.get_child_at_index(index)
                    for index in range(program.get_child_count()))
        return next((each for each in children if each.get_role_name() == "file chooser"), None)

    def part(role: str, name: str):
        return next((each for each in on.frame.all(until(dialog, "the dialog"))
                     if each.get_role_name() == role and each.get_name() == name), None)
    line = until(lambda: part("text", ""), "the line of the file's name")
    Atspi.EditableText.set_text_contents(line.get_editable_text_iface(), str(path))
    save = until(lambda: part("push button", "Save"), "the button that saves")
    Atspi.Action.do_action(save.get_action_iface(), 0)


def test_preferences_theme():
    # GTK_THEME would decide in place of the setting.
    with variable("GTK_THEME", None), stage("mates") as on:
        on.frame.press("Mates")
        key("ctrl+comma")
        themes = on.frame.find(THEME, "combo box")
        choose(themes, 2)
        on.wait("config/get?name=theme", lambda theme: theme["value"] == "dark",
                "the theme at the node")
        until(lambda: brightness() < 0.4, "a dark window")
        on.shot("preferences-dark")
        on.ask("config/set", {"name": "theme", "value": "light"})
        until(lambda: brightness() > 0.6, "a light window")


def test_preferences_refused_choice():
    with stage("mates") as on:
        key("ctrl+comma")
        themes = on.frame.find(THEME, "combo box")
        # A folder in the place of the file that the node writes first: nothing can be stored.
        (on.node.home / "config.json.new").mkdir()
        sentence = refusal(on, "config/set", {"name": "theme", "value": "dark"})
        choose(themes, 2)
        on.frame.says(sentence)
        until(lambda: is_chosen(themes, 0), "the theme that is in force")
        expect(on.ask("config/get?name=theme")["value"] == "system", "the theme was changed")


def refusal(on, route: str, body: dict) -> str:
    """The sentence with which the node refuses a request."""
    try:
        on.ask(route, body)
    except Refused as refused:
        return refused.answer["error"]["message"]
    raise AssertionError(f"{route} was not refused")


def is_chosen(combo_box, index: int) -> bool:
    """Whether an entry of a list that drops down is the chosen one."""
    return Atspi.Selection.is_child_selected(combo_box.get_selection_iface(), index)


@contextlib.contextmanager
def variable(name: str, value: str | None):
    """Gives an environment variable a value, or none, for some time."""
    before = os.environ.pop(name, None)
    if value is not None:
        os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


def brightness() -> float:
    """The mean brightness of the screen, from 0 to 1."""
    mean = subprocess.run(["import", "-window", "root", "-format", "%[fx:mean]", "info:-"],
                          check=True, capture_output=True, text=True).stdout
    return float(mean)


def test_preferences_unblock():
    with stage("mates", before=block_mina) as on:
        key("ctrl+comma")
        on.frame.reach("Unblock Mina")
        on.frame.says("Unpleasant remarks · Shouts")
        on.shot("preferences-blocked")
        on.frame.press("Unblock Mina")
        on.frame.says("Nobody is blocked")
        expect(not on.ask("mates/blocked")["blocked"], "Mina is still blocked")


def block_mina(cast) -> None:
    cast.sora.api.ask("mates/block", {"person": "Mina", "reason": "unpleasant", "text": "Shouts"})


def test_preferences_mute_a_word():
    with stage("mates") as on:
        key("ctrl+comma")
        on.frame.reach("Word to mute")
        on.frame.type("Word to mute", "firework")
        on.frame.press("Mute")
        on.frame.reach("Show “firework” again")
        on.expect_good_layout()
        on.shot("preferences-muted")
        expect(on.ask("muted/list")["words"] == ["firework"], "the word at the node")
        on.frame.press("Show “firework” again")
        on.frame.gone("Show “firework” again")
        on.ask("muted/add", {"word": "casino"})
        on.frame.reach("Show “casino” again")


def test_preferences_visibility_and_location():
    with stage("mates") as on:
        on.frame.press("Mates")
        key("ctrl+comma")
        on.frame.press("Show your name to everyone nearby for 10 minutes")
        on.wait("visibility/show", lambda answer: answer["level"] == "everyone", "the level")
        on.frame.says("Show my name for 10 min · ")
        on.frame.press("Stop showing your name to everyone")
        on.wait("visibility/show", lambda answer: answer["level"] == "mates", "the level")
        on.frame.reach("Forget my location")
        choose(on.frame.find(SOURCE, "combo box"), 1)
        on.wait("location/show", lambda location: location["source"] == "gpsd", "the source")
        choose(on.frame.find(SOURCE, "combo box"), 0)
        on.wait("location/show", lambda location: location["source"] == "hand", "the source")
        on.frame.says("Your mates see it.")
        on.frame.press("Forget my location")
        on.frame.says("Not set.")
        expect(on.ask("location/show").get("latitude") is None, "the location is still known")


def test_preferences_data_folder():
    programs = Path(tempfile.mkdtemp(prefix="x.", dir=Stage.theatre.folder))
    opened = programs / "opened"
    (programs / "applications").mkdir()
    (programs / "applications/folders.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Folders\nExec=touch {opened}\n"
        "MimeType=inode/directory;\n")
    (programs / "applications/mimeapps.list").write_text(
        "[Default Applications]\ninode/directory=folders.desktop\n")
    with variable("XDG_DATA_HOME", str(programs)), stage("mates") as on:
        key("ctrl+comma")

        def is_in_view() -> bool:
            # Settings that arrive above it move it out of view again.
            on.frame.reach("Open the data folder")
            return any(str(on.node.home) in text for text in on.frame.texts())
        until(is_in_view, "the data folder's path")
        on.frame.press("Copy the data folder's path")
        on.frame.says("The path was copied.")
        on.frame.press("Open the data folder")
        until(opened.exists, "the desktop's program for folders")


def test_preferences_backup_and_export():
    with stage("mates") as on:
        key("ctrl+comma")
        for button, name in (("Back up…", "mine.backup"), ("Export…", "mine.json")):
            target = on.cast.folder / name
            on.frame.reach(button)
            on.frame.press(button)
            save_as(on, target)
            on.frame.says(f"Saved: {target}")
            expect(target.stat().st_size > 0, f"{target} is empty")
            on.frame.press(button)
            save_as(on, target)
            on.frame.says(f"already a file at {target}")
        on.shot("preferences-data")


def test_preferences_at_every_size():
    for scale in (1, 2):
        with stage("mates", scale=scale, before=block_mina) as on:
            key("ctrl+comma")
            on.frame.find("Preferences", "dialog")
            for width, height in SIZES:
                on.resize(width, height)
                on.expect_good_layout()
                on.shot(f"preferences-{width}-{scale}00")
