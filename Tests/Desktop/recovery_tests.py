"""Coming back by recovery words: the form of the first page, its faults by place, and the search."""
import stat

from accessible import until
from node_tests import programs
from stage import Stage, expect

WORDS_COUNT = 9


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
