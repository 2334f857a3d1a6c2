"""The user's own card: changed in the window, it reaches the mates."""
from accessible import Atspi, key
from menu_tests import drop
from pictures import dog
from stage import expect, stage


def sora_at_mina(on, test, what: str) -> dict:
    """Waits until Mina's node has a card of Sora for which `test` is true."""
    def card(answer):
        found = next((mate["profile"] for mate in answer["mates"]
                      if mate["profile"].get("nickname") == "Sora"), {})
        return found if test(found) else None
    return on.wait("mates/list", card, what, on.cast.mina)


def is_on(on, name: str) -> bool:
    return on.frame.find(name).get_state_set().contains(Atspi.StateType.CHECKED)


def test_key_can_be_read_and_checked():
    with stage("mates") as on:
        on.frame.press("Profile")
        digits = on.node.person
        groups = " ".join(digits[at:at + 4] for at in range(0, len(digits), 4))
        on.frame.reach("Delete me…")  # The key is above it.
        row = on.frame.find("Your key", "list item")
        expect(row.get_description() == groups, f"the key is “{row.get_description()}”")
        expect("both screens show six digits"
               in on.frame.find("Check code", "list item").get_description(),
               "it does not say where the check code appears")
        on.expect_good_layout()
        on.shot("profile-key")


def show_sizes(on):
    """Scrolls the form until the dog's size is in sight: from below, since it is under its title."""
    on.frame.reach("Save")
    on.frame.reach("Keep private: size")


def test_card_that_is_edited_reaches_a_mate():
    with stage("mates", "mina") as on:
        sora_at_mina(on, lambda card: card["dogName"] == "Bori" and "age" not in card,
                     "Sora's card at Mina's")
        on.frame.press("Profile")
        on.frame.press("Edit your card")
        on.frame.type("Your dog's name", "Bori II")
        show_sizes(on)
        on.frame.press("Big")
        on.frame.reach("Keep private: dog's age")
        on.frame.press("Keep private: dog's age")
        for leave in (lambda: key("Escape"), lambda: key("Escape", "Escape")):
            leave()
            on.frame.gone("Your dog's name")
            if on.frame.seen("Edit your card") is None:
                on.frame.press("Profile")
            on.frame.press("Edit your card")
            expect(on.frame.line("Your dog's name") == "Bori II", "the draft is lost")
            show_sizes(on)
            expect(is_on(on, "Big"), "the draft's size is lost")
        expect(on.ask("me/show")["dogName"] == "Bori", "a draft is saved")
        on.frame.reach("Save")
        on.frame.press("Save")
        on.frame.find("Edit your card")
        on.frame.says("Bori II")
        card = sora_at_mina(on, lambda card: card["dogName"] == "Bori II", "the changed card")
        expect((card["size"], card["age"], card["keywords"]) == ("big", 3, ["smart", "friendly"]),
               f"the card at Mina's is {card}")
        on.frame.press("Edit your card")
        on.frame.type("Your dog's name", "Nobody")
        on.frame.reach("Cancel")
        on.frame.press("Cancel")
        on.frame.press("Edit your card")
        expect(on.frame.line("Your dog's name") == "Bori II", "Cancel keeps the draft")


def test_photo_that_is_dropped_is_shown_and_sent_when_it_is_saved():
    with stage("mates", "mina") as on:
        picture = on.cast.folder / "bori.png"
        picture.write_bytes(dog((170, 205, 190), (226, 178, 116)))
        on.frame.press("Profile")
        on.frame.press("Edit your card")
        on.frame.find("Choose a photo…")
        expect(on.frame.seen("Remove photo") is None, "there is no photo to remove")
        drop(on, str(picture))
        on.frame.find("Remove photo")
        on.expect_good_layout()
        on.shot("profile-photo")
        expect("photoMs" not in on.ask("me/show"), "the photo is sent before it is saved")
        notes = on.cast.folder / "notes.png"
        notes.write_text("no picture")
        drop(on, str(notes))
        on.frame.says("neither a JPEG nor a PNG")
        on.shot("profile-photo-fault")
        expect(on.frame.seen("Remove photo") is not None, "a fault removes the photo before")
        on.frame.reach("Save")
        on.frame.press("Save")
        on.frame.find("Edit your card")
        on.frame.says("Mates see it")
        on.wait("mates/list", lambda answer: any(
            mate["profile"].get("nickname") == "Sora" and "photoMs" in mate
            for mate in answer["mates"]), "Sora's photo at Mina's", on.cast.mina)
        on.frame.press("Edit your card")
        on.frame.reach("Remove photo")
        on.frame.press("Remove photo")
        on.frame.reach("Save")
        on.frame.press("Save")
        on.frame.find("Edit your card")
        on.wait("mates/list", lambda answer: not any(
            "photoMs" in mate for mate in answer["mates"]), "no photo at Mina's", on.cast.mina)
        expect("photoMs" not in on.ask("me/show"), "the photo is not removed")
