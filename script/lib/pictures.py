"""A picture for tests that look at photos: a pond at sunset, made of a few colours in each row."""

import math
import struct
import zlib


def pond(width: int = 800, height: int = 600) -> bytes:
    """The picture as a PNG."""
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
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, content) for kind, content in (
            (b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows))), (b"IEND", b"")))


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", zlib.crc32(kind + content))
