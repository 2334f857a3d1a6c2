"""`script/sim nodes`: whole nodes from seeds, one process for each seed.

    script/sim nodes                     100 seeds of 10 virtual minutes, and 100 people on one LAN
    script/sim nodes SEEDS [MINUTES]     so many seeds, each so many virtual minutes
    script/sim nodes --seed N [MINUTES]  one seed again; with --trace all that happens
    script/sim nodes --twice N [MINUTES] N seeds in two processes each, which must leave one trace
    script/sim nodes --crowd N           N people on one LAN, who form no full mesh
    script/sim nodes --from N            begin with seed N
    script/sim nodes --jobs N            in so many processes (default: one for each processor)

The seeds in Tests/Simulation/node-seeds.txt failed once; they run first, always.
"""

import argparse
import atexit
import functools
import os
import re
import shutil
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import release
from processes import Hung, run_to_end

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / ".build" / "release" / "waggle-sim-nodes"
SEED_LIST = ROOT / "Tests" / "Simulation" / "node-seeds.txt"
SEEDS, MINUTES, CROWD = 100, 10, 200
# So many of the seeds are played in a second process, which must leave the same trace: ten, or a
# quarter of fewer than forty.
TWICE, SEEDS_PER_TWICE = 10, 4
# A seed that has used so many seconds of processor time counts as hung, and so does one that has
# used none for so long. Ten people need about 15, two hundred on one LAN about 60.
BUSY_SECONDS_MAX, IDLE_SECONDS_MAX = 240, 120
# The minimum counts in a hundred seeds of ten minutes, so that a simulator that does nothing
# is noticed; fewer seeds have as much less.
LEAST = {"commands": 14_000, "frames": 250_000, "kills": 400, "mishaps": 4200,
         "mateships at rest": 900, "rows compared": 6500, "misdeeds": 700, "forged walks": 1500,
         "records of people checked": 2000, "questions for dials": 2000,
         "second devices": 100, "second devices removed": 30, "removed devices checked": 60,
         "removals known to mates": 60, "items handled": 100,
         "parts compared on two devices": 400, "returns by recovery words": 15,
         "mateships looked for after a return": 15, "lost devices removed by words": 8,
         "removals by words at rest": 15, "looks": 600, "matches at rest": 250,
         "matches of each other at rest": 120, "bumps": 35, "cards after a bump": 30,
         "walks begun": 600, "walks paused": 180, "walks discarded": 80, "walks kept": 350,
         "walks interrupted": 150, "questions about interrupted walks": 90,
         "interrupted walks resumed": 60, "interrupted walks finished": 50,
         "second recordings tried": 60, "kept walks at rest": 800, "deleted walks at rest": 60,
         "ways at rest": 600, "walks shared": 100, "shared walks at rest": 250,
         "walks taken back at rest": 25, "ways looked for": 20, "neighbourhoods joined": 300,
         "neighbourhoods left": 40, "neighbourhood posts changed": 500,
         "neighbourhood posts compared": 300, "own neighbourhood posts at rest": 400}


@functools.cache
def homes() -> str:
    """A directory for the homes of all nodes, in memory if there is one, that goes with us."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    directory = tempfile.mkdtemp(prefix="waggle-sim.", dir=memory)

    def end(*_: object) -> None:
        shutil.rmtree(directory, ignore_errors=True)
        os._exit(1)

    signal.signal(signal.SIGTERM, end)
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


class Verdict:
    """The result of one process for one seed."""

    def __init__(self, seed: int, *words: object) -> None:
        self.seed, self.words = seed, words
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
        mine = tempfile.mkdtemp(dir=homes())
        try:
            done = run_to_end([str(PROGRAM), str(seed), *map(str, words), "--homes", mine],
                              environment, BUSY_SECONDS_MAX, IDLE_SECONDS_MAX)
            self.output, self.error, code = done.stdout, done.stderr, done.returncode
        except Hung as hung:
            self.output, self.error, code = "", str(hung), -1
        found = re.search(r"^seed \d+ (ok|FAILED) trace (\w+)", self.output, re.MULTILINE)
        self.trace = found[2] if found else None
        self.good = code == 0 and found is not None and found[1] == "ok"
        if self.good and os.listdir(mine):
            self.good, self.error = False, "the homes were not removed"
        shutil.rmtree(mine, ignore_errors=True)
        counts = re.search(r"^counts (.*)$", self.output, re.MULTILINE)
        self.counts = {name: int(count) for name, count in
                       re.findall(r"([a-z][a-z ]*)=(\d+)", counts[1] if counts else "")}

    @property
    def replay(self) -> str:
        """The command that plays it again."""
        kind, number = self.words[:2]
        if kind == "--crowd":
            return f"script/sim nodes --crowd {number} --from {self.seed}"
        if kind == "--days":
            return f"script/sim people --seed {self.seed} {number}"
        return f"script/sim nodes --seed {self.seed} {number}"

    def show(self) -> None:
        """Prints the failure, and the command that repeats it."""
        if self.good:
            return
        # Each line begins so that script/test repeats it among its failures.
        for line in self.output.splitlines()[:8] + self.error.splitlines()[-8:]:
            print(f"  FAILED: {line.strip()}")
        print(f"  replay: {self.replay}")


def listed_seeds() -> list[tuple[int, int]]:
    """The seeds that ever failed, and for how many minutes."""
    rows = [line.split("#")[0].split() for line in SEED_LIST.read_text().splitlines()]
    return [(int(row[0]), int(row[1]) if len(row) > 1 else MINUTES) for row in rows if row]


def play(runs: list[tuple], jobs: int) -> list[Verdict]:
    """Plays seeds, several at a time, and prints the failures."""
    homes()
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(lambda run: Verdict(*run), runs))
    for verdict in verdicts:
        verdict.show()
    return verdicts


def counted(verdicts: list[Verdict]) -> tuple[int, int]:
    """The numbers of those that passed and failed."""
    good = sum(verdict.good for verdict in verdicts)
    return good, len(verdicts) - good


def sum_up(verdicts: list[Verdict]) -> str:
    """The sums over all of them, as one line."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        for name, count in verdict.counts.items():
            counts[name] = counts.get(name, 0) + count
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


