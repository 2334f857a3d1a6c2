#!/usr/bin/python3
"""Attacks of strangers who joined the neighbourhood of a node, encoded and signed here by §18 and
§20 of docs/protocol.md and with no code of Waggle.

    neighbour.py ATTACK --from ADDRESS --mask KEY --counts FILE HOST PORT

One process makes one attack over one link at a time until it is ended. It writes into a file what
it and the node did (COUNTED).
"""

import argparse
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lan.member import number_of, value  # noqa: E402
from lan.rawpeer import (PING, PONG, QUESTION, VECTOR, WANT, Hello, RawPeer, Reader,  # noqa: E402
                         digest, frame, prefix, varint)
from lan.network import Host  # noqa: E402
from lan.signing import Founder  # noqa: E402
from lan.stranger import Mask  # noqa: E402
from processes import die_with_parent  # noqa: E402

HAVE, OFFER, ASK, PASSED, NOT_PASSED, SEEK, FOUND = 2, 29, 30, 31, 32, 33, 34
# The protocol version with everything that is attacked here.
SEEKING_VERSION = 7
# Parts of an offer.
CHANGES, PAGE, LAST_PAGE = 0, 1, 2
# What an ASK asks for.
FIRST_PAGE, NEXT_PAGE, AFTER, AFTER_WITH_RECORD = 0, 1, 2, 3
NAME = "seongsu"
SPACE = digest("space", b"\5" + varint(len(NAME)) + NAME.encode())
OFFERED_MAX, SOUGHT_MAX = 1024, 64
# The authors of one attacker, and the posts of each.
KEYS, POSTS = 1000, 5
# Rules: what one author may write in a day, of which the diligent ones try more.
DAY_POSTS_MAX, DAY_COMMENTS_MAX, DAY_BYTES_MAX = 20, 200, 64 * 1024
# The bytes of a diligent author's batch, and their number: two fit into a day.
LONG_BYTES, LONG_BATCHES, LONG_AUTHORS = 30_000, 3, 60
# What is counted, for each attacker: links that began; pieces and bytes that the node asked for,
# pieces passed unasked; content that it looked for and asked for; logs offered, content sought.
COUNTED = ("links", "pieces", "bytes", "unasked", "sought", "wanted", "offered", "seeks")
# They get less of the processor than the nodes, but some of it: the test needs their effect.
NICE = ("nice", "-n", "10")
# The pause between two messages that nobody asked for, and between two counts, in seconds.
PAUSE_SECONDS, COUNT_SECONDS = 0.02, 0.25
# The pause after a refused connection, in seconds.
BREATH_SECONDS = 0.1

Entity = tuple[int, bytes, list[bytes]]


class Author:
    """A person who does not exist, and their log in the neighbourhood."""

    def __init__(self, name: str, batches: list[Callable[["Author"], list[Entity]]]):
        """Each batch is made by a function, and is dated one millisecond after the one before."""
        self.who = Founder(name)
        self.log = self.who.device + bytes(32)
        self.at = int(time.time() * 1000)
        self.bodies = [make(self) for make in batches]
        last, self.ends = bytes(32), []
        for number, entities in enumerate(self.bodies):
            last = digest("header", self.header(number + 1, last, entities))
            self.ends.append(last)

    def record(self, collection: str, nonce: int, fields: list[tuple[int, object]]) -> Entity:
        """A record, whose id in an open space binds it to its person."""
        number, raw = number_of(collection), nonce.to_bytes(16, "big")
        entity = digest("entity", SPACE, number.to_bytes(4, "big"), self.who.person, raw)[:16]
        sets = [varint(field << 3) + value(content) for field, content in fields]
        return number, entity, [b"\0" + raw, *sets]

    def header(self, number: int, previous: bytes, entities: list[Entity]) -> bytes:
        """The header of a batch."""
        body = b"\0" + b"".join(
            collection.to_bytes(4, "big") + entity + varint(len(operations)) + b"".join(operations)
            for collection, entity, operations in entities)
        return b"".join([
            b"\1", SPACE, self.who.device, bytes(32), number.to_bytes(8, "big"), previous,
            bytes(8), (self.at + number << 16).to_bytes(8, "big"), digest("body", body)])

    @property
    def reach(self) -> bytes:
        """The log as an offer names it."""
        return self.log + varint(1) + varint(len(self.ends)) + self.ends[-1][:8]

    def passed(self, after: int) -> bytes | None:
        """The batch after a number, as it is passed; none if there is none."""
        if after >= len(self.bodies):
            return None
        before = self.ends[after - 1] if after else b""
        record = varint(len(self.who.record)) + self.who.record
        return frame(PASSED, varint(0) + bytes([3 if before else 1]) + record + before
                     + self.run(after + 1, self.bodies[after]))

    def run(self, number: int, entities: list[Entity]) -> bytes:
        """The encoding of one batch."""
        kinds = list(dict.fromkeys(kind for kind, _, _ in entities))
        out = [b"\1", self.who.device, varint(number), varint(len(kinds)),
               *(kind.to_bytes(4, "big") for kind in kinds), varint(len(entities)),
               *(varint(kinds.index(kind)) + entity for kind, entity, _ in entities), varint(1),
               varint(self.at + number), varint(0), b"\0", varint(len(entities))]
        out += [varint(index) + varint(len(operations)) + b"".join(operations)
                for index, (_, _, operations) in enumerate(entities)]
        return b"".join(out) + self.who.signer.sign(
            prefix("batch signature") + self.ends[number - 1])


