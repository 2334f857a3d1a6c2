"""Checks the catalogues of one language against the texts of the sources.

No text has one of the words in FORBIDDEN.
"""

import re
import shutil
import subprocess
from pathlib import Path

from translations import catalogue
from translations.texts import Part, Program

DECLARED = "contract.po"
PLACEHOLDER = re.compile(r"%(%|[1-9])(?:[”’\"')]*(\{[^}]*\}))?|%")
BRACES = re.compile(r"\{[^}/]*/[^}]*\}")
# Words that no text of the program has, and what a text says instead. A person runs Waggle on a
# device and does not know its parts; only the name of the command 'waggle node' is a word to type.
FORBIDDEN = {
    re.compile(r"(?<!waggle )\bnodes?\b", re.IGNORECASE): "say Waggle, or the device",
    re.compile(r"\b(its|the) log\b", re.IGNORECASE): "say what to do",
    re.compile(r"\b(some|every)body\b", re.IGNORECASE): "say someone or everyone",
    re.compile("노드"): "say Waggle or 기기",
}


def placeholders(template: str) -> set[str]:
    """The numbers of the placeholders of a template."""
    return {match[1] for match in PLACEHOLDER.finditer(template) if match[1] not in (None, "%")}


def particles(root: Path) -> set[str]:
    """The markers of the known particles, in both orders."""
    source = (root / "Sources/Localization/Particle.swift").read_text()
    pairs = re.findall(r'\("([가-힣]+)", "([가-힣]+)"\)', source)
    return {f"{{{a}/{b}}}" for pair in pairs for a, b in (pair, pair[::-1])}


def mistakes(entry: catalogue.Entry, known_particles: set[str]) -> list[str]:
    """The mistakes of one translation."""
    found = []
    for match in PLACEHOLDER.finditer(entry.translation):
        if match[1] is None:
            found.append("a percent sign is written %%")
        elif match[2] and match[2] not in known_particles:
            found.append(f"no particle is known as {match[2]}")
    if len(BRACES.findall(entry.translation)) > sum(
            bool(match[2]) for match in PLACEHOLDER.finditer(entry.translation)):
        found.append("a particle follows no placeholder")
    wanted, has = placeholders(entry.key), placeholders(entry.translation)
    found += [f"lacks %{number}" for number in sorted(wanted - has)]
    found += [f"has %{number}, which the text does not have" for number in sorted(has - wanted)]
    return found


def forbidden(text: str) -> list[str]:
    """The forbidden words of a text, each with what to say instead."""
    return [
        f"has the forbidden word '{match.group()}', {instead}: {text!r}"
        for word, instead in FORBIDDEN.items() if (match := word.search(text))
    ]


class Check:
    """The check of one language."""

    def __init__(self, root: Path, language: str):
        self.root = root
        self.language = language
        self.program = Program(root)
        self.particles = particles(root)
        self.complaints = [it for part in self.program.parts for it in part.complaints]
        # Where each text is translated: in a shared catalogue, or in those of plugins.
        self.shared: dict[str, str] = {}
        self.plugins: dict[str, dict[str, str]] = {}
        # The translations in the plugins' catalogues, each with its place.
        self.spoken: dict[str, tuple[str, str]] = {}

    def run(self) -> list[str]:
        for message in (each for part in self.program.parts for each in part.used.values()):
            for text in filter(None, [message.template, message.singular]):
                self.complain(f"{message.path}:{message.line}", forbidden(text))
        for name, path in self.program.shared(self.language).items():
            self.read_shared(name, path)
        for name, part in self.program.plugins.items():
            self.read_plugin(name, part)
        self.find_missing(self.program.own, self.shared)
        for name, part in self.program.plugins.items():
            self.find_missing(part, self.shared | self.plugins[name])
        return self.complaints

    def complain(self, place: str, sentences: list[str]) -> None:
        self.complaints += [f"{place}: {sentence}" for sentence in sentences]

    def read_shared(self, name: str, path: Path) -> None:
        """Checks a catalogue of the program itself."""
        own = self.program.own
        for place, entry in self.entries(path, own, self.shared):
            owners = " and ".join(f"plugins/{each}" for each in self.program.owners(entry.key))
            is_used = entry.key in (own.declared if name == DECLARED else own.used) or any(
                part.uses(entry.key) for part in self.program.plugins.values())
            if name == DECLARED and entry.key in own.used:
                self.complain(place, [f"is a marked text, for another file: {entry.key!r}"])
            elif owners:
                self.complain(place, [f"belongs to {owners}: {entry.key!r}"])
            elif not is_used:
                self.complain(place, [f"is not used any more: {entry.key!r}"])

    def read_plugin(self, name: str, part: Part) -> None:
        """Checks the catalogue of a plugin."""
        translated = self.plugins.setdefault(name, {})
        for place, entry in self.entries(
                self.program.catalogue(name, self.language), part, translated):
            if entry.key in self.shared:
                self.complain(place, [f"is also in {self.shared[entry.key]}"])
            elif not part.uses(entry.key):
                self.complain(place, [f"is not used in its folder: {entry.key!r}"])
            said, other = self.spoken.setdefault(entry.key, (entry.translation, place))
            if said != entry.translation:
                self.complain(place, [f"is translated in another way in {other}: {entry.key!r}"])

    def entries(self, path: Path, part: Part, translated: dict[str, str]):
        """The entries of a catalogue with their places, each checked by itself."""
        if not path.exists():
            return
        for entry in catalogue.entries(path.read_text()):
            place = f"{path.relative_to(self.root)}:{entry.line}"
            if entry.key in translated:
                self.complain(place, [f"is also in {translated[entry.key]}"])
            translated[entry.key] = place
            use = part.used.get(entry.key)
            if use is None:
                self.complain(place, forbidden(entry.key))
            elif (use.singular is not None) != (entry.plural is not None):
                self.complain(place, [f"msgid_plural is for texts with a count: {entry.key!r}"])
            self.complain(place, forbidden(entry.translation or ""))
            if entry.is_fuzzy:
                self.complain(place, [f"is fuzzy: {entry.key!r}"])
            elif not entry.translation:
                self.complain(place, [f"is not translated: {entry.key!r}"])
            else:
                self.complain(place, mistakes(entry, self.particles))
            yield place, entry
        self.complaints += gettext_complaints(path)

    def find_missing(self, part: Part, translated: dict[str, str]) -> None:
        """Complains about each marked text without an entry."""
        for template, message in part.used.items():
            if template not in translated:
                self.complain(f"{message.path}:{message.line}",
                              [f"has no entry in {self.language}: {template!r}"])


def gettext_complaints(path: Path) -> list[str]:
    """The complaints of gettext's own check, if it is installed."""
    if not shutil.which("msgfmt"):
        return []
    said = subprocess.run(
        ["msgfmt", "--check", "--output-file=/dev/null", path], capture_output=True, text=True)
    return said.stderr.splitlines() if said.returncode else []
