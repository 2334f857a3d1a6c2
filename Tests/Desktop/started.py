"""The `waggle` that the window finds and starts, and the processes that it has become."""
import contextlib
import os
import select
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

# A `waggle` that keeps the process ids of the nodes that it starts, and the recovery words, in the
# folder it is in.
WAGGLE = """#!/bin/sh
[ "$1" = init ] && {{ {node} "$@" >{folder}/said; code=$?; cat {folder}/said; exit $code; }}
echo $$ >>{folder}/pids
sleep {seconds}
exec {node} "$@" {options}
"""


@contextlib.contextmanager
def programs(node: Path, options: str = "", seconds: float = 0) -> Iterator[str]:
    """A folder with a `waggle` for the window, which begins after so many seconds. The stage that
    has this folder as its `path` ends its processes."""
    with tempfile.TemporaryDirectory(prefix="waggle-path-") as folder:
        program = Path(folder) / "waggle"
        program.write_text(WAGGLE.format(
            node=node, folder=folder, options=options, seconds=seconds))
        program.chmod(0o755)
        yield folder


def started(folder: str) -> list[int]:
    """The ids of the processes that the window started with the programs of a folder."""
    pids = Path(folder) / "pids"
    return [int(line) for line in pids.read_text().split()] if pids.exists() else []


def is_running(pid: int) -> bool:
    """Whether a process has not ended yet, even if the one that started it has not noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def end_started(folder: str) -> None:
    """Kills these processes and waits until they have ended, so that none writes to a home any
    more."""
    for pid in started(folder):
        try:
            process = os.pidfd_open(pid)
        except OSError:
            continue  # It has ended.
        try:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(process, signal.SIGKILL)
            select.select([process], [], [])
        finally:
            os.close(process)
