"""The walk log: a walk is recorded, paused and finished in the window, shared, and deleted; it is
replayed, written into files, and read from a file that is dropped."""
import json
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from accessible import click, key, until
from menu_tests import drop
from preference_tests import save_as
from stage import expect, stage

GATE = (37.5665, 126.9780)
# A step north at a walker's speed, in degrees: about 11 m.
STEP = 1e-4


def day_of(time: datetime) -> str:
    """The word that the window has for the day of a time in the last 24 hours."""
    return "Today" if time.astimezone().date() == datetime.now().date() else "Yesterday"


def walks(sora, first: int, last: int) -> None:
    """Moves Sora's device north by some steps, with more than a second for each."""
    for step in range(first, last):
        sora.api.ask("location/set", {"latitude": GATE[0] + step * STEP, "longitude": GATE[1]})
        time.sleep(1.1)


def test_a_walk_is_recorded_shared_and_deleted():
    with stage("mates") as on:
        sora = on.cast.sora
        on.frame.press("Walks")
        on.frame.says("No walk is being recorded")
        on.expect_good_layout()
        on.frame.press("Record a walk")
        on.frame.says("Recording your walk")
        walks(sora, 0, 4)
        on.frame.says("33 m · ")
        on.shot("walks-recording")
        on.expect_good_layout()
        on.frame.press("Pause")
        on.frame.says("Your walk is paused")
        on.frame.press("Go on")
        on.frame.says("Recording your walk")
        on.frame.press("Finish")
        on.frame.says("No walk is being recorded")
        on.frame.says("This week: 1 walk, 33 m")
        on.frame.says("This month: 1 walk, 33 m")
        on.expect_good_layout()
        on.expect_tab_reaches_all()
        on.shot("walks-list")
        kept = on.ask("walk-log/list")["walks"]
        expect([each["pointsCount"] for each in kept] == [4], f"it kept {kept}")
        on.frame.press("Today*")
        on.frame.says("Moving for ")
        on.expect_good_layout()
        on.frame.press("Share this walk")
        on.frame.press("Share with Mina")
        on.frame.says("Mina sees this walk")
        on.shot("walks-walk")
        on.frame.press("Take back from Mina")
        on.frame.gone("Take back from Mina")
        expect(not on.ask("walk-log/shared")["walks"], "the walk is shared on")
        on.frame.press("Delete…")
        on.frame.find("Delete this walk?", "dialog")
        on.frame.press("Delete")
        on.frame.gone("All walks")
        until(lambda: not on.ask("walk-log/list")["walks"], "the walk is deleted")


def loop(begun: datetime) -> dict:
    """A walk of 20 minutes around a block, in GeoJSON: 40 points, half a minute apart."""
    corners = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]
    points = [(GATE[1] + (a[1] + (b[1] - a[1]) * part / 10) * 3e-4,
               GATE[0] + (a[0] + (b[0] - a[0]) * part / 10) * 3e-4)
              for a, b in zip(corners, corners[1:]) for part in range(10)]
    times = [(begun + timedelta(seconds=30 * index)).strftime("%Y-%m-%dT%H:%M:%SZ")
             for index in range(len(points))]
    return {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"coordTimes": times},
         "geometry": {"type": "LineString", "coordinates": [list(point) for point in points]}}]}


def position(on):
    """The number at the slider's handle, and the greatest one."""
    slider = on.frame.find("Position on the way", "slider").get_value_iface()
    return slider.get_current_value(), slider.get_maximum_value()


