"""A real Waggle node as scripts see it: a process, a command line and a local API.

    node = Node("Anna", Path(".build/debug/waggle"), Path("/tmp/anna"))
    node.cli("init")
    node.start()
    node.cli("me", "edit", "--nickname", "Anna")
    node.get("me/show")["nickname"]         # "Anna"
    node.stop()
"""

import http.client
import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from processes import child_ids, die_with_parent, free_port, wait_until

ANSWER_SECONDS_MAX = 60.0
START_SECONDS_MAX = 20.0
END_SECONDS_MAX = 15.0


class CommandFailed(Exception):
    """A command ended with an exit code other than 0; the text is what it printed."""

    def __init__(self, command: str, exit_code: int, said: str):
        super().__init__(f"{command}: exit {exit_code}: {said}")
        self.exit_code = exit_code


class Refused(Exception):
    """The local API answered a request with a status other than 200."""

    def __init__(self, route: str, status: int, answer: dict):
        super().__init__(f"{route}: {status} {answer}")
        self.status = status
        self.answer = answer


class CommandLine:
    """The `waggle` command for one home, or for the user's own home if that is None."""

    def __init__(self, binary: Path, home: Path | None,
                 inside: Callable[..., list[str]] = lambda *command: list(command)):
        self.binary = binary
        self.home = home
        self.inside = inside

    def line(self, *words: str, as_json: bool = True) -> list[str]:
        """The command line that runs `waggle WORDS` for this home, with `--json` by default."""
        home = ["--home", str(self.home)] if self.home else []
        return self.inside(str(self.binary), *words, *(["--json"] if as_json else []), *home)

    def run(self, *words: str) -> dict:
        """Runs `waggle WORDS --json` and returns the JSON it printed.

        Raises CommandFailed for every exit code except 0.
        """
        done = subprocess.run(
            self.line(*words), capture_output=True, text=True, timeout=90)
        if done.returncode != 0:
            said = done.stderr.strip() or done.stdout.strip()
            raise CommandFailed(f"waggle {' '.join(words)}", done.returncode, said)
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def ask(self, *words: str) -> dict | None:
        """The JSON a command printed; None if it failed, or if the binary is being rebuilt."""
        try:
            return self.run(*words)
        except (CommandFailed, OSError, json.JSONDecodeError):
            return None


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path, timeout: float | None):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.path))


