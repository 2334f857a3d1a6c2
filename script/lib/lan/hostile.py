#!/usr/bin/python3
"""Hostile peers: one process, one source address, one attack, until it is ended.

    hostile.py ATTACK --from ADDRESS --masks DIRECTORY [--as KEY [--space ID]] --seed N HOST PORT

The masks are device keys and person records, made before with `Masks.new`. With `--as`, all links
are made with one key, such as a mate's; with `--space` too, the attack is one of a member, whose
logs are in KEY.logs (`MemberLog.save`). An attack never ends on its own: a connection that the node
closes is opened again.
"""

import argparse
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lan import member  # noqa: E402
from lan.member import Member, MemberLog  # noqa: E402
from lan.network import IDLE, Host  # noqa: E402
from lan.rawpeer import RawPeer, certificate, digest, frame, hello, prefix, varint  # noqa: E402
from lan.stranger import Mask, founded, sign  # noqa: E402
from processes import die_with_parent  # noqa: E402

PUSH, IDENTITY, DIRECT, PING, BYE = 4, 7, 9, 10, 15
REPLACED = b"\x01"
# Silent sockets that one attacker keeps open.
SOCKETS_MAX = 100
# Limits of the protocol: entries of a record, records of an IDENTITY, bytes of a frame.
ENTRIES_MAX, RECORDS_MAX, FRAME_BYTES_MAX = 56, 256, 262_144
# The pause of an attacker that was refused a connection, in seconds.
BREATH_SECONDS = 0.05


class Masks:
    """Keys and person records of people who do not exist."""

    def __init__(self, folder: Path):
        self.all = [Mask(key, key.with_suffix(".record").read_bytes())
                    for key in sorted(folder.glob("*.pem"))]
        # A valid record with as many valid entries as fit, to be cut down in many ways.
        self.entries = [each.read_bytes() for each in sorted(folder.glob("entry.*"))]

    @classmethod
    def new(cls, folder: Path, count: int) -> "Masks":
        """Makes so many masks in a folder."""
        folder.mkdir()
        for number in range(count):
            mask = founded(folder / f"mask{number:03}.pem")
            mask.key.with_suffix(".record").write_bytes(mask.person)
            certificate(mask.key)
        made = cls(folder)
        owner, devices = made.all[0], made.all[1:]
        for number in range(ENTRIES_MAX):
            device = devices[number % len(devices)]
            entry = added(owner, device, f"device {number}".encode())
            (folder / f"entry.{number:03}").write_bytes(entry)
        return cls(folder)

    def fullest(self) -> bytes:
        """The record of the first person with all its entries, which are all valid."""
        entries = sorted(self.entries)
        return self.all[0].person[:-1] + varint(len(entries)) + b"".join(entries)

    def variants(self, chance: random.Random) -> bytes:
        """IDENTITY with records of one person, each with other entries: every one is valid."""
        founding, records, bytes_count = self.all[0].person[:-1], [], 0
        while len(records) < RECORDS_MAX:
            chosen = sorted(chance.sample(self.entries, chance.randint(1, len(self.entries))))
            record = founding + varint(len(chosen)) + b"".join(chosen)
            bytes_count += len(record) + 3
            if bytes_count > FRAME_BYTES_MAX - 16:
                break
            records.append(varint(len(record)) + record)
        return frame(IDENTITY, varint(len(records)) + b"".join(records))


def added(owner: Mask, device: Mask, name: bytes) -> bytes:
    """The entry by which the first device of a person adds another, with its consent."""
    person = digest("person", owner.person[:65])
    consent = sign(device.key, prefix("device consent") + person + device.device
                   + varint(len(name)) + name)
    entry = (b"\1" + person + b"\1" + owner.device + b"\2" + device.device
             + varint(len(name)) + name + consent)
    return entry + sign(owner.key, prefix("device entry") + entry)


