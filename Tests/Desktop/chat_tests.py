"""Rooms, messages and search. Mina's node is away unless a test starts it."""
from accessible import key, until
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
        on.wait("chat/rooms", lambda answer: answer["unread"] == 0, "the room to be read")
        on.frame.gone("Chat (2)")
        on.frame.type("Message", "Tomorrow, then")
        on.frame.press("Send")
        on.frame.says("will send when you meet")
        expect(mine(on)[1:] == ["Tomorrow, then"], f"Sora's node has {mine(on)}")
        on.shot("chat-room")
        several_lines(on)
        on.cast.start("mina")
        on.cast.mina.api.ask("chat/send", {"room": on.node.person, "text": "Good!"})
        on.frame.says("Good!")
        on.expect_good_layout()
        on.expect_good_when_small("chat-small")
        on.frame.press("All rooms")
        on.frame.press("Open the chat with Walkers")
        on.frame.says("You may only read in this group")
        expect(not on.frame.is_usable("Send"), "a reader can send")


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
        on.frame.press("Show this message of Mina")
        on.frame.says("Or tomorrow")
        on.shot("chat-found-shown")
        on.frame.press("All rooms")
        search(on, "old oak")
        on.frame.press("Show this message of You")
        on.frame.press(f"Delete this message: {DOGS_AT_THE_OAK}")
        on.shot("chat-delete")
        expect(found(on, "old oak"), "one press deleted it")
        on.frame.press("Delete for everyone")
        until(lambda: not found(on, "old oak"), "it to be deleted")
        on.frame.gone(DOGS_AT_THE_OAK)
        on.expect_good_layout()
        on.cast.start("mina")
        until(lambda: room(on.cast.mina, "Sora") and DOGS_AT_THE_OAK not in str(
            on.cast.mina.api.ask(f"chat/page?room={on.node.person}")),
            "it to be deleted at Mina's")
