"""Promises: one that is tracked, one of Sora's own, and making one."""
from accessible import extent, is_inside, key, until, viewport_of
from stage import expect, stage
from snapshots import MINUTE, NOODLE_BAR, participant, promised

METRES_PER_DEGREE = 6_371_000 * 3.141592653589793 / 180
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


def test_promises():
    with stage("promise", "mina", "jun", before=everybody_moves) as on:
        promise = dinner(on.node)
        on.frame.press("Promises")
        on.frame.says("Next today: Dinner")
        on.frame.says("Ordinary · 75 % kept · owes 500 potatoes")
        on.expect_tab_reaches_all()
        on.frame.press("Dinner")
        on.frame.says("610 m to go")
        jun = participant(on.node, promise, "Jun")
        expect((jun["rank"], jun["lateness"]) == (1, "early"), f"Jun's arrival is {jun}")
        on.frame.says(f"#1 · gold medal, {jun['latenessText']}")
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        for _ in range(4):
            key("Tab")
        on.frame.says("Selected: Mina, 610 m to go")
        on.frame.says("Dinner: the others see your location")
        on.expect_good_layout()
        on.shot("promise")
        on.frame.press("Stop showing me")
        on.wait(f"promise/show?promise={promise}",
                lambda answer: answer["sharing"] == "stopped", "not to be shown")
        on.frame.find("Show where I am")
        on.frame.gone("Dinner: the others see your location")


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
        on.frame.says("Mina moved it. Show your location from")
        on.frame.press("Leave…")
        on.frame.says("Only its maker can invite you again.")
        on.frame.press("Keep it")
        on.frame.says("you have not confirmed the new time")
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
        on.resize(640, 480)
        until(on.is_small, "the window to be 640 × 480 or less")
        on.frame.press("Promises")
        on.frame.press("Lunch")
        on.frame.find("Call off")
        on.frame.press("Call off")
        expect_in_sight(on, "Keep it", "Call off")
        on.shot("promise-question-small")


def expect_in_sight(on, *names: str) -> None:
    """Waits until nodes lie within the view that scrolls around them."""
    def is_in_sight():
        nodes = [on.frame.seen(name) for name in names]
        return all(nodes) and all(is_inside(extent(node), viewport_of(node)) for node in nodes)
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
        on.frame.says("invited")
        on.frame.press("Call off")
        on.frame.says("That cannot be undone.")
        on.shot("promise-call-off")
        on.frame.press("Keep it")
        on.frame.find("Call off")
        on.shot("promise-mine")
        on.frame.press("Change")
        on.frame.find("Change a promise", "dialog")
        on.frame.says("Nothing is changed yet.")
        expect(not on.frame.is_usable("Save"), "a promise without a change can be saved")
        on.frame.type("What", "Late lunch")
        on.frame.press(f"Jun · {jun['suffix']}")
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
        on.frame.press("Call off")
        on.frame.says("That cannot be undone.")
        expect(own(on), "one press called it off")
        on.frame.press("Call off")
        until(lambda: not own(on), "it to be called off")


def move_to_the_chosen_point(on) -> None:
    """Moves the promise to a point chosen on the map, and nothing else about it."""
    before = facts(own(on))
    on.frame.find("Map", "canvas").get_component_iface().grab_focus()
    key("Right")
    key("space")
    on.frame.find("I am here: set the chosen point as my location")
    on.frame.press("Change")
    on.frame.gone("To move it, choose a point on the map first.")
    on.frame.press("Meet at the point chosen on the map instead")
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
        on.frame.says("No promises yet.")
        on.frame.press("Make a promise")
        on.frame.find("Make a promise", "dialog")
        on.frame.says("What is it?")
        expect(not on.frame.is_usable("Promise"), "an empty promise can be made")
        on.frame.type("What", "Dinner")
        on.frame.type("When", "2030-05-01 18:30")
        on.frame.says("With whom?")
        on.frame.press(f"Mina · {mina['suffix']}")
        on.expect_good_layout()
        on.shot("promise-make")
        on.expect_tab_reaches_all()
        on.frame.press("Promise")
        on.wait("promise/list", lambda answer: answer["promises"], "the promise")
        made = own(on)
        people = [each["person"] for each in made["people"] if not each["me"]]
        expect(made["title"] == "Dinner" and people == [mina["person"]], f"it made {made}")
        expect(made["latitude"] == 37.5665, "it is not at Sora's location")
        on.wait("promise/list", lambda answer: answer["promises"], "it at Mina's", on.cast.mina)
        on.frame.gone("Promise")
