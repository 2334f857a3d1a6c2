"""A node process of the benchmark, which has the benchmark's plugin, and its measured values."""

import re
import subprocess
import time
from pathlib import Path

from processes import wait_until
from waggle import START_SECONDS_MAX, Node


class BenchNode(Node):
    """A node that runs from its creation to `end`."""

    def __init__(self, binary: Path, home: Path):
        super().__init__("the benchmark", binary, home)
        self.began = time.monotonic()
        self.launch()
        self.first_answer_ms = self._first_answer()
        self.port = self.ask("status/show")["port"]

    def program(self) -> list[str]:
        """The command line of the node's process."""
        return [str(self.binary), "node", str(self.home)]

    def _first_answer(self) -> float:
        """Asks until there is an answer; returns the milliseconds since the start."""
        if not wait_until(self.answers, START_SECONDS_MAX, every=0.0005):
            raise SystemExit(f"a node did not start: {self.last_words()}")
        return (time.monotonic() - self.began) * 1000

    def ask(self, route: str, body: dict | None = None) -> dict:
        """Asks a query, or runs a command with its arguments; raises Refused for an error."""
        return self.api.ask(route, body)

    def memory(self, field: str) -> int:
        """A line of /proc/PID/status, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+)", status, re.M)[1])

    def sent_frame_bytes(self) -> int:
        """The bytes that were handed to TLS on the first link."""
        return self.ask("status/show")["links"][0]["sentBytes"]

    def sent_tcp_bytes(self) -> int:
        """The bytes that TLS handed to TCP on all links, as the kernel counted them."""
        done = subprocess.run(["ss", "-tinpH", "state", "established"], capture_output=True,
                              text=True)
        lines = done.stdout.splitlines()
        return sum(int(found[1]) for line, more in zip(lines, lines[1:])
                   if f"pid={self.process.pid}," in line
                   and (found := re.search(r"bytes_sent:(\d+)", more)))

    def link_to(self, other: "BenchNode") -> None:
        """Dials another node."""
        self.ask("peer/add", {"address": f"127.0.0.1:{other.port}"})

    def until(self, holds, what: str, seconds: float = 60.0, pause: float = 0.05) -> None:
        """Waits until `holds(node)` is true."""
        if not wait_until(lambda: holds(self), seconds, pause):
            raise SystemExit(f"{what} did not come about")

    def end(self) -> None:
        """Ends the process in good order; one that does not end is killed."""
        if self.pid() is not None:
            try:
                self.stop()
            except RuntimeError:
                pass  # It was killed; the measured values are valid.
