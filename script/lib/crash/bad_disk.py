"""A real node whose disk stops confirming writes."""

import os
import subprocess
from pathlib import Path

from processes import wait_until
from waggle import CommandFailed
from lan.people import ANNA, Person

SENTENCE = "the disk did not confirm a write"
END_SECONDS_MAX = 10


def run(binary: Path, scratch: Path) -> tuple[int, int]:
    """Lets a sync of a node fail; returns how many claims held and how many did not."""
    library = scratch / "fail_sync.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library),
                    str(Path(__file__).with_name("fail_sync.c"))], check=True)
    sign = scratch / "bad"
    os.environ |= {"LD_PRELOAD": str(library), "FAIL_SYNC_WHILE": str(sign)}
    anna = Person(ANNA, binary, scratch, None)
    claims: list[tuple[str, bool]] = []
    try:
        anna.begin()
        anna.node.start()
        anna.introduce()
        sign.touch()
        claims.append(("a write that no sync confirms is refused with the reason",
                       SENTENCE in refusal(anna)))
        ended = wait_until(lambda: anna.node.pid() is None, END_SECONDS_MAX)
        claims.append(("the node ends, with exit code 1 and the reason",
                       bool(ended) and anna.node.process.returncode == 1
                       and SENTENCE in anna.node.last_words()))
        sign.unlink()
        anna.node.start()
        claims.append(("the next start holds what was acknowledged, and takes writes",
                       anna.node.get("me/show")["dogName"] == ANNA.dog and not refusal(anna)))
    finally:
        for name in ("LD_PRELOAD", "FAIL_SYNC_WHILE"):
            os.environ.pop(name, None)
        if anna.node.pid() is not None:
            anna.node.kill()
    for claim, holds in claims:
        print(f"{'✓' if holds else '✗'} {claim}")
    failed = sum(not holds for _, holds in claims)
    return len(claims) - failed, failed


def refusal(who: Person) -> str:
    """The reason a node gives for refusing a write; empty if it accepts it."""
    try:
        who.node.cli("me", "edit", "--nickname", "Bertha")
        return ""
    except CommandFailed as failure:
        return str(failure)
