"""The project's rules, one function each; a rule's sentence is its doc comment."""

import json
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from house.swift_source import bare, files, functions

ALL_CODE = ["Sources", "plugins", "ui", "Tests"]
PRODUCT_CODE = ["Sources", "ui", "plugins/*/API", "plugins/*/Sources", "plugins/*/Panel"]
TIMED_CODE = PRODUCT_CODE + ["Benchmarks/Sources", "Tests", "plugins/*/Tests"]
NUMBER = "a time in a number"
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
LINE_COLUMNS_MAX = 100
PLUGIN_IMPORTS = {"PluginKit", "Foundation", "Synchronization"}
PANEL_IMPORTS = {"PanelKit", "GtkKit", "Contract", "ControlAPI", "FeaturesAPI", "NodeAPI", "Foundation"}
SYSTEM_MODULES = {
    "Foundation", "FoundationXML", "Synchronization", "Dispatch", "Glibc", "Testing"}
IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:struct\s+|class\s+|enum\s+|func\s+)?(\w+)")
# Inputs that must be injected, so that a seed replays the logic.
OUTSIDE = {
    "the wall clock": re.compile(r"\bDate\(\)|\bDate\.now\b"),
    "a sleep": re.compile(r"\bTask\.sleep\b"),
    "a detached task": re.compile(r"\bTask\.detached\b"),
    "chance": re.compile(r"\.random\((?!.*using:)|\.randomElement\(\)|\.shuffled\(\)"),
}
# A declaration that holds a time in a bare number; in code a time is a Timestamp or a Duration.
BARE_TIME = re.compile(
    r"\b[a-z]\w*(?:Ms|Milliseconds)(?:Max|Min)?\s*:\s*(?:\[(?:\w+:\s*)?)?(?:Closed)?(?:Range<)?"
    r"(?:U?Int(?:8|16|32|64)?|Double|TimeInterval)\b(?!\()")
TYPE = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w*(?:Manager|Helper|Utils|Impl))\b")
# "Take" may mean to spend, reserve, remove, read or receive: the name of a function says which.
# A list that a function returns may be called `words` or `notes`.
CATCH_ALL = re.compile(r"\bfunc\s+((?:(?:note|take|word)(?=[A-Z(<])|takes|empty(?=[(<]))\w*)")
# Openings of a summary that name no thing: "What records change", "Of a decoder that keeps little".
STILTED = re.compile(r"\s*/// (What|Who|Whose|Of|Where|How|Why)\b")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|fatalError\(\"(?:not implemented|unimplemented)")
ELSEWHERE = re.compile(r'(?<!\+ ")/(?:home|root|Users)/\w|\bissue #?\d')


def located(path: Path, root: Path, line: int, text: str) -> str:
    """A complaint with its place."""
    return f"{path.relative_to(root)}:{line}: {text}"


def matches(root: Path, folders: list[str], pattern: re.Pattern, with_texts: bool = False):
    """Every match of a pattern in code: file, line number and match."""
    for path in files(root, *folders):
        text = path.read_text()
        for number, line in enumerate((text if with_texts else bare(text)).splitlines(), 1):
            if found := pattern.search(line):
                yield path, number, found


def plugins_import_plugin_kit_only(root: Path) -> list[str]:
    """a plugin imports PluginKit, its own API and the standard libraries only"""
    return [
        located(path, root, number, f"imports {found[1]}")
        for path, number, found in matches(root, ["plugins/*/Sources"], IMPORT)
        if found[1] not in PLUGIN_IMPORTS | {f"{path.relative_to(root).parts[1]}API"}
    ]


def contracts_import_contract_only(root: Path) -> list[str]:
    """a plugin's API imports Contract only"""
    return [
        located(path, root, number, f"imports {found[1]}")
        for path, number, found in matches(root, ["plugins/*/API"], IMPORT)
        if found[1] != "Contract"
    ]


