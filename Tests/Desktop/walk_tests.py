"""Walk requests in both directions."""
from accessible import key, until
from stage import expect, stage
from snapshots import ask_for_walk


def walk_at_mina(on) -> dict:
    """The one walk request that Mina's node has; empty if there is none."""
    requests = on.cast.mina.api.ask("walk/list")["requests"]
    return requests[0] if requests else {}


def test_incoming_request():
    with stage("mates", "mina") as on:
        on.frame.find("Mina: Ask for a walk…")
        id = ask_for_walk(on.cast, "A walk before dinner? Choco is all ears.")
        on.frame.find("Mina asks you for a walk", "alert")
        on.frame.says("s left")
        on.expect_good_layout()
        on.shot("request")
        on.expect_tab_reaches_all()
        on.frame.press("Accept")
        on.wait("walk/list", lambda answer: [(walk["id"], walk["state"]) for walk in answer[
            "requests"]] == [(id, "accepted")], "the yes at Mina's", node=on.cast.mina)
        on.frame.gone("Accept")


def test_asking_for_a_walk():
    with stage("mates", "mina") as on:
        on.frame.press("Mina: Ask for a walk…")
        on.frame.find("Ask Mina for a walk", "dialog")
        expect(not on.frame.is_usable("Ask"), "a request without a message can be sent")
        on.expect_good_layout()
        on.frame.type("Your message", "A walk before dinner?")
        on.frame.type("Name of the location", "North gate")
        on.shot("ask")
        on.expect_tab_reaches_all()
        on.frame.press("Ask")
        on.wait("walk/list", lambda answer: answer["requests"], "the request", node=on.cast.mina)
        walk = walk_at_mina(on)
        expect((walk["message"], walk["locationName"]) == ("A walk before dinner?", "North gate"),
               f"Mina's node has {walk}")
        on.frame.press("Inbox")
        on.frame.says("You asked Mina for a walk")
        on.frame.says("Delivered: waiting for an answer.")
        on.shot("asked")


def nobody_is_anywhere(cast) -> None:
    """Sora's node knows no location."""
    cast.sora.api.ask("location/clear", {})


def test_a_walk_without_a_location_to_a_mate_who_is_away():
    with stage("mates", before=nobody_is_anywhere) as on:
        on.frame.press("Mates")
        on.frame.press("Mina: Ask for a walk…")
        on.frame.find("Ask Mina for a walk", "dialog")
        on.frame.type("Your message", "A walk?")
        on.frame.says("Choose where to meet")
        on.frame.says("Mina is not here. Without a time the request expires after 60 s.")
        expect(not on.frame.is_usable("Ask"), "a walk to nowhere can be asked for")
        on.expect_good_layout()
        on.shot("ask-away")
        on.frame.press("Choose on the map…")
        on.frame.find("Where do you want to meet?", "alert")
        key("Escape")
        on.frame.find("Ask Mina for a walk", "dialog")
        expect(on.frame.line("Your message") == "A walk?", "the text was lost by Escape")
        expect(not on.frame.is_usable("Ask"), "Escape chose a location")
        on.frame.press("Choose on the map…")
        on.frame.find("Where do you want to meet?", "alert")
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        key("Right")
        key("space")
        on.frame.says("Click again to choose the exact point")
        on.shot("ask-nearer")
        expect(on.frame.seen("Ask Mina for a walk", "dialog") is None, "a region was chosen")
        key("space")
        key("space")
        on.frame.find("Ask Mina for a walk", "dialog")
        expect(on.frame.line("Your message") == "A walk?", "the text was lost")
        on.frame.press(next(text for text in on.frame.texts() if text.startswith("Ask for to")))
        on.frame.says("The request waits until then.")
        on.shot("ask-later")
        on.frame.press("Ask")
        walk = on.wait("walk/list", lambda answer: answer["requests"], "the request")[0]
        expect(walk.get("atMs"), f"it has no time: {walk}")
        on.frame.says("Will send when you meet.")
        on.shot("asked-later")


def unique_news(on) -> dict:
    """An item of the inbox that asks nothing, whose title no other item has."""
    items = on.ask("inbox/list")["items"]
    titles = [each["title"] for each in items]
    return next(each for each in items if titles.count(each["title"]) == 1
                and not each["handled"] and not each["actions"] and each["kind"] != "walk")


def text_that_begins(on, start: str) -> str:
    """The first text on the screen that begins so, once there is one."""
    return until(lambda: next((text for text in on.frame.texts() if text.startswith(start)), None),
                 f"“{start}…”")


def test_the_inbox():
    with stage("everything", "mina") as on:
        on.frame.press(text_that_begins(on, "Inbox ("))
        on.frame.find("Waiting for your answer", "list")
        on.frame.find("New", "list")
        on.frame.find("Accept: Mina asks you for a walk")
        waiting = on.frame.find("Waiting for your answer", "list")
        on.frame.find(f"Inbox ({waiting.get_child_count()})")
        on.expect_good_layout()
        on.shot("inbox")
        news = unique_news(on)
        on.frame.press(f"Dismiss: {news['title']}")
        on.frame.find(f"Dismissed: {news['title']}", "alert")
        on.frame.press("Undo")
        on.frame.press(f"Dismiss: {news['title']}")
        on.frame.find(f"Dismissed: {news['title']}", "alert")
        on.shot("inbox-undo")
        on.wait("inbox/list", lambda answer: all(
            each["handled"] for each in answer["items"] if each["id"] == news["id"]),
            "it to be handled")
        on.frame.gone(f"Dismiss: {news['title']}")
        on.frame.press(text_that_begins(on, "Reply: "))
        on.frame.find("Message", "text")
