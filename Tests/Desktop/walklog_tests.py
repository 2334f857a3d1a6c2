"""The walk log: a walk is recorded, paused and finished in the window, shared, and deleted."""
import time

from accessible import until
from stage import expect, stage

GATE = (37.5665, 126.9780)
# A step north at a walker's speed, in degrees: about 11 m.
STEP = 1e-4


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
        on.frame.says("1 walk, 33 m")
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
