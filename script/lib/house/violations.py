"""One violation of each rule, and a small tree that keeps every rule."""

from pathlib import Path

from house import checks

PACKAGE = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Kept", targets: [
    .target(name: "Contract"), .target(name: "PluginKit"), .target(name: "PanelKit"),
    .target(name: "Records"), .target(name: "Node"),
    .target(name: "WaveAPI", dependencies: ["Contract"], path: "plugins/Wave/API"),
    .target(name: "Wave", dependencies: ["PluginKit", "WaveAPI"], path: "plugins/Wave/Sources"),
    .target(name: "WavePanel", dependencies: ["PanelKit", "WaveAPI"], path: "plugins/Wave/Panel"),
])
"""
KEPT = {
    "Package.swift": PACKAGE,
    "Sources/Records/Stamp.swift": "/// Date() is only spoken of here.\nstruct Stamp {}\n",
    "Sources/Node/SystemClock.swift": "let now = Date()\n",
    "plugins/Wave/Sources/Wave.swift":
        "public import PluginKit\nimport Foundation\nimport WaveAPI\n",
    "plugins/Wave/API/WaveCommands.swift": "public import Contract\nvar skewMs: Int\n",
    "plugins/Wave/Panel/WavePanel.swift": "public import PanelKit\nimport WaveAPI\n",
    "Sources/Records/Notes.swift":
        "func words(of text: String) {}\nfunc notes() {}\nfunc emptyReason() {}\n",
    "Tests/RecordsTests/StampTests.swift": "func test() {\n    print(1)\n}\n",
    "Tests/RecordsTests/Rows.swift": "func note(_ id: Int)\n    -> Row? {}\n",
    "script/lib/house/allowed.txt":
        "# path | what | why\nSources/Node/SystemClock.swift | the wall clock | it is the clock\n"
        "plugins/Wave/API/WaveCommands.swift | a time in a number | JSON has it\n",
}
WAVE = "plugins/Wave/Sources/Wave.swift"
STAMP = "Sources/Records/Stamp.swift"
TEST = "Tests/RecordsTests/StampTests.swift"

# For each check, a file that breaks its rule.
VIOLATIONS = {
    "plugins_import_plugin_kit_only": {WAVE: "internal import Replica\n"},
    "contracts_import_contract_only": {
        "plugins/Wave/API/WaveCommands.swift": "public import PluginKit\n"},
    "panels_import_panel_kit_only": {
        "plugins/Wave/Panel/WavePanel.swift": "import PluginKit\n"},
    "files_are_short": {STAMP: "// line\n" * (checks.FILE_LINES_MAX + 1)},
    "functions_are_short": {
        TEST: "func test() {\n" + "    print(1)\n" * (checks.FUNCTION_LINES_MAX - 1) + "}\n"},
    "lines_are_short": {STAMP: "let x = " + "1 + " * 25 + "1\n"},
    "clock_and_chance_come_from_outside": {WAVE: "let die = Int.random(in: 1...6)\n"},
    "times_have_a_type": {STAMP: "func tick(wallMilliseconds: Int64) {}\n"},
    "exceptions_are_needed": {"Sources/Node/SystemClock.swift": "let now = clock.now\n"},
    "names_say_something": {STAMP: "final class StampManager {}\n"},
    "functions_say_what_they_do": {STAMP: "mutating func takeDue() {}\n"},
    "summaries_begin_plainly": {STAMP: "/// Why the node ends.\nlet reason = 1\n"},
    "nothing_is_left_for_later": {STAMP: "// TODO: the other half\n"},
    "targets_import_what_they_depend_on": {STAMP: "internal import Contract\n"},
    "targets_stand_bottom_up": {"Package.swift": PACKAGE.replace(
        '.target(name: "Records"),', '.target(name: "Records", dependencies: ["Node"]),')},
    "the_project_speaks_of_itself": {STAMP: 'let path = "/home/someone/waggle"\n'},
}

# For checks of built programs, a tool's output that breaks the rule.
OUTPUTS = [
    (checks.gtk_linked, "\tlibgtk-3.so.0 => /lib/x86_64-linux-gnu/libgtk-3.so.0 (0x0)\n"),
]


def lay_out(root: Path, violation: dict[str, str]) -> None:
    """Writes the tree that keeps all rules, with some of its files replaced."""
    for name, text in {**KEPT, **violation}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
