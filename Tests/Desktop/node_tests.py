"""A node that goes away, that is restarted, that cannot be started, and that the window starts."""
import os
import re
import signal
import stat
import time

from accessible import key, until
from stage import Stage, expect, programs, stage
from started import started


def test_node_cannot_be_restarted():
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.node.kill()
        on.frame.find("Waggle stopped and cannot be started again", "alert")
        on.expect_good_layout()
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.shot("lost")
        on.node.start()
        on.frame.gone("Waggle stopped and cannot be started again")


def test_killed_node_is_restarted():
    # The bar is looked for while the node has not begun yet.
    with programs(seconds=1) as folder, stage("mates", path=folder) as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.node.kill()
        on.frame.find("Waggle stopped. Restarting…", "alert")
        on.frame.gone("Waggle stopped. Restarting…")
        expect(len(started(folder)) == 1, f"it started {len(started(folder))} nodes")
        os.kill(started(folder)[0], signal.SIGKILL)
        on.frame.find("Waggle stopped. Restarting…", "alert")
        on.frame.gone("Waggle stopped. Restarting…")
        expect(len(started(folder)) == 2, f"it started {len(started(folder))} nodes")


def test_action_in_flight_is_done_once():
    with programs() as folder, stage("mates", path=folder) as on:
        on.frame.press("Mina: Ask for a walk…" if on.frame.seen("Mina: Ask for a walk…")
                       else "Mates")
        on.frame.press("Mina: Ask for a walk…")
        on.frame.find("Ask Mina for a walk", "dialog")
        on.frame.type("Your message", "Before dinner?")
        on.node.pause()
        on.frame.press("Ask")
        time.sleep(1)  # The request waits in the socket of the paused node.
        on.node.kill()
        on.frame.gone("Ask Mina for a walk")
        walks = on.wait("walk/list", lambda answer: answer["requests"], "the request")
        expect(len(walks) == 1, f"it asked {len(walks)} times")
        on.frame.gone("That did not work")


def test_a_folder_that_others_can_read_is_refused_in_a_window():
    with stage("mates", has_node=False, before=open_to_others) as on:
        on.frame.says("Waggle cannot use its folder")
        on.frame.says(str(on.node.home))
        on.expect_good_layout()
        on.shot("folder-refused")
        on.frame.press("Close")
        expect(on.window.wait(timeout=10) == 1, "the program ends without a fault")


def open_to_others(cast) -> None:
    cast.sora.home.chmod(0o755)


def test_node_cannot_be_started():
    with stage("mates", has_node=False) as on:
        on.frame.says("Waggle is not running")
        on.frame.says("Install it, then try again.")
        on.expect_good_layout()
        on.shot("no-node")
        on.node.start()
        on.frame.press("Try again")
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")


def test_node_is_started_and_outlives_the_window():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        words_and_an_end(on, folder)


def words_shown(on: Stage) -> set[str]:
    """The recovery words on the screen, each with its number."""
    on.frame.says("1. ")
    return {text for text in on.frame.texts() if re.fullmatch(r"\d+\. \w+", text)}


def test_words_survive_a_window_that_is_closed_on_their_page():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        on.frame.type("Your name", "Sora")
        on.frame.press("Start")
        words = words_shown(on)
        expect(len(words) == 9, f"it shows {words}")
        key("ctrl+q")
        expect(on.window.wait(timeout=15) == 0, "the window ends with a fault")
        on.open_window()
        expect(words_shown(on) == words, "it shows other words, or none")
        on.frame.press("Later")
        on.frame.press("Profile")
        on.frame.reach("Show the recovery words")


def words_and_an_end(on: Stage, folder: str) -> None:
    """Goes through the first run with its recovery words, then closes the window and asks the node
    that it started."""
    said = os.path.join(folder, "said")
    kept = on.node.home / "recovery.words"
    until(lambda: os.path.exists(said) and os.path.getsize(said), "the identity")
    on.frame.type("Your name", "Sora")
    on.frame.press("Start")
    on.frame.says("3. ")
    with open(said) as file:
        printed = file.read()
    shown = next(text for text in on.frame.texts() if text.startswith("3. "))
    expect(shown.removeprefix("3. ") in printed, f"“{shown}” is not in {printed}")
    expect(stat.S_IMODE(kept.stat().st_mode) == 0o600, "others may read the recovery words")
    on.expect_good_layout()
    on.shot("recovery-words")
    on.frame.press("Copy")
    on.frame.says("Copied.")
    on.frame.press("Later")
    expect(kept.exists(), "the words are lost before they are confirmed")
    on.frame.press("Profile")
    on.shot("profile-words")
    on.frame.reach("Show the recovery words")
    on.frame.press("Show the recovery words")
    on.frame.press("I have written them down")
    words = kept.read_text().split()
    asked = [number for number in range(1, len(words) + 1)
             if on.frame.seen(f"Word {number}", "text")]
    expect(len(asked) == 2, f"it asks for {len(asked)} words")
    expect(not on.frame.is_usable("Confirm"), "no word was typed")
    for number in asked:
        on.frame.type(f"Word {number}", words[number - 1])
    on.expect_good_layout()
    on.shot("recovery-check")
    on.frame.press("Confirm")
    until(lambda: not kept.exists(), "the words to be deleted")
    on.frame.find("Edit your card")
    on.frame.gone("Show the recovery words")
    on.frame.press("Back")
    on.frame.says("What others can see now")
    os.killpg(on.window.pid, signal.SIGHUP)
    on.window.wait(timeout=30)
    expect(on.node.answers(), "the node went away with the window")