def panels_import_panel_kit_only(root: Path) -> list[str]:
    """a plugin's panel imports PanelKit, GtkKit, and the APIs of its plugin and of the node only"""
    return [
        located(path, root, number, f"imports {found[1]}")
        for path, number, found in matches(root, ["plugins/*/Panel"], IMPORT)
        if found[1] not in PANEL_IMPORTS | {f"{path.relative_to(root).parts[1]}API"}
    ]


def files_are_short(root: Path) -> list[str]:
    """no file has over 400 lines"""
    return [
        f"{path.relative_to(root)}: {count} lines"
        for path in files(root, *ALL_CODE)
        if (count := len(path.read_text().splitlines())) > FILE_LINES_MAX
    ]


def functions_are_short(root: Path) -> list[str]:
    """no function has over 60 lines"""
    return [
        located(path, root, first, f"a function of {count} lines")
        for path in files(root, *ALL_CODE)
        for first, count in functions(path.read_text())
        if count > FUNCTION_LINES_MAX
    ]


def lines_are_short(root: Path) -> list[str]:
    """no line of code has over 100 columns"""
    return [
        located(path, root, number, f"{len(line)} columns")
        for path in files(root, *ALL_CODE)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LINE_COLUMNS_MAX and '"' not in line
    ]


def clock_and_chance_come_from_outside(root: Path) -> list[str]:
    """clock, sleep, detached tasks and randomness are injected, except in the listed places"""
    allowed = allowed_places(root)
    return [
        located(path, root, number, f"{what}: {found[0].strip()}")
        for what, pattern in OUTSIDE.items()
        for path, number, found in matches(root, PRODUCT_CODE, pattern)
        if (str(path.relative_to(root)), what) not in allowed
    ]


def allowed_places(root: Path) -> set[tuple[str, str]]:
    """The list of exceptions: a file, what it may use, and the reason."""
    listed = root / "script" / "lib" / "house" / "allowed.txt"
    rows = [line.split(" | ") for line in listed.read_text().splitlines()
            if line and not line.startswith("#")] if listed.exists() else []
    return {(path, what) for path, what, _reason in rows}


def times_have_a_type(root: Path) -> list[str]:
    """a time in code is a Timestamp or a Duration, except in the listed places"""
    allowed = allowed_places(root)
    return [
        located(path, root, number, f"a time in a bare number: {found[0]}")
        for path, number, found in matches(root, TIMED_CODE, BARE_TIME)
        if (str(path.relative_to(root)), NUMBER) not in allowed
    ]


def exceptions_are_needed(root: Path) -> list[str]:
    """every listed exception has a reason, and is still one"""
    looked_for = [(what, PRODUCT_CODE, pattern) for what, pattern in OUTSIDE.items()]
    looked_for.append((NUMBER, TIMED_CODE, BARE_TIME))
    used = {
        (str(path.relative_to(root)), what)
        for what, folders, pattern in looked_for
        for path, _, _ in matches(root, folders, pattern)
    }
    return [f"{path} needs {what} no more" for path, what in sorted(allowed_places(root) - used)]


def names_say_something(root: Path) -> list[str]:
    """no type is a Manager, Helper, Utils or Impl"""
    return [located(path, root, number, found[1])
            for path, number, found in matches(root, ALL_CODE, TYPE)]


def functions_say_what_they_do(root: Path) -> list[str]:
    """no function is called note, take, word or empty, or begins with note, take or word"""
    return [located(path, root, number, f"{found[1]}: say what it does, as in record, spend, next")
            for path, number, found in matches(root, ALL_CODE, CATCH_ALL)
            if not (is_test(path, root) and returns_a_note(path, number, found))]


def is_test(path: Path, root: Path) -> bool:
    """Whether a file belongs to the tests."""
    return "Tests" in path.relative_to(root).parts


def returns_a_note(path: Path, number: int, found: re.Match) -> bool:
    """Whether a function is named for the note that it returns: records of tests are notes."""
    head = "\n".join(bare(path.read_text()).splitlines()[number - 1:]).split("{")[0]
    return found[1].startswith("note") and "->" in head


