"""The order in which a screen reader comes to things: it is that in which a person reads them."""
from accessible import key, order_faults, until
from stage import Stage, programs, stage


def expect_reading_order(on) -> None:
    """Fails if the order stays wrong; gives a moving transition its time."""
    faults = []

    def is_good() -> bool:
        faults[:] = order_faults(on.frame)
        return not faults
    try:
        until(is_good, "the reading order")
    except AssertionError:
        raise AssertionError("the order is wrong:\n    " + "\n    ".join(faults[:5])) from None


def test_order_on_pages_is_that_of_reading():
    with stage("everything", "mina", "jun") as on:
        on.frame.find("More for Mina")
        expect_reading_order(on)
        for page, row in (("Mates", "More for Jun"), ("Inbox (1)", "Dismiss: *"),
                          ("Chat (2)", "Open the chat with Mina"), ("Promises", "Dinner")):
            on.frame.press(page)
            on.frame.find(row)
            expect_reading_order(on)
        on.frame.press("Dinner")
        on.frame.find("Open its chat")
        expect_reading_order(on)
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        on.frame.find("You read up to here")
        expect_reading_order(on)
        on.frame.press("Profile")
        on.frame.find("Edit your card")
        expect_reading_order(on)
        on.frame.press("Edit your card")
        on.frame.find("Your name", "text")
        expect_reading_order(on)


def test_order_in_sheets_is_that_of_reading():
    with stage("mates", "mina", "jun") as on:
        for width in (980, 360):
            on.resize(width, 680)
            until(lambda: on.size().width == width, f"the window to be {width} wide")
            on.frame.press("Mates")
            on.frame.find("More for Mina")
            key("ctrl+n")
            on.frame.find("Ask for a walk", "dialog")
            expect_reading_order(on)
            key("Escape")
            on.frame.gone("Your message")
            on.frame.press("Promises")
            on.frame.press("Make a promise")
            on.frame.find("Make a promise", "dialog")
            expect_reading_order(on)
            key("Escape")
            on.frame.gone("When")
        key("ctrl+comma")
        on.frame.find("Preferences", "dialog")
        expect_reading_order(on)


def test_order_in_tables_is_that_of_reading():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("Details…")
        on.frame.find("Mina", "dialog")
        on.frame.says("Choco")
        expect_reading_order(on)
        key("Escape")
        on.frame.gone("Block…")
        key("ctrl+question")
        on.frame.find("Keyboard shortcuts", "dialog")
        expect_reading_order(on)
        key("Escape")
        on.frame.gone("Keyboard shortcuts")
        on.frame.press("Profile drop")
        on.frame.says("Smart, friendly")
        expect_reading_order(on)


def test_order_of_the_recovery_words_is_that_of_reading():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        on.frame.press("Later")
        on.frame.find("I have written them down")
        expect_reading_order(on)
