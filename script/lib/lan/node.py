"""A real `waggle node` as the scripts see it: a process, a command line, a socket and files."""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path

from lan.network import Host, child_ids, die_with_parent, wait_until


def free_port() -> int:
    """A TCP port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class CommandFailed(Exception):
    """A command ended with an exit code other than 0; the text is what it said."""

    def __init__(self, command: str, exit_code: int, said: str):
        super().__init__(f"{command}: exit {exit_code}: {said}")
        self.exit_code = exit_code


class Node:
    """A node with its own home, on a host of its own or, without one, on this machine."""

    def __init__(self, name: str, binary: Path, home: Path, host: Host | None = None):
        self.name = name
        self.binary = binary
        self.home = home
        self.host = host
        self.log = home.parent / f"{home.name}.log"
        # Without a LAN: nothing of this is announced on the machine's own network, and the port
        # stays the same, so that others find the node again after a restart.
        self.options = [] if host else ["--no-avahi", "--listen-port", str(free_port())]
        # What stands before the program's name, such as what shows it another time.
        self.clock: list[str] = []
        self.process: subprocess.Popen | None = None

    def inside(self, *command: str) -> list[str]:
        """The command line that runs a command where the node runs."""
        return self.host.enter(*command) if self.host else list(command)

    # The process

    def start(self, within: float = 20) -> None:
        """Starts the node; returns when its socket answers."""
        self.launch()
        if wait_until(self.answers, within) is None:
            raise RuntimeError(f"{self.name}'s node does not answer: {self.last_words()}")

    def launch(self) -> None:
        """Starts the node and does not wait for it."""
        command = [*self.clock, str(self.binary), "node", "--home", str(self.home), *self.options]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.inside(*command), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=die_with_parent,
            )

    def pid(self) -> int | None:
        """The node's process id: on a host of its own it is the child of what entered there."""
        if self.process is None or self.process.poll() is not None:
            return None
        if self.host is None:
            return self.process.pid
        return next(iter(child_ids(self.process.pid)), None)

    def pause(self) -> None:
        """Stops the node from doing anything; its connections stay."""
        os.kill(self.pid(), signal.SIGSTOP)

    def go_on(self) -> None:
        """Lets a paused node go on. What entered its host has stopped together with it."""
        for pid in {self.pid(), self.process.pid}:
            os.kill(pid, signal.SIGCONT)

    def kill(self) -> int:
        """Ends the node with signal 9, as a power cut of the process; returns its exit status."""
        return self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Asks the node to end, and waits; returns its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        pid = self.pid()
        if pid is not None:
            os.kill(pid, number)
        try:
            return self.process.wait(timeout=15) if self.process else 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise RuntimeError(f"{self.name}'s node did not end within 15 s") from None

    def answers(self) -> bool:
        """Whether the node answers on its socket."""
        return bool(self.get("status/show"))

    def last_words(self) -> str:
        """The end of the node's log."""
        return self.log.read_text(errors="replace")[-600:] if self.log.exists() else "(no log)"

    # The command line

    def cli(self, *words: str) -> dict:
        """Runs `waggle WORDS --json` and returns what it printed.

        Raises CommandFailed for every exit code but 0.
        """
        done = subprocess.run(
            self.cli_line(*words), capture_output=True, text=True, timeout=90)
        if done.returncode != 0:
            said = done.stderr.strip() or done.stdout.strip()
            raise CommandFailed(f"waggle {' '.join(words)}", done.returncode, said)
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def cli_line(self, *words: str) -> list[str]:
        """The command line that runs a verb against this node."""
        return self.inside(str(self.binary), *words, "--json", "--home", str(self.home))

    # The socket, from outside the product

    def get(self, route: str) -> dict:
        """Asks the local API with curl; an empty answer where nobody listens."""
        done = subprocess.run(
            ["curl", "--silent", "--max-time", "20", "--unix-socket", str(self.home / "api.sock"),
             f"http://waggle/v1/{route}"],
            capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 and done.stdout else {}

    def post(self, route: str, body: dict) -> dict:
        """Sends a JSON object to the local API with curl."""
        done = subprocess.run(
            ["curl", "--silent", "--max-time", "20", "--unix-socket", str(self.home / "api.sock"),
             "--header", "Content-Type: application/json", "--data", json.dumps(body),
             f"http://waggle/v1/{route}"],
            capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 and done.stdout else {}
