"""The measurements, each in its own function, by the binary that holds the product's own path."""

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from statistics import median
from urllib.parse import quote

from bench.figures import Report
from bench.links import links
from bench.neighbourhoods import neighbourhoods
from bench.node import BenchNode
from bench.posts import posts
from bench.ranging import ranging
from bench.timing import milliseconds, percentile
from bench.walks import walk_recording, walks
from bench.window import window, window_idle
from waggle import LocalAPI, Refused

OPERATIONS = 100_000
LIVE_WRITES = 1000
LIVE_PAUSE_MICROSECONDS = 3000
LOCAL_WRITES = 1000
PHOTO_BYTES = 1 << 20
PHOTOS_SINGLE, PHOTOS_MANY = 9, 500
START_REPEATS = 5
REST_SECONDS = 2.5
CHAT_PAGE = 50
# Both occur inside a word: the first in 100 messages, the second in every other one.
CHAT_QUESTIONS = ["산책", "늘은"]
MEMORY_DISK = Path("/dev/shm")


class Bench:
    """The programs and folders that all measurements share."""

    def __init__(self, binary: Path, scratch: Path, report: Report, runs: int):
        self.binary = binary
        self.scratch = scratch
        self.report = report
        self.runs = runs

    def call(self, *words: str) -> dict:
        """Runs a measurement of the binary and returns the JSON it prints."""
        done = subprocess.run([str(self.binary), *words], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"nothing is reported: {done.stderr.strip()[-2000:]}")
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def fresh(self, name: str, at: Path | None = None) -> Path:
        """An empty path for files."""
        path = (at or self.scratch) / name
        shutil.rmtree(path, ignore_errors=True)
        return path

    def home(self, name: str, node: str, at: Path | None = None) -> Path:
        """The home of one of the two nodes."""
        path = self.fresh(name, at)
        self.call("home", str(path), node)
        return path


def equal_check(bench: Bench) -> None:
    """the cost of finding that two replicas are equal"""
    found = bench.call("equal")
    bench.report.check("equal spaces are found equal in one frame each way",
                       found["framesEachWay"] == 1)
    # Two lengths grow by one byte each over a thousand spaces; that is no part of a space.
    bench.report.record("equal_check_bytes", int(found["bytesPerSpace"]))
    bench.report.record_beside("equal check of one space, frame included, B",
                             found["bytesOfOneSpace"])


def cold_merge(bench: Bench) -> None:
    """a cold merge, from the bytes of frames to the commit"""
    for _ in range(bench.runs):
        found = bench.call("merge", str(bench.fresh("merge")))
        bench.report.record("cold_merge_ops_per_s", found["operationsPerSecond"])
        bench.report.record_beside("cold merge, seconds", found["seconds"])
        single = bench.call("merge", str(bench.fresh("merge")), "1")
        bench.report.record_beside("cold merge, one operation per batch, /s",
                                 single["operationsPerSecond"])
        bench.report.record_beside("disk, one operation per batch, B",
                                 single["diskBytes"] / OPERATIONS)
    bench.report.check("the generated stream has the workload's SHA-256", True)
    bench.report.check("the SQL table read back after a cold merge has the final state's SHA-256",
                       True)


def local_write(bench: Bench) -> None:
    """a write of one field, signed and synced, beside a bare upsert"""
    for _ in range(bench.runs):
        found = bench.call("local", str(bench.fresh("local")), str(LOCAL_WRITES))
        bench.report.record("local_write_full_ratio", found["ratio"])
        bench.report.record_beside("local write, µs", found["signedMicroseconds"]["p50"])
        bench.report.record_beside("bare upsert, µs", found["bareMicroseconds"]["p50"])


