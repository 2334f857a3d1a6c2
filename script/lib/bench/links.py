"""The memory of links, and links of many people to one node."""

import subprocess
import time
from contextlib import contextmanager

from bench.node import BenchNode

LINKS_FEW, LINKS_MANY = 4, 24


def links(bench) -> None:
    """the memory of one more link"""
    for _ in range(bench.runs):
        homes = bench.fresh("links")
        bench.call("crowd", str(homes), str(LINKS_MANY))
        node = BenchNode(bench.binary, homes / "me")
        try:
            few, many = (memory_with_links(bench, node, count)
                         for count in (LINKS_FEW, LINKS_MANY))
        finally:
            node.end()
        bench.report.record("kib_per_link", (many - few) / (LINKS_MANY - LINKS_FEW))


def memory_with_links(bench, node: BenchNode, count: int) -> int:
    """The memory of a node with so many links, in KiB."""
    with visitors(bench, node, count):
        time.sleep(1)
        return node.memory("VmRSS")


@contextmanager
def visitors(bench, node: BenchNode, count: int):
    """Keeps links of so many mates to a node."""
    program = subprocess.Popen(
        [str(bench.binary), "visit", str(node.port), str(count)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE)
    try:
        node.until(lambda node: len(node.ask("status/show")["links"]) == count, f"{count} links")
        yield
    finally:
        program.communicate()
        node.until(lambda node: not node.ask("status/show")["links"], "no links")
