"""Many people on one LAN: every node can find every other, and none links with all of them."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from processes import grows_to
from lan.outside import plain
from lan.people import Person, World
from lan.scenes import Scene, connections, drop
from lan.story import Story

# From so many hosts on only this scene is played.
HOSTS_MIN = 12
# Rule: the maximum number of links with people who are not mates.
STRANGERS_MAX = 8
# How many hosts are switched on at a time: as in life, not all at the same instant.
ARRIVING = 3
# Waiting fails after so many seconds without progress.
STALLED = 60
# How often the links are counted, and the pause between two counts.
COUNTS, PAUSE_SECONDS = 10, 1


def linked_hosts(person: Person) -> set[str]:
    """The addresses of other hosts to which `ss` shows a connection."""
    rows = person.host.run("ss", "-Htn", "state", "established").splitlines()
    ends = {plain(row.split()[-1])[0] for row in rows}
    return ends - {"127.0.0.1", "::1"} - person.host.addresses()


def crowd(world: World, story: Story) -> None:
    """Everyone arrives; links stay few; two people who press Drop still meet."""
    everybody, count = world.people, len(world.people)

    for first in range(0, count, ARRIVING):
        arrive(everybody[first:first + ARRIVING])
    story.claim(f"all {count} nodes answer on their sockets",
                lambda: all(of_each(everybody, answers)))
    of_each(everybody, Person.introduce)
    story.reached(
        f"every host's Avahi shows the announcements of all {count}, linked or not",
        count * count, lambda: sum(of_each(everybody, announcements)), STALLED)
    story.reached("everybody has a link to somebody", count,
                  lambda: sum(of_each(everybody, lambda each: bool(linked_hosts(each)))), STALLED)
    most, least, links = counted(everybody)
    story.claim(f"ss shows links with at most {most} other hosts at each, never over {STRANGERS_MAX}",
                lambda: most <= STRANGERS_MAX)
    story.claim(f"and with {least} at least", lambda: least >= 1)
    story.claim(f"{links} links in all; a full mesh has {count * (count - 1) // 2}",
                lambda: links <= count * STRANGERS_MAX // 2)
    drop(world, story)
    most, _, _ = counted(everybody)
    story.claim(f"with a mate beside them nobody has over {STRANGERS_MAX + 1} links: {most} at most",
                lambda: most <= STRANGERS_MAX + 1)
    world.anna.node.cli("me", "edit", "--nickname", "Annika")
    story.claim("a mate's edit arrives by itself in the crowd too", lambda: world.ben.mate(
        world.anna.person)["profile"]["nickname"] == "Annika", within=10)
    story.claim("the two have one connection",
                lambda: connections(world.anna.node, world.ben.node) == 1, within=5)


def arrive(people: list[Person]) -> None:
    """Hosts are switched on: their daemons, their identities, their nodes."""
    of_each(people, lambda each: (each.host.start_discovery(), each.begin()))
    # The kernel ends a node with the thread that launched it, so no thread of a pool may do that.
    for person in people:
        person.node.launch()
    if not grows_to(len(people), lambda: sum(of_each(people, answers)), STALLED):
        silent = next(person for person in people if not answers(person))
        raise RuntimeError(f"{silent.name}'s node does not answer: {silent.node.last_words()}")


def answers(person: Person) -> bool:
    """Whether a person's node answers on its socket."""
    return person.node.answers()


def of_each(people: list[Person], ask) -> list:
    """The answers of all people to a question, several asked at a time."""
    with ThreadPoolExecutor((os.cpu_count() or 2) + 2) as pool:
        return list(pool.map(ask, people))


def announcements(person: Person) -> int:
    """The number of nodes' announcements that the host's own Avahi shows, with its own."""
    rows = person.host.run("avahi-browse", "--terminate", "--parsable", "_waggle._tcp").splitlines()
    return len({row.split(";")[3] for row in rows if row.startswith("+")})


def counted(people: list[Person]) -> tuple[int, int, int]:
    """Counts every host's links several times: the most and the fewest at one host, and half of the
    last sum, since each link has two ends. A host without room closes a new connection at once, so
    only a connection that two counts in a row show is a link."""
    most, links, before = 0, [], of_each(people, linked_hosts)
    for _ in range(COUNTS):
        time.sleep(PAUSE_SECONDS)
        now = of_each(people, linked_hosts)
        links = [len(one & other) for one, other in zip(before, now)]
        most, before = max(most, *links), now
    return most, min(links), sum(links) // 2


CROWD = Scene("crowd", "Many people on one LAN", crowd)
