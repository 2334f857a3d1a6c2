#!/usr/bin/python3
"""A peer that shares no code with Waggle: Python's TLS, and frames put together by hand.

It follows docs/protocol.md, sends the frames it is given, and prints every frame that arrives as
JSON. Unlike a real node, it asks for every space whose id it knows.

    rawpeer.py --key device.pem --person HEX HOST PORT ask SPACE
    rawpeer.py --key device.pem --person HEX HOST PORT want SPACE:HASH
    rawpeer.py --key device.pem --person HEX HOST PORT replay FRAMES.json
    rawpeer.py --key device.pem --person HEX HOST PORT greet
    rawpeer.py --key device.pem --person HEX HOST PORT resume
"""

import argparse
import hashlib
import json
import os
import socket
import ssl
import subprocess
import time
from pathlib import Path

HELLO, HAVE, VECTOR, NONE, PING, PONG, AUDIT, PRESENCE = 1, 2, 3, 6, 10, 11, 14, 16
WANT, PIECE, LACKING = 26, 27, 28
ANNOUNCED = 17
UNASKED = {HELLO, PING, PONG, PRESENCE, ANNOUNCED}
QUESTION = b"\x01"
# The protocol version from which content is exchanged.
CONTENT_VERSION = 4
FRAME_BYTES_MAX = 256 * 1024


def digest(purpose: str, *parts: bytes) -> bytes:
    """SHA-256 with its purpose, padded to 32 bytes, in front."""
    return hashlib.sha256(prefix(purpose) + b"".join(parts)).digest()


def prefix(purpose: str) -> bytes:
    """The 32 bytes in front of hashed or signed bytes."""
    return f"waggle/1 {purpose}".encode().ljust(32, b"\0")


def varint(value: int) -> bytes:
    """Seven bits a byte, lowest first; the high bit means that more bytes follow."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def frame(kind: int, payload: bytes) -> bytes:
    """The length of type and payload in four bytes, the type, the payload."""
    return (len(payload) + 1).to_bytes(4, "big") + bytes([kind]) + payload


class Reader:
    """Reads fields from the front of a payload."""

    def __init__(self, payload: bytes):
        self.rest = payload

    def read(self, count: int) -> bytes:
        """The next bytes."""
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def varint(self) -> int:
        """The next varint."""
        value = shift = 0
        while True:
            byte = self.read(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7


class Hello:
    """The parts of a HELLO that a raw peer cares about."""

    def __init__(self, payload: bytes):
        reader = Reader(payload)
        self.versions = reader.read(2)
        self.boot = reader.read(16)
        self.start_count = reader.varint()
        self.epoch = reader.read(16)
        self.nonce = reader.read(16)
        self.wall = reader.read(8)
        self.port = int.from_bytes(reader.read(2), "big")
        self.frame_bytes_max = reader.varint()
        self.person = reader.read(reader.varint())


def hello(nonce: bytes, person: bytes, start_count: int = 1 << 40, highest: int = 1) -> bytes:
    """A HELLO of protocol version 1 to `highest`; by default, started more often than any real
    node."""
    wall = int(time.time() * 1000).to_bytes(8, "big")
    return frame(HELLO, b"".join([
        bytes([1, highest]), os.urandom(16), varint(start_count), os.urandom(16), nonce, wall,
        (1).to_bytes(2, "big"), varint(FRAME_BYTES_MAX), varint(len(person)), person,
    ]))


class RawPeer:
    """One TLS 1.3 connection to a node; it resumes the session of an open one, if given."""

    def __init__(self, key: Path, address: str, port: int, own_address: str = "",
                 resumed: "RawPeer | None" = None):
        """`own_address` is the address that is dialled from, if it matters."""
        self.context = resumed.context if resumed else settings(key)
        session = resumed.socket.session if resumed else None
        plain = socket.create_connection((address, port), timeout=10,
                                         source_address=(own_address, 0) if own_address else None)
        self.socket = self.context.wrap_socket(plain, session=session)
        self.arrived: list[bytes] = []
        self.sent: list[bytes] = []
        self.closed = False

    def send(self, *frames: bytes) -> None:
        """Sends frames; drops them if the connection is closed."""
        for each in frames:
            self.sent.append(each)
            try:
                self.socket.sendall(each)
            except OSError:
                self.closed = True

    def next(self) -> bytes | None:
        """The next frame without its length, or None when the node closed the connection."""
        try:
            header = self._exactly(4)
            body = self._exactly(int.from_bytes(header, "big"))
        except (OSError, EOFError):
            self.closed = True
            return None
        self.arrived.append(body)
        return body

    def _exactly(self, count: int) -> bytes:
        taken = b""
        while len(taken) < count:
            piece = self.socket.recv(count - len(taken))
            if not piece:
                raise EOFError
            taken += piece
        return taken

    def greet(self, person: bytes, **parts: object) -> tuple[Hello | None, bytes]:
        """Exchanges HELLOs; returns the node's, and this side's nonce. `parts` are those of
        `hello`."""
        nonce = os.urandom(16)
        self.send(hello(nonce, person, **parts))
        answer = self.next()
        return (Hello(answer[1:]) if answer and answer[0] == HELLO else None), nonce

    def hear_out(self, settle_seconds: float) -> None:
        """Reads everything until two pings, some time apart, were answered.

        Their nonces are drawn: the frames that were sent may hold pings of an earlier conversation.
        """
        for nonce in (os.urandom(8), os.urandom(8)):
            self.send(frame(PING, nonce))
            while (body := self.next()) and not (body[0] == PONG and body[1:9] == nonce):
                pass
            time.sleep(settle_seconds)


def settings(key: Path) -> ssl.SSLContext:
    """The settings of TLS with an Ed25519 key: version 1.3, and nothing checked."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(certificate(key), key)
    return context


