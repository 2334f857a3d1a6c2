"""Measured distances to a hundred linked people, ten times a second each."""

import json
import time

from bench.links import visitors
from bench.node import BenchNode
from processes import processor_seconds

PEERS = 100
PER_SECOND = 10
SECONDS = 30
REST_SECONDS = 10
SETTLE_SECONDS = 3
METRES_STEP = 0.001


def ranging(bench) -> None:
    """measured distances to 100 linked people, ten times a second each"""
    homes = bench.fresh("ranging")
    bench.call("crowd", str(homes), str(PEERS))
    for _ in range(bench.runs):
        node = BenchNode(bench.binary, homes / "me")
        try:
            with visitors(bench, node, PEERS):
                measure(bench, node)
        finally:
            node.end()


def measure(bench, node: BenchNode) -> None:
    """Plays the recording once, and records its cost beside that of a rest."""
    devices = sorted(link["device"] for link in node.ask("status/show")["links"])
    file = bench.scratch / "distances.jsonl"
    file.write_text("".join(lines(devices)))
    time.sleep(SETTLE_SECONDS)
    resting = processor_percent(node, REST_SECONDS)
    before = node.memory("VmRSS")
    node.ask("ranging/source", {"source": "recorded", "file": str(file)})
    loaded = node.memory("VmRSS")
    node.ask("distances/measure", {})
    busy = processor_percent(node, SECONDS - 1)
    shown = node.ask("ranging/show")
    after = node.memory("VmRSS")
    node.until(lambda node: node.ask("ranging/show")["state"] == "ended", "the recording's end")
    time.sleep(1)
    check(bench.report, devices, node.ask("distances/show")["devices"], shown)
    for name, value in {
        "processor while 100 people are measured ten times a second, %": busy,
        "processor of the same links without that, %": resting,
        "memory before, MB": before / 1024,
        "memory with the recording read, MB": loaded / 1024,
        "memory after 29 s of measuring, MB": after / 1024,
    }.items():
        bench.report.record_beside(name, value)


def lines(devices: list[str]):
    """A recording in which the n-th device is n metres away, and a millimetre more each time."""
    for tick in range(SECONDS * PER_SECOND):
        for metres, device in enumerate(devices):
            yield json.dumps({
                "seconds": tick / PER_SECOND, "device": device, "uncertaintyMetres": 0.01,
                "distanceMetres": metres + tick * METRES_STEP}) + "\n"


def check(report, devices: list[str], counted: list[dict], shown: dict) -> None:
    """Every measurement was of its device, and none was lost or refused."""
    by_device = {each["device"]: each for each in counted}
    last = (SECONDS * PER_SECOND - 1) * METRES_STEP
    report.check(
        "each of 30 000 measurements reached the plugin as one of its own device",
        set(by_device) == set(devices) and all(
            by_device[device]["count"] == SECONDS * PER_SECOND
            and abs(by_device[device]["metresMin"] - metres) < METRES_STEP / 2
            and abs(by_device[device]["metresMax"] - metres - last) < METRES_STEP / 2
            for metres, device in enumerate(devices)))
    report.check("the command shows each device at its own distance, and nothing was refused", (
        shown["refusedCount"] == 0 and len(shown["measurements"]) == len(devices)
        and all(int(each["distanceMetres"]) == devices.index(each["device"])
                for each in shown["measurements"])))


def processor_percent(node: BenchNode, seconds: float) -> float:
    """The share of a core that a node uses during so many seconds."""
    before = processor_seconds(node.process.pid)
    time.sleep(seconds)
    return (processor_seconds(node.process.pid) - before) / seconds * 100
