"""Attacks that need a member's key: valid batches, encoded and signed here by docs/protocol.md and
with no code of Waggle.

Each attack writes another side of the member's log, which forks it at the batch that the member's
node wrote last.
"""

import json
import random
import struct
import time
from pathlib import Path

from lan.outside import NUMBER, sqlite
from lan.rawpeer import RawPeer, digest, frame, prefix, varint
from lan.stranger import Mask, sign

HAVE, PUSH = 2, 4
# The most batches that one attack writes.
SIDE_BATCHES_MAX = 200
# A time that never comes, in milliseconds.
YEAR_2100 = 4_102_444_800_000
ACCEPT, GRANT, CUT, OWNER = 3, 2, 4, 3
CONTROL = (0, bytes(16))
# A pause between two attacks, in seconds.
PAUSE_SECONDS = 1.0


def number_of(collection: str) -> int:
    """The number of a collection."""
    return int.from_bytes(digest("collection", collection.encode())[:4], "big")


def value(each: int | float | str | bytes) -> bytes:
    """A value with its type in front; texts and bytes of at most 30 bytes, or of more."""
    if isinstance(each, float):
        return b"\x03" + struct.pack(">d", each)
    if isinstance(each, int):
        return b"\x20" + varint((each << 1 ^ each >> 63) & (1 << 64) - 1)
    kind, raw = (0x40, each.encode()) if isinstance(each, str) else (0x60, each)
    head = bytes([kind + len(raw)]) if len(raw) <= 30 else bytes([kind + 31]) + varint(len(raw))
    return head + raw


# A group of operations on one entity: its collection and id, and the encoded operations.
Group = tuple[tuple[int, bytes], list[bytes]]


class MemberLog:
    """The log of a member's device in one space, up to the last batch that its node wrote."""

    def __init__(self, mask: Mask, space: bytes, number: int, last: bytes):
        self.mask, self.space = mask, space
        self.number, self.last = number, last

    @classmethod
    def save(cls, home: Path, device: bytes, file: Path) -> None:
        """Writes the ends of a device's logs, as its node's database has them, to a file."""
        rows = sqlite(home, f"""
            SELECT hex(space.id), max({NUMBER.format('batch.id')}), hex(batch.hash)
            FROM batch JOIN log ON log.number = batch.id >> 40
            JOIN space ON space.number = log.space WHERE log.device = x'{device.hex()}'
            GROUP BY space.number""")
        ends = {row.split("|")[0].lower(): row.split("|")[1:] for row in rows}
        file.write_text(json.dumps(ends))

    @classmethod
    def load(cls, file: Path, mask: Mask, space: bytes) -> "MemberLog":
        """The log in a space, from a file that `save` made."""
        number, last = json.loads(file.read_text())[space.hex()]
        return cls(mask, space, int(number), bytes.fromhex(last))

    def record(self, collection: str, fields: dict[int, int | float | str | bytes],
               chance: random.Random) -> Group:
        """The operations that create a record."""
        number, nonce = number_of(collection), chance.randbytes(16)
        entity = digest("entity", self.space, number.to_bytes(4, "big"), self.mask.device, nonce)
        sets = [varint(field << 3) + value(each) for field, each in fields.items()]
        return (number, entity[:16]), [b"\0" + nonce, *sets]

    def header(self, number: int, previous: bytes, milliseconds: int, groups: list[Group]) -> bytes:
        """The header of a batch."""
        body = b"\0" + b"".join(
            collection.to_bytes(4, "big") + entity + varint(len(operations)) + b"".join(operations)
            for (collection, entity), operations in groups)
        return b"".join([
            b"\1", self.space, self.mask.device, bytes(32), number.to_bytes(8, "big"), previous,
            bytes(8), (milliseconds << 16).to_bytes(8, "big"), digest("body", body)])

    def run(self, batches: list[tuple[int, list[Group]]]) -> tuple[bytes, list["MemberLog"]]:
        """A run of batches, each with its time, that follows this log; and the log after each."""
        logs = [self]
        for milliseconds, groups in batches:
            end = logs[-1]
            hashed = digest(
                "header", self.header(end.number + 1, end.last, milliseconds, groups))
            logs.append(MemberLog(self.mask, self.space, end.number + 1, hashed))
        ids = list(dict.fromkeys(each for _, groups in batches for each, _ in groups))
        collections = list(dict.fromkeys(collection for collection, _ in ids))
        out = [b"\0", varint(self.number + 1), varint(len(collections)),
               *(each.to_bytes(4, "big") for each in collections), varint(len(ids)),
               *(varint(collections.index(collection)) + entity for collection, entity in ids),
               varint(len(batches))]
        before = 0
        for milliseconds, groups in batches:
            out += [varint(milliseconds - before), varint(0), b"\0", varint(len(groups))]
            out += [varint(ids.index(each)) + varint(len(operations)) + b"".join(operations)
                    for each, operations in groups]
            before = milliseconds
        out.append(sign(self.mask.key, prefix("batch signature") + logs[-1].last))
        return b"".join(out), logs[1:]


