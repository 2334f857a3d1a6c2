"""Just enough of Swift's syntax to measure functions and to ignore comments and string literals."""

import re
from collections.abc import Iterator
from pathlib import Path

COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
FUNCTION = re.compile(r"^\s*(?:@?\w+(?:\([^)]*\))?\s+)*(?:func\s+|init[?<(]|deinit\b|subscript\b)")


def files(root: Path, *folders: str) -> Iterator[Path]:
    """The Swift files under these folders, in order; a folder may hold a *."""
    for folder in folders:
        for place in sorted(root.glob(folder)):
            yield from sorted(place.rglob("*.swift"))


def bare(text: str) -> str:
    """The code with comments and string literals blanked; line numbers stay the same."""
    return COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def functions(text: str) -> Iterator[tuple[int, int]]:
    """The first line (from 1) and the number of lines of each function with a body."""
    lines = bare(text).splitlines()
    for first, line in enumerate(lines):
        if FUNCTION.match(line):
            depth, opened = 0, False
            for last in range(first, len(lines)):
                depth += lines[last].count("{") - lines[last].count("}")
                opened = opened or "{" in lines[last]
                if opened and depth <= 0:
                    yield first + 1, last - first + 1
                    break
                if not opened and last > first and not lines[last].strip():
                    break  # A requirement of a protocol has no body.
