"""Notices on the desktop: what a server of notices is told, and what pressing one does."""
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from accessible import choose, key, until
from clock import shifted
from drop_tests import somebody
from key_tests import expect_in_front
from snapshots import NOODLE_BAR, ask_for_walk, promised
from stage import HERE, Stage, expect, stage

DAEMON = "/usr/lib/notification-daemon/notification-daemon"
HOUR, MINUTE = 3600, 60


class Desktop:
    """A server of notices in a process of its own. Use it in a `with`."""

    def __init__(self, environment: dict | None = None):
        self.calls: list[dict] = []
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(HERE / "notice_server.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=environment)
        threading.Thread(target=self._listen, daemon=True).start()
        until(lambda: self.calls, "the server of notices")

    def _listen(self) -> None:
        for line in self.process.stdout:
            self.calls.append(json.loads(line))

    def __enter__(self) -> "Desktop":
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        self.process.wait()

    def shown(self, title: str) -> dict:
        """Waits for a notice with this first line, and returns the last one."""
        return until(lambda: next((call for call in reversed(self.calls)
                                   if call.get("title") == title), None), f"the notice “{title}”")

    def closed(self, notice: dict) -> None:
        """Waits until the node removes a notice."""
        until(lambda: {"call": "close", "id": notice["id"]} in self.calls,
              f"“{notice['title']}” to be removed")

    def press(self, notice: dict, label: str) -> None:
        """Presses the button with this word; "Open" is the notice itself."""
        self.process.stdin.write(f"press {notice['id']} {notice['actions'][label]}\n")
        self.process.stdin.flush()

    def titles(self) -> list[str]:
        """The first lines of all that was shown."""
        return [call["title"] for call in self.calls if call["call"] == "show"]


class Bus:
    """A session bus of its own. Use it in a `with`. It starts the services in one folder, or none:
    a machine with a desktop has a service for notices, which the bus would start."""

    CONFIG = """<busconfig><type>session</type><listen>unix:dir={folder}</listen>{services}
        <policy context="default"><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""

    def __init__(self, folder: Path, services: str = "", **environment: str):
        folder.mkdir()
        config = folder / "bus.conf"
        where = f"<servicedir>{services}</servicedir>" if services else ""
        config.write_text(self.CONFIG.format(folder=folder, services=where))
        self.environment = dict(os.environ, PATH="/usr/bin:/bin", **environment)
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.process.stdout.readline().strip()

    def __enter__(self) -> "Bus":
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()


def opened(snapshot: str, *names: str):
    """The nodes on a snapshot; these show notices."""
    cast = Stage.theatre.open(snapshot)
    for name in names:
        cast.nodes[name].shows_notices = True
    return cast


def state_at(node) -> str:
    """The state of the newest walk request that a node has."""
    requests = node.api.ask("walk/list")["requests"]
    return requests[0]["state"] if requests else ""


def test_notice_accepts_a_walk():
    with Desktop() as desktop, opened("mates", "sora", "mina") as cast:
        cast.start("sora", "mina")
        ask_for_walk(cast, "To the <b>river</b> & back?")
        notice = desktop.shown("Mina asks for a walk")
        expect(notice["body"] == "To the &lt;b&gt;river&lt;/b&gt; &amp; back? "
               "(Stream by the old bridge)", f"the text is {notice['body']}")
        expect(list(notice["actions"]) == ["Open", "Accept", "Decline"],
               f"the buttons are {notice['actions']}")
        expect((notice["app"], notice["icon"], notice["entry"])
               == ("Waggle", "org.waggle.Waggle", "org.waggle.Waggle"), f"it is from {notice}")
        desktop.press(notice, "Accept")
        until(lambda: state_at(cast.mina) == "accepted", "the yes at Mina's")
        desktop.shown("Sora accepted your walk")
        items = [item["title"] for item in cast.mina.api.ask("inbox/list")["items"]
                 if not item["handled"]]
        expect("Sora accepted your walk" in items, f"Mina's inbox has {items}")


def test_notice_of_a_walk_that_is_answered_elsewhere():
    with Desktop() as desktop, opened("mates", "sora", "mina") as cast:
        cast.start("sora", "mina")
        id = ask_for_walk(cast, "A walk before dinner?")
        notice = desktop.shown("Mina asks for a walk")
        cast.sora.cli("walk", "decline", id[:8])
        desktop.closed(notice)
        desktop.shown("Sora declined your walk")
        id = ask_for_walk(cast, "And tomorrow?")
        cancelled = until(lambda: len([title for title in desktop.titles()
                                       if title == "Mina asks for a walk"]) == 2, "the second")
        expect(cancelled, "it is not asked")
        cast.mina.cli("walk", "cancel", id[:8])
        desktop.shown("Mina cancelled the walk")


def test_notice_of_an_invitation_to_a_group():
    with Desktop() as desktop, opened("mates", "sora") as cast:
        cast.start("sora", "mina")
        cast.sora.cli("mates", "rename", "Mina", "--as", "Minnie")
        group = cast.mina.api.ask("group/create", {"name": "Sunday walkers"})["id"]
        cast.mina.api.ask("group/invite", {"group": group, "person": cast.sora.person})
        notice = desktop.shown("Minnie invites you to Sunday walkers")
        desktop.press(notice, "Accept")
        until(lambda: any(each["id"] == group and each["state"] == "member"
                          for each in cast.sora.api.ask("group/list")["groups"]), "the yes")


def test_notice_of_messages():
    with Desktop() as desktop, opened("mates", "sora") as cast:
        cast.start("sora", "mina")
        sora = cast.sora.person
        cast.mina.api.ask("chat/send", {"room": sora, "text": "같이산책하자!"})
        first = desktop.shown("New message from Mina")
        expect(first["body"] == "같이산책하자!", f"the text is {first['body']}")
        cast.mina.api.ask("chat/send", {"room": sora, "text": "At six?"})
        second = desktop.shown("2 new messages from Mina")
        expect(second["id"] == first["id"], "a second notice is shown for one room")
        cast.sora.cli("config", "set", "notifications.level", "names")
        until(lambda: desktop.calls[-1].get("body") == "", "a notice without text")
        cast.sora.api.ask("chat/open", {"room": cast.mina.person, "mark": True})
        desktop.closed(first)
        cast.sora.cli("config", "set", "notifications.chat", "off")
        count = len(desktop.calls)
        cast.mina.api.ask("chat/send", {"room": sora, "text": "Hello?"})
        ask_for_walk(cast, "Hello?")
        desktop.shown("Mina asks for a walk")
        expect(not any("message" in call.get("title", "") for call in desktop.calls[count:]),
               f"a message was shown: {desktop.calls[count:]}")


def test_notice_waits_for_its_server():
    with opened("mates", "sora") as cast, Bus(cast.folder.parent / "bus") as bus:
        cast.sora.environment = bus.environment
        cast.start("sora", "mina")
        cast.mina.api.ask("chat/send", {"room": cast.sora.person, "text": "Hello"})
        until(lambda: any(item["kind"] == "chat" for item
                          in cast.sora.api.ask("inbox/list")["items"]), "the inbox item")
        time.sleep(2)  # The node fails to reach a server in this time, and begins to wait.
        with Desktop(bus.environment) as desktop:
            desktop.shown("New message from Mina")
        with Desktop(bus.environment) as again:
            again.shown("New message from Mina")
            cast.sora.stop()
            until(lambda: again.calls[-1]["call"] == "close", "the notice to leave with the node")


def test_notice_opens_its_page():
    with Desktop() as desktop:
        with Stage(opened("mates", "sora"), "mina") as on:
            on.frame.press("Mates")
            on.cast.mina.api.ask("chat/send", {"room": on.node.person, "text": "Hello"})
            desktop.press(desktop.shown("New message from Mina"), "Open")
            on.frame.find("Message", "text")
            on.frame.says("Hello")


def requested(on) -> str:
    """Sora asks Jun for a walk; returns the id of the request once Jun has it, as Sora knows."""
    jun = on.cast.jun
    id = on.ask("walk/ask", {"to": jun.person, "latitude": 37.5, "longitude": 127.0,
                             "message": "Round the pond?"})["id"]
    for node, state in ((jun, "pending"), (on.node, "delivered")):
        on.wait("walk/list", lambda answer: (id, state) in [
            (walk["id"], walk["state"]) for walk in answer["requests"]], f"it to be {state}", node)
    return id


def press_from_mates(on, desktop: Desktop, notice: dict) -> None:
    """Presses a notice while the page of mates is in front."""
    on.frame.press("Mates")
    expect_in_front(on, "Mates")
    desktop.press(notice, "Open")


def expect_inbox(on, desktop: Desktop, title: str) -> None:
    """Fails unless a notice with this first line opens the inbox."""
    press_from_mates(on, desktop, desktop.shown(title))
    expect_in_front(on, "Inbox")


def expect_promise(on, desktop: Desktop, start: str, promise: str) -> None:
    """Fails unless a notice whose first line begins so opens the page of this promise."""
    title = until(lambda: next((each for each in desktop.titles() if each.startswith(start)), None),
                  f"the notice “{start}…”")
    press_from_mates(on, desktop, desktop.shown(title))
    expect_in_front(on, "Promises")
    on.frame.find("All promises")
    on.frame.find(promise, "label")


def test_notices_of_walks_and_drops_open_their_pages():
    with Desktop() as desktop, Stage(opened("mates", "sora"), "mina", "jun", "haneul") as on:
        on.frame.find("More for Mina")
        mina, jun, haneul = on.cast.mina, on.cast.jun, on.cast.haneul
        id = ask_for_walk(on.cast, "Before dinner?")
        expect_inbox(on, desktop, "Mina asks for a walk")
        mina.api.ask("walk/cancel", {"id": id})
        expect_inbox(on, desktop, "Mina cancelled the walk")
        for answer, title in (("accept", "Jun accepted your walk"),
                              ("decline", "Jun declined your walk")):
            jun.api.ask(f"walk/{answer}", {"id": requested(on)})
            expect_inbox(on, desktop, title)
        haneul.api.ask("drop/start", {"to": on.node.device})
        press_from_mates(on, desktop, desktop.shown("Someone nearby wants to exchange profiles"))
        on.frame.find(f"{somebody(on)} wants to exchange profiles", "dialog")


def test_notices_of_promises_and_of_what_is_over_open_their_pages():
    with Desktop() as desktop, Stage(opened("promise", "sora"), "mina", "jun") as on:
        on.frame.find("More for Mina")
        mina, jun = on.cast.mina, on.cast.jun
        expect_promise(on, desktop, "Dinner in ", "Dinner")
        promised(jun, "Supper", 2 * HOUR, [on.node.person])
        expect_promise(on, desktop, "Jun invites you to Supper", "Supper")
        mina.api.ask("location/set", {"latitude": NOODLE_BAR["latitude"],
                                      "longitude": NOODLE_BAR["longitude"]})
        expect_promise(on, desktop, "Mina arrived", "Dinner")
        requested(on)
        on.node.stop()
        on.node.clock = shifted(4 * HOUR, on.cast.folder.parent)
        on.node.start()
        on.frame.gone("Waggle stopped and cannot be started again")
        expect_promise(on, desktop, "Dinner: you ", "Dinner")
        expect_inbox(on, desktop, "Jun did not answer your walk request")


def test_notice_starts_the_window():
    """In the home of a user for whom Waggle is installed."""
    with opened("mates", "sora") as cast:
        prefix, runtime = cast.folder / "user", cast.folder / "user/run"
        subprocess.run(
            [HERE.parents[1] / "script/install", "--debug", "--prefix", prefix], check=True,
            stdout=subprocess.DEVNULL, env=dict(os.environ, WAGGLE_BUILT="1"))
        data = prefix / "share"
        runtime.mkdir(mode=0o700)
        shutil.copytree(cast.sora.home, data / "waggle")
        with Bus(cast.folder.parent / "bus", str(data / "dbus-1/services"), XDG_DATA_HOME=str(data),
                 XDG_RUNTIME_DIR=str(runtime)) as bus, Desktop(bus.environment) as desktop:
            cast.sora.environment = bus.environment
            cast.sora.move_to_own_home(data / "waggle", runtime / "waggle")
            cast.start("sora", "mina")
            cast.mina.api.ask("chat/send", {"room": cast.sora.person, "text": "Hello"})
            desktop.press(desktop.shown("New message from Mina"), "Open")
            until(windows_named_waggle, "the window that the bus starts")


def windows_named_waggle() -> list[str]:
    """The ids of the windows on the screen whose title is Waggle."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Waggle$"],
                           capture_output=True, text=True)
    return found.stdout.split()


