#!/usr/bin/python3
"""Snapshots of four people's homes, for the window tests and for trying the local API.

    script/lib/snapshots.py DIR [--binary WAGGLE]

makes the homes in DIR and prints them, as JSON, with the port on which each node listens. Sora's
home has something of everything.
Sora's mates are Mina and Jun; Haneul is a stranger nearby. Mina and Jun are mates, and Jun owns a
group in which Sora may only read.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from clock import shifted  # noqa: E402
from mates import make_mates  # noqa: E402
from pictures import dog  # noqa: E402
from processes import free_port, wait_until  # noqa: E402
from waggle import END_SECONDS_MAX, Node  # noqa: E402

HOUR, MINUTE = 3600, 60
# When each part of the snapshots happened, in seconds before now.
YESTERDAY = 27 * HOUR
FOUNDED, ARRIVED, INVITED, LATELY = 5 * HOUR, 5 * HOUR - 40 * MINUTE, 45 * MINUTE, 7 * MINUTE
# When a promise is that is only talked about.
LATER, TOMORROW = 3 * HOUR, 22 * HOUR
WAIT_SECONDS = 20
PROFILES = {
    "sora": {"nickname": "Sora", "dogName": "Bori", "age": 3, "sex": "female", "neutered": True,
             "size": "small", "keywords": ["smart", "friendly"], "keptPrivate": ["age"]},
    "mina": {"nickname": "Mina", "dogName": "Choco", "age": 4, "size": "medium",
             "keywords": ["energetic"]},
    "jun": {"nickname": "Jun", "dogName": "Max", "age": 1, "size": "big",
            "keywords": ["shy", "smart"]},
    "haneul": {"nickname": "Haneul", "dogName": "Latte", "age": 5, "size": "medium"},
}
LOCATIONS = {"sora": (37.5665, 126.9780), "mina": (37.5709, 126.9769), "jun": (37.5651, 126.9895)}
NOODLE_BAR = {"latitude": 37.5690, "longitude": 126.9830, "locationName": "Noodle bar"}
PENALTY_POTATOES = 500
DOGS_AT_THE_OAK = "Choco and Bori could meet by the old oak."
UNREAD = ["같이산책하자! Today at six, when the sun is behind the houses and the path along the stream "
          "is in the shade?", "Or tomorrow"]
# What Mina (-) and Sora (+) write to each other; the last two of today are not read yet.
TALK_OF_YESTERDAY = ["-Choco slept all the way home.", "-She never does that!",
                     "+Bori too. We should do this more often.", "-안녕! 내일도 같이 걸을까?",
                     "+좋아. 다리에서 만나자."]
TALK_OF_TODAY = ["+Is the path by the stream dry again?", "-Dry since noon.",
                 "+Then I bring the long leash.", *("-" + text for text in UNREAD)]


def settled(test, what: str):
    """Waits until `test` returns something true, and returns that."""
    found = wait_until(test, WAIT_SECONDS, every=0.02)
    if not found:
        raise RuntimeError(f"the snapshot could not be made: {what}")
    return found


class Cast:
    """The four nodes on homes in one folder. Use it in a `with`, which ends those that run."""

    def __init__(self, binary: Path, folder: Path, ports: dict[str, int], seconds_ago: int = 0):
        """`seconds_ago` puts the nodes' clocks back, or forward if it is negative."""
        self.folder = folder
        self.nodes = {name: Node(name.title(), binary, folder / name) for name in PROFILES}
        for name, node in self.nodes.items():
            node.options = ["--no-avahi", "--listen-port", str(ports[name])]
            node.clock = shifted(-seconds_ago, folder.parent) if seconds_ago else []
        self.sora, self.mina, self.jun, self.haneul = self.nodes.values()

    def __enter__(self) -> "Cast":
        return self

    def __exit__(self, *_) -> None:
        running = [node.process for node in self.nodes.values() if node.pid()]
        for process in running:
            process.terminate()
        for process in running:
            process.wait(timeout=END_SECONDS_MAX)

    def start(self, *names: str) -> None:
        """Starts these nodes, or all of them, and waits until Sora's is linked to the others."""
        nodes = [self.nodes[name] for name in names or self.nodes]
        for node in nodes:
            node.launch()
            if node is self.sora:
                self.answered(node)  # The others dial it, so it is there first.
        for node in nodes:
            self.answered(node)
            if node is not self.sora and self.sora.pid():
                self.link(self.sora, node)

    def answered(self, node: Node) -> None:
        """Waits until a node answers."""
        settled(node.answers, f"{node.name}'s node does not answer: {node.last_words()}")

    def link(self, one: Node, other: Node) -> None:
        """Waits until two nodes are linked and have compared their shared spaces."""
        device = other.device
        settled(lambda: any(link["device"] == device
                            for link in one.get("status/show").get("links", [])),
                f"{one.name} and {other.name} are not linked")


