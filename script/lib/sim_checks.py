"""What `script/sim` expects of rare events and of processes, and `script/sim --self-test`."""

import math
import os
import subprocess
import sys

from processes import Hung, processor_seconds, run_to_end

# How often a bound on a rare count fails although nothing is wrong, at most. Each change of the
# engine draws new runs.
CHANCE = 0.001
# To how many events the sum of a count corresponds at most, which leaves it a margin of a seventh.
EVENTS = 500


def least_by_chance(mean: float) -> int:
    """The highest bound of a rare count that chance alone seldom misses.

    The seeds are independent of each other, so the number of those in which something rare happens
    has a Poisson distribution with this mean. A count is below the bound with a probability of
    `CHANCE` at most. The bound is 0, and checks nothing, if the mean is below 6.9.
    """
    bound, term, below = 0, math.exp(-mean), 0.0
    while below + term <= CHANCE:
        below += term
        bound += 1
        term *= mean / bound
    return bound


def least_of_sum(mean: float, spread: float, seeds: int) -> float:
    """The highest bound of a sum over some seeds that chance alone seldom misses.

    The sum is treated as a number of events, each worth the same, that has a Poisson distribution
    with the mean and the variance of the sum. A count with a long upper tail has a thinner lower
    one than that, so the bound errs on the low side. It is 0, and checks nothing, if so few seeds
    say nothing about the count. More than `EVENTS` events are not assumed: the mean itself is only
    measured.

    `mean` is that of one seed, and `spread` the standard deviation of one seed divided by it.
    """
    events = min(seeds / spread ** 2, EVENTS)
    return least_by_chance(events) * mean * seeds / events


def outcome(code: str) -> str:
    """Runs Python code as `run_to_end` runs a simulator, with short limits."""
    try:
        return run_to_end([sys.executable, "-c", code], dict(os.environ), busy_seconds=1,
                          idle_seconds=2, look_seconds=0.1).stdout.strip()
    except Hung as hung:
        return str(hung)


def time_of_ended() -> float | None:
    """The processor time of a process that has ended; None if there is none, as there should be."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    try:
        return processor_seconds(ended.pid)
    except FileNotFoundError:
        return None


def self_test() -> list[bool]:
    """Shows that a process that hangs is ended, one that only waits long is not, and that a rare
    event that is gone is noticed."""
    slow = "import time\nfor _ in range(4): time.sleep(0.9); sum(range(3_000_000))\nprint('done')"
    results = {
        "a process that computes without end is ended":
            outcome("while True: pass") == "it did not end in 1 s of processor time",
        "a process that waits without end is ended":
            outcome("import time; time.sleep(600)") == "it used no processor time for 2 s",
        "a process that has ended has no processor time": time_of_ended() is None,
        "a process that gets little processor time comes to its end": outcome(slow) == "done",
        "a rare event that never happens is noticed":
            least_by_chance(7) == 1 and least_by_chance(20) == 8,
        "nothing is expected of so few seeds that chance may leave it out":
            least_by_chance(6.9) == 0 and least_by_chance(0) == 0,
        "a count that varies little is expected of few seeds already":
            40 < least_of_sum(100, 0.2, 1) < 50 and 200 < least_of_sum(100, 0.5, 6) < 300,
        "a count that varies much is expected of many seeds only":
            least_of_sum(100, 1.2, 6) == 0 and 14_000 < least_of_sum(100, 1.2, 200) < 20_000,
    }
    for name, is_good in results.items():
        print(f"{'✓' if is_good else '✗'} {name}")
    return list(results.values())
