"""A group of four whose owner removes one of them while the LAN is split in two.

Dora and Emil join the LAN for this. Anna becomes a mate of each; they and Ben have no other mates,
so they receive each other's writes only as members of the group.
"""

from lan.erased import holds
from lan.outside import bodies_with, connections, dump, sqlite
from lan.people import DORA, EMIL, Person, World
from lan.scenes import press, refused, together
from lan.story import Story

# The note each writes while all are linked.
TOGETHER = "{0} is here"
# Dora's notes after she was removed, which she does not know yet.
BEYOND = ["beyond the cut, first", "beyond the cut, second", "beyond the cut, third"]


def group(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben, dora, emil = four = [world.anna, world.ben, *arrive(world, story)]
    walkers = begin(story, four)
    split(world, story, [dora, emil])
    remove(story, four, walkers)
    heal(world, story, four, walkers)
    nothing_more(story, four, walkers)
    come_back(story, four, walkers)
    erase(story, four, walkers)


def arrive(world: World, story: Story) -> list[Person]:
    """Dora and Emil join, and each becomes Anna's mate."""
    friends = [world.join(DORA), world.join(EMIL)]
    for friend in friends:
        friend.host.start_discovery()
        friend.begin()
        friend.node.start()
        friend.introduce()
    for friend in friends:
        meet(story, world.anna, friend)
    return friends


def meet(story: Story, anna: Person, friend: Person) -> None:
    """Two press Drop, accept and are mates."""
    story.claim(f"{friend.name} has come, and sees Anna",
                lambda: friend.sees(anna.device), within=20)
    together(lambda: press(anna), lambda: press(friend))
    story.claim(f"Anna and {friend.name} see the same code", lambda: (
        friend.drop().get("checkCode") and
        friend.drop().get("checkCode") == anna.drop().get("checkCode")), within=12)
    for who in (anna, friend):
        who.node.cli("drop", "accept")
    story.claim(f"Anna and {friend.name} are mates", lambda: (
        anna.mate(friend.person) and friend.mate(anna.person)), within=10)


# Together


def begin(story: Story, four: list[Person]) -> str:
    """Anna begins a group, invites the others, and all write."""
    anna = four[0]
    walkers = anna.node.cli("group", "create", "Walkers")["id"]
    for each in four[1:]:
        if story.does("group-invite"):
            anna.node.cli("group", "invite", walkers, each.person)
    story.claim("each has the invitation in the inbox", lambda: all(
        any(item["kind"] == "group" and "accept" in item["actions"]
            for item in each.node.get("inbox/list")["items"]) for each in four[1:]), within=15)
    for each in four[1:]:
        if story.does("group-accept"):
            each.node.cli("group", "accept", walkers)
    story.claim("sqlite3 finds four members in each of the four files", lambda: all(
        sorted(states(each, walkers).values()) == ["member"] * 4 for each in four), within=15)
    for each in four:
        if story.does("group-note"):
            each.node.cli("group", "note", walkers, TOGETHER.format(each.name))
    said = sorted(TOGETHER.format(each.name) for each in four)
    story.claim("and the notes of all four in each", lambda: all(
        notes(each, walkers) == said for each in four), within=15)
    all_equal(story, four, walkers)
    return walkers


def states(person: Person, space: str) -> dict[str, str]:
    """The state of each person of a group in a node's file."""
    rows = sqlite(person.node.home, f"""
        SELECT lower(hex(m.person)), m.state FROM waggle_member m
        JOIN waggle_space s ON s.space = m.space WHERE s.id = x'{space}'""")
    return dict(row.split("|") for row in rows)


def notes(person: Person, space: str) -> list[str]:
    """The notes of a group in a node's file, sorted."""
    return sorted(sqlite(person.node.home, f"""
        SELECT n.text FROM neighbours_note n
        JOIN waggle_space s ON s.space = n.space WHERE s.id = x'{space}'"""))


def without_beyond(rows: list[str], cutter: list[str], removed: str) -> list[str]:
    """Leaves out a removed person's batches beyond the cut: a replica that had them before the cut
    arrived keeps them, void. The replica that made the cut has only the batches up to it."""
    def place(row: str) -> tuple[str, int] | None:
        table, _, device, branch, person, number, *_ = row.split("|") + [""] * 6
        return (device + branch, int(number)) if (table, person.lower()) == ("batch", removed) \
            else None

    last: dict[str, int] = {}
    for log, number in filter(None, map(place, cutter)):
        last[log] = max(number, last.get(log, 0))
    return [row for row in rows if not (at := place(row)) or at[1] <= last.get(at[0], 0)]


def all_equal(
        story: Story, people: list[Person], space: str, removed: Person | None = None) -> None:
    """Compares the rows of a group in several people's files."""
    def same_rows() -> int:
        dumps = [dump(each.node.home, [space]) for each in people]
        if removed:
            dumps = [without_beyond(each, dumps[0], removed.person) for each in dumps]
        return len(dumps[0]) if all(each == dumps[0] for each in dumps) else 0

    names = ", ".join(each.name for each in people)
    rows = story.claim(f"sqlite3 finds the same rows of the group in the files of {names}",
                       same_rows, within=30)
    story.tell(f"  ({rows} rows of batches, registers and tables)")


# Apart


def split(world: World, story: Story, away: list[Person]) -> None:
    """Puts some hosts on a separate switch."""
    story.claim("a packet goes from everywhere to everywhere", lambda: all(
        world.anna.host.reaches(each.host, each.port) for each in away))
    if story.does("group-split"):
        story.tell("the LAN is split: Anna and Ben on one side, Dora and Emil on the other")
        world.lan.split([each.host for each in away])
    story.claim("no packet comes from one side to the other", lambda: not any(
        world.anna.host.reaches(each.host, each.port) for each in away))


def remove(story: Story, four: list[Person], walkers: str) -> None:
    """Anna removes Dora, who continues to write in the other half."""
    anna, ben, dora, emil = four
    story.claim("Dora and Emil, who never met, are linked on their side",
                lambda: connections(dora.node, emil.node) == 1, within=60)
    if story.does("group-remove"):
        hint = anna.node.cli("group", "remove", walkers, dora.person)["hint"]
        story.tell(f"Anna removes Dora: “{hint}”")
    story.claim("Ben's file says that she is removed",
                lambda: states(ben, walkers)[dora.person] == "removed", within=15)
    for text in BEYOND if story.does("group-beyond") else []:
        dora.node.cli("group", "note", walkers, text)
    story.claim("Dora, who does not know it yet, writes more, and Emil's file has it",
                lambda: set(BEYOND) <= set(notes(emil, walkers)), within=20)
    emil.node.cli("group", "note", walkers, "Emil answers her")
    story.claim("Anna's and Ben's files have nothing of that", lambda: not any(
        bodies_with(each.node.home, text) for each in (anna, ben)
        for text in [*BEYOND, "Emil answers her"]))


def heal(world: World, story: Story, four: list[Person], walkers: str) -> None:
    """The halves are joined again: the cut counts on all nodes, and batches beyond it on none."""
    anna, ben, dora, emil = four
    if story.does("group-heal"):
        story.tell("the LAN is whole again")
        world.lan.heal()
    remaining = [anna, ben, emil]
    said = sorted([*(TOGETHER.format(each.name) for each in four), "Emil answers her"])
    for each in remaining:
        story.claim(f"{each.name}'s file has what Emil wrote, and no note from beyond the cut",
                    lambda: notes(each, walkers) == said, within=60)
    story.claim("all three say that Dora is removed", lambda: all(
        states(each, walkers)[dora.person] == "removed" for each in remaining), within=15)
    all_equal(story, remaining, walkers, removed=dora)


# After


def nothing_more(story: Story, four: list[Person], walkers: str) -> None:
    """The removed person receives nothing more, although she is linked, and is told why."""
    anna, ben, dora, emil = four
    story.claim("Dora is told: she was removed",
                lambda: standing(dora, walkers) == "removed", within=60)
    anna.node.cli("group", "note", walkers, "for those who are left")
    story.claim("a new note reaches Ben and Emil", lambda: all(
        "for those who are left" in notes(each, walkers) for each in (ben, emil)), within=15)
    # Anna's profile reaches Dora, a mate, over the same link, after the note would have.
    anna.node.cli("me", "edit", "--dog-name", "Astrid")
    story.claim("Anna's other news reach Dora over their link", lambda: (
        anna_as_seen(dora, anna) == "Astrid"), within=15)
    story.claim("and nothing of the group does", lambda: not bodies_with(
        dora.node.home, "for those who are left"))
    story.claim("she can write no more, and is told so",
                lambda: refused(dora, "group", "note", walkers, "one more"))


def standing(person: Person, walkers: str) -> str:
    """A person's state in the group, as their node shows it."""
    groups = person.node.get("group/list").get("groups", [])
    return next((each["state"] for each in groups if each["id"] == walkers), "")


def anna_as_seen(person: Person, anna: Person) -> str:
    """The name of Anna's dog on a mate's node."""
    return (person.mate(anna.person) or {}).get("profile", {}).get("dogName", "")


def come_back(story: Story, four: list[Person], walkers: str) -> None:
    """Anna invites Dora again: she receives what she missed, and her new writes count."""
    anna, _, dora, _ = four
    if story.does("group-again"):
        anna.node.cli("group", "invite", walkers, dora.person)
    story.claim("Dora is a member again", lambda: standing(dora, walkers) == "member", within=15)
    story.claim("she has what she missed", lambda: (
        "for those who are left" in notes(dora, walkers)), within=15)
    dora.node.cli("group", "note", walkers, "Dora is back")
    story.claim("and what she writes now reaches all", lambda: all(
        "Dora is back" in notes(each, walkers) for each in four), within=15)
    story.claim("what she wrote beyond the cut stays out", lambda: not any(
        set(BEYOND) & set(notes(each, walkers)) for each in four), within=15)
    all_equal(story, four, walkers, removed=dora)


def erase(story: Story, four: list[Person], walkers: str) -> None:
    """Ben erases his note while Emil's cable is out: it leaves every disk in reach, and Emil's
    when he is back."""
    _, ben, _, emil = four
    text = TOGETHER.format(ben.name)
    if story.does("group-away"):
        emil.host.link_down()
    story.claim("Emil's cable is out", lambda: not emil.host.has_carrier(), within=3)
    story.claim("all four disks hold a note of Ben's", lambda: all(
        holds(each.node.home, text) for each in four))
    note = next(each["id"] for each in ben.node.get(f"group/show?group={walkers}")["notes"]
                if each["text"] == text)
    if story.does("group-erase"):
        story.tell("Ben erases the note")
        ben.node.cli("group", "erase", walkers, note)
    story.claim("no file of the three in reach contains it", lambda: not any(
        holds(each.node.home, text) for each in four if each is not emil), within=20)
    story.claim("Emil's disk still has it", lambda: holds(emil.node.home, text))
    if story.does("group-back"):
        emil.host.link_up()
    story.claim("Emil is back, and it is on his disk no more",
                lambda: not holds(emil.node.home, text), within=60)
    all_equal(story, four, walkers, removed=four[2])
