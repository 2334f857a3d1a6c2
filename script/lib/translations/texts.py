"""Finds the texts of the program, and the catalogue that each belongs to.

A text that the program itself uses is in one of the shared catalogues: window.po for the window,
node.po for all else, and contract.po for texts that contracts declare as plain strings. Any other
text of a plugin is in its own catalogue, `plugins/<Name>/Localization/<language>.po`. So a plugin
is complete in its folder, and a plugin that is removed takes its texts with it.
"""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from translations.declared_texts import DeclaredTexts
from translations.swift_texts import Message, Mistake, messages

RESOURCES = "Sources/Localization/Resources"
SHARED = ["window.po", "node.po", "contract.po"]
# The folders of marked texts in the shared catalogues. Those of the window come first.
MARKED = {"window.po": ["ui", "Sources/TimePhrases"], "node.po": ["Sources/*"]}
# The folders whose contracts, settings and notices are in contract.po.
DECLARING = ["Contract", "ControlAPI", "FeaturesAPI", "NodeAPI", "CommandLineKit", "Features"]
NOT_READ = {"Sources/Localization"}
# The one catalogue of a plugin, among the marked texts of a Part.
PLUGIN = "plugin"
PLUGIN_PARTS = ["Panel", "API", "Sources"]
PLUGIN_DECLARING = ["API", "Sources"]


@dataclass
class Part:
    """The program itself or a plugin: its marked texts by catalogue, and those that it may
    declare."""
    marked: dict[str, list[Message]]
    declaring: list[Path]
    complaints: list[str] = field(default_factory=list)

    @property
    def messages(self) -> list[Message]:
        return [message for messages in self.marked.values() for message in messages]

    @cached_property
    def declared(self) -> DeclaredTexts:
        return DeclaredTexts(self.declaring)

    @cached_property
    def used(self) -> dict[str, Message]:
        """A use of each marked text, one with a count if there is one."""
        found: dict[str, Message] = {}
        for message in self.messages:
            if message.template not in found or message.singular is not None:
                found[message.template] = message
        return found

    def uses(self, text: str) -> bool:
        return text in self.used or text in self.declared


class Program:
    """All texts of a source tree."""

    def __init__(self, root: Path):
        self.root = root
        self.own = Part({name: [] for name in MARKED}, swift(
            root / "Sources" / name for name in DECLARING))
        seen: set[Path] = set()
        for name, patterns in MARKED.items():
            for folder in (each for it in patterns for each in sorted(root.glob(it))):
                if str(folder.relative_to(root)) not in NOT_READ:
                    paths = [path for path in swift([folder]) if path not in seen]
                    self._read(self.own, name, paths)
                    seen |= set(paths)
        self.plugins: dict[str, Part] = {}
        for folder in sorted(root.glob("plugins/*")):
            part = Part({PLUGIN: []}, swift(folder / name for name in PLUGIN_DECLARING))
            self._read(part, PLUGIN, swift(folder / name for name in PLUGIN_PARTS))
            self.plugins[folder.name] = part

    def _read(self, part: Part, catalogue: str, paths: list[Path]):
        for path in paths:
            where = str(path.relative_to(self.root))
            try:
                part.marked[catalogue] += messages(where, path.read_text())
            except Mistake as mistake:
                part.complaints.append(f"{where}:{mistake.line}: {mistake}")

    @property
    def parts(self) -> list[Part]:
        return [self.own, *self.plugins.values()]

    def owners(self, text: str) -> list[str]:
        """The plugins whose catalogues have a text; none if it belongs to a shared one."""
        if self.own.uses(text):
            return []
        return [name for name, part in self.plugins.items() if part.uses(text)]

    def shared(self, language: str) -> dict[str, Path]:
        """The shared catalogues of a language by name."""
        return {name: self.root / RESOURCES / language / name for name in SHARED}

    def catalogue(self, plugin: str, language: str) -> Path:
        """The catalogue of a plugin."""
        return self.root / "plugins" / plugin / "Localization" / f"{language}.po"


def swift(folders) -> list[Path]:
    """The Swift files of folders."""
    return sorted(path for folder in folders for path in Path(folder).rglob("*.swift"))
