"""A node under every flood at once, while two mates chat with it."""

import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lan import hostile
from lan.group import meet
from lan.network import IDLE, Host
from lan.outside import sqlite
from lan.people import Person, World
from lan.story import Story
from processes import die_with_parent, end_inside, wait_until

# How many addresses attack, each with one attack, and how many announcements they make.
ATTACKERS, MASKS, ANNOUNCEMENTS = 32, 64, 1024
FIRST_ADDRESS = 100
# The pause between two messages of one mate, in seconds.
PAUSE_SECONDS = 0.5
# The promises to the two mates and to the person at the node.
ARRIVES_WITHIN_SECONDS = 1.0
# How much more memory and how many more descriptors the node may use in the flood: 64 waiting
# strangers, 64 dials, 8 links, and as many sockets again that are just being closed.
GROWTH_MIB, GROWTH_DESCRIPTORS = 96, 192
# How long messages may still arrive after the flood before they count as lost, in seconds.
SETTLING_SECONDS = 10
# The first seconds of the flood, in which buffers are filled for the first time.
WARM_UP_SECONDS = 20
# How much more memory the node may keep in the last third of the samples than in the middle one.
# The least of each third is compared: buffers come and go, and what a node leaks stays. A leak of
# 0.1 MiB per second, which was seen once, makes the two differ by 19 MiB in a flood of ten minutes.
# In a flood of one minute a third has only 13 samples. In six such floods of a node without a leak, the
# last third was 14 MiB lower to 8 MiB higher; three times that spread are allowed there.
FLAT_MIB, SHORT_FLAT_MIB, LONG_SECONDS = 8, 24, 300
LEAK_MIB_PER_SECOND, LEAK_SECONDS = 0.1, 600


@dataclass
class Vitals:
    """The memory, descriptors and processor time of a process, read from /proc."""

    resident_mib: float
    descriptors: int
    cpu_seconds: float

    @classmethod
    def of(cls, pid: int) -> "Vitals":
        """Reads those of a process."""
        status = Path(f"/proc/{pid}/status").read_text()
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return cls(int(resident.split()[1]) / 1024, len(list(Path(f"/proc/{pid}/fd").iterdir())),
                   (int(times[11]) + int(times[12])) / 100)


@dataclass
class Talk:
    """Messages from one person to another: when each was sent, and when it had arrived."""

    sender: Person
    receiver: Person
    # The people's keys, asked for before the flood.
    keys: tuple[str, str] = field(init=False)
    sent: dict[str, float] = field(default_factory=dict)
    arrived: dict[str, float] = field(default_factory=dict)
    refused: int = 0

    def __post_init__(self) -> None:
        self.keys = self.sender.person, self.receiver.person

    def say(self, until: float) -> None:
        """Sends a message every half second."""
        to, number = self.keys[1], 0
        while time.monotonic() < until:
            number += 1
            text = f"{self.sender.name} {number}"
            self.sent[text] = time.monotonic()
            if "error" in self.sender.node.post("chat/send", {"room": to, "text": text}):
                self.refused += 1
            time.sleep(PAUSE_SECONDS)

    def listen(self, until: float) -> None:
        """Reads each new message from the receiver's node as its events say so."""
        sender = self.keys[0]
        for topic, _ in self.receiver.node.api.events(quiet_seconds_max=SETTLING_SECONDS):
            if time.monotonic() > until + SETTLING_SECONDS:
                return
            if topic != "chat":
                continue
            now = time.monotonic()
            page = self.receiver.node.get(f"chat/page?room={sender}&limit=20")
            for message in page.get("messages", []):
                self.arrived.setdefault(message["text"], now)

    def delays(self) -> list[float]:
        """The seconds from sending to arrival; endless for a message that has not arrived."""
        return [self.arrived.get(text, float("inf")) - sent for text, sent in self.sent.items()]


