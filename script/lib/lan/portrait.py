"""A profile photo that says where it was taken: it reaches a mate without that, a stranger in a drop
gets its thumbnail only, and it leaves every disk when it is removed."""

import struct
from pathlib import Path

from lan.bad_photos import ask, png, rows
from lan.files import contents
from lan.people import Person, World
from lan.scenes import press, together
from lan.story import Story

# What the picture says beside its pixels, as the bytes that must be in no file of a home.
NOTE = b"the secret meadow of Ada"
LATITUDE = struct.pack("<IIIIII", 37, 1, 33, 1, 5_990_217, 100_003)
THUMBNAIL_BYTES_MAX = 8192
# A database splits a long value over pages, so pieces of a thumbnail's picture are looked for.
PIECE_BYTES, PICTURE_BYTES = 48, 1500


def portrait(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben, cleo = world.anna, world.ben, world.cleo
    picture = world.scratch / "meadow.jpg"
    picture.write_bytes(with_position(
        ask(world.binary.with_name("waggle-photo"), png(480, 360, rows(480, 360))).picture()))
    thumbnail = choose(story, anna, picture)
    arrive(story, anna, ben)
    meet(story, anna, cleo, thumbnail)
    remove(story, anna, ben, thumbnail)


def with_position(jpeg: bytes) -> bytes:
    """A JPEG with a segment of EXIF: a note, and the latitude of a meadow."""
    note_at = 8 + 2 + 2 * 12 + 4
    position_at = note_at + len(NOTE) + 1
    latitude_at = position_at + 2 + 12 + 4
    first = struct.pack("<H", 2) + struct.pack("<HHII", 0x010E, 2, len(NOTE) + 1, note_at) \
        + struct.pack("<HHII", 0x8825, 4, 1, position_at) + bytes(4)
    position = struct.pack("<H", 1) + struct.pack("<HHII", 2, 5, 3, latitude_at) + bytes(4)
    exif = b"Exif\0\0" + b"II*\0" + struct.pack("<I", 8) + first + NOTE + b"\0" + position \
        + LATITUDE
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def holds(home: Path, *marks: bytes) -> bool:
    """Whether any file of a home contains any of these bytes."""
    return any(mark in content for content in contents(home) for mark in marks)


def pieces(thumbnail: bytes) -> list[bytes]:
    """Pieces of the last part of a JPEG, which no other one has."""
    first = max(len(thumbnail) - PICTURE_BYTES, 0)
    return [thumbnail[at:at + PIECE_BYTES]
            for at in range(first, len(thumbnail) - PIECE_BYTES, PIECE_BYTES)]


def photo(person: Person, whose: Person) -> dict:
    """The photo of a person at another's node; empty if there is none."""
    answer = person.node.get(f"mates/photo?person={whose.person}&thumbnail=true")
    return {} if "error" in answer else answer


def choose(story: Story, anna: Person, picture: Path) -> bytes:
    """Anna chooses a photo; returns its thumbnail."""
    story.claim("the picture says where it was taken",
                lambda: NOTE in picture.read_bytes() and LATITUDE in picture.read_bytes())
    if story.does("photo-choose"):
        story.tell("Anna makes it her photo")
        anna.node.cli("me", "photo", str(picture))
    story.claim("she has a photo, on this device",
                lambda: anna.node.get("me/show").get("photoHere"))
    thumbnail = bytes.fromhex(photo(anna, anna)["thumbnail"])
    story.claim(f"with a thumbnail of {len(thumbnail)} bytes",
                lambda: thumbnail[:2] == b"\xff\xd8" and len(thumbnail) <= THUMBNAIL_BYTES_MAX)
    return thumbnail


def arrive(story: Story, anna: Person, ben: Person) -> None:
    """The photo reaches Ben, her mate, without a byte of what it said beside its pixels."""
    story.claim("Ben's node has fetched it", lambda: photo(ben, anna).get("here"), within=15)
    files = [Path(photo(each, anna)["file"]) for each in (ben, anna)]
    story.claim("the files at both are the same bare JPEG", lambda: (
        files[0].read_bytes() == files[1].read_bytes()
        and files[0].read_bytes()[:2] == b"\xff\xd8" and b"Exif" not in files[0].read_bytes()))
    story.claim("no file of either home has the note or the place",
                lambda: not any(holds(each.node.home, NOTE, LATITUDE) for each in (anna, ben)))


def meet(story: Story, anna: Person, cleo: Person, thumbnail: bytes) -> None:
    """Cleo, a stranger, presses Drop with Anna: the card comes with the thumbnail, and no more."""
    story.tell("Anna and Cleo press Drop, and Cleo declines")
    together(*(lambda who=who: press(who)
               for who in ([anna, cleo] if story.does("photo-drop") else [anna])))
    story.claim("Cleo is shown a photo beside Anna's card",
                lambda: cleo.drop().get("peer", {}).get("photo"), within=15)
    story.claim("it is the thumbnail, byte for byte", lambda: bytes.fromhex(
        cleo.node.get("drop/photo")["theirs"]) == thumbnail)
    story.claim("it is in no file of Cleo's home, and neither is the whole photo", lambda: (
        not holds(cleo.node.home, *pieces(thumbnail))
        and not holds(cleo.node.home, Path(photo(anna, anna)["file"]).read_bytes())))
    cleo.node.cli("drop", "decline")
    story.claim("Anna reads that Cleo declined",
                lambda: anna.drop()["phase"] == "declined", within=5)
    story.claim("Cleo gets nothing more", lambda: not photo(cleo, anna))


def remove(story: Story, anna: Person, ben: Person, thumbnail: bytes) -> None:
    """Anna removes her photo: it leaves both disks."""
    files = [Path(photo(each, anna)["file"]) for each in (ben, anna)]
    story.claim("both homes contain the thumbnail",
                lambda: all(holds(each.node.home, *pieces(thumbnail)) for each in (anna, ben)))
    if story.does("photo-remove"):
        story.tell("Anna removes her photo")
        anna.node.cli("me", "photo", "--remove")
    story.claim("Ben's list has no photo of hers",
                lambda: "photoMs" not in ben.mate(anna.person), within=8)
    story.claim("both files are gone", lambda: not any(file.exists() for file in files), within=8)
    story.claim("no file of either home has the thumbnail", lambda: not any(
        holds(each.node.home, *pieces(thumbnail)) for each in (anna, ben)), within=15)
