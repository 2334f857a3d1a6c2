"""A node that joined a neighbourhood under the floods of strangers who joined it too, while a mate
and an honest stranger write posts there.
"""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

from lan import neighbour
from lan.flood import Answers, Vitals, address, quantile
from lan.network import Host
from lan.outside import connections, sqlite
from lan.people import DORA, Person, World
from lan.story import Story
from processes import end_inside, wait_until

# The attackers: seven of the eight strangers that a node links with, at most four of an address.
ATTACKS = ("many", "busy", "long", "pictures", "boast", "push", "seek")
PER_ADDRESS_MAX = 4
# The flood goes on until each attack has reached its limit, which takes longer on a busy machine.
# All attackers must have a link before, and the last honest posts may arrive after it.
LINKED_WITHIN_SECONDS, SECONDS, SECONDS_MAX, SETTLING_SECONDS = 20, 10, 45, 10
# The pause after each post of the mate and of the honest stranger, who write until the flood ends
# and may write as many a day as an attacker.
PAUSE_SECONDS = SECONDS_MAX / neighbour.DAY_POSTS_MAX
# Promises: how fast a post of the mate or of the honest stranger arrives, and how fast the node's
# local API answers.
ARRIVES_WITHIN_SECONDS, ANSWERS_WITHIN_SECONDS = 5.0, 1.0
# Rules: pieces and bytes that one link is asked for in a minute, a second's part of them, and the
# longest piece that may be beyond them.
PIECES_MAX, PIECES_PER_SECOND, BYTES_MAX = 600, 10, 4 << 20
PIECE_BYTES_MAX = 65_536
# A peer that says three times that it has content and sends none is not asked again.
SILENCES_MAX = 3
# Each attack must have had its effect: records and logs that were stored, logs over their day's
# allowance, links that were ended, content that was looked for and not sent.
RECORDS_MIN, LOGS_MIN, OVER_MIN, ENDED_MIN, SOUGHT_MIN = 1000, 200, 10, 2, 50
# What the flood may cost: memory, the node's files, and what is written to them and to links. Each
# piece is stored in a transaction of its own, whose pages go to the write-ahead log and from there
# to the database. Measured on two cores with 634 pieces: 16 MiB of memory, 27 MiB of files, and
# 517 MiB written, which is 0.8 MiB for each piece. The limits are four times, three times and twice
# as much.
GROWTH_MIB, FILES_MIB, WRITTEN_MIB_PER_PIECE = 64, 81, 1.6
# A day's allowance must not refill during the flood. The mate's posts and the stranger's settle one
# after the other, and the checks after that take some seconds.
BEFORE_MIDNIGHT_SECONDS = LINKED_WITHIN_SECONDS + SECONDS_MAX + 2 * SETTLING_SECONDS + 20
DAY_SECONDS = 86_400


