"""Kills real nodes with signal 9 while they write and sync, and checks their files afterwards."""

import random
import sqlite3
import time
from pathlib import Path

from crash.ledger import Ledger
from crash.writer import Writer
from mates import make_mates
from processes import wait_until
from lan.people import ANNA, BEN, Person

# How long a node lives between its start and its kill.
LIFE_SECONDS = (0.0, 0.25)
# The share of kills that happen while the node starts.
EARLY_SHARE = 0.15
START_SECONDS_MAX = 20
EQUAL_SECONDS_MAX = 60


class Failed(Exception):
    """Something acknowledged is missing, or the nodes do not become equal."""


class KillTrial:
    """Two linked nodes that are killed in turn."""

    def __init__(self, binary: Path, scratch: Path, seed: int):
        self.people = [Person(character, binary, scratch, None) for character in (ANNA, BEN)]
        self.draw = random.Random(seed)
        self.ledgers = {who: Ledger(scratch / f"{who.name}.ledger") for who in self.people}
        self.writers: list[Writer] = []
        self.early = 0

    def close(self) -> None:
        """Ends the writers and the nodes."""
        for writer in self.writers:
            writer.ending.set()
        for who in self.people:
            if who.node.pid() is not None:
                who.node.kill()

    def begin(self, seed: int) -> None:
        """Makes both people mates, and begins to write."""
        for who in self.people:
            who.begin()
            who.node.start()
            who.introduce()
        anna, ben = self.people
        for one, other in ((anna, ben), (ben, anna)):
            one.node.cli("peer", "add", f"127.0.0.1:{other.port}")
        self._wait("they meet", lambda: all(who.node.get("nearby/list").get("people")
                                            for who in self.people))
        make_mates(anna.node, ben.node, EQUAL_SECONDS_MAX)
        for number, (one, other) in enumerate(((anna, ben.person), (ben, anna.person))):
            writer = Writer(one, other, self.ledgers[one], seed * 2 + number)
            writer.start()
            self.writers.append(writer)

    def kill(self, number: int) -> None:
        """Kills one of them at a moment of chance, starts it again, and looks."""
        victim = self.people[number % 2]
        if self.draw.random() < EARLY_SHARE:
            self.early += 1
            victim.node.kill()
            victim.node.launch()
            time.sleep(self.draw.uniform(0.0, 0.2))
        else:
            time.sleep(self.draw.uniform(*LIFE_SECONDS))
        victim.node.kill()
        acknowledged = self.ledgers[victim].snapshot()
        victim.node.start(START_SECONDS_MAX)
        missing = acknowledged.missing_from(requests(victim))
        if missing:
            raise Failed(f"{victim.name} lost {len(missing)} of what it acknowledged: {missing[0]}")
        if victim.node.get("status/show")["startsDisagree"]:
            raise Failed(f"{victim.name} takes itself for restored from a backup")

    def conclude(self) -> None:
        """Stops writing, waits until both are equal, and checks their files."""
        for writer in self.writers:
            writer.ending.set()
        for writer in self.writers:
            writer.join()
            if writer.refused:
                raise Failed(f"{writer.who.name} refused: {writer.refused[0]}")
        self._wait("both are equal", self._equal)
        for who in self.people:
            who.node.stop()
        anna, ben = self.people
        for holder in self.people:
            for author in self.people:
                if missing := self.ledgers[author].missing_from(requests(holder)):
                    raise Failed(f"at {holder.name}'s {author.name}'s is missing: {missing[0]}")
            said = ask(holder, "PRAGMA integrity_check")[0][0]
            if said != "ok":
                raise Failed(f"{holder.name}'s file is damaged: {said}")
        self._no_fork(dict(batches(anna)), dict(batches(ben)))

    def _no_fork(self, one: dict, other: dict) -> None:
        """One number of one device is one batch, in every replica."""
        common = one.keys() & other.keys()
        if not common:
            raise Failed("the nodes hold nothing in common")
        for key in common:
            if one[key] != other[key]:
                raise Failed(f"two batches have the number {key[2]} of {key[1].hex()}")

    def _equal(self) -> bool:
        answers = [who.node.get("verify/run") for who in self.people]
        return all(answer.get("equal") and answer.get("spaces") for answer in answers)

    def _wait(self, what: str, test) -> None:
        if not wait_until(test, EQUAL_SECONDS_MAX):
            raise Failed(f"waited {EQUAL_SECONDS_MAX} s for this: {what}")

    @property
    def acknowledged(self) -> int:
        """The number of acknowledged writes."""
        return sum(ledger.count for ledger in self.ledgers.values())


def ask(who: Person, sql: str) -> list[tuple]:
    """Reads a node's database directly."""
    connection = sqlite3.connect(f"file:{who.node.home}/replica.db?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def requests(who: Person) -> dict[str, tuple[str, str | None]]:
    """The walk requests in a node's file."""
    rows = ask(who, "SELECT lower(hex(entity)), message, note FROM neighbours_walk")
    return {entity: (message, note) for entity, message, note in rows}


def batches(who: Person) -> list[tuple[tuple, bytes]]:
    """Each batch in a node's file: space, device and number, with its hash."""
    rows = ask(who, """
        SELECT s.id, l.device, b.number, b.hash FROM waggle_batch b
        JOIN log l ON l.number = b.log JOIN space s ON s.number = b.space""")
    return [((space, device, number), digest) for space, device, number, digest in rows]


def run(binary: Path, scratch: Path, count: int, seed: int) -> tuple[int, int]:
    """Runs the trial; returns how many kills were survived, and 1 if something failed."""
    trial = KillTrial(binary, scratch, seed)
    began = time.monotonic()
    survived = 0
    try:
        trial.begin(seed)
        for number in range(count):
            trial.kill(number)
            survived += 1
        trial.conclude()
    except (Failed, RuntimeError, OSError, KeyError, sqlite3.Error) as error:
        print(f"✗ kill {survived + 1} of {count}: {type(error).__name__}: {error}")
        print(f"    again: script/crash kill {count} --seed {seed}")
        return survived, 1
    finally:
        trial.close()
    print(f"kill: {survived} kills, {trial.early} of them while the node started; "
          f"{trial.acknowledged} acknowledged writes, all there; both nodes equal, no fork, "
          f"{(time.monotonic() - began):.0f} s")
    return survived + 1, 0
