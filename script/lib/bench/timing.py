"""Times as the measurements take them."""

import os
import time
from pathlib import Path
from statistics import median

REPEATS = 20
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


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


def processor_seconds(process: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND
