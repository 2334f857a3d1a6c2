"""Interests: the choice, the switch, and the match with Haneul, a stranger who looks too."""
from accessible import Atspi, key, until
from stage import expect, stage

MINE = ("coffee", "tea", "walks", "cats", "films")
LOOK = "Look for people with your interests for 10 minutes"


def tick(on, interest: str) -> None:
    """Ticks the box of an interest, which may be scrolled out of view."""
    on.frame.reach(interest)
    on.frame.press(interest)


def is_ticked(on, interest: str) -> bool:
    """Whether the box of an interest is ticked."""
    return on.frame.find(interest, "check box").get_state_set().contains(Atspi.StateType.CHECKED)


def looks(node, *interests: str) -> None:
    """Lets a person choose interests and look."""
    node.api.ask("interests/choose", {"interest": interests})
    node.api.ask("interests/look", {})


def test_interests_are_chosen_and_changed():
    with stage("mates") as on:
        on.frame.press("Interests")
        on.frame.says("0 chosen, at least 5 to go")
        expect(not on.frame.is_usable("Save"), "nothing can be saved")
        on.expect_good_layout()
        on.shot("interests-choose")
        for letters, interest in zip(("coff", "TEA", "산책", "cats", "film"), MINE):
            on.frame.type("Search interests", letters)
            on.frame.press(interest)
        on.frame.says("5 of 10 chosen")
        on.frame.type("Search interests", "no such thing")
        on.frame.says("Nothing found")
        on.frame.reach("Save")
        on.frame.press("Save")
        on.frame.find("Change your interests")
        chosen = on.ask("interests/show")["chosen"]
        expect(sorted(each["interest"] for each in chosen) == sorted(MINE), f"it saved {chosen}")
        on.frame.says("coffee, ")
        on.frame.press("Change your interests")
        on.frame.find("Search interests", "text")
        on.frame.type("Search interests", "coff")
        expect(is_ticked(on, "coffee"), "a chosen interest is not ticked")
        on.frame.press("coffee")
        on.frame.says("4 chosen, at least 1 to go")
        key("Escape")
        key("Escape")
        on.frame.find("Change your interests")
        expect(len(on.ask("interests/show")["chosen"]) == len(MINE), "Escape saved the change")


def test_looking_finds_the_match():
    def before(cast) -> None:
        cast.sora.api.ask("interests/choose", {"interest": MINE})
    with stage("mates", "haneul", before=before) as on:
        haneul = on.cast.haneul
        on.frame.press("Interests")
        on.frame.press(LOOK)
        on.frame.says("Nobody else is looking here yet")
        on.frame.says("Look for people for 10 min · ")
        on.expect_good_layout()
        looks(haneul, "coffee", "tea", "vr", "gym", "boxing")
        on.frame.says("1 person is looking here")
        on.frame.says("Nobody shares 3 of your interests yet.")
        on.frame.press("Nearby")
        looks(haneul, "coffee", "tea", "walks", "gym", "boxing")
        on.frame.press("Interests (1)")
        on.frame.says("3 interests in common: coffee, walks, tea")
        on.frame.find("Interests", "radio button")
        first = on.ask("interests/show")["match"]["topic"]
        on.frame.says(first)
        on.expect_good_layout()
        on.shot("interests-match")
        on.expect_tab_reaches_all()
        on.frame.press("Another question")
        until(lambda: first not in on.frame.texts(), "another question")
        on.expect_good_when_small("interests-small")
        on.frame.press("Stop looking for people with your interests")
        on.frame.gone("Another question")
        expect(not on.ask("interests/show")["looking"], "the node looks on")


def test_two_who_met_exchange_cards():
    shared = ("coffee", "tea", "walks", "gym", "boxing")

    def before(cast) -> None:
        looks(cast.sora, *MINE)
        looks(cast.haneul, *shared)
    with stage("mates", "haneul", before=before) as on:
        haneul = on.cast.haneul
        on.frame.press("Interests*")
        haneul.api.ask("interests/met", {})
        on.frame.press("We met")
        on.frame.find("Accept")
        on.frame.find("Become mates with Haneul?", "dialog")
        on.frame.says("You both like: coffee, walks, tea.")
        on.frame.says(on.ask("interests/show")["match"]["topic"])
        on.expect_good_layout()
        on.shot("interests-met")
        on.frame.press("Accept")
        haneul.api.ask("drop/accept", {})
        on.frame.says("You and Haneul are mates")
        on.frame.press("Done")
        on.frame.gone("Done")
