"""`script/sim people`: people who chat and promise for some days, one process for each seed.

    script/sim people                    200 seeds of 2 virtual days
    script/sim people SEEDS [DAYS]       so many seeds, each so many virtual days
    script/sim people --seed N [DAYS]    one seed again; with --trace all that happens
    script/sim people --twice N [DAYS]   N seeds in two processes each, which must leave one trace
    script/sim people --from N           begin with seed N
    script/sim people --jobs N           in so many processes (default: one for each processor)

The seeds in Tests/Simulation/people-seeds.txt failed once; they run first, always.
"""

import argparse
import os
import time
from pathlib import Path

import release
from node_seeds import PROGRAM, ROOT, Verdict, compare, counted, play, sum_up

SEED_LIST = ROOT / "Tests" / "Simulation" / "people-seeds.txt"
SEEDS, DAYS = 200, 2
# So many of the seeds are played in a second process, which must leave the same trace.
TWICE = 2
# So many times less than their part must be in fewer than twenty seeds.
FEW = 4
# The minimum counts in two hundred seeds of two days, so that days on which nothing happens
# are noticed; fewer seeds have as much less.
LEAST = {"messages": 25_000, "messages deleted for all": 1500, "messages compared": 50_000,
         "rooms compared": 5000, "unread counts compared": 5000, "promises made": 2400,
         "promises accepted": 1800, "promises moved": 80, "promises called off": 80,
         "promises left": 1500, "tracks played": 2200, "locations": 100_000, "arrivals": 2000,
         "arrivals foreseen": 1400, "people early": 1600, "people on time": 900,
         "people late": 800, "people who did not come": 2500, "kills": 500, "times stopped": 120,
         "mishaps": 7000, "restores": 30, "new keys": 8}


def listed_seeds() -> list[tuple]:
    """The seeds that ever failed, and for how many days."""
    rows = [line.split("#")[0].split() for line in SEED_LIST.read_text().splitlines()]
    return [(int(row[0]), "--days", int(row[1]) if len(row) > 1 else DAYS) for row in rows if row]


def check_least(verdicts: list[Verdict], seeds: int, days: int) -> int:
    """The number of counts that are too low to mean anything."""
    if days < DAYS:
        return 0
    share, failed = min(seeds / SEEDS, 1), 0
    for name, least in LEAST.items():
        count = sum(verdict.counts.get(name, 0) for verdict in verdicts)
        # A few seeds may have less than their part by chance, but not next to nothing.
        if count < (least * share if seeds >= 20 else least * share // FEW):
            print(f"FAILED: only {count} {name} in {seeds} seeds")
            failed += 1
    return failed


def simulate(seeds: int, days: int, jobs: int, first: int = 1) -> tuple[int, int]:
    """Plays the seeds that ever failed, so many others, and some of these once more.

    Returns how many passed and how many failed.
    """
    began = time.monotonic()
    kept = listed_seeds()
    fresh = [(seed, "--days", days) for seed in range(first, first + seeds)]
    again = fresh[:TWICE]
    played = play(kept + fresh + again, jobs)
    verdicts = played[len(kept):len(kept) + seeds]
    print(f"{seeds} seeds of people × {days} days in {time.monotonic() - began:.0f} s: "
          + sum_up(verdicts))
    same, different = compare(verdicts[:len(again)], played[len(kept) + seeds:])
    passed, failed = counted(played[:len(kept) + seeds])
    return passed + same, failed + different + check_least(verdicts, seeds, days)


def main(arguments: list[str]) -> int:
    """Runs the chosen seeds, and ends with the line of counts."""
    parser = argparse.ArgumentParser(
        prog="script/sim people", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, metavar="SEEDS [DAYS]")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--twice", type=int)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    release.program(PROGRAM.name)
    if chosen.seed is not None:
        trace = ["--verbose"] if chosen.trace else []
        verdicts = play([(chosen.seed, "--days", (chosen.numbers or [DAYS])[0], *trace)], 1)
        print(verdicts[0].output, end="")
        passed, failed = counted(verdicts)
    elif chosen.twice is not None:
        runs = [(seed, "--days", (chosen.numbers or [DAYS])[0])
                for seed in range(chosen.first, chosen.first + chosen.twice)]
        passed, failed = compare(play(runs, chosen.jobs), play(runs, chosen.jobs))
    else:
        seeds = (chosen.numbers[:1] or [SEEDS])[0]
        days = (chosen.numbers[1:] or [DAYS])[0]
        passed, failed = simulate(seeds, days, chosen.jobs, chosen.first)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 0 if failed == 0 and passed else 1
