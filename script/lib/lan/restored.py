"""A backup that is restored on another host: the node first fetches its batches since the backup
from other nodes, and only then writes new ones."""

from pathlib import Path

from waggle import Node
from lan.outside import bodies_with, sqlite
from lan.people import Person, World
from lan.scenes import both_equal
from lan.story import Story

# The names Anna gives her dog after the backup was made, and later on the other host.
AFTERWARDS, ELSEWHERE = "Astra", "Ares"


def restored(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = world.anna, world.ben
    device = anna.device
    backup = back_up(world, story, anna)
    write_more(story, anna, ben)
    go_away(story, anna)
    move(world, anna, backup)
    start_again(story, anna)
    resume(story, anna, device)
    write_again(story, anna, ben)


def back_up(world: World, story: Story, anna: Person) -> Path:
    """Anna's node writes a backup while it runs."""
    backup = world.scratch / "anna.backup"
    if story.does("restore-backup"):
        anna.node.cli("backup", str(backup))
    story.claim("Anna's node runs on, and there is a backup of it that only she can read", lambda: (
        anna.node.answers() and backup.stat().st_mode & 0o777 == 0o600))
    return backup


def write_more(story: Story, anna: Person, ben: Person) -> None:
    """She writes something that is not in the backup, and Ben has it."""
    if story.does("restore-later"):
        anna.node.cli("me", "edit", "--dog-name", AFTERWARDS)
    story.claim(f"after the backup she calls her dog {AFTERWARDS}, and Ben's file has it",
                lambda: bodies_with(ben.node.home, AFTERWARDS) == 1, within=15)


def go_away(story: Story, anna: Person) -> None:
    """Her host disappears suddenly."""
    if story.does("restore-away"):
        anna.node.kill()
        anna.host.link_down()
    story.claim("her host is gone", lambda: not anna.node.answers())


def move(world: World, anna: Person, backup: Path) -> None:
    """The backup is restored on a new host."""
    host = world.lan.add("anna2")
    host.start_discovery()
    node = Node(anna.name, anna.node.binary, world.scratch / "anna2", host)
    node.cli("restore", str(backup))
    anna.host, anna.node = host, node


def start_again(story: Story, anna: Person) -> None:
    """The node of the restored home is started."""
    story.claim("the restored home has her profile, and not what she wrote afterwards", lambda: (
        bodies_with(anna.node.home, anna.character.nickname) >= 1
        and bodies_with(anna.node.home, AFTERWARDS) == 0))
    if story.does("restore-start"):
        anna.node.start()
    story.claim("it answers on another host", anna.node.answers)


def resume(story: Story, anna: Person, device: str) -> None:
    """It asks the nodes nearby for its own log before it writes."""
    story.claim("it fetches its own later writes from Ben and others who have them",
                lambda: bodies_with(anna.node.home, AFTERWARDS) == 1, within=40)
    story.claim("then it may write, and waggle status reports the adoption", lambda: (
        "unsettled" not in anna.node.get("status/show")
        and "adopted" in notices(anna)), within=40)
    story.claim("under the key it had", lambda: anna.device == device)


def notices(person: Person) -> set[str]:
    """The kinds of the notices in a node's status."""
    return {each["kind"] for each in person.node.get("status/show")["notices"]}


def write_again(story: Story, anna: Person, ben: Person) -> None:
    """New writes continue her log, and nothing forked."""
    anna.node.cli("me", "edit", "--dog-name", ELSEWHERE)
    story.claim(f"she calls her dog {ELSEWHERE}, and Ben has that", lambda: (
        ben.mate(anna.person)["profile"]["dogName"] == ELSEWHERE), within=15)
    story.claim("sqlite3 finds no fork in either file", lambda: not any(
        sqlite(each.node.home, "SELECT * FROM waggle_fork") for each in (anna, ben)))
    story.claim("and neither node speaks of one", lambda: not any(
        {"forked", "clone"} & notices(each) for each in (anna, ben)))
    both_equal(story, anna, ben, within=15)
