"""Study matching: looking, asking, a match with Haneul, a stranger who looks too, and reviews."""
from accessible import has_focus, key, until
from clock import shifted
from snapshots import HOUR
from stage import expect, stage

# 320 m apart, and more than 700 m.
HERE, THERE, FAR = (37.5700, 126.9800), (37.5728, 126.9810), (37.5800, 126.9800)
STRANGER = "Someone without a name (*)"
REVIEWABLE_HOURS = 31 / 60


def go(node, place: tuple[float, float]) -> None:
    """Sets the location of a node."""
    node.api.ask("location/set", {"latitude": place[0], "longitude": place[1]})


def looks(node, *wishes: str) -> None:
    """Lets a person look for a match."""
    node.api.ask("matching/wishes", {"wish": list(wishes)})
    node.api.ask("matching/look", {})


def places(cast) -> None:
    """Sora and Haneul are 320 m apart."""
    go(cast.sora, HERE)
    go(cast.haneul, THERE)


def both_look(cast) -> None:
    """Sora and Haneul look, and know of each other."""
    places(cast)
    looks(cast.sora, "coffee", "run")
    looks(cast.haneul, "coffee", "tea")
    for node in (cast.sora, cast.haneul):
        until(lambda: node.api.ask("matching/people")["people"], f"{node.name} to see the other")


def answer(on, verb: str) -> None:
    """Haneul requests Sora, or answers Sora's request once it has arrived."""
    haneul, wanted = on.cast.haneul, "free" if verb == "request" else "asking"
    until(lambda: any(person["state"] == wanted
                      for person in haneul.api.ask("matching/people")["people"]), verb)
    haneul.api.ask(f"matching/{verb}", {"person": on.node.person})


def is_state(on, state: str) -> None:
    """Waits until Sora's node is in a state."""
    on.wait("matching/status", lambda status: status["state"] == state, f"the state {state}")


def match(on) -> None:
    """Sora and Haneul, who look, match at Sora's request."""
    on.ask("matching/request", {"person": on.cast.haneul.person})
    answer(on, "accept")
    is_state(on, "matched")


def is_in_room(on) -> bool:
    """Whether the chat is on the screen with its line of text."""
    return on.frame.seen("Message", "text") is not None


def test_matching_asks_and_opens_the_room():
    def before(cast) -> None:
        places(cast)
        looks(cast.haneul, "coffee", "tea")
    with stage("mates", "haneul", before=before) as on:
        on.frame.press("Matching")
        on.frame.says("Find someone to study with")
        on.expect_good_layout()
        on.shot("matching-idle")
        on.frame.type("Your wishes", "muchtoolong")
        on.frame.says("⚠ A wish")
        expect(not on.frame.is_usable("Save your wishes"), "a wish that is too long can be saved")
        on.frame.type("Your wishes", "coffee run")
        on.frame.press("Look for people")
        on.frame.says("1 person within 700 m")
        wishes = on.ask("matching/status")["wishes"]
        expect(wishes == ["coffee", "run"], f"looking saved {wishes}")
        on.frame.says("Wishes: ✓ coffee, tea")
        on.frame.press("Add the wish “tea”, which 1 person has")
        on.frame.says("Wishes: ✓ coffee, ✓ tea")
        expect(on.frame.line("Your wishes") == "coffee run tea", "the line lacks the added wish")
        on.frame.press(f"{STRANGER}. *")
        on.frame.find(f"Ask: {STRANGER}")
        on.expect_good_layout()
        on.shot("matching-people")
        on.expect_tab_reaches_all()
        on.frame.press(f"Ask: {STRANGER}")
        on.frame.says("You asked them. They have not answered yet.")
        answer(on, "accept")
        on.frame.find("Message", "text")
        is_state(on, "matched")
        on.frame.press("Matching")
        on.frame.says("You are matched with Haneul")
        on.expect_good_layout()
        on.shot("matching-matched")
        on.frame.press("Open the chat")
        on.frame.find("Message", "text")
        on.frame.press("Matching")
        on.frame.press("End the match…")
        on.frame.says("The chat closes, and you can look again after 1 minute.")
        on.frame.press("End the match")
        on.frame.says("You can look again in ")
        expect(not on.frame.is_usable("Look for people"), "the pause after an end is not kept")
        is_state(on, "idle")
        on.expect_good_when_small("matching-small")


def test_matching_answers_a_request():
    with stage("mates", "haneul", before=both_look) as on:
        answer(on, "request")
        on.frame.press("Matching (1)")
        on.frame.says("1 person asks you.")
        on.frame.find("Decline: Haneul*")
        on.expect_good_layout()
        on.shot("matching-asked")
        on.frame.press("Decline: Haneul*")
        on.frame.gone("Decline: Haneul*")
        on.frame.find("Matching", "radio button")
        answer(on, "request")
        on.frame.press("Accept: Haneul*")
        on.frame.find("Message", "text")
        is_state(on, "matched")


