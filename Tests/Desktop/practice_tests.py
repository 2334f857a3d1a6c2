"""The practice mate: a second node that the window starts, and that leaves nothing behind."""
import os
import signal

from accessible import until
from drop_tests import in_phase
from stage import expect, programs, stage

WALK = {"latitude": 37.5665, "longitude": 126.978, "message": "Once round the pond?"}


def practice_mate(on) -> dict | None:
    """The practice mate, if she is in the list of Sora's mates."""
    return next((mate for mate in on.ask("mates/list")["mates"]
                 if mate["profile"].get("nickname") == "Practice mate"), None)


def become_mates(on) -> str:
    """Drops with the practice mate; returns her key."""
    on.frame.press("Try with a practice mate")
    on.frame.find("Stop practising")
    on.wait("nearby/list", lambda nearby: nearby["people"], "the practice mate to be nearby")
    on.ask("drop/start", {})
    in_phase(on, "deciding")
    on.ask("drop/accept", {})
    # She is listed, as waiting, before her own answer has arrived.
    until(lambda: (practice_mate(on) or {}).get("state") == "mate", "the practice mate to be a mate")
    return practice_mate(on)["person"]


def expect_nothing_left(on) -> None:
    """Fails unless the practice mate is no mate, and has no files."""
    until(lambda: practice_mate(on) is None, "the practice mate to be no mate")
    until(lambda: not (on.node.home / "practice").exists(), "its files to be gone")


def test_practice_mate():
    with programs() as folder, stage("mates", path=folder) as on:
        on.frame.says("lives on this computer only")
        mate = become_mates(on)
        on.expect_good_layout()
        on.shot("practice")
        mode = (on.node.home / "practice").stat().st_mode & 0o777
        expect(mode == 0o700, f"the mode of its folder is {mode:o}")
        walk = on.ask("walk/ask", WALK | {"to": mate})["id"]
        on.wait("walk/list", lambda walks: any(
            each["id"] == walk and each["state"] == "accepted" for each in walks["requests"]),
            "the walk to be accepted")
        at = on.ask("status/show")["nowMs"] + 3_600_000
        on.ask("promise/create", {"title": "Practice", "atMs": at, "latitude": 37.5665,
                                  "longitude": 126.978, "with": [mate]})
        on.wait("promise/list", lambda answer: any(
            each["title"] == "Practice" and each["peopleCount"] == 2
            for each in answer["promises"]), "the promise to be accepted")
        on.ask("chat/send", {"room": mate, "text": "Hello, Pixel!"})
        on.wait("chat/rooms", lambda answer: any(
            each.get("lastText", "").startswith("Woof!") for each in answer["rooms"]),
            "an answer to the message")
        on.frame.press("Stop practising")
        expect_nothing_left(on)
        expect(not any(each["title"] == "Practice" for each in on.ask("promise/list")["promises"]),
               "the promise is still there")
        on.frame.find("Try with a practice mate")


def test_practice_mate_ends_with_a_window_that_crashes():
    with programs() as folder, stage("mates", path=folder) as on:
        become_mates(on)
        os.kill(on.window.pid, signal.SIGKILL)
        on.window.wait()
        expect_nothing_left(on)
