"""What stands in the files of a home."""

from collections.abc import Iterator
from pathlib import Path


def contents(home: Path) -> Iterator[bytes]:
    """The bytes of each file: the database, its write-ahead log, that log's index, and whatever
    else is there. A running node takes files away, and such a one holds nothing any more."""
    for path in home.rglob("*"):
        try:
            if path.is_file():
                yield path.read_bytes()
        except FileNotFoundError:
            continue
