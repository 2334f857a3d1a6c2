"""Three people look for somebody to study with: two of them ask each other at the same moment, one
match stands, and the third is told.

Ben's cable is moved to another switch while he and Cleo ask, so both have asked before either hears
of it. Then the two write to each other in the room of their match, one of them ends it, and half an
hour later, by their clocks, one reviews the other, which the third can check.
"""

from clock import shifted
from lan.interests import announced
from lan.outside import bodies_with, dump, sqlite
from lan.people import Person, World
from lan.scenes import together
from lan.story import Story
from waggle import CommandFailed

FIELD = "sk"
WISHES = {"Anna": ("run",), "Ben": ("coffee", "run"), "Cleo": ("tea", "coffee")}
# About 220 m from one to the next.
LATITUDES = {"Anna": 37.5700, "Ben": 37.5720, "Cleo": 37.5740}
LONGITUDE = 126.9800
# Rules: who ends a match waits for 1 minute the first time, and reviews begin after 30 minutes.
PAUSE_SECONDS, REVIEW_SECONDS = 60, 30 * 60
TEXT, REVIEW = "Third floor, by the window", "Again, with more coffee"
# The exit codes of refused commands, and of those that do not fit the state.
REFUSED, CONFLICT = 5, 7


def study(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben, cleo = world.anna, world.ben, world.cleo
    seek(world, story)
    crossed(world, story, anna, ben, cleo)
    told(story, anna, ben)
    alone(story, anna, ben, cleo)
    ended(story, ben, cleo)
    reviewed(world, story, anna, ben, cleo)


# Reading nodes


def status(person: Person) -> dict:
    """A person's own state."""
    return person.node.get("matching/status")


def seen(person: Person, other: Person) -> dict:
    """The entry of a person in another's list; empty if they are not listed."""
    people = person.node.get("matching/people").get("people", [])
    return next((each for each in people if each["person"] == other.person), {})


def asked_by(person: Person, other: Person) -> bool:
    """Whether another's request is in a person's inbox."""
    return any(item.get("ref") == f"ask-{other.person}"
               for item in person.node.get("inbox/list")["items"])


def partner(person: Person) -> str | None:
    """The person with whom somebody's match stands."""
    found = status(person)
    return found["partner"]["person"] if found.get("state") == "matched" else None


def rows(person: Person) -> list[str]:
    """The rows of the room of a person's match, as the file has them."""
    return dump(person.node.home, [status(person)["partner"]["room"]])


def said(person: Person, room: str) -> list[str]:
    """The texts of a room that a node shows."""
    return [each["text"] for each in person.node.get(f"chat/page?room={room}")["messages"]]


def refusal(person: Person, *words: str) -> int:
    """The exit code of a command; 0 if it was done."""
    try:
        person.node.cli(*words)
    except CommandFailed as fault:
        return fault.exit_code
    return 0


# Looking, asking


def seek(world: World, story: Story) -> None:
    """The three look, and each sees the two others."""
    three = [world.anna, world.ben, world.cleo]
    for each in three:
        each.node.cli("location", "set", f"--latitude={LATITUDES[each.name]}",
                      f"--longitude={LONGITUDE}")
        each.node.cli("matching", "wishes", *WISHES[each.name])
    story.claim("before they look, nobody announces it", lambda: not any(
        announced(world, FIELD).values()), within=20)
    for each in three:
        if each is not world.cleo or story.does("study-look"):
            story.tell(f"{each.name} looks")
            each.node.cli("matching", "look")
    story.claim("each of the three sees the two others within 700 m", lambda: all(
        100 < seen(each, other).get("distanceMetres", 0) <= 700
        for each in three for other in three if other is not each), within=45)
    story.claim("Avahi on Cleo's host shows that the three look", lambda: all(
        announced(world, FIELD).get(each.address) == b"s" for each in three), within=20)
    story.claim("Ben's list marks what he and each of the others wish", lambda: (
        [shared(world.ben, each) for each in (world.anna, world.cleo)] == [["run"], ["coffee"]]))


def shared(person: Person, other: Person) -> list[str]:
    """The wishes of another that a person's list marks."""
    return [each["wish"] for each in seen(person, other).get("wishes", []) if each["shared"]]


def crossed(world: World, story: Story, anna: Person, ben: Person, cleo: Person) -> None:
    """Anna has asked Ben; then Ben and Cleo ask each other, and neither has heard of the other."""
    if story.does("study-third"):
        story.tell("Anna asks Ben")
        anna.node.cli("matching", "request", ben.person)
    story.claim("her request is in Ben's inbox", lambda: asked_by(ben, anna), within=10)
    story.tell("Ben's cable is in another switch; he asks Cleo, and she asks him")
    world.lan.split([ben.host])
    asking = [lambda: cleo.node.cli("matching", "request", ben.person)]
    if story.does("study-ask"):
        asking.append(lambda: ben.node.cli("matching", "request", cleo.person))
    together(*asking)
    story.claim("both have asked, and neither has been asked by the other", lambda: (
        [seen(ben, cleo)["state"], seen(cleo, ben)["state"]] == ["requested"] * 2
        and not asked_by(ben, cleo) and not asked_by(cleo, ben)))
    if story.does("study-heal"):
        world.lan.heal()
    story.claim("both nodes say that they are matched, with each other", lambda: (
        partner(ben) == cleo.person and partner(cleo) == ben.person), within=30)
    story.claim("in one room", lambda: status(ben)["partner"]["room"]
                == status(cleo)["partner"]["room"])
    story.claim("and their files hold the same rows of it", lambda: (
        rows(ben) and rows(ben) == rows(cleo)), within=10)


def told(story: Story, anna: Person, ben: Person) -> None:
    """Anna, who had asked Ben, hears that he is matched, and nothing of it is on her disk."""
    story.claim("Anna is told that Ben is already matched, and can ask him no more", lambda: (
        seen(anna, ben).get("answer") == "They are already matched."
        and seen(anna, ben)["state"] == "gone"), within=15)
    story.claim("she still looks, and has no match", lambda: status(anna)["state"] == "seeking")
    story.claim("Ben cannot look for another", lambda: (
        refusal(ben, "matching", "look") == CONFLICT))


# The match, its end, and reviews


def alone(story: Story, anna: Person, ben: Person, cleo: Person) -> None:
    """The two write to each other; Anna's node has no part in it."""
    room = status(ben)["partner"]["room"]
    if story.does("study-write"):
        story.tell("Ben writes to Cleo")
        ben.node.cli("chat", "send", room, TEXT)
    story.claim("Cleo reads it in the room of the match", lambda: said(cleo, room) == [TEXT],
                within=10)
    story.claim("Anna's file has neither the text nor their space", lambda: (
        bodies_with(anna.node.home, TEXT) == 0
        and not sqlite(anna.node.home, f"SELECT 1 FROM space WHERE id = x'{room}'")))
    story.claim("for her node there is no such room", lambda: (
        refusal(anna, "chat", "page", room) != 0))


def ended(story: Story, ben: Person, cleo: Person) -> None:
    """Cleo ends the match: she waits for a minute, Ben does not, and the room is closed."""
    room = status(ben)["partner"]["room"]
    story.claim("a review is refused: it is too early", lambda: (
        refusal(ben, "matching", "review", "--text", REVIEW) == REFUSED))
    if story.does("study-cancel"):
        story.tell("Cleo ends the match")
        cleo.node.cli("matching", "cancel")
    story.claim(f"she can look again in {PAUSE_SECONDS} s and not before", lambda: (
        PAUSE_SECONDS - 20 < status(cleo).get("pauseSeconds", 0) <= PAUSE_SECONDS
        and refusal(cleo, "matching", "look") == REFUSED))
    story.claim("Ben's node says that it is over, and he need not wait", lambda: (
        status(ben)["state"] == "idle" and "pauseSeconds" not in status(ben)), within=15)
    story.claim("what was written stays, and nobody can write there", lambda: all(
        said(each, room) == [TEXT] and refusal(each, "chat", "send", room, "Hello?") != 0
        for each in (ben, cleo)))


def reviewed(world: World, story: Story, anna: Person, ben: Person, cleo: Person) -> None:
    """Half an hour later Cleo reviews Ben, and Anna can check what he shows of it."""
    # All of them: a node follows the clocks of its mates.
    together(*(lambda node=each.node: node.stop() for each in world.people))
    if story.does("study-wait"):
        story.tell("the clocks are put forward by half an hour")
        for each in world.people:
            each.node.clock = shifted(REVIEW_SECONDS + 60, each.node.home.parent)
    for each in world.people:
        each.node.launch()
    story.claim("both can review the match", lambda: all(
        status(each).get("reviewsDue") == 1 for each in (ben, cleo)), within=20)
    story.claim("all nodes answer again", lambda: all(
        each.node.answers() for each in world.people), within=20)
    if story.does("study-review"):
        story.tell("Cleo reviews Ben")
        cleo.node.cli("matching", "review", "--mark", "useful", "--text", REVIEW)
    review = story.claim("Ben has it, and Cleo's node knows that", lambda: (
        cleo.node.get("matching/reviews")["given"][0]["delivered"]
        and ben.node.get("matching/reviews")["received"][0]), within=20)
    story.claim("it is on both disks and not on Anna's", lambda: (
        [bodies_with(each.node.home, REVIEW) > 0 for each in (anna, ben, cleo)]
        == [False, True, True]))
    ben.node.cli("matching", "show", review["id"])
    for each in (anna, ben):
        each.node.cli("matching", "look")
    # What is lost while the nodes link is sent again after half a minute.
    story.claim("Anna's node has checked it: by Cleo, of the match that both signed", lambda: (
        [(each["by"], each["text"]) for each in shown(anna, ben)] == [(cleo.person, REVIEW)]),
        within=45)
    for each in (anna, ben):
        each.node.cli("matching", "stop")
    story.claim("nobody announces any more that they look", lambda: not any(
        announced(world, FIELD).values()), within=20)


def shown(person: Person, other: Person) -> list[dict]:
    """The reviews that another person shows, as far as a node has checked them."""
    return person.node.get(f"matching/reviews?person={other.person}").get("received", [])
