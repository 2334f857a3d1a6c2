"""Trials on a LAN: four faults of links, and a crowd of people who look; each on separate hosts."""

import re
from typing import Callable

from lan.looking import looking
from lan.outside import connections
from lan.people import Person, World
from lan.scenes import both_equal, drop, found, together
from lan.story import Story

LINK_LOCAL = re.compile(r"\[fe80::[0-9a-f:]+%eth0\]:\d+")


def partition(world: World, story: Story) -> None:
    """A partition: both continue alone, and when it ends they are equal and have one link."""
    meet(world, story)
    anna, ben = world.anna, world.ben
    for round_number in (1, 2):
        ben.host.link_down()
        story.claim(f"partition {round_number}: the cable is out",
                    lambda: not ben.host.has_carrier(), within=3)
        for who in (anna, ben):
            who.node.cli("me", "edit", "--dog-name", f"{who.character.dog} {round_number}")
        story.claim("neither knows of the other's edit", lambda: (
            anna.mate(ben.person)["profile"]["dogName"],
            ben.mate(anna.person)["profile"]["dogName"],
        ) != (f"Bruno {round_number}", f"Ada {round_number}"))
        if round_number == 2:
            story.claim("after a while both notice that the link is gone", lambda: not (
                anna.node.get("status/show")["links"] or ben.node.get("status/show")["links"]),
                within=90)
        ben.host.link_up()
        story.claim("the cable is in, and both edits have arrived", lambda: (
            anna.mate(ben.person)["profile"]["dogName"],
            ben.mate(anna.person)["profile"]["dogName"],
        ) == (f"Bruno {round_number}", f"Ada {round_number}"), within=60)
    both_equal(story, anna, ben, within=15)
    one_link(story, anna, ben)


def dial(world: World, story: Story) -> None:
    """Both dial at the same moment: one link stays, and both agree on who dialled it."""
    anna, ben = world.anna, world.ben
    for person in (anna, ben):
        person.begin()
        person.node.options = ["--no-avahi"]
        person.node.start()
    for attempt in range(1, 6):
        addresses = [f"{each.address}:{each.port}" for each in (anna, ben)]
        together(lambda: anna.node.cli("peer", "add", addresses[1]),
                 lambda: ben.node.cli("peer", "add", addresses[0]))
        one_link(story, anna, ben, f"attempt {attempt}: ")
        lower, higher = sorted((anna, ben), key=lambda each: each.device)
        story.claim("both agree on who dialled", lambda: (
            [link["direction"] for link in lower.node.get("status/show")["links"]],
            [link["direction"] for link in higher.node.get("status/show")["links"]],
        ) in ((["out"], ["in"]), (["in"], ["out"])))
        for person, address in zip((anna, ben), reversed(addresses)):
            person.node.cli("peer", "remove", address)
        for person in (anna, ben):
            person.node.stop()
            person.node.start()


def restart(world: World, story: Story) -> None:
    """A node is killed and starts again: the link of its new boot replaces the old one."""
    meet(world, story)
    anna, ben = world.anna, world.ben
    ben_device = ben.device
    for attempt in (1, 2, 3):
        since = link_to(anna, ben_device)["sinceMs"]
        ben.node.kill()
        ben.node.start()
        story.claim(
            f"restart {attempt}: Anna has a newer link to the same device", lambda: (
                link_to(anna, ben_device) or {"sinceMs": 0})["sinceMs"] > since, within=30)
        one_link(story, anna, ben)
    both_equal(story, anna, ben, within=15)


def link_local(world: World, story: Story) -> None:
    """The hosts have only the link-local addresses they chose, and find each other."""
    anna, ben = world.anna, world.ben
    for person in (anna, ben):
        person.host.forget_ipv4()
        story.claim(f"{person.name}'s host has one address, a link-local one", lambda: [
            address[:6] for address in person.host.addresses()] == ["fe80::"])
    meet(world, story)
    for one, other in ((anna, ben), (ben, anna)):
        address = link_to(one, other.device)["address"]
        story.claim(f"{one.name} is linked to {other.name}'s host at {address}",
                    lambda: LINK_LOCAL.fullmatch(address)
                    and address[1:].partition("%")[0] in other.host.addresses())
    one_link(story, anna, ben)


TRIALS: dict[str, Callable[[World, Story], None]] = {
    "partition": partition, "dial": dial, "restart": restart, "link-local": link_local,
    "looking": looking,
}


def meet(world: World, story: Story) -> None:
    """Lets the two become mates."""
    found(world, story)
    drop(world, story)


def link_to(person: Person, device: str) -> dict | None:
    """A node's entry for its link to a device."""
    links = person.node.get("status/show").get("links", [])
    return next((link for link in links if link["device"] == device), None)


def one_link(story: Story, anna: Person, ben: Person, prefix: str = "") -> None:
    """Claims that both nodes and ss agree on one link."""
    story.claim(prefix + "each has one link, and ss shows one connection", lambda: (
        len(anna.node.get("status/show")["links"]),
        len(ben.node.get("status/show")["links"]),
        connections(anna.node, ben.node)) == (1, 1, 1), within=20)