def cold_sync(bench: Bench) -> None:
    """the workload from one node to another over TLS, beside a copy of the file"""
    filled = bench.home("filled", "first")
    bench.call("fill", str(filled))
    bench.report.record("disk_bytes_per_op", (filled / "replica.db").stat().st_size / OPERATIONS)
    for _ in range(bench.runs):
        first = bench.fresh("first")
        shutil.copytree(filled, first)
        nodes = [BenchNode(bench.binary, first),
                 BenchNode(bench.binary, bench.home("second", "second"))]
        try:
            synced = sync(bench.report, *nodes)
        finally:
            for node in nodes:
                node.end()
        copied = copy_seconds(second_file := nodes[1].home / "replica.db",
                              bench.fresh("copy"))
        bench.report.record("cold_sync_vs_copy", synced / copied)
        bench.report.record_beside("cold sync, s", synced)
        bench.report.record_beside("copy of the file over TCP, ms", copied * 1000)
        bench.report.record_beside("size of the copied file, MB", second_file.stat().st_size / 1e6)
    bench.report.check("the SQL table read back after a cold sync has the final state's SHA-256",
                       True)


def sync(report: Report, first: BenchNode, second: BenchNode) -> float:
    """Links two nodes and waits until the second has all; returns the seconds since the link."""
    second.link_to(first)
    arrived = last_arrival(second)
    began = min(node.ask("fields/arrivals")["link"] for node in (first, second))
    record_memory(report, first, second)
    state = second.ask("fields/state")
    report.check("the second node's table has the workload's final state", state["right"])
    verified = second.ask("verify/run")
    report.check("the nodes find their replicas equal after a cold sync", verified["equal"])
    frames, tcp = first.sent_frame_bytes(), first.sent_tcp_bytes()
    report.record("wire_cold_bytes_per_op", frames / OPERATIONS)
    report.record_beside("wire, cold, with TLS, B", tcp / OPERATIONS)
    report.record_beside("wire, cold, the other way, B", second.sent_frame_bytes() / OPERATIONS)
    return (arrived - began) / 1e9


def joining(bench: Bench) -> None:
    """a new device that joins a person with 100 000 operations, until everything is there"""
    filled = bench.home("filled", "first")
    bench.call("fill", str(filled))
    for _ in range(bench.runs):
        first = bench.fresh("first")
        shutil.copytree(filled, first)
        adder = BenchNode(bench.binary, first)
        code = "-".join(adder.ask("device/add", {})["words"])
        home = bench.fresh("joiner")
        subprocess.run([str(bench.binary.parent / "waggle"), "--home", str(home), "init", "--join",
                        code, "--address", f"127.0.0.1:{adder.port}"],
                       check=True, stdout=subprocess.DEVNULL)
        began = time.monotonic()
        nodes = [adder, BenchNode(bench.binary, home)]
        try:
            nodes[1].until(joined, "the joining", pause=0.01)
            seconds = time.monotonic() - began
            bench.report.check("the joined node's table has the workload's final state",
                               nodes[1].ask("fields/state")["right"])
        finally:
            for node in nodes:
                node.end()
        copied = copy_seconds(home / "replica.db", bench.fresh("copy"))
        bench.report.record_beside("joining, from the start to everything there, s", seconds)
        bench.report.record_beside("joining, to a TCP copy of the file, ×", seconds / copied)


def joined(node: BenchNode) -> bool:
    """Whether a node that joins has received everything; it starts anew in between."""
    try:
        return node.ask("device/pairing")["stage"] == "complete"
    except (*LocalAPI.GONE, Refused):
        return False


def record_memory(report: Report, first: BenchNode, second: BenchNode) -> None:
    """Records the memory of the nodes at rest, before a request reads all the data."""
    time.sleep(REST_SECONDS)
    report.record("rss_mb_100k", max(node.memory("VmRSS") for node in (first, second)) / 1024)
    report.record_beside("anonymous part of it (neither code nor other files), MB",
                       max(node.memory("RssAnon") for node in (first, second)) / 1024)
    report.record_beside("memory of the sending node, MB", first.memory("VmRSS") / 1024)
    report.record_beside("memory of the receiving node, MB", second.memory("VmRSS") / 1024)
    report.record_beside("its peak while receiving, MB", second.memory("VmHWM") / 1024)