def flood(world: World, story: Story, seconds: int) -> tuple[Host, Path]:
    """Plays the scene.

    Returns the attackers' host, whose attackers have ended, and the folder of their masks.
    """
    anna, ben, cleo = world.people[:3]
    begin(world, story)
    masks = world.scratch / "masks"
    story.tell(f"{MASKS} keys and records are made for the attackers")
    hostile.Masks.new(masks, MASKS)
    villain = villains(world)
    pid = anna.node.pid()
    own_before, told_before, before = own_batches(anna), told(anna), Vitals.of(pid)
    rooms_before = items(anna, "chat")
    waiting = Answers(anna)
    talks = [Talk(ben, anna), Talk(anna, ben), Talk(cleo, anna), Talk(anna, cleo)]
    attackers = attack(world, villain, masks, anna)
    announcing = imitate(story, world, villain, ben)
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=work, args=(until,), daemon=True)
               for talk in talks for work in (talk.listen, talk.say)]
    threads.append(threading.Thread(
        target=waiting.ask, args=(lambda: time.monotonic() >= until,), daemon=True))
    for thread in threads:
        thread.start()
    story.tell(f"{len(attackers)} addresses attack Anna's node for {seconds} s, and {ANNOUNCEMENTS} "
               "announcements imitate Ben")
    samples = sampled(pid, until)
    for each in [*attackers, announcing]:
        end_inside(each)
    judge(story, anna, talks, waiting)
    used(story, before, samples, seconds)
    wanted = sum(len(talk.sent) for talk in talks if talk.sender is anna)
    wanted += len(items(anna, "chat")) - len(rooms_before)
    story.equal("the node wrote one batch for each of Anna's messages and for each mate in her "
                "inbox, and none for a stranger", own_batches(anna) - own_before, wanted)
    story.equal("no stranger is stored", strangers(anna, world.people), [])
    story.equal("the node told Anna nothing on a stranger's word", told(anna), told_before)
    story.claim("of all the drops that strangers offer it shows one at most",
                lambda: len(items(anna, "drop")) <= 1)
    wait_until(lambda: Vitals.of(pid).descriptors <= before.descriptors + 16, 60)
    story.claim("a minute later the descriptors are what they were",
                lambda: Vitals.of(pid).descriptors <= before.descriptors + 16)
    story.claim("the node ends with exit code 0", lambda: anna.node.stop() == 0)
    return villain, masks


def begin(world: World, story: Story) -> None:
    """Three nodes, found by Avahi; Anna becomes a mate of the other two."""
    for person in world.people:
        person.host.start_discovery()
        person.begin()
        person.node.start()
        person.introduce()
    for friend in world.people[1:]:
        meet(story, world.anna, friend)


def villains(world: World) -> Host:
    """The attackers' host, with all their addresses."""
    host = world.lan.add("villain")
    for number in range(ATTACKERS):
        host.run("ip", "address", "add", f"{address(number)}/24", "dev", "eth0")
    host.start_discovery(idle=True)
    return host


def address(number: int) -> str:
    """The address of an attacker."""
    return f"10.77.0.{FIRST_ADDRESS + number}"


def attack(world: World, host: Host, masks: Path, victim: Person) -> list[subprocess.Popen]:
    """Starts all attackers, every attack about equally often."""
    names = list(hostile.ATTACKS)
    return [hostile.begin(host, names[number % len(names)], address(number), masks,
                          (victim.address, victim.port), seed=number)
            for number in range(ATTACKERS)]


def imitate(story: Story, world: World, host: Host, mate: Person) -> subprocess.Popen:
    """Repeats the tag that a mate announces, with many names and addresses."""
    tag = story.claim(f"{mate.name}'s tag can be read from the announcement",
                      lambda: announced_tag(host, mate), within=15)
    addresses = [address(number) for number in range(150)]
    return subprocess.Popen(
        host.enter(*IDLE, "/usr/bin/python3",
                   str(Path(__file__).with_name("announcer.py")), tag, str(ANNOUNCEMENTS),
                   *addresses),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=die_with_parent())


def announced_tag(host: Host, person: Person) -> str | None:
    """The tag that a person's host announces, as any host can read it."""
    rows = host.run("avahi-browse", "--terminate", "--resolve", "--parsable", "_waggle._tcp")
    for row in rows.splitlines():
        fields = row.split(";")
        if fields[0] == "=" and fields[7] == person.address:
            return fields[3].removeprefix("waggle-")[:16]
    return None


class Answers:
    """The time of the local API until an answer."""

    def __init__(self, person: Person):
        self.person = person
        self.seconds: list[float] = []

    def ask(self, is_over: Callable[[], bool]) -> None:
        """Asks four times a second until it is over."""
        while not is_over():
            asked = time.monotonic()
            if self.person.node.get("status/show"):
                self.seconds.append(time.monotonic() - asked)
            else:
                self.seconds.append(float("inf"))
            time.sleep(0.25)


def sampled(pid: int, until: float) -> list[Vitals]:
    """Reads the vitals every second."""
    samples = []
    while time.monotonic() < until:
        samples.append(Vitals.of(pid))
        time.sleep(1)
    return samples


