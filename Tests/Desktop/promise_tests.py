"""Promises: one that is tracked, one of Sora's own, and making one."""
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

from accessible import (
    Atspi, descendants, extent, focused, has_focus, is_inside, key, until, viewport_of)
from mates import make_mates
from processes import free_port
from snapshots import MINUTE, NOODLE_BAR, WAIT_SECONDS, participant, promised
from stage import expect, stage
from waggle import Node

METRES_PER_DEGREE = 6_371_000 * 3.141592653589793 / 180
VIEWERS = "Jun and Mina see your location until you arrive"
LUNCH_SECONDS = 180 * MINUTE
# A promise is moved at least half an hour ahead; its tracking begins at once then.
NOW_SECONDS = 31 * MINUTE


def dinner(node) -> str:
    """The id of the promise that Mina made."""
    return next(each["id"] for each in node.api.ask("promise/list")["promises"]
                if each["title"] == "Dinner")


def everybody_moves(cast) -> None:
    """Sora and Mina are on the way to dinner, Mina with 610 m to go, and Jun has arrived."""
    north = NOODLE_BAR["latitude"] + 610 / METRES_PER_DEGREE
    for node, latitude, longitude in (
            (cast.jun, NOODLE_BAR["latitude"], NOODLE_BAR["longitude"]),
            (cast.mina, north, NOODLE_BAR["longitude"]), (cast.sora, 37.5665, 126.9780)):
        node.api.ask("location/set", {"latitude": latitude, "longitude": longitude})
    promise = dinner(cast.sora)
    until(lambda: participant(cast.sora, promise, "Jun").get("arrivedMs")
          and participant(cast.sora, promise, "Mina").get("position")
          and participant(cast.sora, promise, "Sora").get("position"), "everybody to move")


def expect_one_line(on, *bars: str) -> None:
    """Fails unless these bars lie beside each other and are low; in a narrow window each has a
    line."""
    def boxes():
        return [extent(on.frame.find(bar, "alert")) for bar in bars]
    until(lambda: len({y for _, y, _, _ in boxes()}) == 1, "the bars to share a line")
    expect(all(height <= 40 for *_, height in boxes()), f"the bars are {boxes()}")
    width, height = on.size().width, on.size().height
    on.resize(640, height)
    until(lambda: len({y for _, y, _, _ in boxes()}) == len(bars), "a line for each bar")
    on.resize(width, height)
    until(lambda: len({y for _, y, _, _ in boxes()}) == 1, "the bars to share a line again")


def names_in(on, title: str) -> list[str]:
    """The names in the list of people with this title."""
    people = on.frame.find(title, "list")
    return [people.get_child_at_index(index).get_name().split(".")[0]
            for index in range(people.get_child_count())]


def test_promises():
    with stage("promise", "mina", "jun", before=everybody_moves) as on:
        promise = dinner(on.node)
        on.frame.press("Promises")
        on.frame.find("Dinner", "list item")
        on.frame.says("Noodle bar · the others see your location")
        on.frame.says("75% kept · 4 promises · you owe 500 potatoes")
        on.expect_good_layout()
        on.shot("promises")
        on.expect_tab_reaches_all()
        on.frame.press("Dinner")
        on.frame.says("610 m to go")
        on.frame.find("Your record", "list")
        on.frame.says("75% kept · 4 promises · you owe 500 potatoes")
        jun = participant(on.node, promise, "Jun")
        expect((jun["rank"], jun["lateness"]) == (1, "early"), f"Jun's arrival is {jun}")
        on.frame.says(f"1st · gold medal · {jun['latenessText']}")
        on.frame.says("Noodle bar · 3 people · being late costs 500 potatoes")
        on.frame.says("On the way")
        expect(names_in(on, "Arrived") == ["Jun"], "not only Jun has arrived")
        expect("Jun" not in names_in(on, "On the way"), "Jun is on the way and there")
        expect(any(text.endswith("% of the way done") for text in on.frame.texts()),
               "a bar does not say what it measures")
        # Late in the evening, dinner is tomorrow.
        expect(any(re.search("(Today|Tomorrow) .* · in ", text) for text in on.frame.texts()),
               "no countdown is shown")
        on.expect_tab_reaches_all()
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        for _ in range(4):
            key("Tab")
        on.frame.says("Selected: Mina, 610 m to go")
        expect_one_line(on, "Your mates see your location", VIEWERS)
        on.expect_good_layout()
        on.shot("promise")
        on.frame.press("Stop showing your location: Dinner")
        on.wait(f"promise/show?promise={promise}",
                lambda answer: answer["sharing"] == "stopped", "not to be shown")
        on.frame.find("Show where I am")
        on.frame.gone(VIEWERS)
        on.frame.press("All promises")
        on.frame.find("Make a promise")


