"""Three devices of one person on three hosts: two join by a code and have every photo, the LAN is
split twice, and in the end all three have the same rows, and mates see one person."""

import json
import subprocess
from pathlib import Path

from waggle import Node
from lan.bad_photos import ask, png, rows as pixels
from lan.outside import dump, sqlite
from lan.people import Person, World
from lan.story import Story

# What the devices write while they are apart: on each side of the two splits.
FIRST = {"anna": "Written at home", "phone": "Written on the way"}
# The widths of the photos that Anna sends before the others join.
PHOTO_SIDES = range(300, 312)
HASH_DIGITS = 64
SECOND = {"phone": "Written by the river", "watch": "Written on the hill"}


class Device:
    """Another device of a person, on a host of its own."""

    def __init__(self, world: World, owner: Person, name: str):
        self.name = name
        self.host = world.lan.add(name)
        self.host.start_discovery()
        self.node = Node(name, owner.node.binary, world.scratch / name, self.host)

    @property
    def home(self) -> Path:
        """The home of its node."""
        return self.node.home


def devices(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = world.anna, world.ben
    person = anna.person
    phone, watch = Device(world, anna, "phone"), Device(world, anna, "watch")
    world.extra_nodes += [phone.node, watch.node]
    refuse_wrong_codes(story, phone)
    send_photos(world, story, anna, ben)
    join(story, anna, phone, person)
    join(story, anna, watch, person)
    all_equal(story, [anna.node, phone.node, watch.node], person, "after they joined")
    split(world, story, anna, ben, phone, watch)
    split_again(world, story, anna, ben, phone, watch)
    one_person(story, anna, ben, phone, watch)


def shown_code(node: Node) -> tuple[subprocess.Popen, list[str]]:
    """Runs `waggle device add` and returns it with the words of its first line of JSON."""
    adding = subprocess.Popen(node.command_line.line("device", "add"), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    return adding, json.loads(adding.stdout.readline())["words"]


def init(node: Node, code: str) -> subprocess.CompletedProcess:
    """Runs `waggle init --join CODE`."""
    return subprocess.run(node.command_line.line("init", "--join", code, as_json=False),
                          capture_output=True, text=True, timeout=30)


def refuse_wrong_codes(story: Story, phone: Device) -> None:
    """A code that cannot be one is refused by its place, or by the check."""
    misspelt = init(phone.node, "lusab-babad-xxxxx-tugad-mudof-sakat")
    story.claim("a word that cannot be one is named by its place", lambda: (
        misspelt.returncode == 2 and "Word 3" in misspelt.stderr))
    story.claim("and a code with a wrong check is refused", lambda: (
        init(phone.node, "lusab-babad-gutih-tugad-mudof-lusab").returncode == 2))


def photos(node: Node) -> set[str]:
    """The names of the files with content in a home, which are their hashes."""
    files = (node.home / "blobs").glob("*/*")
    return {path.name for path in files if len(path.name) == HASH_DIGITS}


def send_photos(world: World, story: Story, anna: Person, ben: Person) -> None:
    """Anna sends Ben photos, at which he does not look."""
    worker = world.binary.with_name("waggle-photo")
    for side in PHOTO_SIDES if story.does("device-photo") else []:
        picture = world.scratch / f"pond-{side}.jpg"
        picture.write_bytes(ask(worker, png(side, side, pixels(side, side))).picture())
        anna.node.cli("chat", "send", ben.person, "Look", "--photo", str(picture))
    story.claim(f"Anna has {len(PHOTO_SIDES)} photos, and no other host has one", lambda: (
        len(photos(anna.node)) == len(PHOTO_SIDES)
        and not photos(anna.node) & photos(ben.node)))


def join(story: Story, anna: Person, device: Device, person: str) -> None:
    """Anna's first device shows a code, and the other one joins by it."""
    adding, words = shown_code(anna.node)
    if story.does("device-join"):
        init(device.node, "-".join(words))
        device.node.start()
    story.claim(f"the {device.name} belongs to Anna, and has received everything", lambda: (
        device.node.get("device/pairing").get("stage") == "complete"
        and device.node.person == person), within=60)
    story.equal("every photo of hers too, when it says so", photos(device.node),
                photos(anna.node))
    story.claim("the code is on its disk no longer", lambda: (
        not (device.home / "recovering").exists()))
    story.claim("'waggle device add' has ended, with the same check code", lambda: (
        adding.wait(timeout=10) == 0
        and anna.node.get("device/pairing").get("checkCode") is not None))
    again = anna.node.get("status/show")
    story.claim("under a device key of its own", lambda: device.node.device != again["device"])


def rows(node: Node) -> list[str]:
    """All rows of a node's file, in portable columns."""
    return dump(node.home, sqlite(node.home, "SELECT hex(id) FROM space"))


def all_equal(story: Story, nodes: list[Node], person: str, when: str) -> None:
    """Compares the rows of all spaces of the person's devices."""
    def equal() -> int:
        dumps = [rows(node) for node in nodes]
        return len(dumps[0]) if all(each == dumps[0] for each in dumps) else 0
    story.claim(f"sqlite3 finds the same rows in all {len(nodes)} files {when}", equal, within=60)


def say(node: Node, ben: Person, text: str, story: Story, step: str) -> None:
    """Writes a message to Ben."""
    if story.does(step):
        node.cli("chat", "send", ben.person, text)


def messages(node: Node, person: str) -> list[str]:
    """The texts of a chat."""
    return [each["text"] for each in node.get(f"chat/page?room={person}")["messages"]]


def split(world: World, story: Story, anna: Person, ben: Person, phone: Device,
          watch: Device) -> None:
    """The phone is away with Ben, while Anna's first device and the watch stay."""
    world.lan.split([phone.host, ben.host])
    say(anna.node, ben, FIRST["anna"], story, "device-write")
    say(phone.node, ben, FIRST["phone"], story, "device-write")
    story.claim("apart, Ben has what the phone wrote, and not what was written at home", lambda: (
        FIRST["phone"] in messages(ben.node, anna.person)
        and FIRST["anna"] not in messages(ben.node, anna.person)), within=30)
    if story.does("device-heal"):
        world.lan.heal()
    story.claim("together again, Ben has both", lambda: set(FIRST.values()) <= set(
        messages(ben.node, anna.person)), within=60)
    all_equal(story, [anna.node, phone.node, watch.node], anna.person, "after the first split")


def split_again(world: World, story: Story, anna: Person, ben: Person, phone: Device,
                watch: Device) -> None:
    """The watch is away, and the phone and it write to the same chat."""
    world.lan.split([watch.host])
    say(phone.node, ben, SECOND["phone"], story, "device-write")
    say(watch.node, ben, SECOND["watch"], story, "device-write")
    story.claim("apart, the watch lacks what the phone wrote", lambda: (
        SECOND["watch"] in messages(watch.node, ben.person)
        and SECOND["phone"] not in messages(watch.node, ben.person)), within=20)
    if story.does("device-heal"):
        world.lan.heal()
    story.claim("together again, Ben has both", lambda: set(SECOND.values()) <= set(
        messages(ben.node, anna.person)), within=60)
    all_equal(story, [anna.node, phone.node, watch.node], anna.person, "after the second split")


def one_person(story: Story, anna: Person, ben: Person, phone: Device, watch: Device) -> None:
    """Ben has one mate, and every device shows the same chat."""
    story.claim("Ben sees one Anna", lambda: [
        mate["person"] for mate in ben.node.get("mates/list")["mates"]
        if mate["profile"].get("nickname") == anna.character.nickname] == [anna.person])
    expected = messages(anna.node, ben.person)
    story.claim("all of her devices show the same chat in the same order", lambda: all(
        messages(node, ben.person) == expected and len(expected) >= 4
        for node in (phone.node, watch.node)))
    story.claim("sqlite3 finds no fork in any file", lambda: not any(
        sqlite(node.home, "SELECT * FROM waggle_fork")
        for node in (anna.node, phone.node, watch.node, ben.node)))
    for device in (phone, watch):
        device.node.stop()
        device.host.link_down()