def check_least(verdicts: list[Verdict], seeds: int, minutes: int) -> int:
    """The number of counts that are too low to mean anything."""
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


def compare(first: list[Verdict], second: list[Verdict]) -> tuple[int, int]:
    """The numbers of seeds that left one trace in two processes, and two."""
    same = 0
    for one, other in zip(first, second):
        if one.trace is not None and one.trace == other.trace:
            same += 1
            continue
        print(f"FAILED: seed {one.seed} left the traces {one.trace} and {other.trace}")
        print(f"  replay: script/sim nodes --twice 1 {one.words[1]} --from {one.seed}")
    print(f"{same} of {len(first)} seeds of whole nodes left one trace in two processes")
    return same, len(first) - same


def simulate(seeds: int, minutes: int, jobs: int, first: int = 1) -> tuple[int, int]:
    """Plays a crowd, the seeds that ever failed, so many others, and some of these once more.

    Returns how many passed and how many failed.
    """
    began = time.monotonic()
    crowd = [(1, "--crowd", CROWD)] if seeds >= SEEDS else []
    listed = [(seed, "--minutes", long) for seed, long in listed_seeds()]
    fresh = [(seed, "--minutes", minutes) for seed in range(first, first + seeds)]
    # Those among the seeds that are run anyway are not run for the list as well.
    kept = [each for each in listed if each not in fresh]
    fresh.sort(key=lambda each: each not in listed)
    again = fresh[:min(TWICE, -(-seeds // SEEDS_PER_TWICE))]
    # The crowd needs most time, so it runs first.
    played = play(crowd + kept + fresh + again, jobs)
    verdicts = played[len(crowd) + len(kept):][:len(fresh)]
    print(f"{seeds} seeds of whole nodes × {minutes} min in {time.monotonic() - began:.0f} s: "
          + sum_up(verdicts))
    for verdict in played[:len(crowd)]:
        print(*verdict.output.splitlines()[-1:])
    same, different = compare(verdicts[:len(again)], played[len(played) - len(again):])
    passed, failed = counted(played[:len(played) - len(again)])
    return passed + same, failed + different + check_least(verdicts, seeds, minutes)


def run_twice(runs: list[tuple], jobs: int) -> tuple[int, int]:
    """Plays seeds in two processes each."""
    first, second = play(runs, jobs), play(runs, jobs)
    return compare(first, second)


def main(arguments: list[str]) -> int:
    """Runs the chosen seeds, and ends with the line of counts."""
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
    release.program(PROGRAM.name)
    minutes = (chosen.numbers[-1:] or [MINUTES])[0]
    if chosen.seed is not None:
        trace = ["--verbose"] if chosen.trace else []
        verdicts = play([(chosen.seed, "--minutes", minutes, *trace)], 1)
        print(verdicts[0].output, end="")
        passed, failed = counted(verdicts)
    elif chosen.twice is not None:
        seeds = range(chosen.first, chosen.first + chosen.twice)
        passed, failed = run_twice([(seed, "--minutes", minutes) for seed in seeds], chosen.jobs)
    elif chosen.crowd is not None:
        verdicts = play([(chosen.first, "--crowd", chosen.crowd)], 1)
        print(verdicts[0].output, end="")
        passed, failed = counted(verdicts)
    else:
        seeds = (chosen.numbers[:1] or [SEEDS])[0]
        minutes = (chosen.numbers[1:] or [MINUTES])[0]
        passed, failed = simulate(seeds, minutes, chosen.jobs, chosen.first)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 0 if failed == 0 and passed else 1
