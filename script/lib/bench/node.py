"""A real node process with the benchmark's plugin, asked over its local API."""

import http.client
import json
import re
import socket
import subprocess
import time
from pathlib import Path

START_SECONDS = 20.0
END_SECONDS = 15.0


class LocalConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path):
        super().__init__("localhost", timeout=60)
        self.path = str(path)

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class BenchNode:
    """One node, from its start to its end."""

    def __init__(self, binary: Path, home: Path):
        self.home = home
        self.log = open(home / "bench.log", "ab")
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [str(binary), "node", str(home)], stdout=subprocess.PIPE, stderr=self.log)
        self.first_answer_ms = self.wait()
        self.port = self.ask("status/show")["port"]

    def wait(self) -> float:
        """Asks until there is an answer; returns the milliseconds since the start."""
        while time.monotonic() - self.began < START_SECONDS:
            try:
                self.ask("status/show")
                return (time.monotonic() - self.began) * 1000
            except (OSError, http.client.HTTPException):
                if self.process.poll() is not None:
                    break
                time.sleep(0.0005)
        raise SystemExit(f"a node did not start: {(self.home / 'bench.log').read_text()}")

    @property
    def socket(self) -> Path:
        return next(iter(self.home.glob("*.sock")), self.home / "waggle.sock")

    def ask(self, route: str, body: dict | None = None) -> dict:
        """Asks a query, or gives a command with its arguments."""
        connection = LocalConnection(self.socket)
        try:
            if body is None:
                connection.request("GET", f"/v1/{route}")
            else:
                connection.request("POST", f"/v1/{route}", json.dumps(body),
                                   {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                raise SystemExit(f"{route}: {text.decode()}")
            return json.loads(text)
        finally:
            connection.close()

    def memory(self, field: str) -> int:
        """A line of /proc/PID/status, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+)", status, re.M)[1])

    def sent_frame_bytes(self) -> int:
        """What was handed to TLS on the first link."""
        return self.ask("status/show")["links"][0]["sentBytes"]

    def sent_tcp_bytes(self) -> int:
        """What TLS handed to TCP on all links, by the kernel's count."""
        done = subprocess.run(["ss", "-tinpH", "state", "established"], capture_output=True,
                              text=True)
        lines = done.stdout.splitlines()
        return sum(int(found[1]) for line, more in zip(lines, lines[1:])
                   if f"pid={self.process.pid}," in line
                   and (found := re.search(r"bytes_sent:(\d+)", more)))

    def link_to(self, other: "BenchNode") -> None:
        """Dials another node, and waits until the two are linked and equal."""
        self.ask("peer/add", {"address": f"127.0.0.1:{other.port}"})

    def until(self, holds, what: str, seconds: float = 60.0, pause: float = 0.05) -> None:
        """Waits until something holds of the node."""
        deadline = time.monotonic() + seconds
        while not holds(self):
            if time.monotonic() > deadline:
                raise SystemExit(f"{what} did not come about")
            time.sleep(pause)

    def end(self) -> None:
        """Ends it in good order."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