class Snapshots:
    """The snapshots in one folder: each is a folder with the four homes, made when needed."""

    def __init__(self, binary: Path, folder: Path):
        self.binary = binary
        self.folder = folder
        # By so many seconds the clocks of all nodes are ahead.
        self.seconds_ahead = 0
        # The homes know each other's addresses, so the ports are kept beside them.
        kept = folder / "ports.json"
        if not kept.exists():
            kept.write_text(json.dumps({name: free_port() for name in PROFILES}))
        self.ports: dict[str, int] = json.loads(kept.read_text())

    def open(self, snapshot: str, folder: Path, seconds_ago: int = 0) -> Cast:
        """The nodes on a copy of a snapshot, not started yet."""
        self.make(snapshot)
        shutil.copytree(self.folder / snapshot, folder)
        return Cast(self.binary, folder, self.ports, seconds_ago - self.seconds_ahead)

    def make(self, snapshot: str) -> Path:
        """Makes a snapshot, if there is none yet, and those it builds on."""
        folder = self.folder / snapshot
        if not folder.exists():
            # Made beside its place first, so that a snapshot is either whole or not there.
            with tempfile.TemporaryDirectory(prefix="w.", dir=self.folder) as scratch:
                made = Path(scratch) / snapshot
                SNAPSHOTS[snapshot](self, made)
                made.rename(folder)
        return folder

    def extended(self, snapshot: str, folder: Path, *chapters) -> None:
        """Copies a snapshot and lets more happen in the copy."""
        self.make(snapshot)
        shutil.copytree(self.folder / snapshot, folder)
        self.play(folder, *chapters)

    def play(self, folder: Path, *chapters) -> None:
        """Lets more happen in homes: each chapter is a function of the nodes, and the number of
        seconds by which their clocks are back."""
        for chapter, seconds_ago in chapters:
            with Cast(self.binary, folder, self.ports, seconds_ago - self.seconds_ahead) as cast:
                chapter(cast)

    # The snapshots, each on top of another

    def found(self, folder: Path) -> None:
        """Four people, three of them mates, and Jun's group."""
        folder.mkdir()
        self.play(folder, (found, FOUNDED))

    def mates(self, folder: Path) -> None:
        """The three mates have set their locations."""
        self.extended("found", folder, (locate, LATELY))

    def chat(self, folder: Path) -> None:
        """The mates have written to each other."""
        self.extended("mates", folder, (write, LATELY))

    def promise(self, folder: Path) -> None:
        """Sora has kept three of four promises, and dinner is in about twenty minutes."""
        self.extended("found", folder, (promise_alone, FOUNDED), (arrive, ARRIVED),
                      (promise_dinner, INVITED), (locate, LATELY))

    def everything(self, folder: Path) -> None:
        """All of the above, and a walk request that is answered and one that is open."""
        self.extended("promise", folder, (write, LATELY), (ask_for_walks, 0))

    def gallery(self, folder: Path) -> None:
        """The content of the pictures of the window: talk of two days, and promises in every state."""
        folder.mkdir()
        self.play(folder, (found, YESTERDAY), (portraits, YESTERDAY),
                  (talk_yesterday, YESTERDAY - HOUR),
                  (promise_alone, FOUNDED), (arrive, ARRIVED), (promise_dinner, INVITED),
                  (locate, LATELY), (promise_more, LATELY - 2 * MINUTE),
                  (talk_today, LATELY - 3 * MINUTE),
                  (walk_together, 0))


