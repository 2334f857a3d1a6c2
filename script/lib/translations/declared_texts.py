"""Finds the texts that contracts of a folder may declare as plain strings.

Help is a literal, a heading is the name of a property, and the word of a choice is the name of a
case or a literal. Which of them a person sees, only the built program knows: DeclaredTextsTests
asks it. Here they tell which folder an entry belongs to.
"""

import re
from pathlib import Path

from translations.swift_texts import Token, tokens

# Ends of names that are no part of a heading, as in ValueText.
UNITS = ("Ms", "Seconds", "Metres", "Degrees")
PROPERTY = re.compile(r"\bpublic (?:var|let) (\w+)")
# The cases of an enumeration; a pattern begins with a dot, a bracket, `let` or a name in capitals.
CASES = re.compile(
    r"\bcase (?!let |var )((?:`?[a-z]\w*`?(?:\s*=\s*\"[^\"]*\")?(?:,\s*)?)+)")
# A literal with interpolations is known again by at least this much of its own.
OWN_LETTERS_MIN = 12


class DeclaredTexts:
    """The literals and names of Swift files."""

    def __init__(self, paths: list[Path]):
        self.texts: set[str] = set()
        self.patterns: list[re.Pattern] = []
        for path in paths:
            source = path.read_text()
            self._read(tokens(source)[0])
            names = PROPERTY.findall(source)
            for cases in CASES.findall(source):
                names += re.findall(r"[a-z]\w*", re.sub(r'"[^"]*"', "", cases))
            self.texts |= set(names) | set(map(heading, names))

    def __contains__(self, text: str) -> bool:
        return text in self.texts or any(each.fullmatch(text) for each in self.patterns)

    def _read(self, all_tokens: list[Token]):
        at = 0
        while at < len(all_tokens):
            token = all_tokens[at]
            at += 1
            if token.kind == "text":
                parts = list(token.parts)
                while at + 1 < len(all_tokens) and all_tokens[at].value == "+" \
                        and all_tokens[at + 1].kind == "text":
                    parts += all_tokens[at + 1].parts
                    at += 2
                self._add(parts)

    def _add(self, parts: list):
        """Adds a literal; its interpolations stand for anything."""
        if all(isinstance(part, str) for part in parts):
            text = "".join(parts)
            self.texts |= {text, heading(text)} if text.isidentifier() else {text}
            return
        for part in parts:
            if not isinstance(part, str):
                self._read(part)
        if sum(len(part) for part in parts if isinstance(part, str)) >= OWN_LETTERS_MIN:
            self.patterns.append(re.compile("".join(
                re.escape(part) if isinstance(part, str) else ".*" for part in parts), re.DOTALL))


def heading(name: str) -> str:
    """The words of a property's name, as a table's heading has them."""
    for unit in UNITS:
        name = name.removesuffix(unit)
    if name.startswith("seconds"):
        name = "time" + name.removeprefix("seconds")
    return re.sub(r"[A-Z]", lambda letter: " " + letter.group().lower(), name)