def test_notices_on_a_real_desktop():
    """Each kind in a picture, as Debian's notification-daemon shows it."""
    if not os.path.exists(DAEMON):
        print(f"  SKIPPED notices on a real desktop: {DAEMON} is missing (notification-daemon)")
        return
    with opened("promise", "sora") as cast:
        data = cast.folder.parent / "share"
        data.mkdir()
        (data / "icons").symlink_to(HERE.parents[1] / "ui/data/icons")
        daemon = subprocess.Popen(
            [DAEMON], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, XDG_DATA_HOME=str(data)))
        try:
            cast.start()
            show_each_kind(cast)
        finally:
            daemon.terminate()
            daemon.wait()


def show_each_kind(cast) -> None:
    """Lets each kind of notice happen at Sora's, one after the other."""
    sora, mina, jun, haneul = cast.sora, cast.mina, cast.jun, cast.haneul
    picture(sora, "reminder")
    mina.api.ask("chat/send", {"room": sora.person, "text": "같이산책하자! <At six>?"})
    picture(sora, "message")
    id = ask_for_walk(cast, "A walk before dinner?")
    picture(sora, "walk")
    mina.api.ask("walk/cancel", {"id": id})
    picture(sora, "walk-cancelled")
    for answer in ("accept", "decline"):
        jun.api.ask(f"walk/{answer}", {"id": asked_of_jun(sora, jun)})
        picture(sora, f"walk-{answer}")
    group = mina.api.ask("group/create", {"name": "Sunday walkers"})["id"]
    mina.api.ask("group/invite", {"group": group, "person": sora.person})
    picture(sora, "group")
    haneul.api.ask("drop/start", {"to": sora.device})
    picture(sora, "drop")
    promised(jun, "Supper", 33 * MINUTE, [sora.person])
    picture(sora, "invitation")
    mina.api.ask("location/set", {"latitude": 37.5690, "longitude": 126.9830})
    picture(sora, "arrival")
    asked_of_jun(sora, jun)
    for hours, kind in ((0.1, "walk-unanswered"), (4, "result")):
        sora.stop()
        sora.clock = shifted(hours * HOUR, cast.folder.parent)
        sora.start()
        picture(sora, kind)


