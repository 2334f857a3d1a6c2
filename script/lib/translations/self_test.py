"""Plants one mistake of each kind in a small tree, and sees it found."""

import tempfile
from pathlib import Path

from translations.catalogue import HEADER
from translations.check import Check
from translations.texts import RESOURCES

KEPT_SWIFT = '''
let title = localized("Hello")
func away(_ name: String) -> Sentence {
    switch name {
    case "nobody": "far away"
    default: "\\(name) is \\(3) m "
        + "away, 100 % sure"
    }
}
let days = Sentence(count: 3, one: "1 day", other: "\\(3) days")
let other: Sentence =
    isOpen ? "Open" : "Closed by \\(names["someone"], default: \\.none)"
let none = Sentence(verbatim: "Haru")
let options = [("--help", "Show this help." as Sentence)]
'''
KEPT_PO = HEADER + "".join(f'\nmsgid "{key}"\nmsgstr "{text}"\n' for key, text in {
    "Hello": "안녕", "far away": "멀리", "%1 is %2 m away, 100 %% sure": "%1{이/가} %2 m, 100%%",
    "Open": "열림", "Closed by %1": "%1{이/가} 닫음",
    "Show this help.": "이 도움말을 보여요."}.items()) + (
    '\nmsgid "1 day"\nmsgid_plural "%1 days"\nmsgstr[0] "%1일"\n')
# A plugin with a text of its own, one that it declares, and one that it shares with the program.
PLUGIN = {
    "Panel/SamplePanel.swift": 'let title = localized("Sample")\nlet hello = localized("Hello")\n',
    "API/SampleCommands.swift": 'let list = Command(.query, "sample", help: "Lists samples.")\n',
    "Localization/ko.po": HEADER + "".join(f'\nmsgid "{key}"\nmsgstr "{text}"\n' for key, text in {
        "Sample": "견본", "Lists samples.": "견본을 보여요."}.items()),
}
# For each kind of mistake, what is replaced in the Swift file or the catalogue, by what, and a part
# of the complaint.
VIOLATIONS = {
    "a text without an entry": ("Hello", "Hello you", "has no entry"),
    "an entry that is not used": ('msgid "Hello"', 'msgid "Bye"', "not used any more"),
    "an entry without a translation": ('msgstr "안녕"', 'msgstr ""', "not translated"),
    "a fuzzy entry": ('msgid "Hello"', '#, fuzzy\nmsgid "Hello"', "fuzzy"),
    "a missing placeholder": ("%1일", "며칠", "lacks %1"),
    "an extra placeholder": ("안녕", "%1 안녕", "has %1"),
    "a lone percent sign": ("안녕", "안녕 %", "percent sign"),
    "an unknown particle": ("%1{이/가} 닫음", "%1{이/를} 닫음", "no particle"),
    "a particle without a word": ("안녕", "안녕{이/가}", "follows no placeholder"),
    "a text in an interpolation without a mark": (
        'localized("Hello")', 'localized("Hello\\(a ? "you" : "")")', "mark of its own"),
    "a forbidden word": ("far away", "near the node", "forbidden word 'node'"),
    "a forbidden word in a wording for one": ('"1 day"', '"1 node"', "forbidden word 'node'"),
    "a forbidden word in a translation": ("멀리", "노드 옆에", "forbidden word '노드'"),
    "an entry in both files": ("node.po", KEPT_PO, "is also in"),
    "a text of a plugin among those of the program": (
        "node.po", HEADER + '\nmsgid "Sample"\nmsgstr "견본"\n', "belongs to plugins/Sample"),
    "a text of the program among those of a plugin": (
        'msgid "Sample"', 'msgid "Hello"', "is also in"),
    "an entry that its plugin does not use": (
        'msgid "Lists samples."', 'msgid "Lists more."', "not used in its folder"),
    "a text of a plugin without an entry": (
        'localized("Sample")', 'localized("Samples")', "has no entry"),
}


def lay_out(root: Path, old: str = "", new: str = "") -> None:
    """Writes a small tree that keeps the rules, with one part replaced."""
    (root / "Sources/Localization").mkdir(parents=True)
    (root / "Sources/Localization/Particle.swift").write_text('("이", "가"), ("을", "를")')
    (root / "ui").mkdir()
    (root / RESOURCES / "ko").mkdir(parents=True)
    po = new if old == "node.po" else HEADER
    (root / RESOURCES / "ko/node.po").write_text(po)
    (root / RESOURCES / "ko/contract.po").write_text(HEADER)
    is_swift = new and old in KEPT_SWIFT and (old not in KEPT_PO or "안" not in new)
    swift = KEPT_SWIFT.replace(old, new, 1) if is_swift else KEPT_SWIFT
    (root / "ui/Texts.swift").write_text(swift)
    (root / RESOURCES / "ko/window.po").write_text(
        KEPT_PO if is_swift else KEPT_PO.replace(old, new) if old else KEPT_PO)
    for name, content in PLUGIN.items():
        path = root / "plugins/Sample" / name
        path.parent.mkdir(parents=True)
        path.write_text(content.replace(old, new) if "ample" in old else content)


def self_test() -> list[bool]:
    """Checks a tree that keeps the rules, and one for each kind of mistake."""
    results = []
    for name, (old, new, part) in {"nothing": ("", "", None), **VIOLATIONS}.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            lay_out(root, old, new)
            complaints = Check(root, "ko").run()
        is_found = not complaints if part is None else any(part in it for it in complaints)
        print(f"{'✓' if is_found else '✗'} finds {name}")
        if not is_found:
            print("    " + "\n    ".join(complaints))
        results.append(is_found)
    return results
