"""Many real nodes on a bad network for many minutes, with kills and a hostile mate."""

import random
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from lan import hostile, member
from lan.crowd import of_each
from lan.flood import Vitals
from lan.group import all_equal, notes
from lan.member import MemberLog
from lan.outside import sqlite
from lan.people import Person, World
from lan.story import Story
from lan.stranger import Mask, pair_id
from mates import make_mates
from processes import end_inside, wait_until

# Nodes with Avahi; the others get addresses.
WITH_AVAHI = 5
# The maximum number of people whom one person makes mates, who make others mates in turn.
CHILDREN = 10
# The maximum number of members of a group.
MEMBERS_MAX = 64
PORT = 47100
# How often something happens, in seconds.
WRITE_EVERY, KILL_EVERY, FAULT_EVERY, ATTACK_EVERY, SAMPLE_EVERY = 0.5, 30, 10, 15, 5
# How long a killed node stays away, in seconds.
AWAY_SECONDS = 4
# The attacks that a member's key makes worse than a stranger's, and those that need such a key.
ATTACKS = ["noise", "pings", "drops", *member.ATTACKS]
# The most batches of the hostile member that a node may store at the end: four sides of a log in
# the group and in the pair, and what its node wrote before; and the most MiB of a database.
HOSTILE_BATCHES_MAX, DATABASE_MIB_MAX = 2 * 4 * member.SIDE_BATCHES_MAX + 50, 32
# Waiting fails after so many seconds without progress.
STALLED = 90
# A process is compared with itself at this age, in seconds, and may have grown by so much.
SETTLED_SECONDS, GROWTH_FACTOR, GROWTH_MIB, GROWTH_DESCRIPTORS = 30, 1.3, 24, 32


@dataclass
class Circle:
    """The members of one group, and their acknowledged notes."""

    people: list[Person]
    group: str = ""
    acknowledged: list[str] = field(default_factory=list)


def circles(people: list[Person]) -> list[Circle]:
    """Groups of people: the first person is in all of them, with whole families of mates."""
    families: dict[int, list[Person]] = {}
    for number in range(1, len(people)):
        first = number
        while first > CHILDREN:
            first = (first - 1) // CHILDREN
        families.setdefault(first, []).append(people[number])
    found = [Circle([people[0]])]
    for family in families.values():
        if len(found[-1].people) + len(family) > MEMBERS_MAX:
            found.append(Circle([people[0]]))
        found[-1].people += family
    return found


