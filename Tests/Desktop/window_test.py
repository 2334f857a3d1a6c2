"""Drives the real window by accessible names, on real nodes, and checks what it shows.

Run by script/window-test, which gives it a display and a bus of its own.
usage: window_test.py [--turn FILE] WINDOW_PROGRAM SHOTS_FOLDER NODE_PROGRAM [NAME...]
"""
import argparse
import fcntl
import os
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chat_tests  # noqa: E402
import device_tests  # noqa: E402
import drag_tests  # noqa: E402
import drop_tests  # noqa: E402
import export_tests  # noqa: E402
import hangul_tests  # noqa: E402
import interest_tests  # noqa: E402
import journey_tests  # noqa: E402
import key_tests  # noqa: E402
import korean_tests  # noqa: E402
import map_tests  # noqa: E402
import matching_tests  # noqa: E402
import menu_tests  # noqa: E402
import neighbourhood_tests  # noqa: E402
import node_tests  # noqa: E402
import notice_tests  # noqa: E402
import order_tests  # noqa: E402
import own_data_tests  # noqa: E402
import page_tests  # noqa: E402
import pairing_tests  # noqa: E402
import photo_tests  # noqa: E402
import post_photo_tests  # noqa: E402
import practice_tests  # noqa: E402
import preference_tests  # noqa: E402
import profile_tests  # noqa: E402
import promise_tests  # noqa: E402
import recovery_tests  # noqa: E402
import sheet_tests  # noqa: E402
import tip_tests  # noqa: E402
import walk_tests  # noqa: E402
import walklog_tests  # noqa: E402
from stage import Stage, Theatre  # noqa: E402
from scratch import scratch_folder  # noqa: E402

MODULES = (page_tests, walk_tests, drop_tests, chat_tests, hangul_tests, promise_tests, menu_tests,
           map_tests, node_tests, notice_tests, practice_tests, preference_tests, own_data_tests,
           tip_tests, journey_tests, korean_tests, key_tests, order_tests, profile_tests,
           recovery_tests, sheet_tests, device_tests, pairing_tests, photo_tests, export_tests,
           interest_tests, walklog_tests, drag_tests, matching_tests,
           neighbourhood_tests, post_photo_tests)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("window")
    parser.add_argument("shots")
    parser.add_argument("node")
    parser.add_argument("--turn", help="a file with the number of the next test, for several jobs")
    parser.add_argument("wanted", nargs="*")
    given = parser.parse_args()
    os.makedirs(given.shots, exist_ok=True)
    failed = 0
    with scratch_folder("window", lambda: failed > 0) as folder:
        Stage.theatre = Theatre(given.window, given.shots, given.node, folder)
        # Neither the nodes nor the window may use the machine's own system bus.
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/no-bus"
        failed = run_all(given.wanted, given.turn)
    print(f"window-test: {failed} failed" if failed else "window-test: all passed")
    sys.exit(1 if failed else 0)


def taken(count: int, turn: str | None):
    """The numbers below `count` that this job takes: all, or each that no other job has taken."""
    if turn is None:
        yield from range(count)
        return
    while True:
        with open(turn, "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            number = int(file.read())
            file.seek(0)
            file.write(str(number + 1))
        if number >= count:
            return
        yield number


def run_all(wanted: list[str], turn: str | None) -> int:
    """Runs the tests whose names contain one of these words, or all, as far as they are this job's.
    Returns how many failed."""
    modules = MODULES
    if "generated" in wanted:
        import generated_tests
        modules = (generated_tests,)
    tests = {name.removeprefix("test_").replace("_", " "): run for module in modules
             for name, run in vars(module).items() if name.startswith("test_")}
    chosen = {title: run for title, run in tests.items()
              if not wanted or any(word in title for word in wanted)}
    if not chosen:
        print(f"  FAILED  no test has a name with {' or '.join(wanted)}")
        return 1
    failed = 0
    tests = list(chosen.items())
    for title, run in (tests[number] for number in taken(len(tests), turn)):
        begun = time.monotonic()
        try:
            run()
            print(f"  ok      {title} ({time.monotonic() - begun:.0f} s)", flush=True)
        except Exception as fault:
            failed += 1
            print(f"  FAILED  {title}: {fault}", flush=True)
            if not isinstance(fault, AssertionError):
                traceback.print_exc()
    return failed


if __name__ == "__main__":
    main()