def test_a_match_takes_no_keyboard_from_somebody_typing():
    with stage("mates", "haneul", before=both_look) as on:
        on.frame.press("Matching")
        on.frame.press(f"{STRANGER}. *")
        on.frame.press(f"Ask: {STRANGER}")
        on.frame.find("Your wishes", "text").get_component_iface().grab_focus()
        until(lambda: has_focus(on.frame, "Your wishes"), "the line of wishes to have the focus")
        answer(on, "accept")
        on.frame.says("You are matched with Haneul")
        expect(has_focus(on.frame, "Your wishes"), "the match took the keyboard from the wishes")
        expect(not is_in_room(on), "the room opened though somebody was typing")
        key("Tab")
        on.frame.press("Open the chat")
        on.frame.find("Message", "text")


def test_a_match_elsewhere_is_a_bar():
    with stage("mates", "haneul", before=both_look) as on:
        on.ask("matching/request", {"person": on.cast.haneul.person})
        on.frame.press("Chat")
        on.frame.press("Open the chat with Mina")
        on.frame.find("Message", "text").get_component_iface().grab_focus()
        until(lambda: has_focus(on.frame, "Message"), "the chat to have the focus")
        on.frame.type("Message", "Hello M")
        answer(on, "accept")
        on.frame.find("You are matched with Haneul*", "alert")
        on.frame.find("Matching (1)", "radio button")
        expect(has_focus(on.frame, "Message"), "the match took the keyboard from the chat")
        expect(on.frame.line("Message") == "Hello M", "the match changed what was typed")
        on.expect_good_layout()
        on.shot("matching-bar")
        on.frame.press("Open the chat")
        until(lambda: on.frame.line("Message") == "", "the room of the match")
        on.frame.gone("You are matched with Haneul*")
        on.frame.find("Matching", "radio button")


def test_matching_follows_filters_and_location():
    with stage("mates", "haneul", before=both_look) as on:
        on.frame.press("Matching")
        on.frame.says("1 person within 700 m")
        on.frame.reach("Change what others see of you")
        on.frame.press("Change what others see of you")
        on.frame.press("Show my age")
        on.expect_good_layout()
        on.shot("matching-card")
        on.frame.press("Save")
        until(lambda: on.ask("matching/card").get("age") == 25, "the age to be saved")
        on.frame.reach("Change whom the list shows")
        on.frame.press("Change whom the list shows")
        on.frame.press("Only some ages")
        on.expect_good_layout()
        on.shot("matching-filters")
        on.frame.press("Save")
        on.frame.says("Your filters hide everyone")
        on.frame.press("Remove the filters")
        on.frame.says("1 person within 700 m")
        expect("ageMin" not in on.ask("matching/filters"), "the filter is still there")
        go(on.cast.sora, FAR)
        on.frame.says("Nobody looks within 700 m yet.")
        go(on.cast.sora, HERE)
        on.frame.says("1 person within 700 m")
        looks(on.cast.haneul, "chess")
        on.frame.says("Wishes: chess")
        on.frame.press("Only people who share a wish")
        on.frame.says("Nobody here shares a wish with you yet.")
        on.frame.press("Show everyone")
        on.frame.says("Wishes: chess")
        on.frame.press("Stop looking")
        on.frame.says("Find someone to study with")
        is_state(on, "idle")


def later(on, hours: float, *running: str) -> None:
    """The nodes that run, which these are, start again with clocks that are ahead. A node follows
    the clocks of its mates, so none may stay behind."""
    for name in running:
        node = on.cast.nodes[name]
        node.stop()
        ahead = on.theatre.snapshots.seconds_ahead
        node.clock = shifted(ahead + hours * HOUR, on.cast.folder.parent)
    on.cast.start(*running)


def test_matches_are_reviewed():
    with stage("mates", "haneul", before=both_look) as on:
        match(on)
        later(on, REVIEWABLE_HOURS, "sora", "haneul")
        on.frame.gone("Waggle stopped and cannot be started again")
        on.frame.press("Matching*")
        on.frame.press("Review Haneul*")
        expect(not on.frame.is_usable("Send"), "an empty review can be sent")
        on.frame.press("a kind person")
        on.frame.type("Text of the review", "Again!")
        on.expect_good_layout()
        on.shot("matching-review")
        on.frame.press("Send")
        on.frame.gone("Text of the review")
        on.frame.gone("Review Haneul*")
        given = on.ask("matching/reviews")["given"]
        expect(given[0]["marks"] == ["kindness"] and given[0]["text"] == "Again!",
               f"it sent {given}")
        on.cast.haneul.api.ask("matching/review", {"mark": ["punctual"], "text": "On time."})
        on.wait("matching/reviews", lambda reviews: reviews["received"], "Haneul's review")
        on.frame.reach("Show the reviews")
        on.frame.press("Show the reviews")
        on.frame.says("A review that you show contains who wrote it")
        on.frame.says("“On time.”")
        on.frame.press("Show the review by Haneul* on my card")
        until(lambda: on.ask("matching/card")["shownReviewCount"] == 1, "the review on the card")
        on.expect_good_layout()
        on.shot("matching-reviews")
        on.expect_tab_reaches_all()
        key("Escape")
        on.frame.find("Show the reviews")
