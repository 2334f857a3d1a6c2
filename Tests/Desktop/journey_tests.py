"""The way of two new users from the first page to a block, each with a window and a node of their
own, by accessible names alone. Only their movement comes from outside: tracks in place of a GPS."""
import contextlib
import re
import subprocess
import time
from collections.abc import Iterator

from accessible import Atspi, until
from processes import free_port
from stage import Stage, expect, programs

START = {"Sora": (37.5665, 126.9780), "Mina": (37.5765, 126.9780)}
NOODLE_BAR = (37.5700, 126.9780)
TRACK = """<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
{points}</trkseg></trk></gpx>"""
POINT = '<trkpt lat="{:.5f}" lon="{:.5f}"><time>2026-05-01T09:{:02}:{:02}Z</time></trkpt>\n'
# A promise is at least half an hour ahead; then the locations are shown. Words such as "in 30 min"
# mean a whole minute, for which a test would have to wait. The rest is for filling in the form.
SOONEST_SECONDS = 30 * 60 + 10
TRACK_SECONDS = 600
# Ten minutes pass in one.
SPEED = 10


class Person:
    """A new user at their own window."""

    def __init__(self, name: str, port: int, on: Stage):
        self.name = name
        self.port = port
        self.on = on
        self.frame = on.frame

    def press(self, *names: str) -> None:
        """Presses one after the other; keys go to this window."""
        for name in names:
            self.focus()
            self.frame.press(name)

    def focus(self) -> None:
        """Gives this window the keyboard: without a window manager nothing else does."""
        window = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.on.window.pid), "--name",
             "Waggle"], check=True, capture_output=True, text=True).stdout.split()[-1]
        subprocess.run(["xdotool", "windowraise", window, "windowfocus", "--sync", window],
                       check=True)

    def page(self, title: str) -> None:
        """Turns to a page, which may have a number of things that wait."""
        button = until(lambda: self.frame.seen(title, "radio button")
                       or self.frame.seen(f"{title} (*)", "radio button"), f"the page {title}")
        Atspi.Action.do_action(button.get_action_iface(), 0)

    def point(self, location: tuple[float, float]) -> None:
        """Chooses a point of the map by its numbers."""
        if not self.frame.seen("Chosen point"):
            self.press("More for the map", "Type a location…")
        self.frame.type("Chosen point", f"{location[0]}, {location[1]}")

    def text(self, name: str) -> str:
        """The text of the label with this name."""
        return Atspi.Text.get_text(self.frame.find(name, "label").get_text_iface(), 0, -1)

    def walk_to(self, location: tuple[float, float]) -> None:
        """Walks there at a steady pace, by a track."""
        steps = [POINT.format(*(a + (b - a) * part / TRACK_SECONDS for a, b in zip(
            START[self.name], location)), *divmod(part, 60)) for part in range(0, TRACK_SECONDS, 20)]
        track = self.on.cast.folder / f"{self.name}.gpx"
        track.write_text(TRACK.format(points="".join(steps)))
        self.on.node.cli("location", "source", "gpx", "--file", str(track), "--speed", str(SPEED))


@contextlib.contextmanager
def newcomer(name: str) -> Iterator[Person]:
    """A person who opens Waggle for the first time."""
    port = free_port()
    with programs(f"--no-avahi --listen-port {port}") as path, Stage(
            Stage.theatre.empty(), has_node=False, path=path) as on:
        yield Person(name, port, on)


def begin(person: Person) -> None:
    """The first page and the recovery words."""
    frame = person.frame
    frame.type("Your name", person.name)
    frame.type("Your dog's name", "Bori" if person.name == "Sora" else "Choco")
    person.press("Start")
    frame.find("I have written them down")
    words = dict(re.fullmatch(r"(\d+)\. (\w+)", text).groups() for text in frame.texts()
                 if re.fullmatch(r"\d+\. \w+", text))
    person.press("I have written them down")
    frame.find("Confirm")
    for number, word in words.items():
        if frame.seen(f"Word {number}", "text"):
            frame.type(f"Word {number}", word)
    person.press("Confirm")
    frame.says("Nobody is nearby")