SNAPSHOTS = {name: getattr(Snapshots, name) for name in
             ("found", "mates", "chat", "promise", "everything", "gallery")}


# What happens between the people


def found(cast: Cast) -> None:
    """Makes the homes, the profiles, the addresses, the mates and the group."""
    for node in cast.nodes.values():
        node.cli("init")
    for node in cast.nodes.values():
        node.start()
    known: list[Node] = []
    for name, node in cast.nodes.items():
        node.api.ask("me/edit", PROFILES[name])
        # Of two nodes one dials: two that dial each other at once close one of the links again.
        for other in known:
            node.api.ask("peer/add", {"address": f"127.0.0.1:{other.options[-1]}"})
        known.append(node)
    for one, other in ((cast.sora, cast.mina), (cast.sora, cast.jun), (cast.mina, cast.jun)):
        cast.link(one, other)
        make_mates(one, other, WAIT_SECONDS)
    group = cast.jun.api.ask("group/create", {"name": "Walkers"})["id"]
    cast.jun.api.ask("group/invite", {
        "group": group, "person": cast.sora.person, "role": "reader"})
    accept(cast.sora, "group/accept", {"group": group})
    settled(lambda: any(each["state"] == "member" and each["person"] == cast.sora.person
                        for each in cast.jun.get(f"group/show?group={group}").get("members", [])),
            "Sora is not in the group")


def accept(node: Node, route: str, body: dict) -> None:
    """Accepts an invitation once all of it has arrived: until then the node refuses."""
    settled(lambda: "error" not in node.post(route, body), f"{node.name} cannot do {route}")


def locate(cast: Cast) -> None:
    """Sora, Mina and Jun set their locations."""
    for name, (latitude, longitude) in LOCATIONS.items():
        node = cast.nodes[name]
        node.start()
        node.api.ask("location/set", {"latitude": latitude, "longitude": longitude})


def portraits(cast: Cast) -> None:
    """Sora, Mina and Haneul choose photos of their dogs."""
    cast.start("sora", "mina", "haneul")
    for node, ground, fur in ((cast.sora, (170, 205, 190), (226, 178, 116)),
                              (cast.mina, (236, 200, 170), (120, 82, 60)),
                              (cast.haneul, (176, 190, 220), (240, 234, 220))):
        picture = node.home.parent / "picture.png"
        picture.write_bytes(dog(ground, fur))
        node.api.ask("me/photo", {"file": str(picture)})
        picture.unlink()
    for one, other in ((cast.sora, cast.mina), (cast.mina, cast.sora)):
        settled(lambda: photo_is_here(one, other), f"{other.name}'s photo does not arrive")


def photo_is_here(one: Node, other: Node) -> bool:
    """Whether a node has the photo of another's person."""
    return one.get(f"mates/photo?person={other.person}").get("here", False)


