"""Faults around a node, case by case. Each must end in a helpful sentence and the right exit code,
lose nothing, and leave nothing running."""

import os
import re
import subprocess
import time
from pathlib import Path

from processes import run
from waggle import Node
from lan.outside import bodies_with, sqlite
from lan.people import World
from lan.story import Story

# The page size of the product's SQLite file.
PAGE_BYTES = 4096
USAGE, NOT_RUNNING, NOT_FOUND, REFUSED, CONFLICT, FAILED = 2, 3, 4, 5, 7, 1
# Texts that no sentence for a person may contain.
MACHINE_WORDS = re.compile(r"Fatal error|Error Domain|Optional\(|\w+Fault\.|Stack dump|Traceback")


def says(node: Node, *words: str, prefix: list[str] | None = None) -> tuple[int, str]:
    """The exit code of a command, and its output."""
    line = [*(prefix or []), str(node.binary), *words]
    done = subprocess.run(node.inside(*line), capture_output=True, text=True, timeout=60)
    return done.returncode, (done.stderr or done.stdout).strip()


def helps(sentence: str, *needles: str) -> bool:
    """Whether a text is a sentence for people that names the fault."""
    return (len(sentence.split()) >= 5 and not MACHINE_WORDS.search(sentence)
            and all(needle.lower() in sentence.lower() for needle in needles))


def refuses(
        story: Story, what: str, result: tuple[int, str], codes: set[int], *needles: str) -> None:
    """Claims that a command ended with one of these exit codes and a sentence that helps."""
    code, sentence = result
    story.claim(f"{what}: exit {code}, “{sentence[:160]}”",
                lambda: code in codes and helps(sentence, *needles))


def bad_recovery_words(world: World, story: Story) -> None:
    """Recovery words that bring nobody back, typed or in a file."""
    node, words = world.anna.node, world.anna.words
    fresh, paper = world.scratch / "recovering-home", world.scratch / "words"
    refuses(story, "recovery words for a home in use", says(
        node, "init", "--recover", "--home", str(node.home)), {CONFLICT}, "empty home")
    bad = {
        "eight words": (words[:8], "nine"), "ten words": ([*words, words[0]], "nine"),
        "a word of digits": ([*words[:6], "12345", *words[7:]], "word 7"),
        "a wrong last word": ([*words[:8], words[0]], "wrong"),
        "bytes that are no text": (["\udcff" * 5, *words[1:]], "word 1"),
        "a text of 4000 letters": (["lusab" * 800], "512"),
    }
    for what, (typed, needle) in bad.items():
        paper.write_bytes(" ".join(typed).encode(errors="surrogateescape"))
        refuses(story, what, says(node, "init", "--recover", "--words", str(paper),
                                  "--home", str(fresh)), {USAGE}, needle)
    refuses(story, "a file that is not there", says(
        node, "init", "--recover", "--words", str(paper) + "2", "--home", str(fresh)), {NOT_FOUND})
    story.claim("nothing of them is left", lambda: not fresh.exists())


def bad_codes(world: World, story: Story) -> None:
    """Codes by which no device joins."""
    node, fresh = world.anna.node, world.scratch / "joining-home"
    good = "babad-bamag-bibaj-bimal-boban-sodig"
    at_fresh = ["--home", str(fresh)]
    refuses(story, "a code for a home in use", says(
        node, "init", "--join", good, "--home", str(node.home)), {CONFLICT}, "empty home")
    bad = {
        "five words": (good[:-6], "six"), "seven words": (good + "-babad", "six"),
        "a misspelt word": (good.replace("bibaj", "bixab"), "word 3"),
        "a wrong last word": (good[:-5] + "babad", "wrong"),
        "words in the wrong order": ("bamag-babad" + good[11:], "wrong order"),
        "a code of 600 letters": ("babad" * 100, "256"),
        "bytes that are no text": ("\udcff" * 5 + good[5:], "UTF-8"),
        "a line of a QR code without a code": ("waggle:join/?at=a", "six"),
    }
    for what, (code, needle) in bad.items():
        refuses(story, what, says(node, "init", "--join", code, *at_fresh), {USAGE}, needle)
    refuses(story, "an address without a port", says(
        node, "init", "--join", good, "--address", "nowhere", *at_fresh), {USAGE}, "port")
    refuses(story, "a code and recovery words", says(
        node, "init", "--join", good, "--recover", *at_fresh), {USAGE}, "exclude")
    refuses(story, "an address without a code", says(
        node, "init", "--address", "host:1", *at_fresh), {USAGE}, "--join")
    story.claim("nothing of them is left", lambda: not fresh.exists())
    refuses(story, "no code to end", says(
        node, "device", "cancel", "--home", str(node.home)), {NOT_FOUND}, "device add")


