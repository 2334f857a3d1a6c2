"""Invalid input for neighbourhoods, posts, messages to authors and study matching. Each is refused
with a sentence that says what to do, and the node continues."""

from lan.mishaps import CONFLICT, NOT_FOUND, REFUSED, USAGE, refuses, says
from lan.people import Person, World
from lan.scenes import found
from lan.story import Story

NOWHERE = "f" * 32
WRITE = ("posts", "write", "--category", "give-away")


def bad_posts(world: World, story: Story) -> None:
    """Invalid neighbourhoods, posts, messages to authors and matches."""
    found(world, story)
    anna, ben = world.anna, world.ben
    no_neighbourhood(story, anna)
    names(story, anna)
    post, comment = written(story, anna, ben)
    bad_fields(world, story, anna)
    no_posts(story, anna)
    of_others(story, anna, ben, post, comment)
    lists(story, anna, post)
    messages(story, anna, ben, post)
    matching(story, anna, ben)
    nothing_harmed(story, anna, ben, post)


def tells(who: Person, *words: str) -> tuple[int, str]:
    """The exit code of a command, and its output."""
    return says(who.node, *words, "--home", str(who.node.home))


def no_neighbourhood(story: Story, anna: Person) -> None:
    """Commands of a person who joined none."""
    how = "neighbourhood join"
    refuses(story, "a post without a neighbourhood",
            tells(anna, *WRITE, "--title", "Sofa"), {REFUSED}, how)
    for words in (("list",), ("mine",), ("search", "sofa")):
        code, text = tells(anna, "posts", *words)
        story.claim(f"posts {words[0]} says how to join one", lambda: code == 0 and how in text)
    refuses(story, "leaving one that was not joined",
            tells(anna, "neighbourhood", "leave", "Mapo"), {NOT_FOUND}, "neighbourhood list")
    refuses(story, "joining the first one without a confirmation",
            tells(anna, "neighbourhood", "join", "Seongsu"), {REFUSED}, "--yes", "30 days")


def names(story: Story, anna: Person) -> None:
    """Names of neighbourhoods that nobody can join, and one in several forms."""
    for name, text, needle in (
            ("nothing", "", "blank"), ("blanks", " \u3000 ", "blank"), ("65 letters", "x" * 65, "64"),
            ("22 Korean letters", "성" * 22, "21 Korean"), ("two lines", "a\nb", "one line"),
            ("a mark that changes the direction", "a\u202eb", "control")):
        refuses(story, f"a neighbourhood's name of {name}",
                tells(anna, "neighbourhood", "join", text, "--yes"), {USAGE}, needle)
    for name in ("Cafe\u0301 산책길", "  CAFÉ   산책길 "):
        code, said = tells(anna, "neighbourhood", "join", name, "--yes")
        again = name.startswith(" ")
        story.claim(f"joining “{name}”: exit {code}", lambda: code == (CONFLICT if again else 0)
                    and (not again or "already" in said))
    story.claim("it is left by another form of its name", lambda: tells(
        anna, "neighbourhood", "leave", "café 산책길")[0] == 0)


def written(story: Story, anna: Person, ben: Person) -> tuple[str, str]:
    """Both join one neighbourhood, and Ben writes a post with a comment."""
    for who in (anna, ben):
        who.node.cli("neighbourhood", "join", "Seongsu", "--yes")
    story.claim("Ben's post is written", lambda: tells(ben, *WRITE, "--title", "Sofa")[0] == 0,
                within=10)
    post = ben.node.get("posts/mine")["posts"][0]["id"]
    comment = ben.node.cli("posts", "comment", post, "Still here")["id"]
    story.claim("Anna has it with its comment", lambda: (
        len(anna.node.get(f"posts/show?id={post}").get("comments", [])) == 1), within=20)
    return post, comment


