"""The user's own devices on the profile page: a second one is named and removed."""
import importlib.machinery
import importlib.util
from contextlib import contextmanager
from pathlib import Path

from accessible import until
from stage import expect, stage
from waggle import Node

ROOT = Path(__file__).resolve().parent.parent.parent
# The length of a founding record with its signature.
FOUNDING_BYTES = 65 + 64


def rules():
    """The second implementation of the protocol, which can sign a device's entry."""
    loader = importlib.machinery.SourceFileLoader("rules", str(ROOT / "script" / "protocol-check"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("rules", loader))
    loader.exec_module(module)
    return module


def add_device(first: Path, home: Path) -> None:
    """Makes a home with a second device of a person, which the first one's key adds."""
    made = rules()
    record = (first / "person.record").read_bytes()
    signer = (first / "device.key").read_bytes()
    seed = b"\x07" * 32
    person = made.H("person", record[:65])
    device = made.public_key(seed)
    consent = made.sign(seed, made.prefix("device consent") + person + device + made.text(""))
    entry = made.entry(person, signer, made.public_key(signer), 2, device, consent)
    count, entries = record[FOUNDING_BYTES], record[FOUNDING_BYTES + 1:]
    home.mkdir(mode=0o700)
    (home / "person.record").write_bytes(
        record[:FOUNDING_BYTES] + bytes([count + 1]) + entries + entry)
    (home / "regained.json").write_text('{"since":0,"people":[]}')
    (home / "device.key").touch(mode=0o600)
    (home / "device.key").write_bytes(seed)


@contextmanager
def phone(on):
    """A second device of the user, linked with the first."""
    home = on.node.home.parent / "phone"
    add_device(on.node.home, home)
    node = Node("phone", on.node.binary, home)
    node.start()
    try:
        port = on.ask("status/show")["port"]
        node.cli("peer", "add", f"127.0.0.1:{port}")
        # Each node is named after its host, so the two have one name.
        on.wait("device/list", lambda answer: len(answer["devices"]) == 2 and all(
            "name" in each for each in answer["devices"]), "the second device and its name")
        yield node
    finally:
        node.stop()


def test_second_device_is_named_and_removed():
    with stage("mates") as on, phone(on) as second:
        key = second.device
        name = next(each["name"] for each in on.ask("device/list")["devices"]
                    if each["device"] == key)
        on.frame.press("Profile")
        on.frame.reach("Delete me…")
        on.frame.find("Your devices", "list")
        on.frame.press(f"Rename {name} · {key[:6]}")
        on.frame.type("Name of the device", "phone")
        on.frame.press("Save")
        on.wait("device/list", lambda answer: any(
            each["name"] == "phone" for each in answer["devices"]), "the name")
        on.frame.reach("Remove phone")
        on.expect_good_layout()
        on.shot("devices")
        on.frame.press("Remove phone")
        on.frame.says("It gets nothing more")
        on.expect_good_layout()
        on.shot("device-remove")
        on.frame.press("Cancel")
        expect(len(on.ask("device/list")["devices"]) == 2, "Cancel removes the device")
        on.frame.press("Remove phone")
        on.frame.press("Remove device")
        on.frame.gone("Remove phone")
        on.wait("device/list", lambda answer: len(answer["devices"]) == 1, "one device")
        until(lambda: was_removed(second), "the phone to say so")


def was_removed(node) -> bool:
    """Whether a node says that its device was removed. It begins anew when it learns of that, and
    has no socket for a moment."""
    try:
        return "was removed" in node.get("status/show").get("unsettled", "")
    except OSError:
        return False
