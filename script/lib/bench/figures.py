"""The figures, their goals, and how they are shown."""

import json
import platform
import subprocess
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from statistics import median


@dataclass
class Figure:
    """One figure and its goal."""

    name: str
    what: str
    unit: str
    goal: float
    at_least: bool = False

    def is_reached(self, value: float) -> bool:
        return value >= self.goal if self.at_least else value <= self.goal


FIGURES = [
    Figure("local_write_full_ratio", "local write, signed, FULL, to a bare upsert", "×", 1.6),
    Figure("cold_merge_ops_per_s", "cold merge of 100 000 operations", "/s", 400_000, True),
    Figure("cold_sync_vs_copy", "cold sync over TLS to a TCP copy of the file", "×", 25),
    Figure("live_latency_p50_ms", "write on A to committed on B, median", "ms", 0.5),
    Figure("live_latency_p99_ms", "the same, 99 of 100", "ms", 2),
    Figure("wire_live_bytes_per_op", "wire, live, a frame per operation", "B", 128),
    Figure("wire_cold_bytes_per_op", "wire, cold", "B", 30),
    Figure("equal_check_bytes", "equal check, per space, each way", "B", 24),
    Figure("photo_vs_copy", "fetching a photo of 1 MiB to a TCP copy of its file", "×", 3),
    Figure("photos_memory_mb", "memory at most while 500 photos of 1 MiB are fetched", "MB", 80),
    Figure("rss_mb_100k", "memory with 100 000 operations and one peer", "MB", 40),
    Figure("kib_per_link", "memory per further link", "KiB", 64),
    Figure("start_ms", "start to first answer", "ms", 50),
    Figure("chat_open_ms_100k", "opening a room among 100 000 messages", "ms", 20),
    Figure("chat_search_ms_100k", "two syllables in mid-word among them", "ms", 10),
    Figure("chat_page_ratio", "the oldest page of a room to the newest", "×", 1.5),
    Figure("located_near_ms_50k", "the 20 nearest of 50 000 records in a radius", "ms", 10),
    Figure("located_newest_ms_50k", "the 20 newest of them, of all and in a radius", "ms", 10),
    Figure("located_category_ms_50k", "the 20 newest of one category", "ms", 10),
    Figure("located_search_ms_50k", "the 20 newest with two syllables in mid-word", "ms", 10),
    Figure("posts_list_ms_50k", "a page of 50 000 posts, the slowest of many lists", "ms", 10),
    Figure("posts_search_ms_50k", "the same, the slowest of many searches", "ms", 10),
    Figure("neighbourhood_reach_ms", "a post to the last of 100 people in a café", "ms", 10_000),
    Figure("neighbourhood_reads", "how often each of them reads it", "×", 3),
    Figure("photos_stall_ms", "the longest pause of a main loop, ten photos of 20 MP chosen", "ms",
           50),
    Figure("walk_memory_mb", "memory that a walk of six hours adds, at most", "MB", 10),
    Figure("walk_written_mb", "written to the disk by a walk of six hours", "MB", 50),
    Figure("walks_list_ms", "the newest of 1 000 walks, the command", "ms", 20),
    Figure("walks_page_ms", "the same, the longest answer of the window that opens the page", "ms",
           20),
    Figure("walk_map_ms", "a walk of 20 000 points on the map, dragged and seen from nearer: the "
           "longest answer of the window", "ms", 16),
    Figure("photos_room_ms", "opening a room of 2 000 photos among 300 mates, the command", "ms",
           20),
    Figure("photos_room_stall_ms", "the same, the longest answer of the window", "ms", 20),
    Figure("window_stall_ms", "the longest answer of the window's main loop", "ms", 50),
    Figure("window_stall_reader_ms", "the same, with a screen reader", "ms", 50),
    Figure("window_idle_percent", "the window's processor time while idle, the worst page", "%", 1),
    Figure("window_idle_reader_percent", "the same, with a screen reader", "%", 1),
    Figure("window_private_mb", "the window's private memory after a walk through it", "MB", 100),
    Figure("window_private_reader_mb", "the same, with a screen reader", "MB", 100),
    Figure("window_first_paint_ms", "exec to the first complete picture of the window", "ms", 1000),
    Figure("disk_bytes_per_op", "disk, full signed log and tables", "B", 100),
]


