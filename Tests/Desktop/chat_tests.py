"""Rooms, messages and search. Mina's node is away unless a test starts it."""
import time

from accessible import click, extent, focused, has_focus, is_inside, key, until, viewport_of
from stage import expect, stage
from snapshots import DOGS_AT_THE_OAK, room


def mine(on) -> list[str]:
    """The texts that Sora wrote to Mina, as Sora's node has them."""
    page = on.ask(f"chat/page?room={room(on.node, 'Mina')['id']}")
    return [each["text"] for each in page["messages"] if each["isMine"]]


def found(on, text: str) -> bool:
    """Whether a search on Sora's node finds a text of ASCII letters."""
    answer = on.ask("chat/search?text=" + text.replace(" ", "%20"))
    return bool(answer["messages"])


def in_view(on, name: str):
    """The row with this name if all of it is in view, or None."""
    row = on.frame.seen(name, "list item")
    return row if row and is_inside(extent(row), viewport_of(row)) else None


def expect_in_view(on, name: str) -> None:
    until(lambda: in_view(on, name), f"“{name}” in view")


def is_full(on) -> bool:
    """Whether the last message ends near the end of its view: nothing blank is below it."""
    rows = [node for node in on.frame.all(on.frame.find("Messages", "list"))
            if node.get_role_name() == "list item"]
    view, last = viewport_of(rows[-1]), extent(rows[-1])
    return view[1] + view[3] - 60 <= last[1] + last[3] <= view[1] + view[3]


def scroll_up(on, steps: int) -> None:
    """Turns the wheel over the messages, away from the user."""
    view = on.frame.find("Messages", "list")
    while view.get_role_name() != "scroll pane":
        view = view.get_parent()
    for _ in range(steps):
        click(view, 0.5, 0.5, button=4)


def test_chat():
    with stage("chat") as on:
        on.frame.press("Chat (2)")
        on.frame.says("2 unread")
        on.frame.says("Or tomorrow")
        on.expect_good_layout()
        on.expect_tab_reaches_all()
        on.shot("chat-rooms")
        on.frame.press("Open the chat with Mina")
        on.frame.says("You read up to here")
        until(lambda: has_focus(on.frame, "Message"),
              "the focus on the new message")
        on.wait("chat/rooms", lambda answer: answer["unread"] == 0, "the room to be read")
        on.frame.gone("Chat (2)")
        on.frame.type("Message", "Tomorrow, then")
        on.frame.press("Send")
        on.frame.says("Will send when you meet")
        expect(mine(on)[1:] == ["Tomorrow, then"], f"Sora's node has {mine(on)}")
        on.shot("chat-room")
        several_lines(on)
        on.frame.says("2 will be sent when you meet")
        on.cast.start("mina")
        on.cast.mina.api.ask("chat/send", {"room": on.node.person, "text": "Good!"})
        on.frame.says("Good!")
        on.expect_good_layout()
        on.frame.type("Message", "Not for Walkers")
        on.expect_good_when_small("chat-small")
        on.frame.press("Open the chat with Walkers")
        on.frame.says("You may only read in this group")
        expect(not on.frame.is_usable("Send"), "a reader can send")
        expect("Not for" not in on.frame.line("Message"), "a draft went to another room")
        on.frame.press("Open the chat with Mina")
        until(lambda: "Not for Walkers" in on.frame.line("Message"), "the draft")


def test_message_to_a_stopped_node_is_delivered_once():
    """The node stays stopped for longer than a client waits for an answer."""
    with stage("chat", "mina") as on:
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        on.frame.says("You read up to here")
        on.node.pause()
        on.frame.type("Message", "Only once")
        on.frame.press("Send")
        end = time.monotonic() + 33
        while time.monotonic() < end:
            expect(not on.frame.line("Message"), "it invites to send the message again")
            expect(not any("⚠" in text for text in on.frame.texts()), "it says that it failed")
            time.sleep(1)
        on.node.go_on()
        on.frame.says("Only once")

        def received(page: dict) -> int:
            return [each["text"] for each in page["messages"]].count("Only once")
        page = f"chat/page?room={on.node.person}"
        on.wait(page, received, "the message at Mina's", on.cast.mina)
        time.sleep(2)  # A second copy would arrive now.
        expect(received(on.cast.mina.api.ask(page)) == 1, "Mina has it twice")
        expect(mine(on).count("Only once") == 1, f"Sora's node has {mine(on)}")
        expect(not on.frame.line("Message"), "it invites to send the message again")


