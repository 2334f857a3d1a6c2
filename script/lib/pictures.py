"""Pictures that the scripts draw: a dog's face on a plain ground, as a PNG."""

import struct
import zlib

WIDTH, HEIGHT = 240, 320


def dog(ground: tuple[int, int, int], fur: tuple[int, int, int]) -> bytes:
    """A picture of a dog with this fur."""
    ear = tuple(part * 2 // 3 for part in fur)
    # The discs from the back to the front: the middle, the radii across and down, and the colour.
    discs = [((60, 150), (30, 70), ear), ((180, 150), (30, 70), ear), ((120, 160), (75, 85), fur),
             ((120, 205), (42, 36), (245, 238, 226)), ((120, 188), (15, 11), (40, 32, 30)),
             ((92, 140), (10, 12), (40, 32, 30)), ((148, 140), (10, 12), (40, 32, 30)),
             ((95, 136), (3, 4), (255, 255, 255)), ((151, 136), (3, 4), (255, 255, 255))]
    return png(WIDTH, HEIGHT, lambda x, y: next(
        (colour for (left, top), (across, down), colour in reversed(discs)
         if ((x - left) / across) ** 2 + ((y - top) / down) ** 2 <= 1), ground))


def png(width: int, height: int, colour) -> bytes:
    """A PNG; `colour` returns red, green and blue of a pixel."""
    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in colour(x, y))
                    for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows))
            + _chunk(b"IEND", b""))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", zlib.crc32(kind + content))
