"""Walk requests in both directions."""
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
        on.frame.says("You asked Mina for a walk")
        on.frame.says("Delivered: waiting for an answer.")
        on.shot("asked")