def hood_flood(world: World, story: Story, villain: Host, masks: Path) -> None:
    """Plays the scene. Anna's node has ended before, and so have the attackers of others."""
    anna, ben = world.people[:2]
    story.scene("The same node in a neighbourhood, with strangers who joined it too")
    dora = join(world, story)
    left = DAY_SECONDS - time.time() % DAY_SECONDS
    if left < BEFORE_MIDNIGHT_SECONDS:
        time.sleep(left)
    pid = anna.node.pid()
    before, files, written = Vitals.of(pid), size(anna), written_mib(pid)
    waiting = Answers(anna)
    counts = [masks / f"{number}.counts" for number in range(len(ATTACKS))]
    target = (anna.address, anna.port)
    # The first link may be there long before the last one.
    began = time.monotonic()
    attackers = [
        neighbour.begin(villain, name, address(number // PER_ADDRESS_MAX),
                        masks / f"mask{number:03}.pem", counts[number], target)
        for number, name in enumerate(ATTACKS)]
    story.claim("all seven have a link", lambda: all(
        read(each).get("links") for each in counts), within=LINKED_WITHIN_SECONDS)
    story.tell(f"{len(attackers)} strangers attack the neighbourhood for {SECONDS} s at least")
    posts = {each: Posts(each, anna) for each in (ben, dora)}
    is_over = threading.Event()
    threads = [threading.Thread(target=work, args=(is_over.is_set,), daemon=True)
               for work in (posts[ben].write, posts[dora].write, waiting.ask)]
    for thread in threads:
        thread.start()
    peak, linked = before.resident_mib, time.monotonic()
    while time.monotonic() < linked + SECONDS or not (
            reached(anna, counts) or time.monotonic() > linked + SECONDS_MAX):
        peak = max(peak, Vitals.of(pid).resident_mib)
        time.sleep(0.5)
    is_over.set()
    for thread in threads:
        thread.join()
    arrive(story, posts[ben], posts[dora])
    limits(story, anna, counts, began)
    stored_only(story, anna, counts, sum(len(each.sent) for each in posts.values()))
    for each in attackers:
        end_inside(each)
    # Even of the fewest questions, 40, one may take longer.
    slow = quantile(sorted(waiting.seconds), 0.95)
    story.claim(f"the local API answered {len(waiting.seconds)} questions, 95 % within "
                f"{1000 * slow:.0f} ms", lambda: slow < ANSWERS_WITHIN_SECONDS)
    story.claim(f"memory: {before.resident_mib:.0f} MiB before, {peak:.0f} at most in the flood",
                lambda: peak <= before.resident_mib + GROWTH_MIB)
    grown, wrote = size(anna) - files, written_mib(pid) - written
    most = WRITTEN_MIB_PER_PIECE * sum(read(each)["pieces"] for each in counts)
    story.claim(f"its files grew by {grown:.0f} MiB, and it wrote {wrote:.0f} MiB, for "
                f"{most:.0f} at most", lambda: grown <= FILES_MIB and wrote <= most)
    kept(story, anna)
    story.claim("the node ends with exit code 0", lambda: anna.node.stop() == 0)


def join(world: World, story: Story) -> Person:
    """Anna's node starts again; Ben, a mate, and Dora, a stranger, join the same neighbourhood."""
    anna, ben = world.people[:2]
    dora = world.join(DORA)
    dora.host.start_discovery()
    dora.begin()
    dora.node.start()
    anna.node.start()
    dora.introduce()
    people = [anna, ben, dora]
    for each in people:
        each.node.post("neighbourhood/join", {"name": neighbour.NAME, "yes": True})
    story.claim("Anna, Ben, her mate, and Dora, a stranger, joined a neighbourhood", lambda: all(
        [found["name"] for found in each.node.get("neighbourhood/list")["neighbourhoods"]]
        == [neighbour.NAME] for each in people), within=5)
    story.claim("Anna is linked with both", lambda: (
        connections(anna.node, ben.node) and connections(anna.node, dora.node)), within=30)
    return dora


class Posts:
    """Posts of one person, and the seconds until another one's node finds them."""

    def __init__(self, writer: Person, reader: Person):
        self.writer, self.reader = writer, reader
        self.sent: dict[str, float] = {}
        self.arrived: dict[str, float] = {}

    def write(self, is_over: Callable[[], bool]) -> None:
        """Writes a post in each pause until it is over, and looks for those that have not
        arrived."""
        while not is_over() and len(self.sent) < neighbour.DAY_POSTS_MAX:
            title = f"{self.writer.name}{len(self.sent)}"
            self.sent[title] = time.monotonic()
            self.writer.node.post("posts/write", {"category": "question", "title": title})
            self.look(self.sent[title] + PAUSE_SECONDS)

    def look(self, until: float) -> bool:
        """Looks for posts until a time; returns whether all have arrived."""
        while True:
            for title in self.sent.keys() - self.arrived.keys():
                if self.reader.node.get(f"posts/search?text={title}").get("posts"):
                    self.arrived[title] = time.monotonic()
            if time.monotonic() >= until:
                return self.sent.keys() == self.arrived.keys()
            time.sleep(0.1)

    def slowest(self) -> float:
        """The longest time of a post; endless if one has not arrived."""
        return max(self.arrived.get(title, float("inf")) - sent
                   for title, sent in self.sent.items())


def arrive(story: Story, mate: Posts, stranger: Posts) -> None:
    """Checks that all honest posts have arrived."""
    for who, posts in (("mate", mate), ("stranger", stranger)):
        wait_until(lambda posts=posts: posts.look(0), SETTLING_SECONDS)
        story.claim(f"the {who}'s {len(posts.sent)} posts arrived, each within "
                    f"{posts.slowest():.1f} s", lambda posts=posts: (
                        len(posts.sent) >= SECONDS // PAUSE_SECONDS
                        and posts.slowest() < ARRIVES_WITHIN_SECONDS))


def reached(anna: Person, counts: list[Path]) -> bool:
    """Whether each attack has had its effect."""
    status, asked = anna.node.get("status/show"), attacks(counts)
    use = status["neighbourhoods"][0]
    return (use["records"] >= RECORDS_MIN and use["unknownLogs"] >= LOGS_MIN
            and len(status["overAllowance"]) >= OVER_MIN
            and asked["long"]["bytes"] >= BYTES_MAX and asked["push"]["links"] > ENDED_MIN
            and asked["pictures"]["sought"] >= SOUGHT_MIN and asked["pictures"]["wanted"] > 0
            and most_of_one(anna, "post") >= neighbour.DAY_POSTS_MAX
            and most_of_one(anna, "comment") >= neighbour.DAY_COMMENTS_MAX)


def limits(story: Story, anna: Person, counts: list[Path], began: float) -> None:
    """Checks that each attack reached its limit, and that the limit held since the first attacker
    began."""
    story.claim("each attack reached its limit", lambda: reached(anna, counts))
    asked = attacks(counts)
    seconds = time.monotonic() - began
    pieces, bytes_count = (max(each[what] for each in asked.values())
                           for what in ("pieces", "bytes"))
    story.claim(f"no attacker was asked for more than {pieces} pieces or {bytes_count >> 10} KiB",
                lambda: pieces <= PIECES_MAX + PIECES_PER_SECOND * seconds
                and bytes_count <= BYTES_MAX * (1 + seconds / 60) + 4 * PIECE_BYTES_MAX)
    status = anna.node.get("status/show")
    use = status["neighbourhoods"][0]
    story.claim(f"of them are stored {use['records']} records in {use['unknownLogs']} logs, "
                f"{use['bytes'] >> 10} KiB", lambda: (
                    use["records"] <= use["recordsMax"] and use["bytes"] <= use["bytesMax"]))
    story.tell(f"{len(status['overAllowance'])} logs are over their day's allowance")
    claimed = asked["pictures"]
    story.claim(f"an attacker that claimed {claimed['sought']} blobs was asked for "
                f"{claimed['wanted']}, one at a time",
                lambda: claimed["wanted"] <= SILENCES_MAX)
    story.tell(f"{asked['push']['unasked']} pieces were passed unasked and cost "
               f"{asked['push']['links'] - 1} links; {asked['boast']['offered']} logs were offered "
               f"that do not exist, and {asked['seek']['seeks']} blobs sought")


def stored_only(story: Story, anna: Person, counts: list[Path], written: int) -> None:
    """Checks that the node stores only batches that it asked for, beside those of honest posts."""
    stored = int(sqlite(anna.node.home, """
        SELECT count(*) FROM batch JOIN log ON log.number = batch.id >> 40
        JOIN space ON space.number = log.space WHERE space.kind = 'open'""")[0])
    # What was passed just before is counted a moment later.
    read_at = time.time()
    story.claim("all attackers count what they passed", lambda: all(
        each["at"] > read_at for each in attacks(counts).values()), within=SETTLING_SECONDS)
    passed = sum(each["pieces"] for each in attacks(counts).values())
    story.claim(f"{stored} batches are stored; attackers were asked for {passed}, and {written} are "
                "of honest posts", lambda: stored <= passed + written)


def attacks(counts: list[Path]) -> dict[str, dict]:
    """The counts of each attack."""
    return dict(zip(ATTACKS, map(read, counts)))


def kept(story: Story, anna: Person) -> None:
    """Checks what is stored of one author."""
    for what, most in (("post", neighbour.DAY_POSTS_MAX), ("comment", neighbour.DAY_COMMENTS_MAX)):
        story.equal(f"the most {what}s of one author", most_of_one(anna, what), most)
    most = int(sqlite(anna.node.home, """
        SELECT max(bytes) FROM (SELECT sum(length(batch.body) + 160) AS bytes
        FROM batch JOIN log ON log.number = batch.id >> 40
        JOIN space ON space.number = log.space WHERE space.kind = 'open'
        GROUP BY log.device)""")[0])
    story.claim(f"nobody has more than {most} bytes there",
                lambda: neighbour.LONG_BYTES < most <= neighbour.DAY_BYTES_MAX)


def most_of_one(person: Person, what: str) -> int:
    """The most posts, or comments, that a node has of one author."""
    rows = sqlite(person.node.home, f"""
        SELECT count(*) FROM posts_{what} GROUP BY creator ORDER BY count(*) DESC LIMIT 1""")
    return int(rows[0]) if rows else 0


def read(counts: Path) -> dict:
    """The counts of an attacker; empty until it has begun."""
    return json.loads(counts.read_text()) if counts.exists() else {}


def size(person: Person) -> float:
    """The size of a home's files, in MiB."""
    return sum(map(length, person.node.home.rglob("*"))) / (1 << 20)


def length(file: Path) -> int:
    """The bytes of a file; 0 if it is none, or was removed meanwhile."""
    try:
        return file.stat().st_size if file.is_file() else 0
    except FileNotFoundError:
        return 0


def written_mib(pid: int) -> float:
    """What a process has written to files and links, in MiB."""
    rows = Path(f"/proc/{pid}/io").read_text().splitlines()
    return int(next(row for row in rows if row.startswith("wchar:")).split()[1]) / (1 << 20)