def last_arrival(node: BenchNode) -> int:
    """Waits until nothing has arrived for a second; returns when the last did."""
    last, quiet_since = 0, time.monotonic()
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        time.sleep(0.25)
        at = node.ask("fields/arrivals")["at"]
        if at:
            last, quiet_since = max(at), time.monotonic()
        elif last and time.monotonic() - quiet_since > 1:
            return last
    raise SystemExit("nothing is reported: the nodes do not become equal")


def copy_seconds(file: Path, place: Path) -> float:
    """The seconds of a copy of a file over TCP onto the disk, the best of five."""
    place.mkdir(parents=True)
    return min(copy_once(file, place / f"copy{number}") for number in range(5))


def copy_once(file: Path, target: Path) -> float:
    """One process sends a file over loopback, this one writes and syncs it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        sender = os.fork()
        if sender == 0:
            with socket.create_connection(server.getsockname()) as out, open(file, "rb") as source:
                out.sendfile(source)
            os._exit(0)
        connection, _ = server.accept()
        began = time.monotonic()
        with connection, open(target, "wb", buffering=0) as copy:
            while received := connection.recv(1 << 20):
                copy.write(received)
            os.fsync(copy.fileno())
        took = time.monotonic() - began
        os.waitpid(sender, 0)
    return took


def photos(bench: Bench) -> None:
    """photos of 1 MiB from one node to another, beside a TCP copy of the same bytes"""
    for _ in range(bench.runs):
        nodes = [BenchNode(bench.binary, bench.home("photos-first", "first")),
                 BenchNode(bench.binary, bench.home("photos-second", "second"))]
        first, second = nodes
        try:
            second.link_to(first)
            bench.report.record_beside("the first photo of a new node, ms",
                                       fetch_photos(first, second, 1) * 1000)
            # A node fetches its person's own photos by itself, too; the median is none of those.
            one = median(fetch_photos(first, second, 1) for _ in range(PHOTOS_SINGLE))
            before = second.memory("VmRSS")
            many = fetch_photos(first, second, PHOTOS_MANY)
            file = next(path for path in (first.home / "blobs").rglob("*") if path.is_file())
            copied = copy_seconds(file, bench.fresh("photo-copy"))
            bench.report.record("photo_vs_copy", one / copied)
            bench.report.record("photos_memory_mb", second.memory("VmHWM") / 1024)
            bench.report.record_beside("a photo of 1 MiB, ms", one * 1000)
            bench.report.record_beside("copy of its file over TCP, ms", copied * 1000)
            bench.report.record_beside("each of 500 photos of 1 MiB, ms",
                                       many / PHOTOS_MANY * 1000)
            bench.report.record_beside("memory before 500 photos, MB", before / 1024)
            bench.report.record_beside("memory after 500 photos, MB",
                                       second.memory("VmRSS") / 1024)
        finally:
            for node in nodes:
                node.end()
    bench.report.check("all photos arrived, and each has its hash", True)


def fetch_photos(first: BenchNode, second: BenchNode, count: int) -> float:
    """Writes so many photos on one node; the seconds that the other takes to fetch all of them."""
    named = second.ask("fields/photo-arrivals")["named"] + count
    first.ask("fields/add-photos", {"count": count, "bytes": PHOTO_BYTES})
    arrivals: list[int] = []

    def look(node: BenchNode) -> int:
        found = node.ask("fields/photo-arrivals")
        arrivals.extend(found["at"])
        return found["named"]

    second.until(lambda node: look(node) == named, "the records of photos")
    began = second.ask("fields/fetch-photos")["at"][0]
    second.until(lambda node: look(node) == named and len(arrivals) >= count,
                 f"{count} photos", seconds=300)
    found = second.ask("fields/fetch-photos")
    if found["here"] != found["named"]:
        raise SystemExit("nothing is reported: a photo is not what its record says")
    # A node also fetches its person's own photos by itself, perhaps before it was asked.
    return (max(arrivals) - min(began, *arrivals)) / 1e9


def live(bench: Bench) -> None:
    """a write on one node until it is committed on the other, over a standing link"""
    for _ in range(bench.runs):
        latencies = live_run(bench, None)
        bench.report.record("live_latency_p50_ms", median(latencies))
        bench.report.record("live_latency_p99_ms", percentile(latencies, 99))
    if MEMORY_DISK.is_dir():
        place = MEMORY_DISK / f"waggle-bench-{os.getpid()}"
        try:
            latencies = live_run(bench, place)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        bench.report.record_beside("live latency without a disk, p50, ms", median(latencies))
        bench.report.record_beside("live latency without a disk, p99, ms",
                                 percentile(latencies, 99))


def live_run(bench: Bench, place: Path | None) -> list[float]:
    """Writes one field again and again; returns the milliseconds of each write's way."""
    nodes = [BenchNode(bench.binary, bench.home("live-first", "first", at=place)),
             BenchNode(bench.binary, bench.home("live-second", "second", at=place))]
    first, second = nodes
    try:
        record = first.ask("fields/begin", {})["id"]
        second.link_to(first)
        last_arrival(second)
        before = [node.sent_frame_bytes() for node in nodes] + [first.sent_tcp_bytes()]
        written = first.ask("fields/write", {
            "id": record, "count": LIVE_WRITES, "pauseMicroseconds": LIVE_PAUSE_MICROSECONDS})
        time.sleep(1)
        after = [node.sent_frame_bytes() for node in nodes] + [first.sent_tcp_bytes()]
        arrivals = second.ask("fields/arrivals")
        bench.report.check("the nodes find their replicas equal after live writes",
                           second.ask("verify/run")["equal"])
    finally:
        for node in nodes:
            node.end()
    if place is None:
        sent, back, tcp = ((b - a) / LIVE_WRITES for a, b in zip(before, after))
        bench.report.record("wire_live_bytes_per_op", sent)
        bench.report.record_beside("wire, live, with TLS, B", tcp)
        bench.report.record_beside("wire, live, the other way (acknowledgements), B", back)
        local = [(end - at) / 1000 for at, end in zip(written["at"], written["done"])]
        bench.report.record_beside("part of the live latency: the write on A, p50, µs", median(local))
    return ways(bench.report, written["at"], arrivals)


