"""Somebody who writes into a node without pause, whether it is there or not."""

import http.client
import json
import random
import socket
import threading
import time

from crash.ledger import Ledger
from lan.people import Person

# Between two writes; the other node has to take them in too.
PAUSE_SECONDS = 0.01
# While the node is away.
AWAY_SECONDS = 0.02
# One write in so many asks for another walk; the others note something on one.
ASKS_IN = 6
FAR_AHEAD_MS = 20 * 24 * 3600 * 1000


class SocketConnection(http.client.HTTPConnection):
    """HTTP over the node's Unix socket."""

    def __init__(self, path: str):
        super().__init__("waggle", timeout=20)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Writer(threading.Thread):
    """Writes to one node and notes in the ledger what it acknowledged."""

    def __init__(self, who: Person, mate: str, ledger: Ledger, seed: int):
        super().__init__(daemon=True)
        self.who = who
        self.mate = mate
        self.ledger = ledger
        self.ending = threading.Event()
        # Refusals, which a node that is only killed has no reason for.
        self.refused: list[str] = []
        self._draw = random.Random(seed)
        self._requests: list[str] = []
        self._number = 0

    def run(self) -> None:
        connection = SocketConnection(str(self.who.node.home / "api.sock"))
        while not self.ending.is_set():
            try:
                self._write(connection)
                time.sleep(PAUSE_SECONDS)
            except (OSError, http.client.HTTPException):
                connection.close()
                time.sleep(AWAY_SECONDS)

    def _write(self, connection: SocketConnection) -> None:
        self._number += 1
        if not self._requests or self._draw.randrange(ASKS_IN) == 0:
            message = f"{self.who.name} {self._number}"
            answer = self._post(connection, "walk/ask", {
                "to": self.mate, "latitude": 47.0, "longitude": 8.0, "message": message,
                "atMs": int(time.time() * 1000) + FAR_AHEAD_MS})
            if answer:
                self.ledger.asked(answer["id"], message)
                self._requests.append(answer["id"])
        else:
            request = self._draw.choice(self._requests[-20:])
            self.ledger.tries_note(request, self._number)
            if self._post(connection, "walk/note", {"id": request, "note": f"note {self._number}"}):
                self.ledger.noted(request, self._number)

    def _post(self, connection: SocketConnection, route: str, body: dict) -> dict | None:
        connection.request("POST", f"/v1/{route}", json.dumps(body),
                           {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read() or b"{}")
        if response.status == 200:
            return answer
        # A node that is ending says so; that is no refusal.
        if response.status < 500:
            self.refused.append(f"{route}: {response.status} {answer}")
        return None