def test_a_dropped_walk_is_kept_replayed_and_saved():
    begun = datetime.now(timezone.utc) - timedelta(hours=1)
    with stage("mates") as on, tempfile.TemporaryDirectory() as folder:
        file = on.cast.folder / "block.geojson"
        file.write_text(json.dumps(loop(begun)))
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        drop(on, str(file))
        on.frame.find("“block.geojson” is on the map", "alert")
        expect(on.frame.seen("Play") is None, "GeoJSON can be played")
        expect(not on.ask("walk-log/list")["walks"], "it is kept before the answer")
        on.expect_good_layout()
        on.shot("walks-dropped")
        on.frame.press("Keep as a walk")
        on.frame.find("Picture of the route", "image")
        on.frame.find("Position on the way", "slider")
        kept = on.ask("walk-log/list")["walks"]
        expect([each["elapsedSeconds"] for each in kept] == [39 * 30], f"it kept {kept}")
        on.expect_good_layout()
        on.expect_tab_reaches_all()
        # Played to the end by itself, within half a minute of frames.
        on.frame.press("Replay the walk")
        on.frame.find("Pause the replay")
        until(lambda: position(on)[0] > 60, "the replay to move")
        on.frame.press("Pause the replay")
        on.frame.find("Replay the walk")
        at = position(on)[0]
        expect(0 < at < 39 * 30, f"it paused at {at}")
        on.shot("walks-replay")
        # The wheel over the slider scrolls the page. After it, by the keyboard alone.
        slider = on.frame.find("Position on the way", "slider")
        for button in (4, 5):
            click(slider, 0.5, 0.5, button)
        expect(position(on)[0] == at, f"the wheel moved {at} to {position(on)[0]}")
        slider.get_component_iface().grab_focus()
        key("Home")
        until(lambda: position(on)[0] == 0, "the beginning")
        key("Right")
        until(lambda: abs(position(on)[0] - 39 * 30 / 60) < 1, "one step")
        key("End")
        until(lambda: position(on)[0] == position(on)[1], "the end")
        for entry, name, content in (
                ("Save as GPX…", "walk.gpx", "<trkpt "), ("Save as GeoJSON…", "w.geojson", "coordTimes"),
                ("Save the picture…", "walk.png", "PNG")):
            target = Path(folder) / name
            on.frame.press("More actions")
            on.frame.press(entry)
            save_as(on, target)
            until(target.exists, entry)
            expect(content in target.read_text("latin-1"), f"{name} is no such file")
        # A file that is there is not replaced.
        before = (Path(folder) / "walk.png").read_bytes()
        on.frame.press("More actions")
        on.frame.press("Save the picture…")
        save_as(on, Path(folder) / "walk.png")
        on.frame.says("There is already a file at")
        expect((Path(folder) / "walk.png").read_bytes() == before, "the file was replaced")
        # The replay ends when its page is left.
        on.frame.press("Replay the walk")
        on.frame.find("Pause the replay")
        on.frame.press("All walks")
        on.frame.gone("Position on the way")
        on.frame.press(f"{day_of(begun)}*")
        on.frame.find("Replay the walk")
        expect(position(on)[0] == 0, "the replay went on")


def test_a_mates_walk_is_replayed():
    with stage("mates", "mina") as on:
        file = on.cast.folder / "block.geojson"
        file.write_text(json.dumps(loop(datetime.now(timezone.utc) - timedelta(hours=1))))
        mina = on.cast.mina
        walk = mina.api.ask("walk-log/import", {"file": str(file)})["id"]
        mina.api.ask("walk-log/share", {"id": walk, "with": on.node.person, "whole": True})
        on.frame.press("Walks")
        on.frame.press("Mina · *")
        on.frame.find("Picture of the route", "image")
        on.expect_good_layout()
        for absent in ("Share this walk", "More actions", "Delete…"):
            expect(on.frame.seen(absent) is None, f"a mate's walk has “{absent}”")
        on.frame.press("Replay the walk")
        until(lambda: position(on)[0] > 0, "the replay to move")
        on.expect_tab_reaches_all()
        share = mina.api.ask("walk-log/shared")["walks"][0]["id"]
        mina.api.ask("walk-log/unshare", {"id": share})
        on.frame.gone("Position on the way")
        on.frame.says("No walk is being recorded")


def test_an_interrupted_walk_asks_and_goes_on():
    with stage("mates") as on:
        on.frame.press("Walks")
        on.frame.press("Record a walk")
        on.frame.says("Recording your walk")
        on.cast.sora.kill()
        on.cast.sora.start()
        on.frame.press("Walks (1)")
        on.frame.says("The recording of your walk was interrupted")
        on.expect_good_layout()
        on.shot("walks-interrupted")
        on.frame.press("Go on")
        on.frame.says("Recording your walk")
        on.frame.press("Discard…")
        on.frame.press("Discard")
        on.frame.says("No walk is being recorded")
