"""Drives the real window by accessible names, on real nodes, and checks what it shows.

Run by script/window-test, which gives it a display and a bus of its own.
usage: window_test.py WINDOW_PROGRAM SHOTS_FOLDER NODE_PROGRAM [NAME...]
"""
import os
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chat_tests  # noqa: E402
import drop_tests  # noqa: E402
import hangul_tests  # noqa: E402
import journey_tests  # noqa: E402
import korean_tests  # noqa: E402
import map_tests  # noqa: E402
import menu_tests  # noqa: E402
import node_tests  # noqa: E402
import notice_tests  # noqa: E402
import own_data_tests  # noqa: E402
import page_tests  # noqa: E402
import practice_tests  # noqa: E402
import preference_tests  # noqa: E402
import promise_tests  # noqa: E402
import tip_tests  # noqa: E402
import walk_tests  # noqa: E402
from stage import Stage, Theatre  # noqa: E402
from scratch import scratch_folder  # noqa: E402

MODULES = (page_tests, walk_tests, drop_tests, chat_tests, hangul_tests, promise_tests, menu_tests,
           map_tests, node_tests, notice_tests, practice_tests, preference_tests, own_data_tests,
           tip_tests, journey_tests, korean_tests)


def main() -> None:
    window, shots, node, *wanted = sys.argv[1:]
    os.makedirs(shots, exist_ok=True)
    failed = 0
    with scratch_folder("window", lambda: failed > 0) as folder:
        Stage.theatre = Theatre(window, shots, node, folder)
        # Neither the nodes nor the window may use the machine's own system bus.
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/no-bus"
        failed = run_all(wanted)
    print(f"window-test: {failed} failed" if failed else "window-test: all passed")
    sys.exit(1 if failed else 0)


def run_all(wanted: list[str]) -> int:
    """Runs the tests whose names contain one of these words, or all; returns how many failed."""
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
    for title, run in chosen.items():
        try:
            run()
            print(f"  ok      {title}", flush=True)
        except Exception as fault:
            failed += 1
            print(f"  FAILED  {title}: {fault}", flush=True)
            if not isinstance(fault, AssertionError):
                traceback.print_exc()
    return failed


if __name__ == "__main__":
    main()
