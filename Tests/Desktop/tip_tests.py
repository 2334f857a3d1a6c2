"""The tips at the first drop, promise and walk: closed once, they are gone for good."""
from stage import expect, stage

DROP = "Both of you press Drop within 30 seconds."
WALK = "A request for now is open for 60 seconds."
PROMISE = "Participants see where you are only while the promise is on."


def has_tip(on) -> bool:
    """Whether a tip is on the screen."""
    return on.frame.seen("Close this tip") is not None


def test_tips_are_shown_until_they_are_closed():
    with stage("mates", "mina") as on:
        on.frame.press("Profile drop")
        on.frame.says(DROP)
        on.expect_good_layout()
        on.shot("tip-drop")
        on.frame.press("Close this tip")
        on.frame.gone("Close this tip")
        on.frame.press("Cancel")
        on.frame.press("Profile drop")
        on.frame.says("Exactly this will be sent")
        expect(not has_tip(on), "a closed tip is shown again")
        on.frame.press("Cancel")
        on.frame.press("Promises")
        on.frame.press("Make a promise")
        on.frame.says(PROMISE)
        on.expect_good_layout()
        on.shot("tip-promise")
        on.frame.press("Cancel")
        expect((on.node.home / "window.tips").read_text() == "drop\n", "another tip is closed")


def test_tip_is_gone_once_the_user_has_done_it():
    with stage("mates", "mina") as on:
        on.frame.press("Mina: Ask for a walk…")
        on.frame.says(WALK)
        on.frame.type("Your message", "Once round the pond?")
        on.frame.press("Ask")
        on.wait("walk/list", lambda answer: answer["requests"], "the request")
        on.frame.gone("Close this tip")
        on.frame.press("Nearby")
        on.frame.press("Mina: Ask for a walk…")
        on.frame.find("Your message", "text")
        expect(not has_tip(on), "the tip is shown again")