def asked_of_jun(sora, jun) -> str:
    """Sora asks Jun for a walk; returns the id of the request once Jun has it."""
    id = sora.api.ask("walk/ask", {"to": jun.person, "latitude": 37.5, "longitude": 127.0,
                                   "message": "Round the pond?"})["id"]
    until(lambda: any(walk["id"] == id for walk in jun.api.ask("walk/list")["requests"]),
          "the request at Jun's")
    return id


def picture(node, kind: str) -> None:
    """Saves a picture of the notice that the server shows, one at a time, and handles its item."""
    window = until(popups, f"the notice of the kind '{kind}'")[-1]
    time.sleep(1)  # The server fades it in.
    subprocess.run(["import", "-window", window,
                    os.path.join(Stage.theatre.shots, f"notice-{kind}.png")], check=True)
    for item in node.api.ask("inbox/list")["items"]:
        if not item["handled"]:
            node.api.ask("inbox/handle", {"id": item["id"]})
    until(lambda: not popups(), f"the notice of the kind '{kind}' to go")


def popups() -> list[str]:
    """The ids of the windows of the desktop's server."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--class",
                            "notification-daemon"], capture_output=True, text=True)
    return found.stdout.split()


def test_preferences_of_the_node():
    quiet = "Quiet hours"
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        key("ctrl+comma")
        on.frame.reach("Quiet hours")
        levels = on.frame.find("Show in notifications", "combo box")
        choose(levels, 1)
        on.wait("config/get?name=notifications.level", lambda level: level["value"] == "names",
                "the level at the node")
        enter(on, quiet, "22")
        on.frame.says("it cannot be '22'")
        enter(on, quiet, "22:00-7:00")
        on.wait("config/get?name=notifications.quiet",
                lambda hours: hours["value"] == "22:00-07:00", "the hours at the node")
        until(lambda: on.frame.line(quiet) == "22:00-07:00", "the hours as the node has them")
        on.expect_good_layout()
        on.shot("preferences")


def enter(on, name: str, text: str) -> None:
    """Types a line and presses Enter in it."""
    on.frame.type(name, text)
    on.frame.find(name, "text").get_component_iface().grab_focus()
    key("Return")