@dataclass
class Soak:
    """The nodes, their groups, and their memory and descriptors."""

    world: World
    story: Story
    chance: random.Random
    circles: list[Circle] = field(default_factory=list)
    refused: int = 0
    kills: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    attacks: dict[str, int] = field(default_factory=dict)
    away: dict[int, float] = field(default_factory=dict)
    vitals: dict[int, list[tuple[float, Vitals]]] = field(default_factory=dict)
    attacker: subprocess.Popen | None = None
    # The hostile member's own key, and the space that it shares with its mate alone, once its node
    # has ended.
    key: Path | None = None
    pair: str = ""

    @property
    def honest(self) -> list[Person]:
        """Everyone except the last person, who is hostile."""
        return self.world.people[:-1]

    @property
    def mallory(self) -> Person:
        """The mate whose key attacks the others."""
        return self.world.people[-1]

    @property
    def mate(self) -> Person:
        """The person who made the hostile one a mate."""
        return self.world.people[(len(self.world.people) - 2) // CHILDREN]

    # Before

    def begin(self) -> None:
        """Starts all nodes; everyone joins a group through mates."""
        people = self.world.people
        for number, person in enumerate(people):
            if number < WITH_AVAHI:
                person.host.start_discovery()
            else:
                person.node.options.append("--no-avahi")
            person.node.options += ["--listen-port", str(PORT)]
            person.begin()
            person.node.launch()
        self.story.reached(f"all {len(people)} nodes answer, {min(WITH_AVAHI, len(people))} of them "
                           "with Avahi", len(people), self.answering, STALLED)
        of_each(people, Person.introduce)
        for number in range(1, len(people)):
            self.introduce(people[(number - 1) // CHILDREN], people[number])
        self.gather()

    def answering(self) -> int:
        """The number of nodes that answer."""
        return sum(of_each(self.world.people, lambda each: each.node.answers()))

    def introduce(self, parent: Person, child: Person) -> None:
        """Two nodes get each other's addresses, drop, and are mates."""
        for one, other in ((parent, child), (child, parent)):
            one.node.cli("peer", "add", f"{other.address}:{PORT}")
        self.quietly(f"{parent.name} and {child.name} see each other",
                     lambda: parent.sees(child.device) and child.sees(parent.device))
        make_mates(parent.node, child.node, 30)
        self.quietly(f"{parent.name} and {child.name} are mates", lambda: (
            parent.mate(child.person) and child.mate(parent.person)))

    def quietly(self, text: str, test) -> None:
        """A claim that is printed only if it fails."""
        if not wait_until(test, 30, every=0.1):
            self.story.claim(text, test)

    def gather(self) -> None:
        """All join a group: each who has become an owner invites the mates below."""
        people = self.world.people
        self.circles = circles(people)
        for circle in self.circles:
            circle.group = people[0].node.cli("group", "create", "Soak")["id"]
            for child in circle.people[1:]:
                number = people.index(child)
                parent = people[(number - 1) // CHILDREN]
                role = "owner" if number * CHILDREN + 1 < len(people) else "writer"
                parent.node.cli("group", "invite", circle.group, child.person, "--role", role)
                self.quietly(f"{child.name} is invited",
                             lambda: self.standing(child, circle) == "invited")
                child.node.cli("group", "accept", circle.group)
                self.quietly(f"{child.name} is a member",
                             lambda: self.standing(child, circle) == "member")
        for circle in self.circles:
            count = len(circle.people)
            self.story.reached(
                f"all {count} are members of a group, and everybody knows it", count,
                lambda: sum(of_each(circle.people, lambda each: self.knows_all(each, circle))),
                STALLED)

    def standing(self, person: Person, circle: Circle) -> str:
        """A person's state in a group, according to their node."""
        groups = person.node.get("group/list").get("groups", [])
        return next((each["state"] for each in groups if each["id"] == circle.group), "")

    def knows_all(self, person: Person, circle: Circle) -> bool:
        """Whether a node knows all members of a group."""
        members = person.node.get(f"group/show?group={circle.group}").get("members", [])
        return sum(each["state"] == "member" for each in members) == len(circle.people)

    def circle_of(self, person: Person) -> Circle:
        """A group of a person; the first person is in all of them."""
        return self.chance.choice([each for each in self.circles if person in each.people])

    # Meanwhile

    def storm(self, seconds: float) -> None:
        """Writes, kills, breaks the network and attacks, until the time is over."""
        self.story.tell(f"for {seconds:.0f} s: writes, kills, loss, cuts, slow links, splits, and "
                        f"{self.mallory.name}, a member, attacks")
        self.pair = pair_id(self.mate.person, self.mallory.person)
        self.mallory.node.stop()
        masks = self.disguise()
        begun = time.monotonic()
        every = {self.write: WRITE_EVERY, self.kill: KILL_EVERY, self.break_network: FAULT_EVERY,
                 self.sample: SAMPLE_EVERY, lambda: self.attack(masks): ATTACK_EVERY}
        due = {act: begun + pause for act, pause in every.items()}
        while (now := time.monotonic()) < begun + seconds:
            for act in every:
                if now >= due[act]:
                    act()
                    due[act] = now + every[act]
            self.bring_back(now)
            time.sleep(0.05)

    def write(self) -> None:
        """One person writes a note; it is recorded if the node acknowledged it."""
        number = self.chance.randrange(len(self.honest))
        if number in self.away:
            return
        person = self.honest[number]
        circle = self.circle_of(person)
        text = f"note {self.noted + self.refused} of {person.name}"
        answer = person.node.post("group/note", {"group": circle.group, "text": text})
        if answer and "error" not in answer:
            circle.acknowledged.append(text)
        else:
            self.refused += 1

    @property
    def noted(self) -> int:
        """The number of acknowledged notes."""
        return sum(len(each.acknowledged) for each in self.circles)

    def kill(self) -> None:
        """Kills a node with signal 9."""
        number = self.chance.choice([n for n in range(len(self.honest)) if n not in self.away])
        self.vitals.pop(number, None)
        self.honest[number].node.kill()
        self.kills += 1
        self.away[number] = time.monotonic() + AWAY_SECONDS

    def bring_back(self, now: float) -> None:
        """Starts the killed nodes whose time has come."""
        for number in [number for number, until in self.away.items() if now >= until]:
            self.honest[number].node.launch()
            del self.away[number]

    def break_network(self) -> None:
        """Mends the network, and breaks it in another way."""
        self.mend_network()
        hosts = [each.host for each in self.honest]
        some = self.chance.sample(hosts, max(1, len(hosts) // 3))
        kind = self.chance.choice(["loss", "one-way cut", "slow link", "split"])
        self.faults[kind] = self.faults.get(kind, 0) + 1
        if kind == "split":
            return self.world.lan.split(some)
        other = self.chance.choice([host for host in hosts if host not in some] or hosts)
        rule = {
            "loss": f"numgen random mod 100 < {self.chance.choice([2, 10, 30])} drop",
            "one-way cut": f"ip saddr {other.address} drop",
            "slow link": f"limit rate over {self.chance.choice([8, 64])} kbytes/second drop",
        }[kind]
        for host in some:
            host.run("nft", "table inet soak {\nchain input {\ntype filter hook input priority 0;\n"
                     f"iifname eth0 {rule}\n}}\n}}")

    def mend_network(self) -> None:
        """Ends every fault of the network."""
        self.world.lan.heal()
        for person in self.honest:
            person.host.run("nft", "flush ruleset")

    def disguise(self) -> Path:
        """Makes the keys that the hostile mate uses, its own among them."""
        folder = self.world.scratch / "masks"
        hostile.Masks.new(folder, 8)
        mask = Mask.of(self.mallory, self.world.scratch)
        mask.key.with_suffix(".record").write_bytes(mask.person)
        self.key = mask.key
        MemberLog.save(self.mallory.node.home, mask.device, mask.key.with_suffix(".logs"))
        return folder

    def attack(self, masks: Path) -> None:
        """The hostile mate turns to another node, with another attack."""
        self.rest()
        name, victim = self.chance.choice(ATTACKS), self.chance.choice(self.honest)
        space = ""
        if name == "walks":
            victim = self.mate
            space = self.pair
        elif name in member.ATTACKS:
            circle = self.circle_of(self.mallory)
            victim = self.chance.choice([each for each in self.honest if each in circle.people])
            space = circle.group
        self.attacks[name] = self.attacks.get(name, 0) + 1
        self.attacker = hostile.begin(
            self.mallory.host, name, self.mallory.address, masks, (victim.address, PORT),
            seed=self.chance.randrange(1 << 30), mask=self.key, space=space)

    def rest(self) -> None:
        """Ends the attack."""
        if self.attacker:
            end_inside(self.attacker)
            self.attacker = None

    def sample(self) -> None:
        """Reads the memory and descriptors of each process."""
        for number, person in enumerate(self.honest):
            if number in self.away or not (pid := person.node.pid()):
                continue
            try:
                self.vitals.setdefault(number, []).append((time.monotonic(), Vitals.of(pid)))
            except (OSError, StopIteration):
                continue  # It ended meanwhile.

    # After

    def judge(self) -> None:
        """The network is whole, all come back, and all have everything that was acknowledged."""
        self.rest()
        self.mend_network()
        self.bring_back(float("inf"))
        broken = ", ".join(f"{count} × {kind}" for kind, count in sorted(self.faults.items()))
        self.story.tell(f"{self.noted} notes acknowledged, {self.refused} not; "
                        f"{self.kills} kills; {broken}")
        attacks = ", ".join(f"{count} × {name}" for name, count in sorted(self.attacks.items()))
        self.story.tell(f"{self.mallory.name} attacked with {attacks}")
        for circle in self.circles:
            self.compare(circle)
        self.sample()
        self.flat()
        self.small()
        self.story.claim("every node ends with exit code 0",
                         lambda: all(each.node.stop() == 0 for each in self.honest))

    def compare(self, circle: Circle) -> None:
        """All honest members of a group have the same, and every acknowledged note."""
        honest = [each for each in circle.people if each is not self.mallory]
        self.story.reached(
            f"all {len(honest)} come to one digest of their group", len(honest),
            lambda: self.agreeing(honest, circle), STALLED)
        all_equal(self.story, honest, circle.group)
        wanted = set(circle.acknowledged)
        self.story.claim(f"each of the {len(wanted)} acknowledged notes is at everybody",
                         lambda: all(wanted <= set(found) for found in of_each(
                             honest, lambda each: notes(each, circle.group))))

    def small(self) -> None:
        """Counts what the hostile member's batches take in each database."""
        device = Mask.of(self.mallory, self.world.scratch).device.hex()
        batches = max(int(sqlite(each.node.home, f"""
            SELECT count(*) FROM batch JOIN log ON log.number = batch.id >> 40
            WHERE log.device = x'{device}'""")[0]) for each in self.honest)
        mib = max(sum(file.stat().st_size for file in each.node.home.glob("replica.db*"))
                  for each in self.honest) / (1 << 20)
        self.story.claim(
            f"no node stores more than {batches} batches of {self.mallory.name}'s, "
            f"or {mib:.1f} MiB",
            lambda: batches <= HOSTILE_BATCHES_MAX and mib <= DATABASE_MIB_MAX)

    def agreeing(self, people: list[Person], circle: Circle) -> int:
        """The number of nodes with the most frequent digest of a group."""
        digests = of_each(people, lambda each: self.digest(each, circle))
        most = max(set(digests), key=digests.count)
        return digests.count(most) if most else 0

    def digest(self, person: Person, circle: Circle) -> str:
        """The digest of a group at a node."""
        spaces = person.node.get("status/show").get("spaces", [])
        return next((each["digest"] for each in spaces if each["id"] == circle.group), "")

    def flat(self) -> None:
        """Compares each process that lived long enough with itself when it had settled."""
        compared, most = 0, 0.0
        for number, samples in self.vitals.items():
            settled = [each for at, each in samples if at >= samples[0][0] + SETTLED_SECONDS]
            if len(settled) < 2:
                continue
            first, last = settled[0], settled[-1]
            compared += 1
            most = max(most, last.resident_mib)
            name = self.honest[number].name
            self.quietly(f"{name}: {first.resident_mib:.0f} MiB, then {last.resident_mib:.0f}",
                         lambda: last.resident_mib <= first.resident_mib * GROWTH_FACTOR + GROWTH_MIB)
            self.quietly(f"{name}: {first.descriptors} descriptors, then {last.descriptors}",
                         lambda: last.descriptors <= first.descriptors + GROWTH_DESCRIPTORS)
        self.story.claim(f"memory and descriptors of {compared} nodes are flat, {most:.0f} MiB at most",
                         lambda: compared > 0)


def soak(world: World, story: Story, minutes: float, seed: int) -> None:
    """Plays all of it."""
    run = Soak(world, story, random.Random(seed))
    run.begin()
    run.storm(60 * minutes)
    run.judge()
