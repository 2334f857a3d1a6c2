"""Window tests: the preferences."""
import os
import subprocess

from accessible import choose, key, until
from stage import expect, stage

THEME = "Theme"
SOURCE = "My location"
SIZES = ((360, 640), (600, 640), (980, 690))


def test_preferences_theme():
    # The variable would decide in place of the setting.
    chosen = os.environ.pop("GTK_THEME", None)
    try:
        with stage("mates") as on:
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
    finally:
        if chosen is not None:
            os.environ["GTK_THEME"] = chosen


def brightness() -> float:
    """The mean brightness of the screen, from 0 to 1."""
    mean = subprocess.run(["import", "-window", "root", "-format", "%[fx:mean]", "info:-"],
                          check=True, capture_output=True, text=True).stdout
    return float(mean)


def test_preferences_unblock():
    with stage("mates", before=block_mina) as on:
        key("ctrl+comma")
        on.frame.says("Unpleasant remarks · Shouts")
        on.shot("preferences-blocked")
        on.frame.press("Unblock Mina")
        on.frame.says("Nobody is blocked")
        expect(not on.ask("mates/blocked")["blocked"], "Mina is still blocked")


def block_mina(cast) -> None:
    cast.sora.api.ask("mates/block", {"person": "Mina", "reason": "unpleasant", "text": "Shouts"})


def test_preferences_visibility_and_location():
    with stage("mates") as on:
        on.frame.press("Mates")
        key("ctrl+comma")
        on.frame.press("Show your name to everyone nearby for 10 minutes")
        on.wait("visibility/show", lambda answer: answer["level"] == "everyone", "the level")
        on.frame.says("Show my name for 10 min · ")
        on.frame.press("Stop showing your name to everyone")
        on.wait("visibility/show", lambda answer: answer["level"] == "mates", "the level")
        choose(on.frame.find(SOURCE, "combo box"), 1)
        on.wait("location/show", lambda location: location["source"] == "gpsd", "the source")
        choose(on.frame.find(SOURCE, "combo box"), 0)
        on.wait("location/show", lambda location: location["source"] == "hand", "the source")
        on.frame.says("Your mates see it.")
        on.frame.press("Forget my location")
        on.frame.says("Not set.")
        expect(on.ask("location/show").get("latitude") is None, "the location is still known")


def test_preferences_data_folder():
    with stage("mates") as on:
        key("ctrl+comma")
        on.frame.says(str(on.node.home))
        on.frame.press("Copy the data folder's path")
        on.frame.says("The path is copied.")
        on.frame.press("Open the data folder")
        on.frame.says("No program here opens folders. Copy the path instead.")


def test_preferences_at_every_size():
    for scale in (1, 2):
        with stage("mates", scale=scale, before=block_mina) as on:
            key("ctrl+comma")
            on.frame.find("Preferences", "dialog")
            for width, height in SIZES:
                on.resize(width, height)
                on.expect_good_layout()
                on.shot(f"preferences-{width}-{scale}00")