def become_mates(sora: Person, mina: Person) -> None:
    """They find each other by an address, drop, and compare the check codes."""
    sora.press("Add by address…")
    sora.frame.type("Address", f"127.0.0.1:{mina.port}")
    sora.press("Add")
    for one in (sora, mina):
        one.frame.says("1 person nearby")
    for one in (sora, mina):
        one.press("Profile drop", "Drop")
    codes = [one.text("Check code") for one in (sora, mina)]
    expect(codes[0] == codes[1] and re.fullmatch(r"\d{3} \d{3}", codes[0]), f"they see {codes}")
    for one in (sora, mina):
        one.press("Accept")
    sora.frame.says("You and Mina are mates")
    mina.frame.says("You and Sora are mates")
    for one in (sora, mina):
        one.press("Done")
        one.point(START[one.name])
        one.press("I am here: set the chosen point as my location")


def ask_for_a_walk(sora: Person, mina: Person) -> None:
    sora.page("Mates")
    sora.press("Mina: Ask for a walk…")
    sora.frame.type("Your message", "연못 한 바퀴?")
    sora.press("Ask")
    mina.frame.find("Sora asks you for a walk", "alert")
    mina.frame.says("연못 한 바퀴?")
    mina.press("Accept")
    sora.page("Inbox")
    sora.frame.says("Accepted. Enjoy the walk!")


def keep_a_promise(sora: Person, mina: Person) -> None:
    """Sora makes a promise, Mina accepts it, and each sees the other come nearer."""
    sora.page("Promises")
    sora.point(NOODLE_BAR)
    sora.press("More for the chosen point", "New promise here…")
    sora.frame.type("What", "국수")
    sora.frame.type("When", str(int((time.time() + SOONEST_SECONDS) * 1000)))
    sora.press("With Mina", "Promise")
    mina.frame.find("Sora invites you to 국수", "alert")
    mina.press("Accept")
    for one in (sora, mina):
        one.walk_to(NOODLE_BAR)
        one.page("Promises")
        one.press("국수")
        one.frame.says("On the way")
    for one, other in ((sora, mina), (mina, sora)):
        far = metres(one, other)
        until(lambda: metres(one, other) < far, f"{other.name} to come nearer at {one.name}'s")
    sora.on.shot("journey-promise")


def metres(one: Person, other: Person) -> float:
    """The metres that another one has to go, as a person's page of the promise says."""
    def said():
        for text in one.frame.texts():
            found = re.match(rf"{other.name}.*?([\d.]+) (k?m) to go", text, re.DOTALL)
            if found:
                return float(found[1]) * (1000 if found[2] == "km" else 1)
        return None
    return until(said, f"the way that {other.name} has to go, at {one.name}'s")


def talk(sora: Person, mina: Person) -> None:
    for one, other, text in ((sora, mina, "거의 다 왔어!"), (mina, sora, "나도, 곧 봐.")):
        one.page("Chat")
        one.press(f"Open the chat with {other.name}")
        one.frame.type("Message", text)
        one.press("Send")
        other.page("Chat")
        other.press(f"Open the chat with {one.name}")
        other.frame.find(f"{one.name}: {text}", "list item")
    sora.on.shot("journey-chat")


def hide_and_block(sora: Person, mina: Person) -> None:
    """Sora shows her name to everyone and hides it again, and then blocks Mina."""
    sora.page("Nearby")
    sora.press("Show your name to everyone nearby for 10 minutes",
               "Stop showing your name to everyone")
    sora.frame.find("Show your name to everyone nearby for 10 minutes")
    sora.page("Mates")
    sora.press("More for Mina", "Details…", "Block…", "Block")
    sora.frame.says("No mates yet")
    mina.page("Nearby")
    mina.frame.gone("Sora: Ask for a walk…")


def test_journey_of_two_new_users():
    with newcomer("Sora") as sora, newcomer("Mina") as mina:
        for person in (sora, mina):
            begin(person)
        become_mates(sora, mina)
        ask_for_a_walk(sora, mina)
        keep_a_promise(sora, mina)
        talk(sora, mina)
        hide_and_block(sora, mina)
