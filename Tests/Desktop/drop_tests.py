"""The profile drop, begun by either side, with Haneul, a stranger."""
from accessible import Atspi, descendants, until
from stage import expect, stage


def in_phase(on, phase: str, node=None) -> dict:
    """Waits for a phase of the drop at Sora's node, or at another one; returns the drop."""
    return on.wait("drop/show", lambda drop: drop["phase"] == phase and drop,
                   f"a drop in the phase '{phase}'", node)


def spelled(code: str) -> str:
    """A check code as the window shows it."""
    return f"{code[:3]} {code[3:]}"


def somebody(on) -> str:
    """The window's name for Haneul, who has begun a drop and shows no name to strangers."""
    on.wait("drop/show", lambda drop: drop.get("peer"), "the invitation")
    return "Someone nearby"


def says_below(on, sentence: str) -> bool:
    """Whether the sheet has a text, which may be scrolled out of view."""
    texts = ((each, each.get_text_iface()) for each in descendants(on.frame.root))
    return any(text and Atspi.Text.get_text(text, 0, -1) == sentence
               and each.get_state_set().contains(Atspi.StateType.VISIBLE) for each, text in texts)


def test_drop():
    with stage("mates", "haneul") as on:
        haneul = on.cast.haneul
        on.frame.press("Profile drop")
        on.frame.find("Profile drop", "dialog")
        on.frame.says("Kept private: dog's age.")
        on.frame.says("Smart, friendly")
        until(lambda: says_below(on, "Holding the two devices together needs a radio that measures "
                                 "distances, which is not available here. Choosing the person works "
                                 "without it."), "the reason why a touch is not offered")
        on.expect_good_layout()
        on.shot("drop-choose")
        on.expect_tab_reaches_all()
        on.frame.press("Drop")
        expect(in_phase(on, "finding")["share"], "the card is not shared")
        on.frame.says("Looking for the other person…")
        on.shot("drop-finding")
        haneul.api.ask("drop/start", {})
        code = in_phase(on, "deciding", haneul)["checkCode"]
        on.frame.says(spelled(code))
        on.frame.says("Does the other screen show this too? No need to type it.")
        on.expect_good_layout()
        on.shot("drop-code")
        on.frame.press("Accept")
        on.wait("drop/show", lambda drop: drop.get("myAnswer") == "accept", "the yes")
        haneul.api.ask("drop/accept", {})
        on.frame.says("You and Haneul are mates")
        on.expect_good_layout()
        on.shot("drop-mates")
        in_phase(on, "mates", haneul)
        on.frame.press("Done")
        on.frame.gone("Done")


def test_drop_with_one_person_nearby():
    with stage("mates", "haneul") as on:
        haneul = next(each for each in on.wait("nearby/list", lambda nearby: nearby["people"],
                                               "Haneul to be nearby"))
        on.frame.press("Someone nearby: Drop")
        on.frame.find("Profile drop", "dialog")
        on.frame.says("Exactly this will be sent")
        on.frame.press("Drop")
        expect(in_phase(on, "finding")["peer"]["device"] == haneul["device"],
               "the drop is for anybody")


def test_drop_cancelled_and_receive_only():
    with stage("mates") as on:
        on.frame.press("Profile drop")
        on.frame.press("Receive only")
        on.frame.says("Nothing: you only receive.")
        on.frame.press("Drop")
        expect(not in_phase(on, "finding")["share"], "the card is shared")
        on.frame.press("Cancel")
        in_phase(on, "cancelled")
        on.frame.says("Cancelled")


def test_invitation_to_a_drop():
    with stage("mates", "haneul") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.cast.haneul.api.ask("drop/start", {"to": on.node.device})
        on.frame.find(f"{somebody(on)} wants to exchange profiles", "alert")
        on.expect_good_layout()
        on.frame.press("Accept")
        on.frame.find(f"{somebody(on)} wants to exchange profiles", "dialog")
        on.frame.says("Exactly this will be sent")
        on.expect_good_layout()
        on.shot("drop-invited")
        on.frame.press("Accept")
        card = in_phase(on, "deciding", on.cast.haneul)["peer"]["card"]
        expect(card["nickname"] == "Sora" and "age" not in card, f"Haneul was sent {card}")


def test_incoming_drop():
    with stage("mates", "haneul") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        sora, haneul = on.node, on.cast.haneul
        for one, other in ((haneul, sora), (sora, haneul)):
            one.api.ask("drop/start", {"to": other.device})
        code = in_phase(on, "deciding")["checkCode"]
        on.frame.says(f"Both screens show {spelled(code)}.")
        on.expect_good_layout()
        on.shot("drop-incoming")
        on.frame.press("Decline")
        in_phase(on, "declined", haneul)