def wrong_words(world: World, story: Story) -> None:
    """Unknown verbs, bad values, bad JSON."""
    node = world.anna.node
    at_home = ["--home", str(node.home)]
    refuses(story, "a node that does not run", says(node, "status", "show", *at_home),
            {NOT_RUNNING}, "waggle node")
    world.anna.begin()
    node.start()
    refuses(story, "an unknown noun", says(node, "bogus", *at_home), {USAGE}, "bogus")
    refuses(story, "an unknown verb", says(node, "walk", "fly", *at_home), {USAGE}, "fly")
    refuses(story, "an unknown option", says(node, "me", "edit", "--colour", "red", *at_home), {USAGE},
            "colour")
    refuses(story, "a nickname of 21 characters",
            says(node, "me", "edit", "--nickname", "A" * 21, *at_home), {USAGE, REFUSED}, "20")
    bad_recovery_words(world, story)
    bad_codes(world, story)
    bad_json(node, story)
    bad_tracks(node, story)
    bad_promises(node, story)
    bad_devices(node, story)
    story.claim("the node still answers, and nothing was changed", lambda: (
        node.answers() and "nickname" not in node.get("me/show")))
    refuses(story, "a second node on one home", says(node, "node", *at_home), {CONFLICT}, "already")
    story.claim("the first one still answers", node.answers)


def bad_devices(node: Node, story: Story) -> None:
    """Devices that cannot be named or removed."""
    at_home, own = ["--home", str(node.home)], node.device
    refuses(story, "a device that is not one of hers",
            says(node, "device", "remove", "tablet", "--yes", *at_home), {NOT_FOUND}, "device list")
    for words in (["--yes"], []):
        refuses(story, f"the removal of the only device {' '.join(words)}",
                says(node, "device", "remove", own, *words, *at_home), {REFUSED}, "only device")
    for name in ("", "A" * 41, "two\nlines"):
        refuses(story, f"a device's name of {len(name)} characters",
                says(node, "device", "rename", own, name, *at_home), {USAGE}, "name")


def bad_json(node: Node, story: Story) -> None:
    """Sends bodies that are not JSON objects."""
    for name, body in (("half an object", b'{"nickname": "An'), ("a list", b"[1, 2]"),
                       ("no JSON at all", b"\x00\xff hello"), ("deep nesting", b"[" * 100_000)):
        status, answer = node.api.send("me/edit", body)
        story.claim(f"{name} on the socket: {status}, {str(answer)[:120]}",
                    lambda: status == 400 and answer["error"]["code"] == "usage")


def bad_tracks(node: Node, story: Story) -> None:
    """Offers files that are not tracks as the location source."""
    at_home = ["--home", str(node.home)]
    bomb = "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
    for name, text, word in (
            ("broken XML", "<gpx><trk><trkseg>", "XML"),
            ("entities that expand", f"<!DOCTYPE gpx [<!ENTITY a0 'x'>{bomb}]><gpx>&a9;</gpx>", "document type"),
            ("another kind of file", "<html></html>", "html")):
        file = node.home / "track.gpx"
        file.write_text(text)
        refuses(story, f"a track of {name}",
                says(node, "location", "source", "gpx", "--file", str(file), *at_home), {REFUSED}, word)
        file.unlink()
    refuses(story, "a track that is a device", says(
        node, "location", "source", "gpx", "--file", "/dev/zero", *at_home), {NOT_FOUND}, "/dev/zero")