def ways(report: Report, began: list[int], arrivals: dict) -> list[float]:
    """From each write to the first hand-over of a state that has it."""
    result, next_write = [], 0
    for at, write in zip(arrivals["at"], arrivals["writes"]):
        while next_write <= write:
            result.append((at - began[next_write]) / 1e6)
            next_write += 1
    report.check("every live write arrived", len(result) == len(began))
    return result


def start(bench: Bench) -> None:
    """a start, from exec to the first answer, with and without history"""
    filled = bench.home("started", "first")
    bench.call("fill", str(filled))
    for _ in range(START_REPEATS * bench.runs):
        for name, home in (("start_ms", filled), ("", bench.home("empty", "first"))):
            node = BenchNode(bench.binary, home)
            node.end()
            if name:
                bench.report.record(name, node.first_answer_ms)
            else:
                bench.report.record_beside("start of an empty home, ms", node.first_answer_ms)


def chat(bench: Bench) -> None:
    """a room with 100 000 messages, asked over the local API like the window does"""
    home = bench.home("chat", "first")
    room = bench.call("chat", str(home))["room"]
    node = BenchNode(bench.binary, home)
    try:
        opened = node.ask("chat/open", {"room": room})
        bench.report.check("a room of 100 000 messages shows its newest page",
                           len(opened["messages"]) == CHAT_PAGE)
        searches = ["chat/search?text=" + quote(text) for text in CHAT_QUESTIONS]
        for search in searches:
            found = node.ask(search)["messages"]
            bench.report.check("two syllables are found within words, the newest first",
                               len(found) == CHAT_PAGE and found == sorted(
                                   found, key=lambda message: -message["atMs"]))
        newest, oldest = f"chat/page?room={room}", f"chat/page?room={room}&after={'0' * 112}"
        bench.report.check("the oldest page is the other end of the room",
                           node.ask(oldest)["messages"][0]["atMs"] < opened["messages"][0]["atMs"])
        for _ in range(bench.runs):
            bench.report.record("chat_open_ms_100k",
                              milliseconds(lambda: node.ask("chat/open", {"room": room})))
            took = [milliseconds(lambda: node.ask(search)) for search in searches]
            bench.report.record("chat_search_ms_100k", max(took))
            bench.report.record_beside("a search for what 100 messages hold, ms", took[0])
            bench.report.record_beside("a search for what 50 000 messages hold, ms", took[1])
            bench.report.record_beside("a search for one letter, ms", milliseconds(
                lambda: node.ask("chat/search?text=" + quote(CHAT_QUESTIONS[0][0]))))
            bench.report.record("chat_page_ratio", milliseconds(lambda: node.ask(oldest))
                              / milliseconds(lambda: node.ask(newest)))
            bench.report.record_beside("list of rooms, ms",
                                     milliseconds(lambda: node.ask("chat/rooms")))
            bench.report.record_beside("the local API alone, ms",
                                     milliseconds(lambda: node.ask("status/show")))
            mine = next(message["id"] for message in node.ask(newest)["messages"]
                        if message["isMine"])
            began = time.monotonic()
            node.ask("chat/delete", {"id": mine})
            bench.report.record_beside("deleting a message there for oneself, ms",
                                     (time.monotonic() - began) * 1000)
    finally:
        node.end()


