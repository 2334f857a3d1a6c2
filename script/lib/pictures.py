"""Pictures for tests that look at photos, as PNGs: a pond at sunset, and a dog's face."""

import math
import struct
import zlib

DOG_WIDTH, DOG_HEIGHT = 240, 320


def pond(width: int = 800, height: int = 600) -> bytes:
    """A pond at sunset, made of a few colours in each row."""
    shore, radius = height * 3 // 5, height // 8
    rows = bytearray()
    for y in range(height):
        rows += b"\0"
        part = y / height
        if y < shore:
            colour = bytes([int(90 + 150 * part), int(120 + 60 * part), int(190 - 60 * part)])
        else:
            colour = bytes([int(40 + 20 * part), int(70 + 30 * part), int(120 - 40 * part)])
        across = y - (shore - radius // 2)
        half = int(math.sqrt(radius ** 2 - across ** 2)) if abs(across) < radius else 0
        if half and y < shore:
            side = width // 2 - half
            rows += colour * side + bytes([250, 210, 120]) * (2 * half)
            rows += colour * (width - side - 2 * half)
        else:
            rows += colour * width
    return png(width, height, bytes(rows))


def dog(ground: tuple[int, int, int], fur: tuple[int, int, int]) -> bytes:
    """The face of a dog with this fur, on a plain ground."""
    ear = tuple(part * 2 // 3 for part in fur)
    # The discs from the back to the front: the middle, the radii across and down, and the colour.
    discs = [((60, 150), (30, 70), ear), ((180, 150), (30, 70), ear), ((120, 160), (75, 85), fur),
             ((120, 205), (42, 36), (245, 238, 226)), ((120, 188), (15, 11), (40, 32, 30)),
             ((92, 140), (10, 12), (40, 32, 30)), ((148, 140), (10, 12), (40, 32, 30)),
             ((95, 136), (3, 4), (255, 255, 255)), ((151, 136), (3, 4), (255, 255, 255))]

    def colour(x: int, y: int) -> tuple[int, ...]:
        return next((colour for (left, top), (across, down), colour in reversed(discs)
                     if ((x - left) / across) ** 2 + ((y - top) / down) ** 2 <= 1), ground)
    return png(DOG_WIDTH, DOG_HEIGHT, b"".join(
        b"\0" + bytes(part for x in range(DOG_WIDTH) for part in colour(x, y))
        for y in range(DOG_HEIGHT)))


def png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG of rows of red, green and blue, each with its filter before it."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, content) for kind, content in (
            (b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")))


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", zlib.crc32(kind + content))