def summaries_begin_plainly(root: Path) -> list[str]:
    """no summary of a comment begins with What, Who, Whose, Of, Where, How or Why"""
    found = []
    for path in files(root, *ALL_CODE):
        before = ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if (opening := STILTED.match(line)) and not before.lstrip().startswith("///"):
                found.append(located(path, root, number, f"begins with {opening[1]}"))
            before = line
    return found


def nothing_is_left_for_later(root: Path) -> list[str]:
    """nothing says TODO, and nothing is a stub"""
    return [located(path, root, number, found[0])
            for path, number, found in matches(root, ALL_CODE, UNFINISHED, with_texts=True)]


def the_project_speaks_of_itself(root: Path) -> list[str]:
    """no file names somebody's home directory or a ticket"""
    return [located(path, root, number, found[0])
            for path, number, found in matches(root, ALL_CODE, ELSEWHERE, with_texts=True)]


def targets_import_what_they_depend_on(root: Path) -> list[str]:
    """a target imports only system libraries and what Package.swift says that it depends on"""
    complaints = []
    for target in targets_of(root):
        kind = "Tests" if target["type"] == "test" else "Sources"
        place = root / (target.get("path") or f"{kind}/{target['name']}")
        allowed = SYSTEM_MODULES | {name.replace("-", "_") for name in dependencies(target)}
        complaints += [
            located(path, root, number, f"{target['name']} imports {found[1]}")
            for path, number, found in matches(root, [str(place.relative_to(root))], IMPORT)
            if found[1] not in allowed
            and not any(path.is_relative_to(place / each) for each in target["exclude"])
        ]
    return complaints


def targets_stand_bottom_up(root: Path) -> list[str]:
    """a target in Package.swift depends only on targets above it"""
    names = {target["name"] for target in targets_of(root)}
    above: set[str] = set()
    complaints = []
    for target in targets_of(root):
        wanted = dependencies(target) & names
        complaints += [f"{target['name']} is declared above {name}, which it depends on"
                       for name in sorted(wanted - above)]
        above.add(target["name"])
    return complaints


@cache
def targets_of(root: Path) -> list[dict]:
    """The targets of the tree's Package.swift, in their order."""
    with tempfile.TemporaryDirectory() as scratch:  # A build may hold the lock of the tree's own.
        dumped = subprocess.run(
            ["swift", "package", "--package-path", root, "--scratch-path", scratch, "dump-package"],
            stdout=subprocess.PIPE, check=True)
    return json.loads(dumped.stdout)["targets"]


def dependencies(target: dict) -> set[str]:
    """The names of the targets and products that a target depends on."""
    return {next(iter(each.values()))[0] for each in target["dependencies"]}


def the_node_links_no_gtk(root: Path) -> list[str]:
    """the waggle binary links no GTK"""
    linked = subprocess.run(["ldd", str(root / ".build" / "debug" / "waggle")],
                            capture_output=True, text=True)
    return gtk_linked(linked.stdout) if linked.returncode == 0 else [linked.stderr.strip()]


def gtk_linked(output: str) -> list[str]:
    """the waggle binary links no GTK"""
    return [line.strip() for line in output.splitlines() if re.search(r"lib(gtk|gdk|handy)-", line)]


IN_SOURCES = [
    plugins_import_plugin_kit_only, contracts_import_contract_only,
    panels_import_panel_kit_only, files_are_short, functions_are_short, lines_are_short,
    clock_and_chance_come_from_outside, times_have_a_type, exceptions_are_needed, names_say_something,
    functions_say_what_they_do,
    summaries_begin_plainly,
    nothing_is_left_for_later, the_project_speaks_of_itself,
    targets_import_what_they_depend_on, targets_stand_bottom_up,
]
IN_WHAT_WAS_BUILT = [the_node_links_no_gtk]
