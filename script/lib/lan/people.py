"""The people of the story: each with a node, and with a host if there is a LAN.

They begin with nothing. `script/lib/snapshots.py` has people who have met before.
"""

from dataclasses import dataclass
from pathlib import Path

from lan.network import LAN, Host
from waggle import Node
from lan.outside import dump, spaces_between


@dataclass
class Character:
    """The names and facts of a person of the story."""

    name: str
    nickname: str
    dog: str
    age: int
    keyword: str


ANNA = Character("anna", "Anna", "Ada", 31, "smart")
BEN = Character("ben", "Ben", "Bruno", 44, "friendly")
CLEO = Character("cleo", "Cleo", "Cato", 27, "shy")
DORA = Character("dora", "Dora", "Dusty", 38, "energetic")
EMIL = Character("emil", "Emil", "Echo", 52, "independent")


def bystander(number: int) -> Character:
    """Another person on the LAN, who only watches."""
    return Character(f"other{number}", f"Other{number}", f"Dog{number}", 50, "independent")


class Person:
    """A person with a node."""

    def __init__(self, character: Character, binary: Path, scratch: Path, host: Host | None):
        self.character = character
        self.host = host
        self.node = Node(character.nickname, binary, scratch / character.name, host)
        # The recovery words, as the first run showed them.
        self.words: list[str] = []

    @property
    def name(self) -> str:
        """The name in the story."""
        return self.character.nickname

    def begin(self) -> None:
        """Makes the identity; the node need not run for that."""
        self.words = self.node.cli("init")["recoveryWords"]

    def introduce(self) -> None:
        """Fills in the profile; the node must run."""
        who = self.character
        self.node.cli(
            "me", "edit", "--nickname", who.nickname, "--dog-name", who.dog, "--age", str(who.age),
            "--sex", "female", "--neutered", "--size", "medium", "--keywords", who.keyword)

    @property
    def person(self) -> str:
        """The person's key, in hex."""
        return self.node.person

    @property
    def device(self) -> str:
        """The device's key, in hex."""
        return self.node.device

    @property
    def port(self) -> int:
        """The TCP port on which the node listens."""
        return self.node.get("status/show")["port"]

    @property
    def address(self) -> str:
        """The address at which others reach the host."""
        return self.host.address if self.host else "127.0.0.1"

    # Answers of the node, as the story needs them

    def sees(self, other_device: str) -> dict | None:
        """The entry of a device in the list of people nearby."""
        people = self.node.get("nearby/list").get("people", [])
        return next((each for each in people if each["device"] == other_device), None)

    def mate(self, person: str) -> dict | None:
        """The entry of a mate."""
        mates = self.node.get("mates/list").get("mates", [])
        return next(
            (each for each in mates if each["person"] == person and each["state"] == "mate"), None)

    def drop(self) -> dict:
        """The state of the drop."""
        return self.node.get("drop/show")

    def walk(self, request: str) -> dict:
        """A walk request by its id; empty if the node does not know it."""
        requests = self.node.get("walk/list").get("requests", [])
        return next((each for each in requests if each["id"] == request), {})

    def asks(self, other: str, message: str, place: str = "the old oak") -> str:
        """Asks for a walk; returns the request's id."""
        return self.node.cli(
            "walk", "ask", "--to", other, "--latitude", "37.5665", "--longitude", "126.9780",
            "--location-name", place, "--message", message)["id"]

    def dump_with(self, *persons: str) -> list[str]:
        """The rows of the spaces of these people in the node's file, in portable columns."""
        return dump(self.node.home, spaces_between(self.node.home, *persons))


class World:
    """Anna, Ben, Cleo, as many bystanders as wanted, and the LAN between them if there is one."""

    def __init__(self, binary: Path, scratch: Path, hosts_count: int, namespaces: bool):
        self.binary = binary
        self.scratch = scratch
        self.lan = LAN(scratch) if namespaces else None
        cast = [ANNA, BEN, CLEO] + [bystander(number) for number in range(4, hosts_count + 1)]
        self.people = [self._person(each) for each in cast[:hosts_count]]
        # The nodes of other devices of these people.
        self.extra_nodes: list[Node] = []

    @property
    def anna(self) -> Person:
        """She meets Ben."""
        return self.people[0]

    @property
    def ben(self) -> Person:
        """He meets Anna."""
        return self.people[1]

    @property
    def cleo(self) -> Person:
        """A stranger to both; a world of two has none."""
        return self.people[2]

    def _person(self, character: Character) -> Person:
        host = self.lan.add(character.name) if self.lan else None
        return Person(character, self.binary, self.scratch, host)

    def join(self, character: Character) -> Person:
        """Adds a person, whose node is not started yet."""
        person = self._person(character)
        self.people.append(person)
        return person

    def link_addresses(self) -> None:
        """Without a LAN: gives every node the addresses of the others."""
        for one in self.people:
            for other in self.people:
                if one is not other:
                    one.node.cli("peer", "add", f"127.0.0.1:{other.port}")

    def close(self) -> None:
        """Ends everything that still runs."""
        for node in [person.node for person in self.people] + self.extra_nodes:
            if node.process and node.process.poll() is None:
                node.kill()
        if self.lan:
            self.lan.close()