def bad_promises(node: Node, story: Story) -> None:
    """Makes promises that break a rule."""
    at_home = ["--home", str(node.home)]
    soon = int(time.time() * 1000) + 3_600_000

    def promise(**changed: object) -> list[str]:
        fields = {"title": "Dinner", "at": soon, "latitude": 1, "longitude": 1,
                  "with": "a" * 64} | changed
        return [f"--{name}={value}" for name, value in fields.items()]

    for name, changed, codes, word in (
            ("in the past", {"at": soon - 7_200_000}, {REFUSED}, "passed"),
            ("in 29 minutes", {"at": soon - 1_860_000}, {REFUSED}, "30 minutes"),
            ("with a penalty not on the list", {"penalty": 600}, {REFUSED}, "0, 100, 200"),
            ("with a title of 16 characters", {"title": "a" * 16}, {USAGE}, "15"),
            ("with a person who is not a mate", {}, {REFUSED}, "only with mates")):
        refuses(story, f"a promise {name}",
                says(node, "promise", "create", *promise(**changed), *at_home), codes, word)


def wrong_places(world: World, story: Story) -> None:
    """No runtime directory, a path too long for a socket, a corrupted database."""
    node = world.anna.node
    bare = ["env", "--unset=XDG_RUNTIME_DIR", f"HOME={world.scratch}/nowhere"]
    for words in (["status", "show"], ["node"]):
        refuses(story, f"no runtime directory, for waggle {words[0]}",
                says(node, *words, prefix=bare), {FAILED}, "XDG_RUNTIME_DIR")
    too_long = world.scratch / ("a-very-long-name-" * 8)
    refuses(story, "a socket's path that is too long",
            says(node, "node", "--home", str(too_long)), {FAILED, USAGE}, "bytes")
    corrupted(world, story)