def test_chat_opens_at_the_newest_message():
    with stage("chat") as on:
        on.frame.press("Chat (2)")
        for _ in range(2):
            on.frame.press("Open the chat with Mina")
            expect_in_view(on, "Mina: Or tomorrow")
            until(lambda: is_full(on), "a full view of messages")
            on.frame.press("Open the chat with Walkers")
            expect_in_view(on, "Jun: Who brings water?")
        on.frame.press("Open the chat with Mina")
        expect_in_view(on, "Mina: Or tomorrow")
        on.frame.press("Mates")
        on.frame.press("Chat")
        expect_in_view(on, "Mina: Or tomorrow")
        scroll_up(on, 10)
        on.frame.find("Jump to the newest messages")
        expect(not in_view(on, "Mina: Or tomorrow"), "the wheel does not scroll")
        on.expect_good_layout()
        on.shot("chat-scrolled-up")
        on.frame.press("Jump to the newest messages")
        expect_in_view(on, "Mina: Or tomorrow")
        on.frame.gone("Jump to the newest messages")
        scroll_up(on, 60)
        expect_in_view(on, "Mina: Earlier, number 0")
        on.frame.press("Open the chat with Walkers")
        expect_in_view(on, "Jun: Who brings water?")
        on.frame.press("Open the chat with Mina")
        expect_in_view(on, "Mina: Or tomorrow")
        until(lambda: is_full(on), "a full view of messages")
        on.resize(360, 600)
        expect_in_view(on, "Mina: Or tomorrow")
        expect(on.frame.seen("Open the chat with Walkers") is None, "rooms beside a narrow room")
        on.expect_good_layout()
        on.shot("chat-360")
        key("Escape")
        on.frame.press("Open the chat with Walkers")
        expect_in_view(on, "Jun: Who brings water?")
        on.frame.press("All chats")
        on.frame.press("Open the chat with Mina")
        expect_in_view(on, "Mina: Or tomorrow")


def test_chat_opens_where_reading_stopped():
    with stage("chat", "mina") as on:
        on.frame.press("Chat (2)")
        for number in range(120):
            on.cast.mina.api.ask(
                "chat/send", {"room": on.node.person, "text": f"Unread {number}"})
        on.frame.find("Chat (122)")
        on.frame.press("Open the chat with Mina")
        until(lambda: in_view(on, "Mina: Or tomorrow") and on.frame.seen("You read up to here"),
              "the first unread messages")
        expect(in_view(on, "Mina: Unread 119") is None, "it opened at the newest message")
        on.frame.find("Chat (122)")
        on.shot("chat-unread")
        on.frame.press("Jump to the newest messages")
        expect_in_view(on, "Mina: Unread 119")
        on.frame.gone("Chat (122)")


def test_chat_shows_the_map():
    with stage("chat", "mina") as on:
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        on.frame.says("Here now · 499 m")
        expect(on.frame.seen("Map", "canvas") is None, "the map is shown without being asked for")
        on.frame.press("Show or hide the map")
        on.frame.find("Map", "canvas")
        on.frame.says("Selected: Mina")
        on.expect_good_layout()
        expect_in_view(on, "Mina: Or tomorrow")
        on.shot("chat-map")
        on.frame.press("Show or hide the map")
        until(lambda: on.frame.seen("Map", "canvas") is None, "the map to be hidden")


def several_lines(on) -> None:
    """Writes a message of two lines: Shift and Enter begin a line, and Enter sends."""
    on.frame.type("Message", "At six")
    on.frame.find("Message", "text").get_component_iface().grab_focus()
    key("ctrl+End", "shift+Return", "o", "k")
    on.frame.says("At six\nok")
    on.shot("chat-lines")
    expect(len(mine(on)) == 2, "Shift and Enter sent it")
    key("Return")
    until(lambda: mine(on)[2:] == ["At six\nok"], "Enter to send both lines")
    until(lambda: "At six\nok" not in on.frame.line("Message"), "an empty line")


