"""The programs that try the store and the nodes, built in release: each does millions of steps."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def program(product: str) -> Path:
    """A program, built first, unless a caller that has just done so names it in WAGGLE_RELEASED.

    If it does not build, this prints the errors, and ends with the line of counts.
    """
    path = ROOT / ".build" / "release" / product
    if product in os.environ.get("WAGGLE_RELEASED", "").split() and path.exists():
        return path
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--product", product], cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout[-4000:])
        print("0 passed, 1 failed, 0 skipped")
        sys.exit(1)
    return path