def bad_fields(world: World, story: Story, anna: Person) -> None:
    """Posts with fields that break a rule."""
    text = world.scratch / "text.jpg"
    text.write_text("Once upon a time")
    titled = (*WRITE, "--title", "Sofa")
    for name, words, codes, needle in (
            ("without a title", WRITE, {REFUSED}, "title"),
            ("without a category", ("posts", "write", "--title", "Sofa"), {REFUSED}, "second-hand"),
            ("of an unknown category", ("posts", "write", "--title", "Sofa", "--category", "sale"),
             {USAGE}, "second-hand"),
            ("with a blank title", (*WRITE, "--title", " "), {USAGE}, "blank"),
            ("with a title of 51", (*WRITE, "--title", "x" * 51), {USAGE}, "50"),
            ("with a title of two lines", (*WRITE, "--title", "a\nb"), {USAGE}, "one line"),
            ("with a text of 1001", (*titled, "--text", "산" * 1001), {USAGE}, "1000"),
            ("with half a location", (*titled, "--latitude", "1"), {REFUSED}, "longitude"),
            ("at 91 degrees", (*titled, "--latitude", "91", "--longitude", "0"), {USAGE}, "90"),
            ("for an unknown neighbourhood", (*titled, "--neighbourhood", "Mapo"), {NOT_FOUND},
             "neighbourhood list"),
            ("with a photo that is not there", (*titled, "--photo", str(world.scratch / "none")),
             {REFUSED}, "cannot be read"),
            ("with a photo that is a folder", (*titled, "--photo", str(world.scratch)), {REFUSED},
             "is not a file"),
            ("with a photo that is a text", (*titled, "--photo", str(text)), {REFUSED},
             "neither a JPEG nor a PNG"),
            ("with 11 photos", (*titled, *(["--photo", str(text)] * 11)), {REFUSED}, "10"),
            ("with an unknown walk", (*titled, "--walk", NOWHERE), {NOT_FOUND}, "walk-log list"),
            ("of an unknown draft", ("posts", "write", "--draft", NOWHERE), {NOT_FOUND},
             "posts drafts"),
            ("kept with a title of 51", ("posts", "draft", "--title", "x" * 51), {USAGE}, "50")):
        refuses(story, f"a post {name}", tells(anna, *words), codes, needle)
    story.claim("none of them was written", lambda: not anna.node.get("posts/mine")["posts"])


def no_posts(story: Story, anna: Person) -> None:
    """Ids of nothing. A post that expired is one of them."""
    for digits in ("12345", "zzzzzz", "' OR 1=1", "f" * 33):
        refuses(story, f"a post's id {digits[:9]}", tells(anna, "posts", "show", digits), {USAGE},
                "hexadecimal")
    for words in (("show",), ("open",), ("like",), ("unlike",), ("renew",), ("delete",), ("hide",),
                  ("comment", "x"), ("edit", "--title", "x"), ("message", "--text", "x"),
                  ("report", "--reason", "spam")):
        refuses(story, f"posts {words[0]} of a post that is not here",
                tells(anna, "posts", words[0], NOWHERE, *words[1:]), {NOT_FOUND}, "posts list")
    for verb, where in (("unhide", "posts hidden"), ("uncomment", "posts show"),
                        ("photo", "posts show"), ("discard", "posts drafts")):
        refuses(story, f"posts {verb} of nothing", tells(anna, "posts", verb, NOWHERE), {NOT_FOUND},
                where)


def of_others(story: Story, anna: Person, ben: Person, post: str, comment: str) -> None:
    """What only an author may do, and comments and reports that break a rule."""
    for words in (("edit", post, "--title", "Mine"), ("renew", post), ("delete", post)):
        refuses(story, f"posts {words[0]} of Ben's post", tells(anna, "posts", *words), {REFUSED},
                "author", "posts hide")
    refuses(story, "deleting Ben's comment", tells(anna, "posts", "uncomment", comment), {REFUSED},
            "author")
    for name, text, needle in (("nothing", "", "blank"), ("301 letters", "산" * 301, "300")):
        refuses(story, f"a comment of {name}", tells(anna, "posts", "comment", post, text), {USAGE},
                needle)
    refuses(story, "a report without a reason", tells(anna, "posts", "report", post), {USAGE},
            "--reason")
    refuses(story, "a report of one's own post",
            tells(ben, "posts", "report", post, "--reason", "spam"), {REFUSED}, "delete it")
    for name, word, needle in (("nothing", "", "blank"), ("31 letters", "x" * 31, "30")):
        refuses(story, f"muting {name}", tells(anna, "muted", "add", word), {USAGE}, needle)
    refuses(story, "unmuting a word that is not muted", tells(anna, "muted", "remove", "casino"),
            {NOT_FOUND}, "muted list")


def lists(story: Story, anna: Person, post: str) -> None:
    """Lists without a location, of nothing, and from positions that no page had."""
    for words in (("--order", "nearest"), ("--radius-metres", "500")):
        refuses(story, f"a list by {words[0]} without a location",
                tells(anna, "posts", "list", *words), {REFUSED}, "location set")
    refuses(story, "a list of an unknown category",
            tells(anna, "posts", "list", "--category", "sale"), {USAGE}, "second-hand")
    for name, text, needle in (("nothing", "", "blank"), ("101 letters", "x" * 101, "100")):
        refuses(story, f"a search for {name}", tells(anna, "posts", "search", text), {USAGE}, needle)
    for words in (("list",), ("search", "sofa"), ("show", post)):
        refuses(story, f"posts {words[0]} from an unknown position",
                tells(anna, "posts", *words, "--after", "zz"), {NOT_FOUND}, "cursor")


