"""The contents of the files of a home."""

from collections.abc import Iterator
from pathlib import Path


def contents(home: Path) -> Iterator[bytes]:
    """The bytes of each file: the database, its write-ahead log, that log's index, and any other.
    A file that a running node removes during the reading is left out."""
    for path in home.rglob("*"):
        try:
            if path.is_file():
                yield path.read_bytes()
        except FileNotFoundError:
            continue