def adverts(bench: Bench) -> None:
    """50 000 records with title, text and location: pages by distance, time, category and words"""
    for _ in range(bench.runs):
        found = bench.call("adverts", str(bench.fresh("adverts")))
        for name in ("near", "newest", "category", "search"):
            queries = found[name]
            bench.report.record(f"located_{name}_ms_50k", max(queries.values()))
            for query, took in queries.items():
                bench.report.record_beside(f"50 000 records: {query}, ms", took)
        bench.report.record_beside("writing 1 000 of them to writing them without indexes, ×",
                                   found["writingRatio"])
    bench.report.check("each page of 50 000 records is that of a scan of all", True)


def choosing_photos(bench: Bench) -> None:
    """ten photos of 20 megapixels that are chosen at once, and one alone"""
    path = bench.scratch / "photo.jpg"
    # Noise, because a camera's picture is never flat: about 10 MB.
    subprocess.run(["convert", "-size", "684x456", "plasma:", "-resize", "5472x3648!",
                    "-attenuate", "0.3", "+noise", "Gaussian", "-quality", "90", str(path)],
                   check=True)
    for _ in range(bench.runs):
        found = bench.call("photos", str(path))
        bench.report.check("each photo in a chat has at most 1 MiB",
                           found["photoBytes"] <= 1024 * 1024)
        bench.report.record("photos_stall_ms", found["stallSeconds"] * 1000)
        bench.report.record_beside("a photo of 20 megapixels, s", found["secondsOfOne"])
        bench.report.record_beside("ten of them, s", found["secondsOfTen"])
        bench.report.record_beside("memory of their worker, MB", found["workerMebibytes"])


MEASURES = [equal_check, cold_merge, local_write, cold_sync, joining, photos, live, links, start,
            chat, adverts, posts, neighbourhoods, choosing_photos, ranging, walk_recording, walks, window,
            window_idle]
