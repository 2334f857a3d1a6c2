"""Coming back by recovery words: the form of the first page, its faults by place, and the search."""
import shutil
import stat
from pathlib import Path

from accessible import until
from mates import make_mates
from snapshots import PROFILES, WAIT_SECONDS, Cast
from stage import Stage, expect, programs
from waggle import Node

WORDS_COUNT = 9


def become_mates(cast: Cast, one: Node, other: Node) -> list[str]:
    """Makes two new people mates; returns the recovery words of the first."""
    words = one.cli("init")["recoveryWords"]
    other.cli("init")
    for name, node in cast.nodes.items():
        if node in (one, other):
            node.start()
            node.api.ask("me/edit", PROFILES[name])
    reach(one, other)
    cast.link(one, other)
    make_mates(one, other, WAIT_SECONDS)
    return words


def reach(node: Node, other: Node) -> None:
    """Lets a node dial another one."""
    node.api.ask("peer/add", {"address": f"127.0.0.1:{other.options[-1]}"})


def lose(node: Node) -> None:
    """Ends a node and removes its home, like a device that is lost."""
    node.stop()
    shutil.rmtree(node.home)


def come_back(node: Node, words: list[str], paper: Path) -> None:
    """Starts a node on an empty home that waits for the person of the words."""
    paper.write_text(" ".join(words))
    node.cli("init", "--recover", "--words", str(paper))
    node.start()


def type_words(on: Stage, words: list[str]) -> None:
    """Types a word into each field."""
    for number, word in enumerate(words, 1):
        on.frame.type(f"Word {number}", word)


def test_recovery_words_are_typed_on_the_first_page_and_begin_a_search():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        kept = on.node.home / "recovery.words"
        on.frame.press("I have used Waggle before")
        on.frame.says("You have used Waggle before")
        on.expect_good_layout()
        on.shot("ways-back")
        on.frame.press("I have my nine words")
        on.frame.says("Come back to Waggle")
        words = kept.read_text().split()
        expect(len(words) == WORDS_COUNT, f"there are {words}")
        type_words(on, words)
        on.expect_good_layout()
        on.shot("recover-form")
        on.frame.type("Word 5", "xxxxx")
        on.frame.press("Bring me back")
        on.frame.says("Word 5 is misspelt")
        on.frame.type("Word 5", words[3])
        on.frame.type("Word 4", words[4])
        on.frame.press("Bring me back")
        on.frame.says("two are in the wrong order")
        on.frame.type("Word 4", words[3])
        on.frame.type("Word 5", words[4])
        on.frame.press("Bring me back")
        on.frame.says("Looking for you")
        on.frame.says("no device nearby was asked yet")
        on.expect_good_layout()
        on.shot("recover-search")
        until(lambda: not kept.exists(), "the first words to be removed")
        waiting = on.node.home / "recovering" / "words"
        expect(stat.S_IMODE(waiting.stat().st_mode) == 0o600, "others may read the words")
        expect(not (on.node.home / "person.record").exists(), "the new identity is still there")
        on.frame.press("Later")
        on.frame.find("Profile")


def test_recovery_that_finds_the_person_shows_what_came_back():
    cast = Stage.theatre.empty()
    words = become_mates(cast, cast.sora, cast.mina)
    sora = cast.sora.person
    lose(cast.sora)
    with programs(" ".join(cast.sora.options)) as folder, Stage(
            cast, has_node=False, path=folder) as on:
        on.frame.press("I have used Waggle before")
        on.frame.press("I have my nine words")
        on.frame.find("Word 1", "text")
        type_words(on, words)
        on.frame.press("Bring me back")
        on.frame.says("Looking for you")
        reach(on.node, cast.mina)
        on.frame.gone("Looking for you")
        # The card has come back, so the page for new users is left for the one of the main window.
        on.frame.find("Mates")
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        expect(on.node.person == sora, "it is another person")
        me = on.wait("me/show", lambda me: me["complete"] and me, "the card to be back")
        expect(me["nickname"] == "Sora", f"the card is {me}")
        on.expect_good_layout()
        on.shot("recover-found")


def test_recovery_of_a_mate_is_told_and_answered_with_block():
    cast = Stage.theatre.empty()
    words = become_mates(cast, cast.mina, cast.sora)
    mina = cast.mina.person
    with Stage(cast, has_node=False) as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        lose(cast.mina)
        come_back(cast.mina, words, cast.folder / "paper")
        reach(cast.mina, cast.sora)
        on.frame.press("Inbox (1)")
        on.frame.says("Mina has a new device")
        on.expect_good_layout()
        on.shot("new-device")
        on.frame.press("Block…: Mina has a new device")
        on.frame.find("Block Mina?", "dialog")
        on.frame.press("Block")
        on.wait("mates/blocked", lambda answer: any(
            each["person"] == mina for each in answer["blocked"]), "the block")
        on.frame.gone("Block…: Mina has a new device")
        on.frame.press("Mates")
        on.frame.says("No mates yet")
