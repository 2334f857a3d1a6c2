"""A thread that writes to a node without pause, whether the node runs or not."""

import json
import random
import threading
import time

from crash.ledger import Ledger
from lan.people import Person

# Between two writes; the other node must merge them too.
PAUSE_SECONDS = 0.01
# Between two attempts while the node does not run.
AWAY_SECONDS = 0.02
# One write in this many asks for a walk; the others write a note on a request.
ASKS_IN = 6
FAR_AHEAD_MS = 20 * 24 * 3600 * 1000


class Writer(threading.Thread):
    """Writes to one node and records its acknowledgements in the ledger."""

    def __init__(self, who: Person, mate: str, ledger: Ledger, seed: int):
        super().__init__(daemon=True)
        self.who = who
        self.mate = mate
        self.ledger = ledger
        self.ending = threading.Event()
        # Refusals: a node that is only killed has no reason for one.
        self.refused: list[str] = []
        self._draw = random.Random(seed)
        self._requests: list[str] = []
        self._number = 0

    def run(self) -> None:
        """Writes until `ending` is set; waits a little if the node does not answer."""
        while not self.ending.is_set():
            try:
                self._write()
                time.sleep(PAUSE_SECONDS)
            except self.who.node.api.GONE:
                time.sleep(AWAY_SECONDS)

    def _write(self) -> None:
        self._number += 1
        if not self._requests or self._draw.randrange(ASKS_IN) == 0:
            message = f"{self.who.name} {self._number}"
            answer = self._post("walk/ask", {
                "to": self.mate, "latitude": 47.0, "longitude": 8.0, "message": message,
                "atMs": int(time.time() * 1000) + FAR_AHEAD_MS})
            if answer:
                self.ledger.asked(answer["id"], message)
                self._requests.append(answer["id"])
        else:
            request = self._draw.choice(self._requests[-20:])
            self.ledger.tries_note(request, self._number)
            if self._post("walk/note", {"id": request, "note": f"note {self._number}"}):
                self.ledger.record_note(request, self._number)

    def _post(self, route: str, body: dict) -> dict | None:
        """The node's acknowledgement; None if it refused, or if it is ending."""
        status, answer = self.who.node.api.send(route, json.dumps(body).encode())
        if status == 200:
            return answer
        # A node that is ending answers with a special error, which is not a refusal.
        if status < 500:
            self.refused.append(f"{route}: {status} {answer}")
        return None