def write(cast: Cast) -> None:
    """Sora and Mina write to each other, and Jun to his group; Sora has not read the last two."""
    cast.start("sora", "mina", "jun")
    sora, mina = cast.sora.person, cast.mina.person
    for number in range(60):
        cast.mina.api.ask("chat/send", {"room": sora, "text": f"Earlier, number {number}"})
    settled(lambda: room(cast.sora, "Mina").get("unread") == 60, "Mina's messages do not arrive")
    cast.sora.api.ask("chat/open", {"room": mina, "mark": True})
    cast.sora.api.ask("chat/send", {"room": mina, "text": DOGS_AT_THE_OAK})
    settled(lambda: room(cast.mina, "Sora").get("unread") == 1, "Sora's message does not arrive")
    cast.mina.api.ask("chat/open", {"room": sora, "mark": True})
    for text in UNREAD:
        cast.mina.api.ask("chat/send", {"room": sora, "text": text})
    walkers = room(cast.jun, "Walkers")["id"]
    cast.jun.api.ask("chat/send", {"room": walkers, "text": "Who brings water?"})
    settled(lambda: room(cast.sora, "Mina").get("unread") == len(UNREAD)
            and "lastText" in room(cast.sora, "Walkers"), "the last messages do not arrive")


def talk_yesterday(cast: Cast) -> None:
    """Sora and Mina write to each other, and Jun to his group."""
    cast.start("sora", "mina", "jun")
    talk(cast, TALK_OF_YESTERDAY)
    walkers = room(cast.jun, "Walkers")["id"]
    cast.jun.api.ask("chat/send", {"room": walkers, "text": "Who brings water?"})
    settled(lambda: "lastText" in room(cast.sora, "Walkers"), "Jun's message does not arrive")
    cast.sora.api.ask("chat/open", {"room": walkers, "mark": True})


def talk_today(cast: Cast) -> None:
    """Sora and Mina write more; then Mina's node ends, and Sora's last message waits for it."""
    cast.start("sora", "mina")
    talk(cast, TALK_OF_TODAY)
    cast.mina.stop()
    jun = next(each["person"] for each in cast.sora.api.ask("mates/list")["mates"]
               if each["profile"]["nickname"] == "Jun")
    cast.sora.api.ask("chat/send", {"room": jun, "text": "See you at the noodle bar"})


def talk(cast: Cast, lines: list[str]) -> None:
    """Sora and Mina write; whoever writes has read what was written before."""
    persons = {"+": cast.sora.person, "-": cast.mina.person}
    for line in lines:
        writer, reader = (cast.sora, cast.mina) if line[0] == "+" else (cast.mina, cast.sora)
        addressee = persons["-" if line[0] == "+" else "+"]
        writer.api.ask("chat/open", {"room": addressee, "mark": True})
        writer.api.ask("chat/send", {"room": addressee, "text": line[1:]})
        settled(lambda: room(reader, writer.name).get("lastText") == line[1:],
                f"'{line}' does not arrive")


def room(node: Node, title: str) -> dict:
    """A chat room by its title; empty if there is none."""
    rooms = node.get("chat/rooms").get("rooms", [])
    return next((each for each in rooms if each["title"] == title), {})


def promised(node: Node, title: str, in_seconds: int, people: list[str]) -> str:
    """Makes a promise to be at the noodle bar; returns its id."""
    at_ms = node.api.ask("status/show")["nowMs"] + in_seconds * 1000
    return node.api.ask("promise/create", {
        "title": title, "atMs": at_ms, "penalty": PENALTY_POTATOES, "with": people, **NOODLE_BAR,
    })["id"]


def promise_alone(cast: Cast) -> None:
    """Sora promises Mina four things. Mina, whose node does not run, never answers."""
    cast.sora.start()
    mina = next(each["person"] for each in cast.sora.api.ask("mates/list")["mates"]
                if each["profile"]["nickname"] == "Mina")
    promised(cast.sora, "Pancakes", 35 * MINUTE, [mina])
    for title in ("Bridge", "Library", "Lake"):
        promised(cast.sora, title, 50 * MINUTE, [mina])


def arrive(cast: Cast) -> None:
    """Sora arrives at the noodle bar: late for one of the promises, and early for three."""
    cast.sora.start()
    promises = cast.sora.api.ask("promise/list")["promises"]
    cast.sora.api.ask("location/set", {
        "latitude": NOODLE_BAR["latitude"], "longitude": NOODLE_BAR["longitude"]})
    for promise in promises:
        settled(lambda: participant(cast.sora, promise["id"], "Sora").get("arrivedMs"),
                f"Sora does not arrive for '{promise['title']}'")


