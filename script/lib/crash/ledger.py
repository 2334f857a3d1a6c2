"""A record of the writes that a node acknowledged, kept outside of it."""

import json
import os
from pathlib import Path
from threading import Lock


class Ledger:
    """Walk requests and the notes on them that one node has acknowledged; each line is synced."""

    def __init__(self, path: Path):
        self._file = path.open("ab", buffering=0)
        self._lock = Lock()
        # The id of each request with its message.
        self.messages: dict[str, str] = {}
        # The numbers of the last acknowledged and of the last attempted note on a request.
        self.acknowledged_notes: dict[str, int] = {}
        self.tried_notes: dict[str, int] = {}
        self.count = 0

    def asked(self, request: str, message: str) -> None:
        """A new request was acknowledged."""
        with self._lock:
            self._write({"request": request, "message": message})
            self.messages[request] = message

    def tries_note(self, request: str, number: int) -> None:
        """A note is about to be written; a kill may leave it there or not."""
        with self._lock:
            self.tried_notes[request] = number

    def record_note(self, request: str, number: int) -> None:
        """A note was acknowledged."""
        with self._lock:
            self._write({"request": request, "note": number})
            self.acknowledged_notes[request] = number

    def _write(self, line: dict) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        os.fsync(self._file.fileno())
        self.count += 1

    def snapshot(self) -> "Ledger":
        """A copy of the acknowledged writes up to now; later ones do not change it."""
        with self._lock:
            copy = Ledger.__new__(Ledger)
            copy.messages = dict(self.messages)
            copy.acknowledged_notes = dict(self.acknowledged_notes)
            copy.tried_notes = self.tried_notes
            copy.count = self.count
            return copy

    def missing_from(self, rows: dict[str, tuple[str, str | None]]) -> list[str]:
        """The acknowledged writes that a replica lacks, as sentences.

        `rows` are the requests of a replica: id, then message and note.
        """
        missing = []
        for request, message in self.messages.items():
            found = rows.get(request)
            if found is None or found[0] != message:
                missing.append(f"request {request} '{message}' is {found}")
                continue
            wanted = self.acknowledged_notes.get(request, 0)
            number = int((found[1] or "note 0").split()[1])
            if not wanted <= number <= self.tried_notes.get(request, 0):
                missing.append(f"the note on '{message}' is {number}, not {wanted}")
        return missing
