"""A node that goes away, that cannot be started, and that the window starts."""
import os
import signal
import tempfile

from accessible import until
from stage import Stage, expect, stage


def test_lost_node():
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.node.kill()
        on.frame.find("The node is gone", "alert")
        on.expect_good_layout()
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.shot("lost")
        on.node.start()
        on.frame.gone("The node is gone")


def test_node_cannot_be_started():
    with stage("mates", has_node=False) as on:
        on.frame.says("The node is not running")
        on.frame.says("Install it, then try again.")
        on.expect_good_layout()
        on.shot("no-node")
        on.node.start()
        on.frame.press("Try again")
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")


# A `waggle` that keeps the recovery words and its process id in the folder it is in.
WAGGLE = """#!/bin/sh
[ "$1" = init ] && {{ {node} "$@" >{folder}/said; code=$?; cat {folder}/said; exit $code; }}
echo $$ >{folder}/pid
exec {node} "$@"
"""


def test_node_is_started_and_outlives_the_window():
    with tempfile.TemporaryDirectory(prefix="waggle-path-") as folder:
        program = os.path.join(folder, "waggle")
        with open(program, "w") as script:
            script.write(WAGGLE.format(node=Stage.theatre.node, folder=folder))
        os.chmod(program, 0o755)
        try:
            with Stage(Stage.theatre.empty(), has_node=False, path=folder) as on:
                words_and_an_end(on, folder)
        finally:
            with open(os.path.join(folder, "pid")) as file:
                os.kill(int(file.read()), signal.SIGKILL)


def words_and_an_end(on: Stage, folder: str) -> None:
    """Checks the recovery words, then closes the window and asks the node that it started."""
    said = os.path.join(folder, "said")
    until(lambda: os.path.exists(said) and os.path.getsize(said), "the identity")
    on.frame.says("3. ")
    with open(said) as file:
        printed = file.read()
    shown = next(text for text in on.frame.texts() if text.startswith("3. "))
    expect(shown.removeprefix("3. ") in printed, f"“{shown}” is not in {printed}")
    on.expect_good_layout()
    on.shot("recovery-words")
    on.frame.press("I have written them down")
    on.frame.find("Your name")
    os.killpg(on.window.pid, signal.SIGHUP)
    on.window.wait(timeout=30)
    expect(on.node.answers(), "the node went away with the window")
