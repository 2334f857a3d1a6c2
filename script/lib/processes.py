"""The processes of a script, and waiting for their results."""

import ctypes
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PR_SET_PDEATHSIG = 1
PORT_MIN, PORT_MAX = 20_000, 32_767


def die_with_parent(number: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """Returns a `preexec_fn`: the kernel sends the child this signal when the script ends, even if
    the script is killed."""
    return lambda: ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def processor_seconds(pid: int) -> float:
    """The processor time that a process has used. Raises FileNotFoundError if the process has ended
    and its parent knows it: a difference to an earlier time would mean nothing."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Hung(Exception):
    """A process that was ended, since it would not have ended by itself."""


def run_to_end(command: list[str], environment: dict[str, str], busy_seconds: float,
               idle_seconds: float, look_seconds: float = 1) -> subprocess.CompletedProcess:
    """Runs a process that only computes, and returns its result and output.

    On a busy machine it may wait long for a processor, so its duration says nothing. It is ended,
    with `Hung`, if it has used `busy_seconds` of processor time, or none at all in `idle_seconds`.
    """
    process = subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, preexec_fn=die_with_parent())
    # Counts the looks and no time that passes: the machine may have been asleep.
    used, idle_looks = 0.0, 0
    while True:
        try:
            output, error = process.communicate(timeout=look_seconds)
            return subprocess.CompletedProcess(command, process.returncode, output, error)
        except subprocess.TimeoutExpired:
            # Its times can be read even if it ends now, since nothing has waited for it yet.
            before, used = used, processor_seconds(process.pid)
            idle_looks = idle_looks + 1 if used == before else 0
        if used > busy_seconds or idle_looks * look_seconds >= idle_seconds:
            process.kill()
            process.communicate()
            raise Hung(f"it did not end in {busy_seconds:g} s of processor time"
                       if used > busy_seconds else
                       f"it used no processor time for {idle_seconds:g} s")


def run(*command: str) -> str:
    """Runs a command to its end and returns its output; an error names the command."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def wait_until(test, seconds: float, every: float = 0.05):
    """Calls `test` until it returns something true, and returns that; None after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        found = test()
        if found or time.monotonic() > deadline:
            return found or None
        time.sleep(every)


def grows_to(goal: int, count, stalled_seconds: float, every: float = 0.5) -> bool:
    """Counts until `count` returns the goal; False if it has not grown for `stalled_seconds`."""
    most, deadline = 0, time.monotonic() + stalled_seconds
    while (found := count()) < goal:
        if found > most:
            most, deadline = found, time.monotonic() + stalled_seconds
        elif time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True


def child_ids(pid: int) -> list[int]:
    """The process ids of the children of a process; empty if it has ended."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def end_inside(process: subprocess.Popen) -> None:
    """Ends a command that `Namespace.enter` runs on a host, and the process that entered: the
    command is its child, which would go on without it."""
    for pid in child_ids(process.pid):
        os.kill(pid, signal.SIGKILL)
    process.kill()
    process.wait()


# The claims of the ports that this script has. Each is a local socket with a name that only one
# socket can have, and which the kernel removes when the script ends.
_claims: list[socket.socket] = []


def _claim(port: int) -> bool:
    """Claims a port until this script ends; returns whether it is free to claim."""
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0waggle-port-{port}")
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True


def free_port() -> int:
    """A TCP port on which nothing listens now. It is none of those that the kernel gives to
    outgoing connections, so that it is also free when a node that was stopped starts again, and no
    other script that runs now gets it, so that several can run at once."""
    for _ in range(1000):
        port = random.randrange(PORT_MIN, PORT_MAX + 1)
        if not _claim(port):
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"no port from {PORT_MIN} to {PORT_MAX} is free")