def test_the_ledger():
    with stage("promise") as on:
        on.frame.press("Promises")
        on.frame.find("Your record", "list")
        first = next(node for node in descendants(on.frame.root)
                     if node.get_name().endswith("you owe 500 potatoes"))
        first.get_component_iface().grab_focus()
        key("Return")
        on.frame.find("Who owes whom", "dialog")
        on.frame.find("You owe 500 potatoes", "list item")
        on.frame.says("Pancakes · ")
        on.expect_good_layout()
        on.shot("promise-ledger")
        on.frame.press("Close")


def test_the_chat_of_a_promise():
    with stage("promise") as on:
        on.frame.press("Promises")
        on.frame.press("Dinner")
        on.frame.press("Open its chat")
        until(lambda: has_focus(on.frame, "Message"),
              "the focus on the new message")


def test_the_result_of_a_promise():
    with stage("promise") as on:
        on.frame.press("Promises")
        on.frame.press("Past promises")
        on.frame.press("Bridge")
        on.frame.says("Result")
        on.frame.says("1st · gold medal · ")
        on.expect_good_layout()
        on.shot("promise-result")
        on.frame.press("All promises")
        on.frame.press("Pancakes")
        on.frame.says("owes 500 potatoes")


def lunch_is_asked(cast) -> None:
    """Mina promises Sora lunch in three hours, and the question has arrived."""
    promised(cast.mina, "Lunch", LUNCH_SECONDS, [cast.sora.person])
    until(lambda: any(item["actions"] for item in cast.sora.api.ask("inbox/list")["items"]),
          "the question in the inbox")


def my_state(on) -> str:
    """Sora's own relation to the one promise that there is."""
    return on.ask("promise/list")["promises"][0]["state"]


def test_an_invitation_is_answered_where_it_shows():
    with stage("mates", "mina", before=lunch_is_asked) as on:
        on.frame.find("Mina invites you to Lunch", "alert")
        on.frame.find("Accept")
        on.frame.press("Promises (1)")
        on.frame.find("Accept: Lunch")
        on.frame.find("Decline: Lunch")
        expect(not any("you alone" in text for text in on.frame.texts()),
               "the one who is asked reads that they are alone")
        on.expect_good_layout()
        on.shot("promise-invitation")
        on.frame.press("Show Lunch")
        on.frame.says("Mina invited you. If you accept")
        on.frame.says("only Mina so far")
        on.shot("promise-invited")
        on.frame.press("Inbox (1)")
        on.frame.find("Decline: Mina invites you to Lunch")
        expect(on.frame.seen("Dismiss: Mina invites you to Lunch") is None,
               "a question can be dismissed")
        on.expect_good_layout()
        on.shot("inbox-invitation")
        on.expect_tab_reaches_all()
        on.frame.press("Accept: Mina invites you to Lunch")
        until(lambda: my_state(on) == "member", "the yes")
        on.frame.gone("Accept: Mina invites you to Lunch")


def lunch_is_moved(cast) -> None:
    """Sora accepts Mina's lunch in three hours, and Mina moves it to half an hour from now."""
    sora = next(each["person"] for each in cast.mina.api.ask("mates/list")["mates"]
                if each["profile"]["nickname"] == "Sora")
    lunch = promised(cast.mina, "Lunch", LUNCH_SECONDS, [sora])
    until(lambda: cast.sora.api.ask("promise/list")["promises"], "the invitation")
    cast.sora.api.ask("promise/accept", {"promise": lunch})
    until(lambda: participant(cast.mina, lunch, "Sora").get("state") == "member", "Sora's answer")
    soon = cast.mina.api.ask("status/show")["nowMs"] + NOW_SECONDS * 1000
    cast.mina.api.ask("promise/edit", {"promise": lunch, "atMs": soon})
    until(lambda: cast.sora.api.ask("promise/list")["promises"][0]["sharing"] == "unconfirmed",
          "the question")