class LocalAPI:
    """The local API of a node: HTTP and JSON on its Unix socket. Threads may share it.

    Routes are written without the version, as in `chat/page?room=…`.
    """

    # The errors of a connection if no node answers, or if the node ends during an answer.
    GONE = (OSError, http.client.HTTPException)

    def __init__(self, path: Path):
        self.path = path

    def send(self, route: str, body: bytes | None = None) -> tuple[int, dict]:
        """Asks a query, or runs a command if there is a body; returns the status and the answer.

        Raises one of GONE if there is no answer.
        """
        connection = SocketConnection(self.path, ANSWER_SECONDS_MAX)
        try:
            if body is None:
                connection.request("GET", f"/v1/{route}")
            else:
                connection.request("POST", f"/v1/{route}", body,
                                   {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text.strip() else {}
        finally:
            connection.close()

    def ask(self, route: str, body: dict | None = None) -> dict:
        """Like `send`, with the arguments as a dictionary; raises Refused for an error."""
        status, answer = self.send(route, None if body is None else json.dumps(body).encode())
        if status != 200:
            raise Refused(route, status, answer)
        return answer

    def events(self, quiet_seconds_max: float) -> Iterator[tuple[str, dict]]:
        """The topic and the JSON of each event, from now until the node ends, or until there is
        none for `quiet_seconds_max`."""
        connection = SocketConnection(self.path, quiet_seconds_max)
        try:
            connection.request("GET", "/v1/events", headers={"Accept": "text/event-stream"})
            topic, stream = "", connection.getresponse()
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    topic = value
                elif name == "data":
                    yield topic, json.loads(value)
        except self.GONE:
            return
        finally:
            connection.close()


class Node:
    """A node with its own home: on a separate host or, without one, on this machine."""

    def __init__(self, name: str, binary: Path, home: Path, host=None):
        """`host` is a `lan.network.Host`."""
        self.name = name
        self.binary = binary
        self.home = home
        self.host = host
        self.log = home.parent / f"{home.name}.log"
        # Without a LAN: the node is not announced on the machine's own network, and its port stays
        # the same, so that others find the node again after a restart.
        self.options = [] if host else ["--no-avahi", "--listen-port", str(free_port())]
        # Whether the node shows notices on the desktop of whoever runs the script.
        self.shows_notices = False
        # The node's environment; None for the script's own.
        self.environment: dict[str, str] | None = None
        # Words before the program's name, such as those that change the time it sees.
        self.clock: list[str] = []
        self.process: subprocess.Popen | None = None
        self.command_line = CommandLine(binary, home, self.inside)
        self.api = LocalAPI(home / "api.sock")

    def inside(self, *command: str) -> list[str]:
        """The command line that runs a command on the node's host."""
        return self.host.enter(*command) if self.host else list(command)

    # The process

    def program(self) -> list[str]:
        """The command line of the node's process."""
        home = ["--home", str(self.home)] if self.command_line.home else []
        quiet = [] if self.shows_notices else ["--no-notifications"]
        return [str(self.binary), "node", *self.options, *quiet, *home]

    def move_to_own_home(self, data: Path, runtime: Path) -> None:
        """Uses the home of the user whom the node's environment describes: no option names it."""
        self.home = data
        self.command_line.home = None
        self.api = LocalAPI(runtime / "api.sock")

    def start(self, within: float = START_SECONDS_MAX) -> None:
        """Starts the node; returns when its socket answers. `within` is in seconds."""
        self.launch()
        if wait_until(lambda: self.answers() or self.process.poll() is not None, within,
                      every=0.01) is None or not self.answers():
            raise RuntimeError(f"{self.name}'s node does not answer: {self.last_words()}")

    def launch(self) -> None:
        """Starts the node and does not wait for it."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.inside(*self.clock, *self.program()), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=self.environment, preexec_fn=die_with_parent())

    def pid(self) -> int | None:
        """The node's process id: on a separate host, the child of the process that entered it."""
        if self.process is None or self.process.poll() is not None:
            return None
        if self.host is None:
            return self.process.pid
        return next(iter(child_ids(self.process.pid)), None)

    def pause(self) -> None:
        """Stops the node from doing anything; its connections stay."""
        os.kill(self.pid(), signal.SIGSTOP)

    def go_on(self) -> None:
        """Lets a paused node continue, and the process that entered its host with it."""
        for pid in {self.pid(), self.process.pid}:
            os.kill(pid, signal.SIGCONT)

    def kill(self) -> int:
        """Ends the node with signal 9, like a power cut of the process; returns its exit status."""
        return self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Asks the node to end, and waits; returns its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        pid = self.pid()
        if pid is not None:
            os.kill(pid, number)
        try:
            return self.process.wait(timeout=END_SECONDS_MAX) if self.process else 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise RuntimeError(
                f"{self.name}'s node did not end within {END_SECONDS_MAX:g} s") from None

    def answers(self) -> bool:
        """Whether the node answers on its socket."""
        return bool(self.get("status/show"))

    @property
    def person(self) -> str:
        """The person's key, in hex; the node must run."""
        return self.api.ask("me/show")["person"]

    @property
    def device(self) -> str:
        """The device's key, in hex; the node must run."""
        return self.api.ask("me/show")["device"]

    def last_words(self) -> str:
        """The end of the node's log."""
        return self.log.read_text(errors="replace")[-600:] if self.log.exists() else "(no log)"

    # The command line

    def cli(self, *words: str) -> dict:
        """Runs `waggle WORDS --json` for this home; raises CommandFailed if it fails."""
        return self.command_line.run(*words)

    # The socket

    def get(self, route: str) -> dict:
        """The answer to a query, which may be an error; empty if no node answers."""
        return self._answer(route, None)

    def post(self, route: str, body: dict) -> dict:
        """The answer to a command, which may be an error; empty if no node answers."""
        return self._answer(route, json.dumps(body).encode())

    def _answer(self, route: str, body: bytes | None) -> dict:
        try:
            return self.api.send(route, body)[1]
        except self.api.GONE:
            return {}