def messages(story: Story, anna: Person, ben: Person, post: str) -> None:
    """Messages to authors that cannot be sent, and answers to nobody."""
    for name, words, needle in (
            ("without a text", (), "--text"), ("with a blank text", ("--text", " "), "blank"),
            ("of 101 letters", ("--text", "x" * 101), "100")):
        refuses(story, f"a message to an author {name}",
                tells(anna, "posts", "message", post, *words), {USAGE}, needle)
    refuses(story, "a message to oneself",
            tells(ben, "posts", "message", post, "--text", "Hello"), {REFUSED}, "own")
    for verb in ("accept", "decline", "end"):
        refuses(story, f"posts {verb} without a request", tells(anna, "posts", verb, "Ben"),
                {NOT_FOUND}, "posts messages")
    story.claim("a request is sent", lambda: tells(
        anna, "posts", "message", post, "--text", "Is it free?")[0] == 0)
    refuses(story, "a second one about the same post",
            tells(anna, "posts", "message", post, "--text", "Hello?"), {CONFLICT}, "already")
    story.claim("Ben is asked", lambda: any(
        each["state"] == "asking" for each in ben.node.get("posts/messages")["messages"]), within=20)
    story.claim("he declines it by the name that his list shows", lambda: tells(
        ben, "posts", "decline", "anna")[0] == 0)


def matching(story: Story, anna: Person, ben: Person) -> None:
    """Matching without looking, with nobody, and with fields that break a rule."""
    refuses(story, "asking somebody without looking", tells(anna, "matching", "request", "Ben"),
            {REFUSED}, "matching look")
    refuses(story, "accepting nobody", tells(anna, "matching", "accept", "Ben"), {NOT_FOUND},
            "matching people")
    refuses(story, "ending no match", tells(anna, "matching", "cancel"), {CONFLICT}, "no match")
    refuses(story, "a review without a match", tells(anna, "matching", "review", "--text", "Good"),
            {NOT_FOUND}, "no match")
    refuses(story, "a review of 301 letters",
            tells(anna, "matching", "review", "--text", "x" * 301), {USAGE}, "300")
    refuses(story, "an unknown review", tells(anna, "matching", "show", NOWHERE), {NOT_FOUND},
            "matching reviews")
    refuses(story, "nine wishes", tells(anna, "matching", "wishes", *"abcdefghi"), {USAGE}, "8")
    refuses(story, "a wish of 9 letters", tells(anna, "matching", "wishes", "x" * 9), {USAGE}, "8")
    for age in ("16", "100"):
        refuses(story, f"an age of {age}", tells(anna, "matching", "edit-card", "--age", age), {USAGE},
                "17 to 99")
    for words in (("--age-min", "17"), ("--age-max", "66")):
        refuses(story, f"a filter {' '.join(words)}", tells(anna, "matching", "edit-filters", *words),
                {USAGE}, "18 to 65")
    refuses(story, "a filter that admits nobody",
            tells(anna, "matching", "edit-filters", "--age-min", "40", "--age-max", "30"), {REFUSED},
            "nobody is in between")


def nothing_harmed(story: Story, anna: Person, ben: Person, post: str) -> None:
    """Valid input is still accepted."""
    # Before it is removed from the disk, the sentence says why.
    refuses(story, "a post of a person who was blocked", blocked(anna, ben, post),
            {NOT_FOUND, REFUSED}, "post")
    story.claim("unblocked, Ben's post comes back", lambda: (
        tells(anna, "mates", "unblock", ben.person)[0] in (0, NOT_FOUND)
        and "post" in anna.node.get(f"posts/show?id={post}")), within=30)
    story.claim("a valid comment is accepted", lambda: tells(
        anna, "posts", "comment", post, "Is it blue?")[0] == 0)
    story.claim("and it arrives", lambda: (
        len(ben.node.get(f"posts/show?id={post}").get("comments", [])) == 2), within=20)


def blocked(anna: Person, ben: Person, post: str) -> tuple[int, str]:
    """Blocks Ben, and likes his post, which is removed with that."""
    anna.node.cli("mates", "block", ben.person, "--reason", "other")
    return tells(anna, "posts", "like", post)
