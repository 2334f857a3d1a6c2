"""A second device of Anna's that she removes: it gets nothing more, and what it wrote stays, also on a
node that meets her later."""

import subprocess

from waggle import Node
from lan.outside import sqlite
from lan.people import Person, World
from lan.recovered import typed
from lan.scenes import both_equal
from lan.story import Story

# What Anna writes on the device, and after its removal on the other one.
BEFORE, AFTER = "From my tablet", "It is gone now"


def removed(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = world.anna, world.ben
    before = devices_count(anna.node)
    tablet = second_device(world, story, anna, ben)
    story.claim("both of her devices list it", lambda: all(
        devices_count(each) == before + 1 for each in (anna.node, tablet)), within=20)
    write(story, ben, anna, tablet)
    remove(story, anna, ben, tablet, before)
    meet_later(world, story, anna, ben)
    tablet.stop()


def second_device(world: World, story: Story, anna: Person, ben: Person) -> Node:
    """Anna's words make a tablet hers."""
    host = world.lan.add("tablet")
    host.start_discovery()
    tablet = Node("Anna's tablet", anna.node.binary, world.scratch / "tablet", host)
    typed(tablet, anna.words)
    tablet.start()
    comes_back(story, "the tablet", tablet)
    story.claim("Anna has a second device, with Ben as its mate", lambda: (
        tablet.person == anna.person and any(
            mate["person"] == ben.person and mate["state"] == "mate"
            for mate in tablet.get("mates/list")["mates"])), within=60)
    return tablet


def devices_count(node: Node) -> int:
    """The number of devices that a node lists."""
    return len(node.get("device/list")["devices"])


def messages(node: Node) -> list[str]:
    """The messages in a node's file, found by sqlite3."""
    return sorted(set(sqlite(node.home, "SELECT text FROM chat_message")) & {BEFORE, AFTER})


def comes_back(story: Story, name: str, device: Node) -> None:
    """A device learns from another one whose words it has; before, it has no database."""
    story.claim(f"{name} knows its person, from another device", lambda: (
        len(device.get("recovery/show").get("sources", [])) > 0), within=60)


def write(story: Story, ben: Person, anna: Person, tablet: Node) -> None:
    """She writes on the tablet, and all have it."""
    if story.does("removed-write"):
        tablet.cli("chat", "send", ben.person, BEFORE)
    story.claim("what she writes on it is on her other device and on Ben's", lambda: all(
        messages(node) == [BEFORE] for node in (tablet, anna.node, ben.node)), within=20)


def remove(story: Story, anna: Person, ben: Person, tablet: Node, before: int) -> None:
    """She removes it, on the other device."""
    lost = tablet.device
    refused = subprocess.run(
        anna.node.command_line.line("device", "remove", lost, "--yes", as_json=False),
        capture_output=True, text=True, timeout=30)
    story.claim("a device that her words added is not removed without them", lambda: (
        refused.returncode != 0 and "recovery words" in refused.stderr))
    if story.does("removed-remove"):
        subprocess.run(
            anna.node.command_line.line("device", "remove", lost, "--yes", "--words", "-"),
            input=" ".join(anna.words) + "\n", check=True, capture_output=True, text=True, timeout=30)
    story.claim("her other device lists it no longer", lambda: (
        devices_count(anna.node) == before))
    story.claim("the tablet says that it was removed", lambda: (
        "was removed" in tablet.get("status/show").get("unsettled", "")), within=30)
    anna.node.cli("chat", "send", ben.person, AFTER)
    story.claim("Ben gets what she writes now", lambda: (
        messages(ben.node) == sorted([BEFORE, AFTER])), within=20)
    story.claim("the tablet has no link, and got nothing of it", lambda: (
        not tablet.get("status/show")["links"] and messages(tablet) == [BEFORE]))
    story.claim("and it still reads what it had", lambda: any(
        message["text"] == BEFORE
        for message in tablet.get(f"chat/page?room={ben.person}")["messages"]))


def meet_later(world: World, story: Story, anna: Person, ben: Person) -> None:
    """A new device of Ben's, which was not there, gets the past of the tablet from Anna."""
    ben.node.stop()
    host = world.lan.add("ben2")
    host.start_discovery()
    fresh = Node("Ben's new device", ben.node.binary, world.scratch / "ben2", host)
    typed(fresh, ben.words)
    fresh.start()
    comes_back(story, "his new device", fresh)
    story.claim("a node that meets Anna later has what the tablet wrote", lambda: (
        messages(fresh) == sorted([BEFORE, AFTER])), within=60)
    fresh.stop()
    ben.node.start()
    both_equal(story, anna, ben, within=30)