def test_confirming_a_moved_promise():
    with stage("mates", "mina", before=lunch_is_moved) as on:
        lunch = own(on)["id"]
        on.frame.says("Mina changed the time. Show your location from")
        on.frame.press("Leave…")
        on.frame.find("Leave: Lunch?", "dialog")
        on.frame.says("Only the person who made it can invite you again.")
        on.frame.press("Cancel")
        on.frame.gone("Cancel")
        on.frame.press("Promises (1)")
        on.frame.press("Lunch")
        on.frame.says("You have not confirmed the new time")
        on.expect_good_layout()
        on.shot("promise-confirm")
        on.expect_tab_reaches_all()
        on.frame.press("Confirm")
        on.wait("promise/list", lambda answer: answer["promises"][0]["sharing"] != "unconfirmed",
                "the confirmation")
        on.frame.gone("Confirm")
        on.wait(f"promise/show?promise={lunch}", lambda answer: all(
            each["hasConfirmed"] for each in answer["people"]), "it at Mina's", on.cast.mina)


def test_a_question_stays_in_sight():
    with stage("mates", before=lunch_is_promised) as on:
        on.make_small()
        on.frame.press("Promises")
        on.frame.press("Lunch")
        on.frame.press("More for Lunch")
        on.frame.press("Call off…")
        expect_in_sight(on, "Cancel", "Call off")
        on.shot("promise-question-small")


def expect_in_sight(on, *names: str) -> None:
    """Waits until nodes lie within the view that scrolls around them."""
    def is_in_sight():
        nodes = [on.frame.seen(name) for name in names]
        return all(nodes) and all(is_inside(extent(node), viewport_of(node) or extent(on.frame.root))
                                  for node in nodes)
    until(is_in_sight, f"{names} to be in sight")


def lunch_is_promised(cast) -> None:
    """Sora promises Mina lunch in three hours; Mina's node is away and does not answer."""
    mates = cast.sora.api.ask("mates/list")["mates"]
    mina = next(each["person"] for each in mates if each["profile"]["nickname"] == "Mina")
    promised(cast.sora, "Lunch", LUNCH_SECONDS, [mina])


def own(on) -> dict:
    """The one promise that Sora made, with its people; empty if it is called off."""
    promises = on.ask("promise/list")["promises"]
    return on.ask(f"promise/show?promise={promises[0]['id']}") if promises else {}


def own_with(on, count: int) -> dict:
    """The one promise that Sora made, once it has so many people, who are invited after it is
    made."""
    def made() -> dict | None:
        found = own(on)
        return found if len(found.get("people", [])) == count else None
    return until(made, f"a promise of {count} people")


def facts(promise: dict) -> dict:
    """The fields of a promise that its maker may change."""
    return {name: promise.get(name) for name in (
        "title", "atMs", "latitude", "longitude", "locationName", "penalty")}


def test_changing_a_promise():
    with stage("mates", "mina", before=lunch_is_promised) as on:
        before = own(on)
        jun = next(each for each in on.ask("mates/list")["mates"]
                   if each["profile"]["nickname"] == "Jun")
        on.frame.press("Promises")
        on.frame.press("Lunch")
        on.frame.says("Invited")
        on.frame.says("only you so far")
        on.frame.press("More for Lunch")
        on.shot("promise-menu")
        on.frame.press("Call off…")
        on.frame.says("cannot be undone.")
        on.shot("promise-call-off")
        on.frame.press("Cancel")
        on.frame.gone("Cancel")
        on.shot("promise-mine")
        on.frame.press("More for Lunch")
        on.frame.press("Change…")
        on.frame.find("Change a promise", "dialog")
        on.frame.says("Nothing is changed yet.")
        expect(not on.frame.is_usable("Save"), "a promise without a change can be saved")
        on.frame.type("What", "Late lunch")
        on.frame.press("With Jun")
        expect(on.frame.is_usable("Save"), "a changed promise cannot be saved")
        on.expect_good_layout()
        on.shot("promise-change")
        on.expect_tab_reaches_all()
        on.frame.press("Save")
        until(lambda: own(on)["title"] == "Late lunch" and len(own(on)["people"]) == 3,
              "the change")
        expect(facts(own(on)) == {**facts(before), "title": "Late lunch"},
               f"{before} became {own(on)}")
        expect(jun["person"] in [each["person"] for each in own(on)["people"]],
               "somebody else was invited")
        on.frame.gone("Save")
        on.frame.find("Late lunch")
        move_to_the_chosen_point(on)
        on.frame.press("More for Late lunch")
        on.frame.press("Call off…")
        on.frame.says("cannot be undone.")
        expect(own(on), "one press called it off")
        on.frame.press("Call off")
        until(lambda: not own(on), "it to be called off")