def search(on, text: str) -> None:
    """Types a question and presses Enter."""
    on.frame.type("Search all messages", text)
    on.frame.find("Search all messages").get_component_iface().grab_focus()
    key("Return")


def test_finding_and_deleting_a_chat_message():
    with stage("chat") as on:
        on.frame.press("Chat (2)")
        search(on, "산책")
        on.frame.says("Mina in Mina")
        on.expect_good_layout()
        on.shot("chat-found")
        on.frame.press("Show this message from Mina")
        on.frame.says("Or tomorrow")
        on.shot("chat-found-shown")
        search(on, "old oak")
        on.frame.press("Show this message from You")
        expect_in_view(on, f"You: {DOGS_AT_THE_OAK}")
        on.frame.press(f"More for this message: {DOGS_AT_THE_OAK}")
        on.frame.find("Delete for me")
        on.shot("chat-delete")
        on.frame.press("Delete for everyone…")
        on.frame.find("Delete for everyone?", "dialog")
        on.shot("chat-erase")
        expect(found(on, "old oak"), "one press deleted it")
        on.frame.press("Delete for everyone")
        until(lambda: not found(on, "old oak"), "it to be deleted")
        on.frame.gone(f"You: {DOGS_AT_THE_OAK}")
        on.expect_good_layout()
        on.cast.start("mina")
        until(lambda: room(on.cast.mina, "Sora") and DOGS_AT_THE_OAK not in str(
            on.cast.mina.api.ask(f"chat/page?room={on.node.person}")),
            "it to be deleted at Mina's")


def test_chat_bubble_menu_by_keyboard():
    with stage("chat") as on:
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        until(lambda: has_focus(on.frame, "Message"),
              "the focus on the new message")
        key("shift+Tab")
        until(lambda: has_focus(on.frame, "More for this message: Or tomorrow"),
              "the focus on the menu of the last message")
        key("shift+Tab")
        until(lambda: (found := focused(on.frame))
              and found.get_name().startswith("More for this message: ")
              and not found.get_name().endswith("Or tomorrow"),
              "the focus on the menu of the message before, by one Tab")
        key("Tab")
        until(lambda: has_focus(on.frame, "More for this message: Or tomorrow"),
              "the focus on the menu of the last message again")
        key("space")
        on.frame.find("Delete for me")
        key("Down")  # The first entry copies the message.
        key("Return")
        on.frame.gone("Mina: Or tomorrow")
        on.frame.says("You read up to here")


def delete_for_me(on) -> None:
    """Deletes Mina's last message for Sora."""
    on.frame.press("More for this message: Or tomorrow")
    on.frame.press("Delete for me")
    on.frame.gone("Mina: Or tomorrow")
    on.frame.find("Message deleted for you", "alert")


def test_deleting_a_chat_message_for_oneself_can_be_undone():
    with stage("chat") as on:
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        delete_for_me(on)
        expect(found(on, "Or tomorrow"), "it is deleted before it can no longer be undone")
        on.frame.press("Undo")
        on.frame.find("Mina: Or tomorrow", "list item")
        delete_for_me(on)
        on.frame.press("Close this bar")
        until(lambda: not found(on, "Or tomorrow"), "it to be deleted")
        on.frame.says("You read up to here")


def test_deleting_a_chat_message_for_oneself_outlasts_the_window():
    with stage("chat") as on:
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        delete_for_me(on)
        # The bar is looked at in the test that may take longer than the bar is there.
        on.expect_good_layout()
        on.shot("chat-undo")
        key("ctrl+w")
        expect(on.window.wait(timeout=15) == 0, "the window ends with a fault")
        expect(not found(on, "Or tomorrow"), "the window forgot to delete it")


def test_chat_bubble_menu_by_the_right_button():
    with stage("chat") as on:
        on.frame.press("Chat (2)")
        on.frame.press("Open the chat with Mina")
        click(on.frame.find("Or tomorrow", "label"), 0.5, 0.5, button=3)
        on.frame.find("Delete for me")
        expect(on.frame.seen("Select All") is None, "GTK's own menu is open")
        on.frame.find("Copy")
