"""Keys that work for any focus: pages, the search of the chat, the end, and the way back by Esc."""
from accessible import Atspi, has_focus, key, until
from stage import Stage, expect, programs, stage

PAGES = (
    "Nearby", "Mates", "Inbox", "Chat", "Promises", "Interests", "Walks", "Matching",
    "Neighbourhood")


def is_in_front(on, page: str) -> bool:
    """Whether a page is pressed in the list of pages; it may have a number of things that wait."""
    return any(node.get_role_name() == "radio button"
               and node.get_name().split(" (")[0] == page
               and node.get_state_set().contains(Atspi.StateType.CHECKED)
               for node in on.frame.all())


def expect_in_front(on, page: str) -> None:
    until(lambda: is_in_front(on, page), f"the page {page}")


def expect_focus(on, name: str) -> None:
    until(lambda: has_focus(on.frame, name),
          f"the focus on “{name}”")


def test_keys_of_the_pages_and_of_the_search():
    with stage("chat") as on:
        on.frame.find("Chat (2)")
        # The last one is no page with a search of its own.
        for number in (5, 2, 6, 4, 1, 9, 3, 7, 8):
            key(f"ctrl+{number}")
            expect_in_front(on, PAGES[number - 1])
        key("ctrl+f")
        expect_in_front(on, "Chat")
        expect_focus(on, "Search all messages")
        key("o", "a", "k")
        on.frame.find("Show this message from You")
        key("Escape")
        on.frame.gone("Show this message from You")
        expect(not on.frame.line("Search all messages"), "the words stay after Escape")
        on.frame.find("Open the chat with Mina")
        key("ctrl+5", "ctrl+n")
        on.frame.find("Make a promise", "dialog")
        key("ctrl+2", "ctrl+f", "ctrl+n")
        key("Escape")
        on.frame.gone("When")
        expect_in_front(on, "Promises")


def test_key_of_a_page_moves_the_focus_from_the_page_that_goes():
    with stage("mates", "mina", "jun") as on:
        on.frame.find("More for Mina").get_component_iface().grab_focus()
        expect_focus(on, "More for Mina")
        key("ctrl+2")
        expect_in_front(on, "Mates")
        expect_focus(on, "Mates")


def test_key_that_quits_leaves_the_node_running():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        on.frame.find("Your name", "text")
        key("ctrl+q")
        expect(on.window.wait(timeout=15) == 0, "the window ends with a fault")
        expect(on.node.answers(), "the node that the window started ends with it")


def escape(on, gone: str, left: str) -> None:
    """Presses Esc, which closes what has one name and leaves what has the other."""
    on.frame.find(gone)
    key("Escape")
    on.frame.gone(gone)
    on.frame.find(left)


def test_escape_leaves_every_sheet():
    with stage("everything", "mina") as on:
        on.frame.press("Profile drop")
        on.frame.find("Profile drop", "dialog")
        escape(on, "Cancel", "More for Mina")
        on.frame.reach("Add by address…")
        on.frame.press("Add by address…")
        escape(on, "Address", "Add by address…")
        key("ctrl+comma")
        escape(on, "Theme", "Add by address…")
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("Nickname…")
        escape(on, "Save", "More for Mina")
        on.frame.press("More for Mina")
        on.frame.press("Details…")
        on.frame.reach("Block…")
        on.frame.press("Block…")
        on.frame.find("Block Mina?", "dialog")
        escape(on, "Block Mina?", "More for Mina")
        expect(not on.ask("mates/blocked")["blocked"], "Escape blocked Mina")
        on.frame.press("Promises")
        on.frame.press("Dinner")
        on.frame.press("More for Dinner")
        on.frame.press("Leave…")
        on.frame.find("Leave: Dinner?", "dialog")
        escape(on, "Leave: Dinner?", "Open its chat")
        escape(on, "Open its chat", "Make a promise")
        on.frame.press("Make a promise")
        on.frame.press("Choose a day and a time")
        escape(on, "Hour", "When")
        escape(on, "When", "Dinner")
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        on.frame.press("More for this message: *oak.")
        on.frame.press("Delete for everyone…")
        on.frame.find("Delete for everyone?", "dialog")
        escape(on, "Delete for everyone?", "Message")
        expect(on.ask("chat/search?text=oak")["messages"], "Escape deleted the message")


def test_escape_leaves_the_choice_of_a_promise_and_a_narrow_map():
    with stage("mates") as on:
        on.frame.press("Promises")
        on.frame.press("Make a promise")
        on.frame.type("What", "Dinner")
        on.frame.press("Choose on the map…")
        on.frame.find("Where do you want to meet?", "alert")
        key("Escape")
        on.frame.find("Make a promise", "dialog")
        expect(on.frame.line("What") == "Dinner", "Escape lost the text")
        on.frame.gone("Where do you want to meet?")
        escape(on, "When", "Make a promise")
        on.resize(500, 680)
        # Before the window is narrow, "Map" is the name of the map itself.
        until(lambda: on.frame.seen("Map", "canvas") is None, "the narrow window")
        on.frame.press("Map")
        on.frame.find("Map", "canvas")
        key("Escape")
        until(lambda: on.frame.seen("Map", "canvas") is None, "the map to be left")
        expect_in_front(on, "Promises")


def test_escape_leaves_the_first_page_for_the_recovery_words():
    with programs() as folder, Stage(
            Stage.theatre.empty(), has_node=False, path=folder) as on:
        on.frame.find("Your name", "text")
        key("Escape")
        escape(on, "I have written them down", "Nearby")


def test_focus_returns_when_a_sheet_is_left():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        opener = "Mina: Ask for a walk…"
        on.frame.find(opener).get_component_iface().grab_focus()
        for opens, inside in (("space", "Your message"), ("ctrl+comma", "Close")):
            expect_focus(on, opener)
            key(opens)
            expect_focus(on, inside)
            key("Escape")
            on.frame.gone(inside)
        expect_focus(on, opener)
