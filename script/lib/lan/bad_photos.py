"""Bad pictures: bombs, animations, and files that are cut, swapped or of another format. Each goes
through the worker that decodes photos, and is refused or decoded within its limits."""

import os
import struct
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path

from lan.people import World
from lan.story import Story
from pictures import chunk

# The first byte of an answer after its mark; 0 is a picture.
TOO_LONG, UNKNOWN_FORMAT, TOO_MANY_PIXELS, DAMAGED = 1, 2, 3, 4
PICTURE = 0
PROFILE, CHAT = 1, 2
SIGNATURE = b"\x89PNG\r\n\x1a\n"
MEBIBYTE = 1024 * 1024
INPUT_BYTES_MAX = 20 * MEBIBYTE
MEMORY_MIB_MAX = 512
SECONDS_MAX = 20
CUTS = 60


@dataclass
class Answer:
    """The answer of a worker, and its cost; `seconds` are those of a processor, so that a busy
    machine makes no difference."""

    body: bytes
    seconds: float
    memory_mib: int
    is_killed: bool

    @property
    def kind(self) -> int:
        """The refusal, or 0 for a picture; −1 if it is no answer."""
        return self.body[4] if self.body[:4] == b"WGP1" and len(self.body) > 4 else -1

    def picture(self) -> bytes:
        """The JPEG of the photo."""
        length = struct.unpack(">I", self.body[9:13])[0]
        return self.body[13:13 + length]