def post(author: Author, number: int, text: str = "") -> Entity:
    """A post."""
    return author.record("posts.post/1", number, [
        (1, "question"), (2, f"Offer {number}"), (3, text), (7, author.at)])


def comment(author: Author, number: int) -> Entity:
    """A comment on a post that does not exist."""
    return author.record("posts.comment/1", number, [(1, bytes(16)), (2, f"Comment {number}")])


def photo(author: Author, number: int) -> Entity:
    """A photo of a post, whose content nobody has."""
    def blob(kind: str, count: int) -> bytes:
        media = b"image/jpeg"
        return (digest(kind, author.who.person, varint(number)) + varint(count)
                + varint(len(media)) + media)
    return author.record("posts.photo/1", number, [
        (1, bytes(16)), (2, 0), (3, blob("photo", 200_000)), (4, blob("thumbnail", 8192)),
        (5, 640), (6, 480)])


def many(label: str) -> list[Author]:
    """Authors who write within their allowance."""
    return [Author(f"{label} {number}", [
        lambda one: [post(one, each) for each in range(POSTS)]]) for number in range(KEYS)]


def busy(label: str) -> list[Author]:
    """Authors who write one post or one comment more than a day permits, in several batches."""
    def batches(record: Callable[[Author, int], Entity], most: int,
                each: int) -> list[Callable[[Author], list[Entity]]]:
        return [lambda one, first=first: [
            record(one, number) for number in range(first, min(first + each, most + 1))]
            for first in range(0, most + 1, each)]
    return [Author(f"{label} posts", batches(post, DAY_POSTS_MAX, 5)),
            Author(f"{label} comments", batches(comment, DAY_COMMENTS_MAX, 10))]


def long(label: str) -> list[Author]:
    """Authors who write more bytes than a day permits."""
    return [Author(f"{label} {number}", [
        lambda one, each=each: [post(one, each, "x" * LONG_BYTES)]
        for each in range(LONG_BATCHES)]) for number in range(LONG_AUTHORS)]


def pictures(label: str) -> list[Author]:
    """Authors of photos that nobody has."""
    return [Author(f"{label} {number}", [
        lambda one: [photo(one, each) for each in range(DAY_POSTS_MAX)]]) for number in range(100)]