def certificate(key: Path) -> Path:
    """A self-signed certificate for an Ed25519 key, made by openssl unless it has one."""
    made = key.with_suffix(".crt")
    if made.exists() and made.stat().st_mtime_ns > key.stat().st_mtime_ns:
        return made
    subprocess.run(
        ["openssl", "req", "-x509", "-new", "-key", str(key), "-subj", "/CN=waggle",
         "-days", "3650", "-out", str(made)], check=True, capture_output=True)
    return made


def asking(space: bytes, mine: bytes, theirs: bytes) -> list[bytes]:
    """Every question about a space: its digest, its logs, and a range of a log."""
    token = digest("token", space, mine, theirs)[:8]
    someone = bytes(32)
    return [
        frame(HAVE, QUESTION + varint(1) + token + bytes(16)),
        frame(VECTOR, varint(0) + varint(0)),
        frame(AUDIT, varint(0) + someone + bytes(32) + varint(1) + varint(1) + bytes(32)),
    ]


def wanting(space: bytes, content: bytes, mine: bytes, theirs: bytes) -> list[bytes]:
    """The question for the first piece of content, after the space is named."""
    return [asking(space, mine, theirs)[0], frame(WANT, varint(0) + content + varint(0))]


def converse(arguments: argparse.Namespace) -> dict:
    """Has one conversation and returns all of it."""
    peer = RawPeer(arguments.key, arguments.host, arguments.port)
    highest = CONTENT_VERSION if arguments.verb == "want" else 1
    theirs, mine = peer.greet(bytes.fromhex(arguments.person), highest=highest)
    if theirs and arguments.verb == "ask":
        peer.send(*asking(bytes.fromhex(arguments.what), mine, theirs.nonce))
    elif theirs and arguments.verb == "want":
        peer.send(*wanting(*map(bytes.fromhex, arguments.what.split(":")), mine, theirs.nonce))
    elif theirs and arguments.verb == "replay":
        peer.send(*map(bytes.fromhex, json.loads(Path(arguments.what).read_text())))
    if theirs:
        peer.hear_out(arguments.settle)
    return {
        "person": theirs.person.hex() if theirs else None,
        "port": theirs.port if theirs else None,
        "closed": peer.closed,
        "sent": [each.hex() for each in peer.sent],
        "arrived": [each.hex() for each in peer.arrived],
        # Frames that a node sends unasked, or with the time in them, are not part of an answer.
        "answers": [each.hex() for each in peer.arrived if each[0] not in UNASKED],
    }


def resume(arguments: argparse.Namespace) -> dict:
    """Links, and links again with the session of the first link, as many TLS libraries do."""
    person = bytes.fromhex(arguments.person)
    first = RawPeer(arguments.key, arguments.host, arguments.port)
    greeted = [first.greet(person)[0]]
    second = RawPeer(arguments.key, arguments.host, arguments.port, resumed=first)
    greeted.append(second.greet(person)[0])
    return {
        "greetings": sum(each is not None for each in greeted),
        "resumed": [bool(peer.socket.session_reused) for peer in (first, second)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--key", type=Path, required=True, help="an Ed25519 key as PEM")
    parser.add_argument("--person", required=True, help="the person record to show, in hex")
    parser.add_argument("--settle", type=float, default=0.5, help="seconds between the pings")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("verb", choices=["greet", "ask", "want", "replay", "resume"])
    parser.add_argument("what", nargs="?", help="ids in hex, or a file of frames")
    arguments = parser.parse_args()
    print(json.dumps((resume if arguments.verb == "resume" else converse)(arguments)))


if __name__ == "__main__":
    main()
