"""Adding a device: the code in the profile, and the form of a new device with its faults."""
from accessible import until
from stage import Stage, expect, programs, stage

CODE = "babad bamag bibaj bimal boban sodig"


def test_code_for_another_device_is_shown_and_ended():
    with stage("mates") as on:
        on.frame.press("Profile")
        on.frame.reach("Add a device…")
        on.frame.press("Add a device…")
        on.frame.says("Type the code on the other device")
        shown = on.wait("device/pairing", lambda answer: answer["stage"] == "open" and answer,
                        "a code that is shown")
        on.frame.says(" ".join(shown["words"]))
        on.expect_good_layout()
        on.shot("device-code")
        on.frame.press("Cancel")
        on.frame.gone("New code")
        on.wait("device/pairing", lambda answer: answer["stage"] == "ended", "the end of the code")
        on.frame.press("Add a device…")
        again = on.wait("device/pairing", lambda answer: answer["stage"] == "open" and answer,
                        "another code")
        expect(again["words"] != shown["words"], "the code that was ended is shown again")


def test_new_device_types_a_code_with_its_faults_and_looks_for_the_other():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        on.frame.press("I have used Waggle before")
        on.frame.says("You have used Waggle before")
        on.frame.press("My other device is here")
        on.frame.says("Use Waggle on this device too")
        on.expect_good_layout()
        on.shot("device-form")
        on.frame.type("Code", CODE.replace("bibaj", "bixab"))
        on.frame.press("Connect")
        on.frame.says("Word 3 of the code is misspelt")
        on.frame.type("Code", CODE)
        on.frame.press("Connect")
        on.frame.says("Looking for your other device")
        on.frame.says("no device nearby was asked yet")
        on.expect_good_layout()
        on.shot("device-search")
        until(lambda: not (on.node.home / "person.record").exists(), "the new identity to be gone")
        on.frame.press("Later")
        on.frame.find("Profile")


def test_device_that_waits_can_go_another_way_or_begin_as_a_new_person():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        home = on.node.home
        kept = home / "recovery.words"
        on.frame.press("I have used Waggle before")
        until(kept.exists, "the words of the new identity")
        words = kept.read_text().split()
        on.frame.press("My other device is here")
        on.frame.type("Code", CODE)
        on.frame.press("Connect")
        on.frame.says("Looking for your other device")
        # The other device is lost: the words are another way.
        on.frame.press("Another way…")
        on.frame.says("Neither of them")
        on.expect_good_layout()
        on.shot("ways-while-waiting")
        on.frame.press("Back")
        on.frame.says("Looking for your other device")
        on.frame.press("Another way…")
        on.frame.press("I have my nine words")
        on.frame.says("Come back to Waggle")
        for number, word in enumerate(words, 1):
            on.frame.type(f"Word {number}", word)
        on.frame.press("Bring me back")
        on.frame.says("Looking for you")
        until(lambda: (home / "recovering" / "words").exists(), "the words to be kept")
        expect(not (home / "recovering" / "code").exists(), "the code is still there")
        # Nobody near knows the words.
        on.frame.press("Another way…")
        on.frame.press("Begin as a new person")
        on.frame.says("Welcome to Waggle")
        until(lambda: (home / "person.record").exists(), "the new identity")
        until(lambda: not (home / "recovering").exists(), "the wait to end")
        expect(len(kept.read_text().split()) == len(words), "there are no new words")
        expect(kept.read_text().split() != words, "the words are those of the first identity")
        on.frame.type("Your name", "Mina")
        on.frame.press("Start")
        on.wait("me/show", lambda me: me.get("nickname") == "Mina", "the name of the new person")
