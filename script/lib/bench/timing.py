"""Times as the measurements take them."""

import time
from statistics import median

REPEATS = 20


def milliseconds(ask) -> float:
    """The median time of an answer, in milliseconds."""
    times = []
    for _ in range(REPEATS):
        began = time.monotonic()
        ask()
        times.append((time.monotonic() - began) * 1000)
    return median(times)


def percentile(numbers: list[float], share: int) -> float:
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]
