"""Cleo, a stranger, asks Ben for the space he shares with Anna, through a raw client of her own.

The answers must be, byte for byte, those for a space that does not exist. As a counter-check, the
same questions are also asked with Anna's key: then the space is served.
"""

import json
import subprocess
from pathlib import Path

from lan.outside import batch_count, dump, spaces_between
from lan.people import Person, World
from lan.rawpeer import digest, prefix
from lan.story import Story

# An Ed25519 private key as PKCS #8 (RFC 8410 section 7) is this and its 32 bytes.
PKCS8_PREFIX = bytes.fromhex("302e020100300506032b657004220420")
# The same for the public half, as SubjectPublicKeyInfo.
SPKI_PREFIX_BYTES = 12
PUSH, HAVE = 4, 2


class Mask:
    """A device key and person record that a raw peer shows."""

    def __init__(self, key: Path, person: bytes):
        self.key = key
        self.person = person

    @property
    def device(self) -> bytes:
        """The device's key, for a person founded on it."""
        return self.person[1:33]

    @classmethod
    def of(cls, person: Person, scratch: Path) -> "Mask":
        """The key and record of a real person, taken from their home."""
        key = scratch / f"{person.character.name}.raw.pem"
        private = PKCS8_PREFIX + (person.node.home / "device.key").read_bytes()
        made = subprocess.run(["openssl", "pkey", "-inform", "DER"], input=private,
                              capture_output=True, check=True)
        key.write_bytes(made.stdout)
        return cls(key, (person.node.home / "person.record").read_bytes())

    @classmethod
    def new(cls, scratch: Path) -> "Mask":
        """A key made a moment ago, and the record of a person founded on it."""
        return founded(scratch / "stranger.raw.pem")


def founded(key: Path) -> Mask:
    """Makes a key in a file, and the record of a person founded on it."""
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)],
                   check=True, capture_output=True)
    public = subprocess.run(
        ["openssl", "pkey", "-in", str(key), "-pubout", "-outform", "DER"],
        check=True, capture_output=True).stdout[SPKI_PREFIX_BYTES:]
    recovery = bytes(31) + b"\1"
    founding = b"\1" + public + recovery
    return Mask(key, founding + sign(key, prefix("founding") + founding) + b"\0")


def sign(key: Path, message: bytes) -> bytes:
    """An Ed25519 signature; openssl must know the length beforehand, hence the file."""
    signed = key.with_suffix(".signed")
    signed.write_bytes(message)
    return subprocess.run(
        ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", str(key), "-in", str(signed)],
        check=True, capture_output=True).stdout


def pair_id(one: str, other: str) -> str:
    """The id of the space of two people, which anyone who knows both keys can compute."""
    return digest("space", b"\3", *sorted(map(bytes.fromhex, (one, other)))).hex()


def converse(mask: Mask, asker: Person, node: Person, verb: str, what: str = "") -> dict:
    """Has one conversation with a node from another's host; returns all frames of it."""
    command = [
        "/usr/bin/python3", str(Path(__file__).with_name("rawpeer.py")),
        "--key", str(mask.key), "--person", mask.person.hex(),
        node.address, str(node.port), verb, *([what] if what else []),
    ]
    line = asker.host.enter(*command) if asker.host else command
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"the raw client failed: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


def kinds(said: dict) -> set[int]:
    """The types of the frames that arrived."""
    return {int(each[:2], 16) for each in said["arrived"]}


def stranger(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben, cleo = world.anna, world.ben, world.cleo
    space, nowhere = pair_id(anna.person, ben.person), digest("space", b"nowhere").hex()
    shared = spaces_between(ben.node.home, anna.person, ben.person)
    story.claim("Cleo's client knows the id of Anna's and Ben's space",
                lambda: space.upper() in shared)
    before = dump(ben.node.home, shared), batch_count(ben.node.home)
    mask = Mask.new(world.scratch)
    real = converse(mask, cleo, ben, "ask", space) if story.does("ask") else None
    unreal = converse(mask, cleo, ben, "ask", nowhere)
    story.claim("it links to Ben's node, and its questions are answered",
                lambda: real and real["answers"] and not real["closed"])
    story.equal("the answers are, byte for byte, those for a space that does not exist",
                real["answers"], unreal["answers"])

    anna_person = anna.person
    story.tell("to know that the questions were good ones, they are asked with Anna's own key")
    anna.node.stop()
    anna_mask = Mask.of(anna, world.scratch) if story.does("member") else mask
    member = converse(anna_mask, anna, ben, "ask", space)
    story.claim("then the space is served: digests, and the batches themselves",
                lambda: {HAVE, PUSH} <= kinds(member) and member["answers"] != real["answers"])

    replayed(world, story, mask, member)
    story.equal("Ben's file is as it was before",
                (dump(ben.node.home, shared), batch_count(ben.node.home)), before)
    anna.node.start()
    story.claim("Anna is back, and linked to Ben", lambda: any(
        link.get("person") == anna_person for link in ben.node.get("status/show")["links"]),
        within=20)


def replayed(world: World, story: Story, mask: Mask, member: dict) -> None:
    """Cleo sends the recorded frames between Anna and Ben again, of both directions."""
    ben, cleo = world.ben, world.cleo
    # The recorded HELLO is left out: the next claim uses it, and it ends the link.
    recorded = member["sent"][1:] + [framed(each) for each in member["arrived"] if is_push(each)]
    story.tell(f"Cleo replays {len(recorded)} recorded frames of both directions")
    heard = replay(world, mask, recorded if story.does("replay") else [])
    made_up = replay(world, mask, [renamed(each) for each in recorded])
    story.claim("they are answered", lambda: heard["answers"] and not heard["closed"])
    story.equal("byte for byte as the same frames about a space that does not exist",
                heard["answers"], made_up["answers"])
    impostor = Mask(mask.key, Mask.of(world.anna, world.scratch).person)
    said = converse(impostor, cleo, ben, "greet")
    story.claim("with Anna's person record but not her key, the link is closed on the greeting",
                lambda: said["closed"] and not said["answers"])


def replay(world: World, mask: Mask, frames: list[str]) -> dict:
    """Sends recorded frames to Ben from Cleo's host."""
    recording = world.scratch / "recorded.json"
    recording.write_text(json.dumps(frames))
    return converse(mask, world.cleo, world.ben, "replay", str(recording))


def framed(body: str) -> str:
    """A frame that arrived, in hex, with the length it came with."""
    return (len(body) // 2).to_bytes(4, "big").hex() + body


def is_push(body: str) -> bool:
    """Whether a frame that arrived holds batches."""
    return int(body[:2], 16) == PUSH


def renamed(frame: str) -> str:
    """A sent frame, with the space it names, if any, replaced by one that does not exist."""
    header, body = frame[:8], frame[8:]
    if int(body[:2], 16) != HAVE:
        return frame
    # The type, the round and the count are a byte each; then follows the token, of eight.
    return header + body[:6] + "5a" * 8 + body[22:]