def promise_dinner(cast: Cast) -> None:
    """Mina promises Sora and Jun dinner, and they accept."""
    cast.start("sora", "mina", "jun")
    guests = [cast.sora, cast.jun]
    dinner = promised(cast.mina, "Dinner", INVITED + 24 * MINUTE, [each.person for each in guests])
    for guest in guests:
        accept(guest, "promise/accept", {"promise": dinner})
    for node in (cast.mina, *guests):
        settled(lambda: node.get(f"promise/show?promise={dinner}").get("peopleCount") == 3,
                f"{node.name} does not see three people")


def promise_more(cast: Cast) -> None:
    """Mina is on the way to dinner, and Jun has arrived. Sora and Mina promise each other more."""
    cast.start("sora", "mina", "jun")
    sora, mina = cast.sora, cast.mina
    cast.jun.api.ask("location/set", {
        "latitude": NOODLE_BAR["latitude"], "longitude": NOODLE_BAR["longitude"]})
    settled(lambda: any(participant(sora, each["id"], "Jun").get("arrivedMs")
                        for each in sora.get("promise/list").get("promises", [])),
            "Jun does not arrive")
    concert = promised(mina, "Concert", LATER, [sora.person])
    accept(sora, "promise/accept", {"promise": concert})
    settled(lambda: participant(mina, concert, "Sora").get("state") == "member", "no answer")
    promised(sora, "Coffee", TOMORROW, [mina.person])
    settled(lambda: any(each["title"] == "Coffee" for each in
                        mina.get("promise/list").get("promises", [])), "no coffee")


def participant(node: Node, promise: str, name: str) -> dict:
    """A person in a promise as the node shows them; empty if there is no such person."""
    people = node.get(f"promise/show?promise={promise}").get("people", [])
    return next((each for each in people if each.get("name") == name or
                 each["me"] and name == node.name), {})


def ask_for_walks(cast: Cast) -> None:
    """Mina asks Sora for two walks, and Sora accepts the first."""
    cast.start("sora", "mina")
    for number, message in enumerate(("Once round the pond?", "A walk before dinner?"), 1):
        ask_for_walk(cast, message, in_seconds=24 * HOUR)
        settled(lambda: len(cast.sora.get("walk/list").get("requests", [])) == number, "no request")
    first = cast.sora.api.ask("walk/list")["requests"][-1]["id"]
    cast.sora.api.ask("walk/accept", {"id": first})


def walk_together(cast: Cast) -> None:
    """Mina asks Sora for a walk tomorrow, and Sora accepts."""
    cast.start("sora", "mina")
    walk = ask_for_walk(cast, "Once round the pond?", in_seconds=TOMORROW)
    accept(cast.sora, "walk/accept", {"id": walk})


def ask_for_walk(cast: Cast, message: str, in_seconds: int = 0) -> str:
    """Mina asks Sora for a walk, at once or later; returns the id of the request."""
    now_ms = cast.mina.api.ask("status/show")["nowMs"]
    later = {"atMs": now_ms + in_seconds * 1000} if in_seconds else {}
    return cast.mina.api.ask("walk/ask", {
        "to": cast.sora.person, "latitude": 37.5690, "longitude": 126.9860, "message": message,
        "locationName": "Stream by the old bridge", **later})["id"]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--binary", type=Path,
                        default=Path(__file__).parents[2] / ".build" / "debug" / "waggle")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    snapshots = Snapshots(chosen.binary, chosen.folder.resolve())
    homes = snapshots.make("everything")
    print(json.dumps({name: {"home": str(homes / name), "port": snapshots.ports[name]}
                      for name in PROFILES}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