def ask(worker: Path, picture: bytes, length: int | None = None, use: int = PROFILE) -> Answer:
    """Sends a picture to a worker of its own; `length` is what the request says of it."""
    request = b"WGP1" + bytes([use]) + struct.pack(
        ">HI", 0, len(picture) if length is None else length) + picture
    process = subprocess.Popen([worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        process.stdin.write(request)
        process.stdin.close()
    except BrokenPipeError:
        pass  # It has refused the picture before it read all of it.
    body = process.stdout.read()
    process.stdout.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = used.ru_utime + used.ru_stime
    return Answer(body, seconds, used.ru_maxrss // 1024, process.returncode < 0)


def png(width: int, height: int, data: bytes, *extras: bytes, bits: int = 8,
        colours: int = 0) -> bytes:
    """A PNG of grey pixels, with chunks before its compressed data."""
    header = struct.pack(">IIBBBBB", width, height, bits, colours, 0, 0, 0)
    return (SIGNATURE + chunk(b"IHDR", header) + b"".join(extras) + chunk(b"IDAT", data)
            + chunk(b"IEND", b""))


def rows(width: int, height: int) -> bytes:
    """The compressed rows of a pattern."""
    return zlib.compress(b"".join(
        b"\0" + bytes((x * y) & 0xFF for x in range(width)) for y in range(height)))


def zeros(count: int, ends: bool = True) -> bytes:
    """Compressed zeros; without its end, a decoder may wait for more of them."""
    packer = zlib.compressobj(9)
    parts = [packer.compress(bytes(MEBIBYTE)) for _ in range(count // MEBIBYTE)]
    parts.append(packer.compress(bytes(count % MEBIBYTE)))
    return b"".join(parts) + (packer.flush() if ends else packer.flush(zlib.Z_SYNC_FLUSH))


def bad_photos(world: World, story: Story) -> None:
    """Bad pictures, through the worker that decodes photos."""
    worker = world.binary.with_name("waggle-photo")
    small = png(120, 90, rows(120, 90))
    jpeg = ask(worker, small).picture()
    story.claim("a good picture becomes a JPEG", lambda: jpeg[:2] == b"\xff\xd8")

    def meets(name: str, picture: bytes, *kinds: int, length: int | None = None) -> None:
        answer = ask(worker, picture, length)
        story.claim(
            f"{name}: {answer.kind}, {answer.seconds:.2f} s, {answer.memory_mib} MiB",
            lambda: answer.kind in kinds and not answer.is_killed
            and answer.seconds < SECONDS_MAX and answer.memory_mib < MEMORY_MIB_MAX)

    bombs(meets)
    others(meets, small, jpeg)
    cut(worker, story, small, jpeg)
    meets("after all of this, the good picture", small, PICTURE)


def bombs(meets) -> None:
    """Pictures that cost far more to decode than to send."""
    meets("50 000 × 50 000 pixels", png(50_000, 50_000, zeros(50_000_000)), TOO_MANY_PIXELS)
    meets("20 megapixels of one byte each", png(5000, 4000, zeros(20_004_000)), PICTURE)
    meets("the same with 16 bits and transparency",
          png(5000, 4000, zeros(160_004_000), bits=16, colours=6), PICTURE)
    meets("one row more", png(5000, 4001, zeros(1000)), TOO_MANY_PIXELS)
    meets("100 × 100 pixels, whose data inflates to a gibibyte",
          png(100, 100, zeros(1024 * MEBIBYTE)), PICTURE)
    meets("data that never ends", png(100, 100, zeros(256 * MEBIBYTE, ends=False)), PICTURE)
    note = chunk(b"zTXt", b"Comment\0\0" + zeros(64 * MEBIBYTE))
    meets("200 notes that inflate to 64 MiB each", png(8, 8, rows(8, 8), *[note] * 200), PICTURE)
    profile = chunk(b"iCCP", b"profile\0\0" + zeros(256 * MEBIBYTE))
    meets("a colour profile of 256 MiB", png(8, 8, rows(8, 8), profile), PICTURE)
    frames = b"".join(
        chunk(b"fcTL", struct.pack(">IIIIIHHBB", 2 * n, 8, 8, 0, 0, 1, 10, 0, 0))
        + chunk(b"fdAT", struct.pack(">I", 2 * n + 1) + rows(8, 8)) for n in range(20_000))
    whole = png(8, 8, rows(8, 8), chunk(b"acTL", struct.pack(">II", 20_000, 0)))
    meets("an animated PNG of 20 000 pictures counts as its first", whole[:-12] + frames
          + whole[-12:], PICTURE)
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    gif = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes(6) + frame * 20_000 + b";"
    meets("an animated GIF of 20 000", gif, UNKNOWN_FORMAT)


def others(meets, small: bytes, jpeg: bytes) -> None:
    """Files that are no pictures, too long, or put together from pieces."""
    for name, content in (
            ("nothing", b""), ("a text", b"Once upon a time"), ("a drawing", b"<svg/>"),
            ("a bitmap", b"BM" + bytes(60)), ("zeros", bytes(MEBIBYTE))):
        meets(name, content, UNKNOWN_FORMAT)
    padding = bytes(INPUT_BYTES_MAX - len(small))
    meets("a picture of 20 MiB", small + padding, PICTURE)
    meets("and one byte more", small + padding + b"\0", TOO_LONG)
    meets("a request for 4 GiB", small, TOO_LONG, length=0xFFFF_FFFF)
    meets("a request for more than there is", small, DAMAGED, length=len(small) + 1)
    for name, picture in (("PNG", small), ("JPEG", jpeg)):
        half = len(picture) // 2
        meets(f"a {name} with its halves swapped",
              picture[:8] + picture[half:] + picture[8:half], DAMAGED)
    meets("a JPEG with the data of a PNG", jpeg[:20] + small[8:], DAMAGED)
    meets("a PNG with the data of a JPEG", small[:33] + jpeg, DAMAGED)
    meets("two pictures one after the other", jpeg + small, PICTURE)


def cut(worker: Path, story: Story, small: bytes, jpeg: bytes) -> None:
    """Pictures that are cut at many places."""
    for name, picture in (("PNG", small), ("JPEG", jpeg)):
        places = range(8, len(picture), max(len(picture) // CUTS, 1))
        kinds = [ask(worker, picture[:place]).kind for place in places]
        story.claim(f"a {name} that is cut at any of {len(places)} places is damaged",
                    lambda: set(kinds) == {DAMAGED})
