"""The user's data on the devices of others, and its end: the location, and everything."""
from accessible import Atspi, until
from stage import expect, programs, stage

# The longest time that a node waits for others when everything is deleted, and a little more.
DELETION_SECONDS = 25


def is_sora_a_mate(on) -> bool:
    """Whether Mina's node lists Sora."""
    return any(mate["profile"].get("nickname") == "Sora"
               for mate in on.cast.mina.api.ask("mates/list")["mates"])


def test_deleting_everything():
    with programs("--no-avahi") as folder, stage("mates", "mina", path=folder) as on:
        before = on.ask("me/show")["person"]
        expect(is_sora_a_mate(on), "Mina does not know Sora")
        on.frame.press("Profile")
        on.frame.reach("Delete me…")
        on.frame.press("Delete me…")
        on.frame.find("Delete everything?", "dialog")
        # The row of the page behind the sheet has the same name.
        button = on.frame.find("Delete me", "push button")
        usable = Atspi.StateType.SENSITIVE
        on.frame.type("Type “Sora” to confirm", "Mina")
        expect(not button.get_state_set().contains(usable), "another name confirms it")
        on.expect_good_layout()
        on.shot("delete")
        on.frame.type("Type “Sora” to confirm", "Sora")
        until(lambda: button.get_state_set().contains(usable), "the name to confirm it")
        Atspi.Action.do_action(button.get_action_iface(), 0)
        until(lambda: on.frame.seen("Your data is deleted", "dialog"), "the report of the deletion",
              seconds=DELETION_SECONDS)
        for gone in ("Waggle stopped. Restarting…", "That did not work", "Promises"):
            on.frame.gone(gone)
        on.frame.says("The devices of Mina confirmed it.")
        on.frame.says("The devices of Jun erase it when they next connect to one that has.")
        on.shot("deleted")
        until(lambda: not is_sora_a_mate(on), "Mina's node to have no Sora")
        on.frame.press("Done")
        on.frame.find("Your name")
        on.frame.says("No account, no server")
        me = on.wait("me/show", lambda me: me["person"] != before and me, "another person")
        expect(not me.get("nickname"), f"something is left: {me}")


def test_location_is_shown_to_mates_until_stop():
    with stage("mates", "mina") as on:
        shown = "Your mates see your location"
        on.frame.find(shown, "alert")
        for page in ("Mates", "Promises", "Nearby"):
            on.frame.press(page)
            on.frame.find(shown, "alert")
        on.expect_good_layout()
        on.shot("location-shown")
        on.frame.press("Stop showing your location to your mates")
        on.wait("location/show", lambda answer: "latitude" not in answer, "no location")
        on.frame.gone(shown)
