"""Backups that cannot be used: each kind is refused with its own sentence, and nothing is made."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from lan.mishaps import CONFLICT, REFUSED, refuses, says
from processes import run
from waggle import Node
from lan.people import World
from lan.story import Story

NOT_FOUND = 4
# The end of a backup: the hash of all before it.
SEAL_BYTES = 32


def bad_backups(world: World, story: Story) -> None:
    """A backup that is cut short, changed, of a newer version, not a backup at all, or for a home
    that is in use."""
    node = world.anna.node
    good = world.scratch / "good.backup"
    node.cli("backup", str(good))
    fresh = world.scratch / "empty-home"
    for name, change, needles in (
            ("that lacks its last byte", lambda bytes: bytes[:-1], ["incomplete"]),
            ("that lacks its second half", lambda bytes: bytes[:len(bytes) // 2], ["incomplete"]),
            ("with one bit changed", flip, ["content", "changed"]),
            ("that is an empty file", lambda bytes: b"", ["not made by"]),
            ("that is a text", lambda bytes: b"What I did this summer\n" * 500, ["not made by"]),
            ("in which a batch was changed with care", forged(world.scratch, """
                UPDATE batch SET body = CAST(body || x'00' AS BLOB)
                WHERE id = (SELECT max(id) FROM batch)"""), ["batch", "signed"]),
            ("of a newer version", forged(world.scratch, """
                INSERT INTO grdb_migrations VALUES ('of the year 2040')"""), ["newer version"])):
        bad = world.scratch / "bad.backup"
        bad.write_bytes(change(good.read_bytes()))
        refuses(story, f"a backup {name}", restore(node, bad, fresh), {REFUSED}, *needles)
        story.claim("no home was made", lambda: not left(fresh))
    own = world.scratch / "own.db"
    shutil.copy(node.home / "replica.db", own)
    refuses(story, "a replica instead of a backup", restore(node, own, fresh), {REFUSED}, "not made by")
    refuses(story, "a backup that is not there",
            restore(node, world.scratch / "nowhere", fresh), {NOT_FOUND}, "no readable backup")
    refuses(story, "a home that is in use already",
            restore(node, good, world.ben.node.home), {CONFLICT}, "empty home")
    code, said = restore(node, good, fresh)
    story.claim("the backup itself is restored", lambda: code == 0 and left(fresh))


def restore(node: Node, backup: Path, home: Path) -> tuple[int, str]:
    """Attempts to restore a backup into a home."""
    return says(node, "restore", str(backup), "--home", str(home))


def left(home: Path) -> list[str]:
    """The files of a home except the lock."""
    return [name for name in os.listdir(home) if "lock" not in name] if home.exists() else []


def flip(content: bytes) -> bytes:
    """Changes one bit in the middle."""
    changed = bytearray(content)
    changed[len(changed) // 2] ^= 1
    return bytes(changed)


def forged(scratch: Path, sql: str) -> Callable[[bytes], bytes]:
    """A change by an attacker who recomputes the hash at the end."""
    def change(content: bytes) -> bytes:
        database = scratch / "forged.db"
        database.write_bytes(content[:-SEAL_BYTES])
        run("sqlite3", str(database), sql)
        return database.read_bytes() + hashlib.sha256(database.read_bytes()).digest()

    return change
