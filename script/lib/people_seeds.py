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
import contextlib
import io
import os
import time
from pathlib import Path
from types import SimpleNamespace

import release
from node_seeds import PROGRAM, ROOT, Verdict, compare, counted, play, sum_up
from sim_checks import least_of_sum

SEED_LIST = ROOT / "Tests" / "Simulation" / "people-seeds.txt"
SEEDS, DAYS = 200, 2
# So many of the seeds are played in a second process, which must leave the same trace.
TWICE = 2
# The minimum counts in two hundred seeds of two days, so that days on which nothing happens
# are noticed.
LEAST = {"messages": 25_000, "messages deleted for all": 1500, "messages compared": 50_000,
         "rooms compared": 5000, "unread counts compared": 5000, "promises made": 2400,
         "promises accepted": 1800, "promises moved": 80, "promises called off": 80,
         "promises left": 1500, "tracks played": 2200, "locations": 100_000, "arrivals": 2000,
         "arrivals foreseen": 1400, "people early": 1600, "people on time": 900,
         "people late": 800, "people who did not come": 2500, "kills": 500, "times stopped": 120,
         "mishaps": 7000, "restores": 30, "new keys": 8}
# They are at most this part of what was measured: of the counts that docs/reliability.md names.
PART = 0.75
# The standard deviation of each count of one seed as a part of its mean, measured in 17 seeds
# and rounded up.
SPREADS = {"messages": 0.3, "messages deleted for all": 0.5, "messages compared": 0.5,
           "rooms compared": 0.6, "unread counts compared": 0.6, "promises made": 0.5,
           "promises accepted": 0.9, "promises moved": 1.4, "promises called off": 1.4,
           "promises left": 0.6, "tracks played": 0.6, "locations": 1.5, "arrivals": 0.6,
           "arrivals foreseen": 0.6, "people early": 1.0, "people on time": 1.0,
           "people late": 0.9, "people who did not come": 0.9, "kills": 0.7, "times stopped": 1.2,
           "mishaps": 0.2, "restores": 2.9, "new keys": 4.4}


def listed_seeds() -> list[tuple]:
    """The seeds that ever failed, and for how many days."""
    rows = [line.split("#")[0].split() for line in SEED_LIST.read_text().splitlines()]
    return [(int(row[0]), "--days", int(row[1]) if len(row) > 1 else DAYS) for row in rows if row]


def least(seeds: int) -> dict[str, float]:
    """The bound of each count in so many seeds of two days: as much less than in all of them, or
    what chance permits if that is lower; 0 if so few seeds say nothing about it."""
    if seeds >= SEEDS:
        return dict(LEAST)
    return {name: min(count * seeds / SEEDS,
                      least_of_sum(count / PART / SEEDS, SPREADS[name], seeds))
            for name, count in LEAST.items()}


def check_least(verdicts: list[Verdict], days: int) -> int:
    """The number of counts that are too low to mean anything.

    Several results of one seed count once: they are the same.
    """
    if days < DAYS:
        return 0
    counts = {verdict.seed: verdict.counts for verdict in verdicts
              if verdict.words[:2] == ("--days", days)}
    failed = 0
    for name, bound in least(len(counts)).items():
        count = sum(one.get(name, 0) for one in counts.values())
        if count < bound:
            print(f"FAILED: only {count} {name} in {len(counts)} seeds, and not {bound:.0f}")
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
    return passed + same, failed + different + check_least(played[:len(kept) + seeds], days)


def self_test() -> list[bool]:
    """Shows that days on which little happens are noticed in few seeds, and that chance is not."""
    def failures(messages: int, locations: int, seeds: int) -> int:
        counts = {name: count / PART / SEEDS for name, count in LEAST.items()}
        counts |= {"messages": messages / seeds, "locations": locations / seeds}
        played = [SimpleNamespace(seed=seed, words=("--days", DAYS), counts=counts)
                  for seed in range(seeds)]
        with contextlib.redirect_stdout(io.StringIO()):
            return check_least([*played, *played[:TWICE]], DAYS)

    results = {
        "two seeds and the kept ones may have few locations": failures(1000, 197, 6) == 0,
        "two seeds and the kept ones with few messages are noticed": failures(300, 4000, 6) == 1,
        "a hundred seeds with few locations are noticed": failures(17_000, 20_000, 100) == 1,
        "a hundred seeds as they were measured pass": failures(17_000, 80_000, 100) == 0,
    }
    for name, is_good in results.items():
        print(f"{'✓' if is_good else '✗'} {name}")
    return list(results.values())


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
