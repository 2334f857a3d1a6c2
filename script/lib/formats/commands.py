"""The commands that write and read files of other programs, on two nodes of mates."""

import json
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path

from lan.mishaps import says
from lan.people import World
from lan.scenes import drop, found
from lan.story import Story
from pictures import dog

READERS = Path(__file__).with_name("readers.py")
CONFLICT, REFUSED = 7, 5


def commands(world: World, story: Story, python: Path, scratch: Path) -> None:
    """Two mates export and import by commands."""
    found(world, story)
    drop(world, story)
    files = scratch / "files"
    files.mkdir()
    contacts(world, story, python, files)
    kept = files / "kept.ics"
    world.anna.node.cli("config", "set", "calendar.file", str(kept))
    events(world, story, python, files)
    story.claim("the calendar that is kept current has both", lambda: titles(python, kept) == [
        "Dinner", "Walk with Ben"], within=15)
    imports(world, story, files)


def said(python: Path, path: Path):
    """What the parsers of others say of a file."""
    done = subprocess.run([python, READERS, path], capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


def titles(python: Path, path: Path) -> list[str]:
    """The titles of the events of a calendar, by name."""
    return sorted(each["title"] for each in said(python, path))


def contacts(world: World, story: Story, python: Path, files: Path) -> None:
    """A mate with a photo, who comes back as a profile."""
    anna, ben = world.anna, world.ben
    picture = files / "picture.png"
    picture.write_bytes(dog((90, 140, 90), (160, 110, 60)))
    ben.node.cli("me", "photo", str(picture))
    story.claim("Ben's photo arrives", lambda: anna.node.cli(
        "mates", "photo", ben.person).get("file"), within=20)
    card = files / "ben.vcf"
    anna.node.cli("mates", "export", ben.person, "--vcard", str(card))
    contact = said(python, card)
    story.claim(f"vobject reads {contact.get('name')} and the dog {contact.get('dog')}",
                lambda: contact["name"] == "Ben" and contact["dog"] == "Bruno"
                and contact["photo"] and ben.person[:12] not in card.read_text())
    code, words = says(anna.node, "mates", "export", ben.person, "--vcard", str(card),
                       "--home", str(anna.node.home))
    story.claim(f"a file that is there is not replaced: “{words.strip()}”",
                lambda: code == CONFLICT)


def events(world: World, story: Story, python: Path, files: Path) -> None:
    """A promise and a walk, each as an event, and both as a calendar."""
    anna, ben = world.anna, world.ben
    at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(hours=3)
    place = ("--latitude", "37.5663", "--longitude", "126.9779")
    promise = anna.node.cli("promise", "create", "--title", "Dinner", "--at", at.isoformat(), *place,
                            "--location-name", "City Hall; east", "--with", ben.person)["id"]
    walk = anna.node.cli("walk", "ask", "--to", ben.person, "--at", at.isoformat(), *place,
                         "--message", "The gate, then?")["id"]
    one, other, both = files / "promise.ics", files / "walk.ics", files / "both.ics"
    anna.node.cli("promise", "export", promise, "--ics", str(one))
    anna.node.cli("walk", "export", walk, "--ics", str(other))
    anna.node.cli("calendar", str(both))
    dinner, stroll = said(python, one)[0], said(python, other)[0]
    story.claim(f"icalendar reads “{dinner['title']}” at {dinner['location']} at its time",
                lambda: dinner["start"] == int(at.timestamp())
                and dinner["location"] == "City Hall; east"
                and dinner["point"] == [37.5663, 126.9779])
    story.claim(f"and “{stroll['title']}”, which is {stroll['status'].lower()}",
                lambda: stroll["title"] == "Walk with Ben" and stroll["status"] == "TENTATIVE")
    story.claim("the calendar has both, under the same ids",
                lambda: {each["uid"] for each in said(python, both)} == {
                    dinner["uid"], stroll["uid"]})
    later = at + timedelta(minutes=30)
    anna.node.cli("promise", "edit", promise, "--at", later.isoformat())
    moved_file = files / "moved.ics"
    anna.node.cli("promise", "export", promise, "--ics", str(moved_file))
    moved = said(python, moved_file)[0]
    story.claim("a moved promise has the same id and a higher number",
                lambda: moved["uid"] == dinner["uid"] and moved["sequence"] > dinner["sequence"]
                and moved["start"] == int(later.timestamp()))


def imports(world: World, story: Story, files: Path) -> None:
    """An event that becomes a promise, and a contact that fills the profile."""
    anna, ben = world.anna, world.ben
    before = len(anna.node.cli("promise", "list")["promises"])
    draft = anna.node.cli("promise", "draft", str(files / "promise.ics"))
    story.claim(f"an event is a draft, “{draft['title']}”, and makes no promise",
                lambda: draft["locationName"] == "City Hall; east"
                and len(anna.node.cli("promise", "list")["promises"]) == before)
    made = anna.node.cli("promise", "create", "--from", str(files / "promise.ics"),
                         "--title", "Again", "--with", ben.person)
    story.claim("a promise is made of it, with another title",
                lambda: made["title"] == "Again" and made["atMs"] == draft["atMs"])
    me = anna.node.cli("me", "import", str(files / "ben.vcf"))
    story.claim("a contact fills the profile, with its photo",
                lambda: me["nickname"] == "Ben" and me["dogName"] == "Bruno" and me["photoHere"])
    code, words = says(anna.node, "me", "import", str(files / "promise.ics"),
                       "--home", str(anna.node.home))
    story.claim(f"a calendar is no contact: “{words.strip()}”", lambda: code == REFUSED)
