"""Runs the trials that live in a Swift program, on all processors."""

import os
import re
import subprocess
import time
from pathlib import Path

TOTALS = re.compile(r"^(\d+) passed, (\d+) failed$")


def run(program: Path, part: str, count: int | None, seed: int, only: int | None) -> tuple[int, int]:
    """Runs one part in as many processes as there are processors; returns passed and failed."""
    shares = 1 if only is not None else os.cpu_count() or 1
    words = [str(program), part, "--seed", str(seed), "--shares", str(shares)]
    words += ["--count", str(count)] if count is not None else []
    words += ["--only", str(only)] if only is not None else []
    began = time.monotonic()
    processes = [subprocess.Popen([*words, "--share", str(share)], stdout=subprocess.PIPE,
                                  text=True) for share in range(shares)]
    passed = failed = 0
    for process in processes:
        said, _ = process.communicate()
        lines = said.splitlines()
        found = TOTALS.match(lines[-1]) if lines else None
        for line in lines[:-1] if found else lines:
            print(line)
        passed += int(found[1]) if found else 0
        failed += int(found[2]) if found else 1
        if found is None:
            print(f"✗ {part}: the trial ended without a count (exit {process.returncode})")
    print(f"{part}: {passed} passed, {failed} failed, {time.monotonic() - began:.0f} s", flush=True)
    return passed, failed
