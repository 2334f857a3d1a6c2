"""`script/sim nodes`: whole nodes from seeds, one process for each seed.

    script/sim nodes                     100 seeds of 10 virtual minutes, and 100 people on one LAN
    script/sim nodes SEEDS [MINUTES]     so many seeds, each so many virtual minutes
    script/sim nodes --seed N [MINUTES]  one seed again; with --trace all that happens
    script/sim nodes --twice N [MINUTES] N seeds in two processes each, which must leave one trace
    script/sim nodes --crowd N           N people on one LAN, who form no full mesh
    script/sim nodes --jobs N            in so many processes (default: one for each processor)

The seeds in Tests/Simulation/node-seeds.txt failed once; they run first, always.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / ".build" / "release" / "waggle-sim-nodes"
SEED_LIST = ROOT / "Tests" / "Simulation" / "node-seeds.txt"
SEEDS, MINUTES, CROWD = 100, 10, 100
# A seed that takes longer than this, in seconds, is taken for hung.
SEED_SECONDS_MAX = 120
# What a hundred seeds of ten minutes have in them at least, so that a simulator that does nothing
# is noticed; fewer seeds have as much less.
LEAST = {"commands": 8000, "frames": 150_000, "kills": 200, "mishaps": 2000,
         "mateships at rest": 500, "rows compared": 3000}


class Verdict:
    """What one process said of one seed."""

    def __init__(self, seed: int, words: list[object]) -> None:
        self.seed, self.words = seed, words
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
        try:
            done = subprocess.run([str(PROGRAM), str(seed), *map(str, words)], env=environment,
                                  capture_output=True, text=True, timeout=SEED_SECONDS_MAX)
            self.output, self.error, code = done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired:
            self.output, self.error, code = "", f"not done after {SEED_SECONDS_MAX} s", -1
        found = re.search(r"^seed \d+ (ok|FAILED) trace (\w+)", self.output, re.MULTILINE)
        self.trace = found[2] if found else None
        self.good = code == 0 and found is not None and found[1] == "ok"
        counts = re.search(r"^counts (.*)$", self.output, re.MULTILINE)
        self.counts = {name: int(count) for name, count in
                       re.findall(r"([a-z][a-z ]*)=(\d+)", counts[1] if counts else "")}

    def show(self) -> None:
        """Says what failed, and how to see it again."""
        if self.good:
            return
        print("\n".join((self.output or f"seed {self.seed} FAILED").splitlines()[:8]))
        if self.error:
            print("  " + "\n  ".join(self.error.splitlines()[-8:]))
        kind = "--crowd" if "--crowd" in self.words else "--seed"
        last = self.words[-1] if self.words else ""
        print(f"  replay: script/sim nodes {kind} "
              + (f"{last} --from {self.seed}" if kind == "--crowd" else f"{self.seed} {last}"))


def build() -> None:
    """Builds the program in release."""
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--product", "waggle-sim-nodes"], cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout[-4000:])
        print("0 passed, 1 failed, 0 skipped")
        sys.exit(1)


def listed_seeds() -> list[tuple[int, int]]:
    """The seeds that ever failed, and for how many minutes."""
    rows = [line.split("#")[0].split() for line in SEED_LIST.read_text().splitlines()]
    return [(int(row[0]), int(row[1]) if len(row) > 1 else MINUTES) for row in rows if row]


def play(runs: list[tuple[int, list[object]]], jobs: int) -> list[Verdict]:
    """Plays seeds, several at a time, and shows what failed."""
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(lambda run: Verdict(*run), runs))
    for verdict in verdicts:
        verdict.show()
    return verdicts


def minutes_words(minutes: int) -> list[object]:
    return ["--minutes", minutes]


def sum_up(verdicts: list[Verdict], what: str, began: float) -> None:
    """Prints what happened in all of them together."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        for name, count in verdict.counts.items():
            counts[name] = counts.get(name, 0) + count
    shown = ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))
    print(f"{what} in {time.monotonic() - began:.0f} s: {shown}")


def check_least(verdicts: list[Verdict], seeds: int, minutes: int) -> int:
    """How many counts are too low to mean anything."""
    if seeds < 50 or minutes < 5:
        return 0
    share = min(seeds / SEEDS, 1) * min(minutes / MINUTES, 1)
    failed = 0
    for name, least in LEAST.items():
        count = sum(verdict.counts.get(name, 0) for verdict in verdicts)
        if count < least * share:
            print(f"FAILED: only {count} {name} in {seeds} seeds")
            failed += 1
    return failed


def run_crowd(people: int, seed: int) -> list[Verdict]:
    """Many people on one LAN."""
    began = time.monotonic()
    verdicts = play([(seed, ["--crowd", people])], 1)
    figures = verdicts[0].output.splitlines()[-1:] or ["nothing"]
    sum_up(verdicts, figures[0], began)
    return verdicts


def run_twice(seeds: int, minutes: int, jobs: int) -> tuple[int, int]:
    """How many seeds left one trace in two processes, and how many two."""
    words = minutes_words(minutes)
    runs = [(seed, words) for seed in range(1, seeds + 1)]
    first, second = play(runs, jobs), play(runs, jobs)
    same = 0
    for one, other in zip(first, second):
        if one.trace is not None and one.trace == other.trace:
            same += 1
        else:
            print(f"FAILED: seed {one.seed} left the traces {one.trace} and {other.trace}")
    print(f"{same} of {seeds} seeds left one trace in two processes")
    return same, seeds - same


def main(arguments: list[str]) -> int:
    """Does what was asked, and ends with the line of counts."""
    parser = argparse.ArgumentParser(
        prog="script/sim nodes", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, metavar="SEEDS [MINUTES]")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--twice", type=int)
    parser.add_argument("--crowd", type=int)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    build()
    minutes = (chosen.numbers[-1:] or [MINUTES])[0]
    passed = failed = 0
    verdicts: list[Verdict] = []
    if chosen.seed is not None:
        words = minutes_words(minutes) + (["--verbose"] if chosen.trace else [])
        verdicts = play([(chosen.seed, words)], 1)
        print(verdicts[0].output, end="")
    elif chosen.twice is not None:
        passed, failed = run_twice(chosen.twice, minutes, chosen.jobs)
    elif chosen.crowd is not None:
        verdicts = run_crowd(chosen.crowd, chosen.first)
    else:
        began = time.monotonic()
        seeds = (chosen.numbers[:1] or [SEEDS])[0]
        minutes = (chosen.numbers[1:] or [MINUTES])[0]
        kept = [(seed, minutes_words(long)) for seed, long in listed_seeds()]
        first = chosen.first
        fresh = [(seed, minutes_words(minutes)) for seed in range(first, first + seeds)]
        verdicts = play(kept + fresh, chosen.jobs)
        sum_up(verdicts, f"{seeds} seeds × {minutes} min", began)
        failed += check_least(verdicts, seeds, minutes)
        if not chosen.numbers:
            verdicts += run_crowd(CROWD, 1)
    passed += sum(verdict.good for verdict in verdicts)
    failed += sum(not verdict.good for verdict in verdicts)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 0 if failed == 0 and passed else 1