class Neighbour:
    """A stranger's link with a node on which both have named the neighbourhood."""

    def __init__(self, peer: RawPeer, mask: Mask, counts: Counter, authors: list[Author],
                 chance: random.Random):
        self.peer, self.counts, self.chance = peer, counts, chance
        self.authors = {author.log: author for author in authors}
        theirs, mine = peer.greet(mask.person, highest=SEEKING_VERSION)
        if not isinstance(theirs, Hello):
            raise ConnectionError("refused")
        counts["links"] += 1
        token = digest("token", SPACE, mine, theirs.nonce)[:8]
        peer.send(frame(HAVE, QUESTION + varint(1) + token + chance.randbytes(16)))

    def offer(self, part: int, reaches: list[bytes]) -> bytes:
        """An offer of logs, in order, with a digest that is another one each time."""
        return frame(OFFER, varint(0) + self.chance.randbytes(16) + bytes([part])
                     + varint(len(reaches)) + b"".join(sorted(reaches)))

    def serve(self, found: bool = False) -> None:
        """Offers and passes all logs, until the link ends. With `found` it says of all content that
        it has it, and never sends any."""
        offered = sorted(author.reach for author in self.authors.values())
        while body := self.peer.next():
            if body[0] == PING:
                wall = int(time.time() * 1000).to_bytes(8, "big")
                self.peer.send(frame(PONG, body[1:9] + wall))
            elif body[0] == ASK:
                self.answer(Reader(body[1:]), offered)
            elif body[0] == SEEK and found:
                self.find(Reader(body[1:]))
            elif body[0] == WANT:
                self.counts["wanted"] += 1

    def answer(self, asked: Reader, offered: list[bytes]) -> None:
        """Answers a question."""
        asked.varint()
        what = asked.read(1)[0]
        log = asked.read(64) if what != FIRST_PAGE else b""
        if what in (FIRST_PAGE, NEXT_PAGE):
            rest = [each for each in offered if each[:64] > log]
            part = PAGE if len(rest) > OFFERED_MAX else LAST_PAGE
            self.peer.send(self.offer(part, rest[:OFFERED_MAX]))
            return
        author = self.authors.get(log)
        after = asked.varint()
        passed = author.passed(after) if author and what in (AFTER, AFTER_WITH_RECORD) else None
        self.counts["pieces"] += 1
        self.counts["bytes"] += len(passed or b"")
        self.peer.send(passed or frame(NOT_PASSED, varint(0) + log))

    def find(self, sought: Reader) -> None:
        """Says that it has all content for which the node asks."""
        sought.varint()
        sought.read(1)
        hashes = []
        for _ in range(sought.varint()):
            hashes.append(sought.read(32))
            sought.varint()
        self.counts["sought"] += len(hashes)
        self.peer.send(frame(FOUND, varint(0) + varint(len(hashes)) + b"".join(hashes)))

    # The attacks, each of which does one round

    def pass_on(self) -> None:
        """Offers the logs of many people, and passes them."""
        self.serve()

    def claim(self) -> None:
        """Writes photos, and says that it has them."""
        self.serve(found=True)

    def boast(self) -> None:
        """Offers other logs all the time, and vectors, and asks for what nobody has; it never
        reads."""
        while not self.peer.closed:
            logs = [self.chance.randbytes(32) + bytes(32) + varint(1) + varint(1 << 38)
                    + self.chance.randbytes(8) for _ in range(OFFERED_MAX)]
            log = self.chance.randbytes(32) + bytes(32)
            self.peer.send(
                self.offer(CHANGES, logs), frame(VECTOR, varint(0) + varint(0)),
                frame(ASK, varint(0) + bytes([AFTER_WITH_RECORD]) + log + varint(0)
                      + varint(65_536)))
            self.counts["offered"] += OFFERED_MAX
            time.sleep(PAUSE_SECONDS)

    def push(self) -> None:
        """Passes logs that nobody asked for."""
        while not self.peer.closed:
            author = self.chance.choice(list(self.authors.values()))
            self.peer.send(author.passed(0) or b"")
            self.counts["unasked"] += 1
            time.sleep(PAUSE_SECONDS)

    def seek(self) -> None:
        """Asks for content that nobody has, and says that it has what nobody asked for."""
        while not self.peer.closed:
            hashes = sorted(self.chance.randbytes(32) for _ in range(SOUGHT_MAX))
            blobs = b"".join(each + varint(8192) for each in hashes)
            self.peer.send(
                frame(SEEK, varint(0) + b"\7" + varint(SOUGHT_MAX) + blobs),
                frame(FOUND, varint(0) + varint(SOUGHT_MAX) + b"".join(hashes)))
            self.counts["seeks"] += SOUGHT_MAX
            time.sleep(PAUSE_SECONDS)


ATTACKS = {
    "many": (Neighbour.pass_on, many), "busy": (Neighbour.pass_on, busy),
    "long": (Neighbour.pass_on, long),
    "pictures": (Neighbour.claim, pictures), "boast": (Neighbour.boast, None),
    "push": (Neighbour.push, pictures), "seek": (Neighbour.seek, None),
}


def count(file: Path, counts: Counter) -> None:
    """Writes the counts and their time into a file all the time; a reader finds whole ones."""
    while True:
        draft = file.with_suffix(".draft")
        draft.write_text(json.dumps({"at": time.time(), **counts}))
        draft.rename(file)
        time.sleep(COUNT_SECONDS)


def begin(host: Host, name: str, own_address: str, mask: Path, counts: Path,
          target: tuple[str, int]) -> subprocess.Popen:
    """Starts an attacker on a host; it ends with this script."""
    command = [*NICE, "/usr/bin/python3", __file__, name, "--from", own_address,
               "--mask", str(mask), "--counts", str(counts), target[0], str(target[1])]
    return subprocess.Popen(host.enter(*command), stdin=subprocess.DEVNULL,
                            preexec_fn=die_with_parent())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--from", dest="own_address", required=True)
    parser.add_argument("--mask", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    chosen = parser.parse_args()
    attack, written = ATTACKS[chosen.attack]
    mask = Mask(chosen.mask, chosen.mask.with_suffix(".record").read_bytes())
    authors = written(mask.key.stem) if written else []
    counts = Counter(dict.fromkeys(COUNTED, 0))
    # One for all links, so that a later link sends other hashes, logs and digests.
    chance = random.Random(mask.key.stem)
    threading.Thread(target=count, args=(chosen.counts, counts), daemon=True).start()
    while True:
        try:
            peer = RawPeer(mask.key, chosen.host, chosen.port, own_address=chosen.own_address)
            attack(Neighbour(peer, mask, counts, authors, chance))
        except OSError:
            pass
        time.sleep(BREATH_SECONDS)


if __name__ == "__main__":
    main()
