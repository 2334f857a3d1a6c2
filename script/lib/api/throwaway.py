"""A node that may end or write anywhere: it runs on a copy of a home, in a root of its own."""

import json
import shutil
import subprocess
from pathlib import Path

from lan.network import may_make_namespaces
from waggle import END_SECONDS_MAX, Node

DELETE, STOP = "POST /v1/me/delete", "POST /v1/stop/run"
# The operations that end the node if they succeed.
ENDING = [DELETE, STOP]
# The operations that write a new file at any path that they are given, and need nothing else.
FREELY_WRITING = ["POST /v1/backup/run", "POST /v1/export/run", "POST /v1/calendar/run"]
# All operations that write such a file; some of them need a mate, a walk or a promise by its id.
WRITING = [*FREELY_WRITING, "POST /v1/mates/export", "POST /v1/walk/export",
           "POST /v1/promise/export"]
# Runs a command in its own network, and in a root that is in memory. Of the machine's directories
# it can only read, and only the folder that is named first is the real one. The program that is
# named second is `/waggle` there.
CONFINED = ["unshare", "--net", "--mount", "sh", "-euc", """
ip link set lo up
folder=$1 program=$2 root=$1/root
shift 2
mount -t tmpfs tmpfs "$root"
for path in /*; do
  case $path in /dev | /run | /tmp) continue ;; esac
  if [ -L "$path" ]; then
    cp -P "$path" "$root$path"
  elif [ -d "$path" ]; then
    mkdir "$root$path"
    mount --bind "$path" "$root$path"
    mount -o remount,bind,ro "$root$path"
  fi
done
touch "$root/waggle"
mount --bind "$program" "$root/waggle"
mount -o remount,bind,ro "$root/waggle"
mkdir -p "$root$folder"
mount --bind "$folder" "$root$folder"
exec chroot "$root" "$@"
""", "sh"]


class Throwaway:
    """A node that is replaced when it has ended, by one on another copy of the same home."""

    def __init__(self, binary: Path, home: Path, folder: Path):
        """Copies `home`, whose node must not run, into `folder`, which is all that the new node
        can change."""
        self.original = folder / "original"
        (folder / "root").mkdir(parents=True)
        shutil.copytree(home, self.original)
        is_confined = may_make_namespaces()
        self.node = Node("Throwaway", Path("/waggle") if is_confined else binary, folder / "home")
        self.node.clock = [*CONFINED, str(folder), str(binary.resolve())] if is_confined else []
        # Without a root of its own the node would write into the machine's files.
        self.operations = [*ENDING, *WRITING] if is_confined else ENDING
        # What was wrong with the effects of each operation.
        self.faults: dict[str, list[str]] = {each: [] for each in self.operations}
        self.succeeded: set[str] = set()

    def stand_in(self) -> None:
        """Starts a node on a new copy of the home, unless one runs."""
        if self.node.pid():
            return
        shutil.rmtree(self.node.home, ignore_errors=True)
        shutil.copytree(self.original, self.node.home)
        self.node.start()

    def judge(self, request: bytes, answer: bytes) -> None:
        """Checks that an operation had its effect if the answer says so, and none if not."""
        operation = " ".join(request.partition(b"\r\n")[0].decode("latin-1").split()[:2])
        if operation not in self.operations:
            return
        head, _, body = answer.partition(b"\r\n\r\n")
        status = head[9:12].decode()
        if fault := self._fault(operation, status, body):
            self.faults[operation].append(fault)
        elif status == "200":
            self.succeeded.add(operation)

    def _fault(self, operation: str, status: str, body: bytes) -> str:
        if operation in ENDING and status == "200":
            return self._fault_of_end(operation)
        if not self.node.pid():
            return f"The node ended after it answered {status}: {self.node.last_words()}"
        if operation in WRITING and status == "200":
            return self._fault_of_file(json.loads(body)["file"])
        return f"Answer {status}" if status >= "500" else ""

    def _fault_of_end(self, operation: str) -> str:
        """Waits for the node's end; its home must then be there if it was only stopped."""
        try:
            status = self.node.process.wait(timeout=END_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.node.kill()
            return "The node did not end"
        if status != 0:
            return f"The node ended with {status}"
        has_home = (self.node.home / "person.record").exists()
        if has_home == (operation == STOP):
            return ""
        return "The home is still there" if has_home else "The home is gone"

    def _fault_of_file(self, path: str) -> str:
        """Looks for the file in the node's root, and removes it for the next request."""
        file = Path(f"/proc/{self.node.pid()}/root{path}")
        if not file.is_file() or not file.stat().st_size:
            return f"There is no file at {path}"
        file.unlink()
        return ""

    def close(self) -> dict[str, list[str]]:
        """Ends the node; returns the faults of each operation."""
        if self.node.pid():
            self.node.stop()
        for operation in self.operations:
            may_fail = operation in WRITING and operation not in FREELY_WRITING
            if operation not in self.succeeded and not self.faults[operation] and not may_fail:
                self.faults[operation].append("No request succeeded")
        return self.faults