class Report:
    """The measured values, run by run."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {}
        self.beside: dict[str, list[float]] = {}
        self.checks: list[str] = []

    def record(self, name: str, value: float) -> None:
        """One run's value of a figure."""
        self.values.setdefault(name, []).append(value)

    def record_beside(self, name: str, value: float) -> None:
        """One run's value that explains a figure."""
        self.beside.setdefault(name, []).append(value)

    def check(self, what: str, holds: bool) -> None:
        """Ends the benchmark if a check does not hold; else lists it in the report."""
        if not holds:
            raise SystemExit(f"nothing is reported: {what} is not so")
        if what not in self.checks:
            self.checks.append(what)

    def table(self, figures: list[Figure]) -> str:
        """The figures beside their goals, then the values that explain them."""
        lines = [f"{'figure':26} {'median':>10} {'from':>10} {'to':>10} {'goal':>12}"]
        for figure in figures:
            values = self.values.get(figure.name)
            if not values:
                continue
            middle = median(values)
            goal = ("≥ " if figure.at_least else "≤ ") + f"{figure.goal:,g}"
            verdict = "reached" if figure.is_reached(round(middle, 3)) else "not reached"
            lines.append(f"{figure.name:26} {shown(middle)} {shown(min(values))} "
                         f"{shown(max(values))} {goal:>12} {figure.unit:4} {verdict}")
        lines += ["", "beside them"]
        for name, values in self.beside.items():
            lines.append(f"{name:40} {shown(median(values))} {shown(min(values))} "
                         f"{shown(max(values))}")
        lines += [""] + [f"✓ {check}" for check in self.checks]
        return "\n".join(lines)

    def write(self, root: Path) -> None:
        """Writes the medians with spread, the machine, the date and the commit: as data, and as the
        table in the document."""
        missing = [figure.name for figure in FIGURES if figure.name not in self.values]
        self.check("every figure was measured" + "".join(f" ({name})" for name in missing),
                   not missing)
        facts = {figure.name: rounded(median(self.values[figure.name])) for figure in FIGURES}
        facts["spread"] = {name: [rounded(min(values)), rounded(max(values))]
                           for name, values in self.values.items()}
        facts["goals"] = {figure.name: figure.goal for figure in FIGURES}
        facts["reached"] = {
            figure.name: figure.is_reached(facts[figure.name]) for figure in FIGURES}
        facts["beside"] = {name: rounded(median(values)) for name, values in self.beside.items()}
        facts["machine"] = machine()
        facts["date"] = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        facts["commit"] = commit(root)
        path = root / "Benchmarks" / "results" / "latest.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(facts, indent=2) + "\n")
        publish(markdown(facts), root / "docs" / "benchmarks.md")


TABLE_BEGIN, TABLE_END = "<!-- figures -->", "<!-- end of figures -->"


def publish(table: str, document: Path) -> None:
    """Puts the table between its two marks."""
    before, rest = document.read_text().split(TABLE_BEGIN, 1)
    after = rest.split(TABLE_END, 1)[1]
    document.write_text(f"{before}{TABLE_BEGIN}\n{table}\n{TABLE_END}{after}")


def markdown(facts: dict) -> str:
    """The figures with their goals, then the values that explain them."""
    lines = [f"Measured on {facts['date']} at commit {facts['commit']} on {facts['machine']}.", "",
             "| figure | median | least … most | goal | |", "|---|---|---|---|---|"]
    for figure in FIGURES:
        least, most = facts["spread"][figure.name]
        goal = ("≥ " if figure.at_least else "≤ ") + f"{figure.goal:,g} {figure.unit}"
        reached = "reached" if facts["reached"][figure.name] else "**not reached**"
        lines.append(f"| {figure.what} (`{figure.name}`) | {plain(facts[figure.name])} "
                     f"| {plain(least)} … {plain(most)} | {goal} | {reached} |")
    lines += ["", "| beside them | median |", "|---|---|"]
    lines += [f"| {name} | {plain(value)} |" for name, value in facts["beside"].items()]
    return "\n".join(lines)


def plain(value: float) -> str:
    """A number with as many digits as say something."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def shown(value: float) -> str:
    """A number in ten columns."""
    return f"{value:>10,.0f}" if abs(value) >= 1000 else f"{value:>10.3f}"


def rounded(value: float) -> float:
    return round(value, 3)


def machine() -> str:
    """The processor and how many of it there are."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    name = models[0] if models else platform.machine()
    return f"{len(models) or 1} × {name}, {platform.system()} {platform.release()}"


def commit(root: Path) -> str:
    """The measured commit, marked if the tree differs from it."""
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True,
                              text=True).stdout.strip()
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "Sources", "Benchmarks/Sources",
                  "plugins", "ui")
    return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")
