"""A hundred people look for others with the same interests, around one.

Only their announcements are there, made by one process with a real Avahi, and no host is at their
address. So a node that dials strangers, as every node does, waits for each of its dials, and dials
at a steady pace that does not depend on what it is told to do. Dials that matching made would come
on top.
"""

import random
import subprocess
import time
from pathlib import Path

from lan.flood import Vitals
from lan.interests import bits, look, state
from lan.network import SUBNET, Host
from lan.people import Person, World
from lan.story import Story
from processes import die_with_parent

ANNOUNCERS = 100
FIRST_PORT = 20_000
# An address of the LAN at which no host is.
NOWHERE = f"{SUBNET}.250"
# The interests of Anna, and others, by their indexes: ten and seventy-seven.
MINE = ("coffee", "tea", "walks", "cats", "films", "hockey", "gym", "travel", "stocks", "vr")
# Rules: a match needs 3, and is found within 3 s of its announcement.
COMMON_MIN, FOUND_SECONDS = 3, 3.0
# The share of one core that a node with a hundred such people around may use, and for how long that
# is measured.
CPU_SHARE_MAX, MEASURED_SECONDS = 0.02, 30
# The pause after the last announcement, in which the node gets to know all of them.
SETTLING_SECONDS = 10
# The dials by which two times of the same length may differ, as a share and as a number.
DIALS_SHARE, DIALS_COUNT = 0.15, 4


def looking(world: World, story: Story) -> None:
    """A hundred people look: the match is right, found at once, and costs no connection."""
    anna, host = world.anna, world.ben.host
    for person in (world.anna, world.ben):
        person.host.start_discovery()
    anna.begin()
    anna.node.start()
    anna.introduce()
    crowd = Crowd(host, random.Random(7))
    for number in range(ANNOUNCERS):
        # Of every ten, three share 3 to 5 interests with Anna.
        crowd.announce(number, [0, 1, 2, 2, 1, 0, 2, 3, 4, 5][number % 10])
    story.claim(f"Avahi on Anna's host shows {ANNOUNCERS} announcements",
                lambda: seen(anna) >= ANNOUNCERS, within=30)
    time.sleep(SETTLING_SECONDS)
    dials_before = measured(anna, MEASURED_SECONDS)[1]
    look(anna, MINE)
    story.claim(f"Anna's node counts {ANNOUNCERS} people who look",
                lambda: state(anna).get("lookingCount") == ANNOUNCERS, within=FOUND_SECONDS)
    story.claim("the match shares 5, the most that anyone shares", lambda: common(anna) == 5)
    first = state(anna)["match"]["tag"]
    story.claim("and is one of those who do", lambda: crowd.common[first] == 5)
    cpu, dials = measured(anna, MEASURED_SECONDS)
    story.claim(f"the node used {cpu:.1%} of a core in {MEASURED_SECONDS} s",
                lambda: cpu < CPU_SHARE_MAX)
    story.claim(f"and dialled {dials} times while it looked, {dials_before} times before: matching "
                "opens no connection",
                lambda: dials <= dials_before * (1 + DIALS_SHARE) + DIALS_COUNT)
    story.equal("the match is the same", state(anna)["match"]["tag"], first)
    began = time.monotonic()
    best = crowd.announce(ANNOUNCERS, 6)
    story.claim("somebody with 6 in common is announced, and is the match",
                lambda: state(anna)["match"]["tag"] == best, within=FOUND_SECONDS)
    story.tell(f"  (found {time.monotonic() - began:.2f} s after the announcement)")
    crowd.close()
    story.claim("they are gone, and so is the match",
                lambda: "match" not in state(anna), within=30)


class Crowd:
    """People who are only announced."""

    def __init__(self, host: Host, chance: random.Random):
        self.chance = chance
        # The number of interests that each shares with Anna, by their tags.
        self.common: dict[str, int] = {}
        self.process = subprocess.Popen(
            host.enter("/usr/bin/python3", str(Path(__file__).with_name("lookers.py")), NOWHERE),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            preexec_fn=die_with_parent())

    def announce(self, number: int, common: int) -> str:
        """Announces a person who shares so many interests with Anna; returns their tag."""
        mine = int.from_bytes(bits(MINE), "little")
        shared = [index for index in range(87) if mine >> index & 1]
        others = [index for index in range(87) if not mine >> index & 1]
        chosen = self.chance.sample(shared, common) + self.chance.sample(others, 10 - common)
        tag = f"{self.chance.getrandbits(64):016x}"
        field = sum(1 << index for index in chosen).to_bytes(11, "little").hex()
        self.process.stdin.write(f"{tag} {FIRST_PORT + number} {field}\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != tag:
            raise RuntimeError("the announcer has ended")
        self.common[tag] = common
        return tag

    def close(self) -> None:
        """Ends all announcements."""
        self.process.stdin.close()
        self.process.wait(timeout=30)


def seen(person: Person) -> int:
    """The number of announcements that a host's own Avahi shows, without its own."""
    rows = person.host.run("avahi-browse", "--terminate", "--parsable", "_waggle._tcp").splitlines()
    return len({row.split(";")[3] for row in rows if row.startswith("+")}) - 1


def common(person: Person) -> int:
    """The number of interests that a person shares with the match."""
    return len(state(person)["match"]["common"])


def measured(person: Person, seconds: float) -> tuple[float, int]:
    """The share of a core that a node uses for so long, and the connections that its host opens."""
    before, dials = Vitals.of(person.node.pid()), opened(person.host)
    time.sleep(seconds)
    after = Vitals.of(person.node.pid())
    return (after.cpu_seconds - before.cpu_seconds) / seconds, opened(person.host) - dials


def opened(host: Host) -> int:
    """The number of TCP connections that programs on a host have begun to open."""
    names, values = [row.split() for row in host.run("cat", "/proc/net/snmp").splitlines()
                     if row.startswith("Tcp:")]
    return int(values[names.index("ActiveOpens")])