def corrupted(world: World, story: Story) -> None:
    """Overwrites pages of the database: its head, then others in its middle."""
    node = world.ben.node
    world.ben.begin()
    node.start()
    world.ben.introduce()
    node.stop()
    # The pages in the write-ahead log would repair the damage.
    run("sqlite3", str(node.home / "replica.db"), "PRAGMA wal_checkpoint(TRUNCATE)")
    database = node.home / "replica.db"
    good = database.read_bytes()
    for what, first in (("head", 0), ("middle", len(good) // PAGE_BYTES // 2)):
        bad = bytearray(good)
        for start in range(first * PAGE_BYTES, len(bad), PAGE_BYTES):
            bad[start:start + 64] = os.urandom(64)
        database.write_bytes(bad)
        refuses(story, f"a database with a damaged {what}",
                says(node, "node", "--home", str(node.home)), {FAILED}, "replica.db")
        story.claim("the file is left as it was found", lambda: database.read_bytes() == bytes(bad))
    database.write_bytes(good)
    node.start()
    story.claim("with the good file put back, everything is there again",
                lambda: node.get("me/show").get("dogName") == world.ben.character.dog)
    story.claim("it ends with exit code 0", lambda: node.stop() == 0)


def full_disk(world: World, story: Story) -> None:
    """A disk that fills up: refused, nothing acknowledged is lost, and it goes on after."""
    node = world.cleo.node
    node.home.mkdir(mode=0o700)
    # Mounted in this script's namespace, so that sqlite3 sees it too.
    run("mount", "-t", "tmpfs", "-o", "size=128k,mode=700", "tmpfs", str(node.home))
    try:
        too_small_to_start(world, story)
        resize(node, "2m")
        fill(world, story)
    finally:
        if node.pid():
            node.kill()
        run("umount", "--lazy", str(node.home))


def resize(node: Node, size: str) -> None:
    """Makes the disk under a node's home as large as this."""
    run("mount", "-o", f"remount,size={size}", str(node.home))


def too_small_to_start(world: World, story: Story) -> None:
    """Starts a node on a disk without room for its database."""
    world.cleo.begin()
    refuses(story, "128 KiB have no room for the database",
            says(world.cleo.node, "node", "--home", str(world.cleo.node.home)), {FAILED}, "disk")


def fill(world: World, story: Story) -> None:
    """Fills a disk of 2 MiB under a running node."""
    node = world.cleo.node
    node.start()
    story.claim("with 2 MiB the node starts", node.answers)
    acknowledged, answer = write_until_refused(node)
    sentence = answer.get("error", {}).get("message", "")
    story.claim(f"after {len(acknowledged)} edits 2 MiB is full: “{sentence[:160]}”",
                lambda: acknowledged and helps(sentence, "disk"))
    story.claim("the node still answers", node.answers)
    resize(node, "8m")
    story.claim("with 8 MiB it goes on by itself", lambda: "error" not in node.post(
        "me/edit", {"dogName": "Afterwards"}), within=10)
    story.claim("nothing acknowledged is lost", lambda: all(
        bodies_with(node.home, dog) == 1 for dog in acknowledged))
    story.claim("sqlite3 finds the database whole",
                lambda: sqlite(node.home, "PRAGMA integrity_check") == ["ok"])
    story.claim("it ends with exit code 0", lambda: node.stop() == 0)


def write_until_refused(node: Node) -> tuple[list[str], dict]:
    """Edits until the node refuses; returns what it acknowledged, and the refusal."""
    acknowledged = []
    for number in range(20_000):
        dog = f"Rex no. {number:06}"
        answer = node.post("me/edit", {"dogName": dog})
        if not answer or "error" in answer:
            return acknowledged, answer
        acknowledged.append(dog)
    return acknowledged, {}


def avahi_stops(world: World, story: Story) -> None:
    """Avahi stops while the node runs, and starts again."""
    person = world.anna
    node, host = person.node, person.host
    host.start_discovery()
    person.begin()
    node.start()
    story.claim("the node announces itself", lambda: discovery(node) == "announcing", within=10)
    host.run("avahi-daemon", "--kill", f"--file={host.conf}")
    story.claim("Avahi is stopped, and the node says so", lambda: discovery(node) == "noDaemon",
                within=10)
    code, told = says(node, "doctor", "--home", str(node.home))
    story.claim(f"waggle doctor says what to do: “{' '.join(told.split())[:200]}”",
                lambda: "avahi" in told.lower() and not MACHINE_WORDS.search(told) and code in (0, 1))
    story.claim("nothing else was harmed", lambda: "error" not in node.post(
        "me/edit", {"nickname": "Dora"}))
    host.start_avahi()
    story.claim("Avahi is back, and the node announces itself again by itself",
                lambda: discovery(node) == "announcing", within=30)


def discovery(node: Node) -> str:
    """The state of discovery."""
    return node.get("status/show").get("discovery", {}).get("state", "")


def nothing_left(world: World, story: Story) -> None:
    """Every node ends when asked; nothing of a refused one runs on."""
    for person in world.people:
        if person.node.pid():
            story.claim(f"{person.name}'s node ends with exit code 0",
                        lambda: person.node.stop() == 0)
    story.claim("no waggle process is left", lambda: not running(world.scratch))


def running(scratch: Path) -> list[str]:
    """The command lines of processes that name a home of this run."""
    lines = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue  # It ended meanwhile.
        if words[0].endswith(b"/waggle") and str(scratch).encode() in b" ".join(words):
            lines.append(b" ".join(words).decode())
    return lines
