"""A copy of the sources with every planted bug. A run selects one of them.

The edits are listed in Tests/Simulation/Planted/bugs.toml.
"""

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIST = Path("Tests/Simulation/Planted/bugs.toml")
# Everything that Package.swift needs; Package.resolved is not in every clone.
COPIED = ["Package.swift", "Package.resolved", "Sources", "plugins", "ui", "Tests", "Benchmarks"]
# The environment variable that selects a bug at run time.
SELECTION = "WAGGLE_PLANTED_BUG"
SELECTOR = Path("Sources/Records/PlantedBugs.swift")
# In a replacement, this text means "this bug is the selected one".
IS_IN = "IS_IN"


@dataclass
class Bug:
    """One bug: its name, its effect on the product, and the edits that plant it."""

    name: str
    effect: str
    edits: list[dict[str, str]]

    @property
    def case(self) -> str:
        """The name of the bug in Swift."""
        first, *others = self.name.split("-")
        return first + "".join(map(str.capitalize, others))

    def plant(self, texts: dict[Path, str]) -> list[str]:
        """Applies the edits to the texts of files, which are read when first edited.

        Returns a sentence for each edit that does not apply exactly once.
        """
        complaints = []
        for edit in self.edits:
            path = Path(edit["file"])
            if path not in texts and not (ROOT / path).exists():
                complaints.append(f"{path}: there is no such file")
                continue
            text = texts.setdefault(path, (ROOT / path).read_text())
            if (count := text.count(edit["text"])) != 1:
                complaints.append(
                    f"{path}: the text {edit['text'].strip()!r} occurs {count} times, not once")
                continue
            planted = edit["replacement"].replace(IS_IN, f"PlantedBugs.isIn(.{self.case})")
            texts[path] = text.replace(edit["text"], planted)
        return complaints


def bugs() -> list[Bug]:
    """All bugs, in the order of the list."""
    listed = tomllib.loads((ROOT / LIST).read_text())["bug"]
    return [Bug(bug["name"], bug["effect"], bug["edit"]) for bug in listed]


def selector(planted: list[Bug]) -> str:
    """The Swift type that the copy asks for the selected bug."""
    cases = "".join(f'    case {bug.case} = "{bug.name}"\n' for bug in planted)
    return f"""internal import Foundation

/// The bugs planted in this copy of the sources.
package enum PlantedBugs: String {{
{cases}
    private static let selected = PlantedBugs(
        rawValue: ProcessInfo.processInfo.environment["{SELECTION}"] ?? "")

    /// Whether a bug is the selected one.
    package static func isIn(_ bug: PlantedBugs) -> Bool {{ selected == bug }}
}}
"""


def plant_all() -> tuple[dict[Path, str], dict[str, list[str]]]:
    """Plants all bugs; returns the edited texts by file, and complaints by the bug's name."""
    planted = bugs()
    texts: dict[Path, str] = {}
    complaints = {bug.name: bug.plant(texts) for bug in planted}
    texts[SELECTOR] = selector(planted)
    return texts, complaints


def write_copy(folder: Path, texts: dict[Path, str]) -> None:
    """Brings a copy of the sources up to date, with the edited texts in place of the originals.

    Only files whose bytes differ are written, so that a build compiles only changed files.
    """
    wanted = {path: text.encode() for path, text in texts.items()}
    for name in COPIED:
        source = ROOT / name
        found = source.rglob("*") if source.is_dir() else [source] if source.exists() else []
        for file in found:
            if file.is_file() and "__pycache__" not in file.parts:
                wanted.setdefault(file.relative_to(ROOT), file.read_bytes())
    for name in COPIED:
        for file in list((folder / name).rglob("*")):
            if file.is_file() and file.relative_to(folder) not in wanted:
                file.unlink()
    for path, content in wanted.items():
        target = folder / path
        if target.exists() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if (ROOT / path).exists():
            shutil.copymode(ROOT / path, target)