def judge(story: Story, anna: Person, talks: list[Talk], waiting: Answers) -> None:
    """Checks that each message arrived in time, and that the API answered."""
    story.claim("no message was refused", lambda: not any(talk.refused for talk in talks))
    wait_until(lambda: all(set(talk.sent) <= set(talk.arrived) for talk in talks), SETTLING_SECONDS)
    delays = sorted(delay for talk in talks for delay in talk.delays())
    late = quantile(delays, 0.99)
    if late >= ARRIVES_WITHIN_SECONDS:
        report_slowest(story, talks)
    story.claim(f"{len(delays)} messages arrived, half within {1000 * quantile(delays, 0.5):.0f} ms "
                f"and 99 % within {1000 * late:.0f} ms", lambda: late < ARRIVES_WITHIN_SECONDS)
    asked = sorted(waiting.seconds)
    slow = quantile(asked, 0.99)
    story.claim(f"{len(asked)} questions to the local API were answered, half within "
                f"{1000 * quantile(asked, 0.5):.0f} ms and 99 % within {1000 * slow:.0f} ms",
                lambda: slow < ARRIVES_WITHIN_SECONDS)


def report_slowest(story: Story, talks: list[Talk]) -> None:
    """Names the messages that took longest, in the order in which they were sent."""
    first = min(sent for talk in talks for sent in talk.sent.values())
    slowest = sorted(((delay, sent - first, text, talk) for talk in talks
                      for (text, sent), delay in zip(talk.sent.items(), talk.delays())),
                     key=lambda each: each[0])[-20:]
    for delay, sent, text, talk in sorted(slowest, key=lambda each: each[1]):
        story.tell(f"sent at {sent:.1f} s: \"{text}\" to {talk.receiver.name} took {delay:.1f} s")


def quantile(values: list[float], share: float) -> float:
    """The smallest value that is not below this share of the sorted values."""
    return values[min(len(values) - 1, int(share * len(values)))]


def used(story: Story, before: Vitals, samples: list[Vitals], seconds: int) -> None:
    """Checks that memory and descriptors stay flat, and reports the processor."""
    late = samples[WARM_UP_SECONDS:] or samples
    most = max(each.resident_mib for each in late)
    story.claim(f"memory: {before.resident_mib:.0f} MiB before, {most:.0f} at most in the flood",
                lambda: most <= before.resident_mib + GROWTH_MIB)
    flat = FLAT_MIB if seconds >= LONG_SECONDS else SHORT_FLAT_MIB
    middle, last = thirds([each.resident_mib for each in late])
    story.claim(f"it is flat: at least {middle:.0f} MiB in the middle third, {last:.0f} in the last",
                lambda: last <= middle + flat)
    leak = thirds([LEAK_MIB_PER_SECOND * second for second in range(LEAK_SECONDS)])
    story.claim(f"control: {LEAK_SECONDS} s with a leak of {LEAK_MIB_PER_SECOND} MiB per second "
                "are not flat", lambda: leak[1] > leak[0] + FLAT_MIB)
    most = max(each.descriptors for each in samples)
    story.claim(f"descriptors: {before.descriptors} before, {most} at most in the flood",
                lambda: most <= before.descriptors + GROWTH_DESCRIPTORS)
    share = (samples[-1].cpu_seconds - samples[0].cpu_seconds) / max(1, seconds)
    story.tell(f"the node used {100 * share:.0f} % of a processor")


def thirds(values: list[float]) -> tuple[float, float]:
    """The least values of the middle third and of the last third."""
    third = len(values) // 3
    return min(values[third:2 * third] or values), min(values[2 * third:])


def own_batches(person: Person) -> int:
    """The number of batches that a node has written."""
    return int(sqlite(person.node.home, f"""
        SELECT count(*) FROM batch JOIN log ON log.number = batch.id >> 40
        WHERE log.device = x'{person.device}'""")[0])


def strangers(person: Person, known: list[Person]) -> list[str]:
    """The people in a node's file except the known ones."""
    keys = ", ".join(f"x'{each.person}'" for each in known)
    return sqlite(person.node.home, f"SELECT hex(person) FROM person WHERE person NOT IN ({keys})")


def told(person: Person) -> list[str]:
    """The things that a node has told its person: its notices, and its inbox without messages and
    without the drop that is offered now."""
    notices = person.node.get("status/show").get("notices", [])
    return [item["id"] for item in inbox(person) if item["kind"] not in ("chat", "drop")] + [
        notice["text"] for notice in notices]


def items(person: Person, kind: str) -> list[str]:
    """The inbox items of a kind."""
    return [item["id"] for item in inbox(person) if item["kind"] == kind]


def inbox(person: Person) -> list[dict]:
    """The items of a person's inbox."""
    return person.node.get("inbox/list").get("items", [])
