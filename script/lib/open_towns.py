"""`script/sim open`: cafés that joined one open space, one process for each."""

import math
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from processes import die_with_parent

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / ".build" / "release" / "waggle-sim"
# The honest nodes of a café, its liars, and the keys of each liar. Every liar lies in one of five
# ways.
TOWNS = [(10, 0, 0), (30, 0, 0), (12, 5, 50)]
LONG_TOWNS = [(100, 10, 1000), (100, 0, 0), (30, 3, 1000), (10, 1, 1000)]
KEYS = 1000
# The counts of a café with liars that show that something was checked, and how many liars it needs.
COUNTS = {"shares kept": 1, "links below their share": 1, "lies": 2, "disguises": 5}


class Town:
    """The result of one café."""

    def __init__(self, nodes: int, liars: int, keys: int) -> None:
        self.nodes, self.liars, self.keys = nodes, liars, keys
        done = subprocess.run(
            [str(PROGRAM), "open", "1", *map(str, (nodes, liars, keys))], text=True,
            env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"), stdout=subprocess.PIPE,
            preexec_fn=die_with_parent())
        lines = done.stdout.splitlines()
        self.text = next((line for line in lines if line.startswith("open ")), "")
        self.broken = [line.strip() for line in lines if line.startswith("  ")]
        if done.returncode != 0 or not self.text:
            self.broken.append(f"it ended with {done.returncode}")
        self.broken += [f"no {name}" for name, least in COUNTS.items()
                        if liars >= least and f" {name}=" not in self.text]

    def value(self, name: str) -> float:
        """A measured number, or 0 if it is not there."""
        found = re.search(rf" {name}=([0-9.]+)", self.text)
        return float(found[1]) if found else 0.0


def simulate(jobs: int, is_long: bool) -> tuple[int, int]:
    """Runs the cafés, prints what they cost, and returns how many passed and failed."""
    began = time.monotonic()
    plans = (LONG_TOWNS if is_long else []) + TOWNS
    with ThreadPoolExecutor(jobs) as pool:
        towns = list(pool.map(lambda plan: Town(*plan), plans))
    for town in towns:
        print(town.text.split(" | ")[0] or "open: it said nothing", flush=True)
        for line in town.broken:
            print(f"FAILED: {town.nodes} nodes, {town.liars} liars: {line}")
    for name, found in growth(towns).items():
        print(f"{name} grows with the number of nodes to the {found:.2f}")
    print(f"open spaces in {time.monotonic() - began:.0f} s", flush=True)
    failed = sum(bool(town.broken) for town in towns)
    return len(towns) - failed, failed


def growth(towns: list[Town]) -> dict[str, float]:
    """The exponents with which the costs of a node grow, without liars and beside one for each
    ten."""
    found = {}
    for others, keys in (("", 0), (" beside liars", KEYS)):
        same = [town for town in towns if town.keys == keys and not town.broken]
        for name in ("cpu", "bytes"):
            if len({town.nodes for town in same}) > 1:
                found[f"{name} of a node{others}"] = exponent(
                    [(town.nodes, town.value(name)) for town in same])
    return found


def exponent(points: list[tuple[float, float]]) -> float:
    """The slope of the line through the logarithms of points, by least squares."""
    logs = [(math.log(x), math.log(max(y, 1e-6))) for x, y in points]
    mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs))
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs)
            / sum((x - mean_x) ** 2 for x, _ in logs))