class Member:
    """A member who attacks one node in a space that they share."""

    def __init__(self, log: MemberLog, chance: random.Random):
        self.log, self.chance = log, chance
        # The person of the node that is attacked, once it has said HELLO.
        self.victim = bytes(32)

    def harmless(self) -> list[Group]:
        """Operations of a collection that nobody declares."""
        return [((0xFEEDBEEF, self.chance.randbytes(16)), [varint(1 << 3) + value(1)])]

    def now(self) -> int:
        """The time, in milliseconds."""
        return int(time.time() * 1000)

    # The attacks, each of which returns runs

    def dated(self) -> list[bytes]:
        """Batches that are not due for decades."""
        return [self.log.run([(YEAR_2100 + number, self.harmless())
                              for number in range(SIDE_BATCHES_MAX)])[0]]

    def comb(self) -> list[bytes]:
        """A log that forks after each batch."""
        now = self.now()
        run, logs = self.log.run([(now + number, self.harmless()) for number in range(20)])
        return [run] + [each.run([(now + 100 + number, self.harmless())])[0]
                        for number, each in enumerate(logs)]

    def control(self) -> list[bytes]:
        """Accepts, and grants and cuts that only an owner may write."""
        now = self.now()
        people = [self.chance.randbytes(32) for _ in range(100)]
        operations = [bytes([ACCEPT])] * 3000
        operations += [bytes([GRANT]) + each + bytes([OWNER]) for each in people]
        operations += [bytes([CUT]) + each + varint(0) for each in people]
        return [self.log.run([(now + number, [(CONTROL, operations)]) for number in range(10)])[0]]

    def records(self) -> list[bytes]:
        """Names of the group, of which each person has one."""
        now = self.now()
        return [self.log.run([
            (now + number, [self.log.record(
                "neighbours.group/1", {1: f"Forged {number}", 2: "Nobody"}, self.chance)])
            for number in range(SIDE_BATCHES_MAX)])[0]]

    def walks(self) -> list[bytes]:
        """Walk requests with chosen times."""
        now = self.now()
        times = [YEAR_2100, 0, now]
        return [self.log.run([
            (now + number, [self.log.record("neighbours.walk/1", {
                1: self.victim, 2: 1.5, 3: 2.5, 5: "Me first", 6: times[number % 3] + number,
            }, self.chance)])
            for number in range(SIDE_BATCHES_MAX)])[0]]

    def attack(self, name: str, peer: RawPeer) -> None:
        """Does one round over a new link, and hears what the node answers."""
        theirs, mine = peer.greet(self.log.mask.person)
        if not theirs:
            raise ConnectionError("refused")
        self.victim = digest("person", theirs.person[:65])
        token = digest("token", self.log.space, mine, theirs.nonce)[:8]
        peer.send(frame(HAVE, b"\0" + varint(1) + token + bytes(16)))
        for run in ATTACKS[name](self):
            peer.send(frame(PUSH, varint(0) + run))
        peer.hear_out(PAUSE_SECONDS / 2)
        peer.socket.close()
        time.sleep(PAUSE_SECONDS)


ATTACKS = {name: getattr(Member, name) for name in (
    "dated", "comb", "control", "records", "walks")}
