"""Shifts the time of day that a program sees; its pauses and timeouts stay as they are."""

import subprocess
from pathlib import Path


def shifted(seconds: int, scratch: Path) -> list[str]:
    """The words before a command that shift the wall clock it sees by so many seconds; negative
    ones put it back. The library for this is compiled into `scratch` once."""
    library = scratch / "clock_shift.so"
    if not library.exists():
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library),
                        str(Path(__file__).with_name("shift.c"))], check=True)
    return ["env", f"LD_PRELOAD={library}", f"WALL_CLOCK_SHIFT_SECONDS={seconds}"]