def move_to_the_chosen_point(on) -> None:
    """Moves the promise to a point chosen on the map, and nothing else about it."""
    before = facts(own(on))
    on.frame.press("More for Late lunch")
    on.frame.press("Change…")
    on.frame.says("Meet at the location so far (")
    on.frame.press("Choose on the map…")
    on.frame.find("Where do you want to meet?", "alert")
    on.shot("promise-pick")
    on.frame.find("Map", "canvas").get_component_iface().grab_focus()
    key("Right")
    key("space")
    on.frame.find("Change a promise", "dialog")
    on.frame.says("Meet at the point you chose (")
    on.shot("promise-move")
    on.frame.press("Save")
    moved = until(lambda: facts(own(on)) != before and facts(own(on)), "the change to be sent")
    changed = {name for name in before if moved[name] != before[name]}
    expect(changed <= {"latitude", "longitude"}, f"{before} became {moved}")
    on.frame.gone("Save")


def test_making_a_promise():
    with stage("mates", "mina") as on:
        mina = next(each for each in on.ask("mates/list")["mates"]
                    if each["profile"]["nickname"] == "Mina")
        on.frame.press("Promises")
        on.frame.says("No promises yet")
        on.expect_good_layout()
        on.shot("promises-none")
        on.frame.press("Make a promise")
        on.frame.find("Make a promise", "dialog")
        on.frame.says("Type a word or two")
        expect(not on.frame.is_usable("Promise"), "an empty promise can be made")
        on.frame.type("What", "Dinner")
        on.frame.type("When", "soon")
        on.frame.says("'soon' is not a time")
        on.frame.type("When", "2030-05-01 18:30")
        on.frame.says("Wed 1 May 2030 18:30, in ")
        on.frame.says("Choose at least one mate.")
        key("Escape")
        on.frame.gone("Promise")
        on.frame.press("Make a promise")
        expect(on.frame.line("What") == "Dinner", "the text was lost when the sheet was closed")
        on.frame.press("With Mina")
        on.expect_good_layout()
        on.shot("promise-make")
        on.expect_tab_reaches_all()
        on.frame.press("Promise")
        made = own_with(on, 2)
        people = [each["person"] for each in made["people"] if not each["me"]]
        expect(made["title"] == "Dinner" and people == [mina["person"]], f"it made {made}")
        expect(made["latitude"] == 37.5665, "it is not at Sora's location")
        on.wait("promise/list", lambda answer: answer["promises"], "it at Mina's", on.cast.mina)
        on.frame.gone("Promise")


def test_sheets_fit_into_a_small_window_with_large_text():
    with stage("mates", scale=2) as on:
        on.resize(800, 600)
        on.frame.press("Promises")
        on.frame.press("Make a promise")
        on.frame.find("Make a promise", "dialog")
        expect_in_sight(on, "Cancel", "Promise")
        on.shot("promise-make-large")
        on.frame.press("Cancel")
        on.frame.press("Mates")
        key("ctrl+n")
        on.frame.find("Ask for a walk", "dialog")
        expect_in_sight(on, "Cancel", "Ask")
        on.shot("ask-large")


def more_mates(cast) -> None:
    """Seven more people become Sora's mates, so that she has more than a form lists at once."""
    nodes = [newcomer(cast, name)
             for name in ("Ara", "Bada", "Dami", "Eunji", "Gaon", "Hana", "Zoé")]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda node: node.cli("init"), nodes))
    for node in nodes:
        node.launch()
    for node in nodes:
        cast.answered(node)
        node.api.ask("me/edit", {"nickname": node.name})
    for node in nodes:
        # One after the other: Sora's node keeps four links with strangers at one address.
        node.api.ask("peer/add", {"address": f"127.0.0.1:{cast.sora.options[-1]}"})
        cast.link(cast.sora, node)
        make_mates(cast.sora, node, WAIT_SECONDS)
        node.stop()


def newcomer(cast, name: str) -> Node:
    """A node of a new person, without a home yet."""
    node = Node(name, cast.sora.binary, cast.folder / f"more-{name[0].lower()}")
    node.options = ["--no-avahi", "--listen-port", str(free_port())]
    cast.nodes[name] = node
    return node


def people_by_name(on) -> dict[str, str]:
    """The keys of Sora's mates."""
    return {mate["profile"]["nickname"]: mate["person"] for mate in on.ask("mates/list")["mates"]}


def listed(on, with_or_to: str) -> list[str]:
    """The mates that a form lists now, in order, also those that are scrolled out of view."""
    return [node.get_name().removeprefix(f"{with_or_to} ") for node in descendants(on.frame.root)
            if node.get_role_name() == "check box" and node.get_name().startswith(with_or_to)]


def await_hint(on, text: str) -> None:
    """Waits for the line under the listed mates, which may be scrolled out of view."""
    until(lambda: any(node.get_name() == text for node in descendants(on.frame.root)), text)