class Attacker:
    """One source address that performs one attack on one node."""

    def __init__(self, host: str, port: int, own_address: str, masks: Masks, chance: random.Random):
        self.target = (host, port)
        self.own_address = own_address
        self.masks = masks
        self.chance = chance

    def plain(self) -> socket.socket:
        """A TCP connection from the attacker's address."""
        return socket.create_connection(self.target, timeout=10,
                                        source_address=(self.own_address, 0))

    def linked(self, mask: Mask | None = None, **parts: object) -> RawPeer:
        """A link after both HELLOs, as one of the masks."""
        mask = mask or self.chance.choice(self.masks.all)
        peer = RawPeer(mask.key, *self.target, own_address=self.own_address)
        peer.greet(mask.person, **parts)
        if peer.closed:
            raise ConnectionError("refused")
        return peer

    # The attacks, each of which does one round

    def silent(self) -> None:
        """Opens sockets and sends nothing; the oldest is closed for a new one."""
        kept: list[socket.socket] = []
        while True:
            if len(kept) >= SOCKETS_MAX:
                kept.pop(0).close()
            kept.append(self.plain())

    def identity(self) -> None:
        """Sends full frames of person records whose signatures all verify."""
        peer = self.linked()
        while not peer.closed:
            peer.send(self.masks.variants(self.chance))

    def push(self) -> None:
        """Pushes batches into channels that were never named."""
        peer = self.linked()
        body = self.chance.randbytes(200_000)
        while not peer.closed:
            peer.send(frame(PUSH, varint(self.chance.randrange(1 << 20)) + body))

    def drops(self) -> None:
        """Offers drops and ends them at once."""
        peer = self.linked()
        counter = 0
        while not peer.closed:
            commitment = self.chance.randbytes(32)
            for message in (b"\1\1" + commitment, b"\1\5" + commitment + b"\1"):
                counter += 1
                peer.send(frame(DIRECT, b"\4drop" + varint(counter) + varint(len(message)) + message))
            time.sleep(0.02)

    def pings(self) -> None:
        """Asks for answers and never reads them."""
        peer = self.linked()
        many = frame(PING, bytes(8)) * 1000
        while not peer.closed:
            peer.send(many)

    def clones(self) -> None:
        """Links as a device that has started five times, again as one that has started once, and
        claims that a link was replaced."""
        mask = self.chance.choice(self.masks.all)
        newer = self.linked(mask, start_count=5)
        older = RawPeer(mask.key, *self.target, own_address=self.own_address)
        older.greet(mask.person, start_count=1)
        newer.send(frame(BYE, REPLACED))
        time.sleep(0.2)

    def hellos(self) -> None:
        """Links with a record that has as many signatures as fit, and leaves at once."""
        owner = self.masks.all[0]
        self.linked(Mask(owner.key, self.masks.fullest()))

    def noise(self) -> None:
        """Sends frames of random bytes, of every type."""
        peer = self.linked()
        while not peer.closed:
            kind = self.chance.randrange(2, 20)
            peer.send(frame(kind, self.chance.randbytes(self.chance.randrange(300))))


ATTACKS = {name: getattr(Attacker, name) for name in (
    "silent", "identity", "push", "drops", "pings", "clones", "hellos", "noise")}


def repeat(attack: Callable[[], None]) -> None:
    """Repeats an attack for ever."""
    while True:
        try:
            attack()
        except (OSError, ConnectionError):
            time.sleep(BREATH_SECONDS)


def begin(host: Host, name: str, own_address: str, masks: Path, target: tuple[str, int],
          seed: int, mask: Path | None = None, space: str = "") -> subprocess.Popen:
    """Starts an attacker on a host; it ends with this script."""
    chosen = (["--as", str(mask)] if mask else []) + (["--space", space] if space else [])
    command = [*IDLE, "/usr/bin/python3", __file__, name, "--from", own_address,
               "--masks", str(masks), "--seed", str(seed), *chosen, target[0], str(target[1])]
    return subprocess.Popen(host.enter(*command), stdin=subprocess.DEVNULL,
                            preexec_fn=die_with_parent())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack", choices=[*ATTACKS, *member.ATTACKS])
    parser.add_argument("--from", dest="own_address", required=True)
    parser.add_argument("--masks", type=Path, required=True)
    parser.add_argument("--as", dest="mask", type=Path, help="the one key to link with")
    parser.add_argument("--space", type=bytes.fromhex, help="the space of a member's attack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    masks = Masks(chosen.masks)
    if chosen.mask:
        masks.all = [Mask(chosen.mask, chosen.mask.with_suffix(".record").read_bytes())]
    attacker = Attacker(chosen.host, chosen.port, chosen.own_address, masks, chance)
    if chosen.attack in ATTACKS:
        repeat(lambda: ATTACKS[chosen.attack](attacker))
    log = MemberLog.load(chosen.mask.with_suffix(".logs"), masks.all[0], chosen.space)
    one = Member(log, chance)
    repeat(lambda: one.attack(chosen.attack, RawPeer(
        chosen.mask, *attacker.target, own_address=attacker.own_address)))


if __name__ == "__main__":
    main()
