"""Anna sends Ben a photo from a camera, which knows where it was taken. The link is cut while the
photo travels; a stranger asks for it; in the end Anna deletes it for both."""

import hashlib
import os
import random
import struct
import threading
import zlib
from pathlib import Path

from lan.bad_photos import CHAT, ask, png
from lan.files import contents
from lan.people import Person, World
from lan.rawpeer import LACKING, PIECE
from lan.story import Story
from lan.stranger import Mask, converse, kinds, pair_id
from processes import wait_until

TEXT = "At the pond"
SIDES = (1600, 1200)
# What the camera wrote: its maker, and the degrees, minutes and seconds of the place.
MAKER = b"Waggle's own camera, number 4711"
LATITUDE = struct.pack(">6I", 37, 1, 33, 1, 59_942, 1000)
LONGITUDE = struct.pack(">6I", 126, 1, 58, 1, 40_811, 1000)
SECRETS = [MAKER, LATITUDE, LONGITUDE, b"Exif\0\0"]
PIECE_BYTES = 65_536
# The bytes of everything else that two nodes say to each other when they meet again.
GREETING_BYTES_MAX = 2 * PIECE_BYTES
NEEDLE_BYTES = 64


def photo(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = world.anna, world.ben
    message = send(world, story)
    content = stored(story, anna, message)
    partial = cut(story, anna, ben, message, content)
    resume(world, story, message, content, partial)
    asked(world, story, content)
    deleted(story, anna, ben, message, content)


# The picture


def camera_picture(world: World) -> bytes:
    """A JPEG of noise, which is as long as photos get, with the metadata of a camera."""
    width, height = SIDES
    noise = random.Random(7).randbytes(width * height)
    lines = b"".join(
        b"\0" + noise[y * width:(y + 1) * width] for y in range(height))
    worker = world.binary.with_name("waggle-photo")
    plain = ask(worker, png(width, height, zlib.compress(lines, 1)), use=CHAT).picture()
    body = b"Exif\0\0" + metadata()
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + plain[2:]


def metadata() -> bytes:
    """The maker and the position, as EXIF has them: a TIFF without a picture."""
    def entry(tag: int, kind: int, count: int, value: bytes) -> bytes:
        return struct.pack(">HHI", tag, kind, count) + value.ljust(4, b"\0")

    def offset(value: int) -> bytes:
        return struct.pack(">I", value)

    first, place = 8, 8 + 2 + 2 * 12 + 4
    texts = place + 2 + 4 * 12 + 4
    after = texts + len(MAKER) + 1
    main = struct.pack(">H", 2) + entry(0x010F, 2, len(MAKER) + 1, offset(texts)) + entry(
        0x8825, 4, 1, offset(place)) + bytes(4)
    gps = struct.pack(">H", 4) + entry(1, 2, 2, b"N\0") + entry(2, 5, 3, offset(after)) + entry(
        3, 2, 2, b"E\0") + entry(4, 5, 3, offset(after + len(LATITUDE))) + bytes(4)
    return (b"MM\0\x2a" + offset(first) + main + gps + MAKER + b"\0" + LATITUDE + LONGITUDE)


# Reading nodes and homes


def page(who: Person, other: Person) -> list[dict]:
    """The messages of the room with the other."""
    return who.node.get(f"chat/page?room={other.person}").get("messages", [])


def holds(home: Path, *needles: bytes) -> bool:
    """Whether any file of a home contains one of these."""
    return any(needle in content for content in contents(home) for needle in needles)


def partial_bytes(home: Path) -> int:
    """The bytes of content that has begun to arrive."""
    try:
        return sum(each.stat().st_size for each in os.scandir(home / "blobs" / "partial"))
    except FileNotFoundError:
        return 0


def received_bytes(who: Person) -> int | None:
    """The bytes that a host's interface has received; nil without a LAN."""
    if not who.host:
        return None
    # /sys shows the interfaces of the machine, /proc those of the host.
    row = next(row for row in who.host.run("cat", "/proc/net/dev").splitlines() if "eth0:" in row)
    return int(row.partition(":")[2].split()[0])


# The scene


def send(world: World, story: Story) -> dict:
    """Anna sends the photo, and Ben has its message."""
    anna, ben = world.anna, world.ben
    picture = camera_picture(world)
    path = world.scratch / "pond.jpg"
    path.write_bytes(picture)
    story.claim("the camera's file says where it was taken, and by which camera",
                lambda: all(secret in picture for secret in SECRETS))
    if story.does("photo-send"):
        anna.node.cli("chat", "send", ben.person, TEXT, "--photo", str(path))
    story.claim("Ben has a message with a photo", lambda: any(
        each.get("photo") and each["text"] == TEXT for each in page(ben, anna)), within=15)
    story.claim("and its thumbnail, a JPEG of at most 8 KiB", lambda: thumbnail(ben, anna))
    story.claim("but not the photo", lambda: partial_bytes(ben.node.home) == 0)
    return next(each for each in page(ben, anna) if each.get("photo"))


def thumbnail(who: Person, other: Person) -> bool:
    """Whether the node has the thumbnail of the one photo."""
    message = next(each for each in page(who, other) if each.get("photo"))
    found = who.node.cli("chat", "thumbnails", other.person, message["id"])["thumbnails"]
    jpeg = bytes.fromhex(found[0]["jpeg"])
    return jpeg[:2] == b"\xff\xd8" and jpeg[-2:] == b"\xff\xd9" and len(jpeg) <= 8192


def stored(story: Story, anna: Person, message: dict) -> bytes:
    """The content, from the file in Anna's home that has it."""
    answer = anna.node.cli("chat", "photo", message["id"])
    path = Path(answer["file"])
    content = path.read_bytes()
    story.claim(f"Anna's home has the photo, {len(content)} bytes, in a file named by its hash",
                lambda: path.name == hashlib.sha256(content).hexdigest()
                and path.is_relative_to(anna.node.home))
    return content


def cut(story: Story, anna: Person, ben: Person, message: dict, content: bytes) -> int:
    """Ben looks at the photo, and Anna's node is killed when a quarter of it has arrived: some
    pieces are on their way at that moment."""
    home = ben.node.home
    route = "chat/photo", {"id": message["id"]}
    looking = threading.Thread(target=lambda: ben.node.api.ask(*route), daemon=True)
    kills = story.does("photo-cut")
    looking.start()
    reached = wait_until(lambda: partial_bytes(home) * 100 >= len(content) * 25, 20, every=0.0002)
    if kills:
        anna.node.kill()
    looking.join(timeout=20)
    story.claim("a part of the photo, and not all of it, has arrived when Anna's node is killed", lambda: (
        reached and len(content) // 4 <= partial_bytes(home) < len(content)))
    return partial_bytes(home)


def resume(world: World, story: Story, message: dict, content: bytes, partial: int) -> None:
    """Anna's node is back, and Ben gets the rest only."""
    anna, ben = world.anna, world.ben
    story.claim("meanwhile Ben's node says whom he has to meet", lambda: (
        ben.node.cli("chat", "photo", message["id"]).get("note") == "Loads when you meet Anna."),
        within=60)
    before = received_bytes(ben)
    if story.does("photo-back"):
        anna.node.start()
    story.claim("Anna is back, and the rest arrives", lambda: (
        "file" in ben.node.cli("chat", "photo", message["id"])), within=60)
    if before is None:
        story.skip("the bytes of the rest are counted on a LAN only")
    else:
        rest, received = len(content) - partial, received_bytes(ben) - before
        limit = rest + rest // 10 + GREETING_BYTES_MAX
        story.claim(f"{partial} bytes came before and {received} after the cut, of "
                    f"{len(content)}: nothing was fetched twice",
                    lambda: rest <= received <= limit < len(content))
    copy = world.scratch / "copy.jpg"
    ben.node.cli("chat", "photo", message["id"], "--save", str(copy))
    story.claim("the copy that Ben saves is the photo, byte for byte",
                lambda: copy.read_bytes() == content)
    story.claim("no byte of the metadata is in any file of either home, or in the copy", lambda: (
        not any(holds(each.node.home, *SECRETS) for each in (anna, ben))
        and not any(secret in copy.read_bytes() for secret in SECRETS)))


def asked(world: World, story: Story, content: bytes) -> None:
    """Cleo, a stranger who knows the hash and the space, asks Ben for the content."""
    anna, ben, cleo = world.anna, world.ben, world.cleo
    space, anna_person = pair_id(anna.person, ben.person), anna.person
    right = hashlib.sha256(content).hexdigest()
    wrong = hashlib.sha256(b"nothing").hexdigest()
    mask = Mask.new(world.scratch)
    real = converse(mask, cleo, ben, "want", f"{space}:{right}") if story.does("photo-ask") else {}
    unreal = converse(mask, cleo, ben, "want", f"{space}:{wrong}")
    story.claim("Cleo, who knows the hash, is answered that it is not there", lambda: (
        LACKING in kinds(real) and PIECE not in kinds(real) and not real["closed"]))
    story.equal("with the bytes that she gets for a hash of nothing",
                [each.replace(right, wrong) for each in real["answers"]], unreal["answers"])
    story.tell("to know that the question was a good one, it is asked with Anna's own key")
    anna.node.stop()
    member = converse(Mask.of(anna, world.scratch), anna, ben, "want", f"{space}:{right}")
    story.claim("then the first piece comes", lambda: any(
        bytes.fromhex(each)[-PIECE_BYTES:] == content[:PIECE_BYTES]
        for each in member["answers"] if int(each[:2], 16) == PIECE))
    anna.node.start()
    story.claim("Anna is back, and linked to Ben", lambda: any(
        link.get("person") == anna_person for link in ben.node.get("status/show")["links"]),
        within=20)


def deleted(story: Story, anna: Person, ben: Person, message: dict, content: bytes) -> None:
    """Anna deletes the message for both."""
    needle = content[len(content) // 2:][:NEEDLE_BYTES]
    story.claim("both homes hold the photo", lambda: all(
        holds(each.node.home, needle) for each in (anna, ben)))
    if story.does("photo-delete"):
        story.tell("Anna deletes it for everyone")
        anna.node.cli("chat", "delete", message["id"], "--for-everyone")
    story.claim("no file of either home holds it any more", lambda: not any(
        holds(each.node.home, needle) for each in (anna, ben)), within=30)
    story.claim("and nobody has the message", lambda: not any(
        each.get("photo") for each in page(anna, ben) + page(ben, anna)))