def find_mate(on, part: str, *names: str, label: str = "With") -> None:
    """Types a part of a name, and waits until the form lists exactly these mates."""
    on.frame.reach("Find a mate")
    on.frame.type("Find a mate", part)
    until(lambda: listed(on, label) == list(names), f"{names} for “{part}”")


def test_mates_are_found_by_name_in_forms():
    with stage("mates", before=more_mates) as on:
        on.frame.press("Promises")
        on.frame.press("Make a promise")
        on.frame.type("What", "Dinner")
        on.frame.type("When", "tomorrow 18:00")
        on.frame.says(" 18:00, in ")
        on.frame.reach("Find a mate")
        await_hint(on, "1 more: type part of the name.")
        find_mate(on, "nobody")
        await_hint(on, "Nobody has this name.")
        find_mate(on, "ZOE", "Zoé")
        key("Tab", "space")
        until(lambda: is_checked(on, "With Zoé"), "Zoé to be chosen")
        find_mate(on, "mi", "Zoé", "Dami", "Mina")
        on.expect_good_layout()
        on.shot("mates-found")
        toggle(on, "With Mina", True)
        find_mate(on, "xyz", "Zoé", "Mina")
        toggle(on, "With Zoé", False)
        find_mate(on, "gaon", "Mina", "Gaon")
        toggle(on, "With Gaon", True)
        days = [tomorrow_at(18)]
        on.frame.press("Promise")
        on.wait("promise/list", lambda answer: answer["promises"], "the promise")
        days.append(tomorrow_at(18))
        keys = people_by_name(on)
        until(lambda: {each["person"] for each in own(on)["people"] if not each["me"]}
              == {keys["Mina"], keys["Gaon"]}, "exactly Mina and Gaon to be asked")
        made = own(on)
        expect(made["atMs"] / 1000 in days, f"it is at {made['atMs']}, not at {days}")
        ask_one_of_many(on)


def ask_one_of_many(on) -> None:
    """Asks for a walk: of many mates one is chosen."""
    on.frame.press("Mates")
    key("ctrl+n")
    on.frame.find("Ask for a walk", "dialog")
    find_mate(on, "zoe", "Zoé", label="To")
    on.frame.press("To Zoé")
    find_mate(on, "dami", "Zoé", "Dami", label="To")
    on.frame.press("To Dami")
    until(lambda: is_checked(on, "To Dami"), "Dami to be chosen")
    expect(on.frame.seen("To Zoé") is None or not is_checked(on, "To Zoé"), "two are asked")
    on.frame.reach("Your message")
    on.frame.type("Your message", "Round the pond?")
    on.frame.press("Ask")
    walk = on.wait("walk/list", lambda answer: answer["requests"], "the request")[0]
    expect(walk["person"] == people_by_name(on)["Dami"], f"it asks {walk}")


def toggle(on, name: str, is_chosen: bool) -> None:
    """Presses the box of a mate, which is then chosen or not."""
    on.frame.reach(name)
    on.frame.press(name)
    until(lambda: is_checked(on, name) == is_chosen, f"“{name}” to be {is_chosen}")


def is_checked(on, name: str) -> bool:
    return on.frame.find(name).get_state_set().contains(Atspi.StateType.CHECKED)


def tomorrow_at(hour: int) -> float:
    """An hour of tomorrow, in seconds since 1970."""
    day = datetime.now() + timedelta(days=1)
    return day.replace(hour=hour, minute=0, second=0, microsecond=0).timestamp()


def test_day_and_time_are_chosen_by_keyboard():
    with stage("mates") as on:
        on.frame.press("Promises")
        on.frame.press("Make a promise")
        on.frame.type("What", "Dinner")
        on.frame.type("When", "2030-05-01 18:30")
        on.frame.press("Choose a day and a time")
        until(lambda: (found := focused(on.frame)) and found.get_role_name() == "calendar",
              "the focus on the calendar")
        for keys, text in (
                (("Right", "space"), "2030-05-02 18:30"), (("Down", "space"), "2030-05-09 18:30"),
                (("Tab", "Up"), "2030-05-09 19:30"), (("Tab", "Up"), "2030-05-09 19:35")):
            key(*keys)
            until(lambda: on.frame.line("When") == text, f"{text} by {' and '.join(keys)}")
        on.frame.says("Thu 9 May 2030 19:35, in ")
        key("Tab", "space")
        on.frame.gone("Hour")
        on.frame.find("Make a promise", "dialog")
        expect(on.frame.line("When") == "2030-05-09 19:35", "Done changes the time")
