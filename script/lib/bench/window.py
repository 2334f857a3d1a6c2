"""The window on a home with 300 mates, 50 promises, a room of 5 000 messages and one of 2 000 photos,
from outside."""

import time
from pathlib import Path
from statistics import median

from bench.screen import Answer, Screen, picture_likeness, screen
from bench.timing import milliseconds
from pictures import dog, pond
from processes import wait_until
from waggle import Node, Refused

PROMISES = 50
MATES = 300
ARRIVALS = 200
# The dogs in the mates' photos.
FURS = [(226, 178, 116), (120, 82, 60), (240, 234, 220), (70, 70, 76)]
IDLE_SECONDS = 30
SETTLE_SECONDS = 3.0
QUIET_NANOSECONDS = 1_000_000_000
PICTURE_SECONDS = 0.02
# A picture is complete if this part of it is like the one that stays.
LIKENESS_MIN = 0.95
# The pages with a key of their own, in their order; Ctrl+1 shows the first.
PAGES = ["nearby", "mates", "inbox", "chat", "promises"]
# The forms that Ctrl+N opens on these pages.
FORMS = {"mates": "walk", "promises": "promise"}
# Points inside the page beside the map, the list of rooms, its first room, and the conversation.
PAGE_POINT, ROOMS_POINT, ROOM_POINT, TALK_POINT = (350, 400), (300, 500), (300, 130), (800, 350)
PHOTOS_ROOM = "opening the room of 2 000 photos"
# The row below the first room.
PHOTOS_POINT = (300, 190)


class Stage:
    """The two nodes, and the screen with the window of the first."""

    def __init__(self, bench):
        folder = bench.fresh("mates")
        folder.mkdir()
        pictures = [folder / f"picture{number}.png" for number in range(len(FURS) + 1)]
        pictures[0].write_bytes(pond())
        for picture, fur in zip(pictures[1:], FURS):
            picture.write_bytes(dog((170, 205, 190), fur))
        rooms = bench.call("mates", str(folder), *map(str, pictures))
        self.room, self.photos = rooms["room"], rooms["photos"]
        self.programs = bench.binary.parent
        self.mine, self.theirs = (
            Node(name, self.programs / "waggle", folder / home)
            for name, home in (("Mina", "me"), ("the mate", "mate")))

    def __enter__(self) -> "Stage":
        for node in (self.mine, self.theirs):
            node.start()
        self.mine.api.ask("me/edit", {"nickname": "Mina", "dogName": "Bori"})
        self.mine.api.ask("location/set", {"latitude": 37.5665, "longitude": 126.978})
        # The seeded messages are read; the room opens at its newest.
        for room in (self.room, self.photos):
            self.mine.api.ask("chat/open", {"room": room})
        self._promise()
        return self

    def __exit__(self, *_) -> None:
        for node in (self.mine, self.theirs):
            node.stop()

    def _promise(self) -> None:
        mates = self.mine.api.ask("mates/list")["mates"]
        now = self.mine.api.ask("status/show")["nowMs"]
        for number in range(PROMISES):
            self.mine.api.ask("promise/create", {
                "title": f"Walk {number}", "atMs": now + (number + 1) * 7_200_000,
                "latitude": 37.5 + number * 0.003, "longitude": 126.9 + number % 7 * 0.02,
                "with": [mates[(number * 3 + other) % MATES]["person"] for other in range(3)]})

    def check(self, report) -> None:
        """Ends the benchmark if the home is not the one that is described."""
        report.check("the window's home has 300 mates, 50 promises, 5 000 messages, and photos", (
            sum("photoMs" in mate for mate in self.mine.api.ask("mates/list")["mates"]) == MATES
            and len(self.mine.api.ask("promise/list")["promises"]) == PROMISES
            and len(self.mine.api.ask(f"chat/page?room={self.room}")["messages"]) > 0
            and all("photo" in each for each in self.mine.api.ask(
                f"chat/page?room={self.photos}")["messages"])))

    def link(self) -> None:
        """Links the two nodes."""
        port = self.mine.api.ask("status/show")["port"]
        self.theirs.api.ask("peer/add", {"address": f"127.0.0.1:{port}"})
        if not wait_until(lambda: self.mine.api.ask("status/show")["links"], 20):
            raise SystemExit("nothing is reported: the nodes do not link")

    def send(self, count: int) -> None:
        """Sends messages from the mate, and waits until the last has arrived."""
        for number in range(count):
            text = f"News {number} of {time.monotonic_ns()}"
            try:
                self.theirs.api.ask("chat/send", {"room": self.room, "text": text})
            except Refused as refusal:
                raise SystemExit(f"nothing is reported: {refusal}") from None

        def arrived() -> bool:
            newest = self.mine.api.ask(f"chat/page?room={self.room}&limit=1")["messages"]
            return bool(newest) and newest[-1]["text"] == text
        if not wait_until(arrived, 60):
            raise SystemExit("nothing is reported: the messages do not arrive")

    def open(self, stage: Screen) -> None:
        """Opens the window and waits until it rests."""
        stage.open(self.programs / "waggle-window", self.mine.home)
        stage.await_window()
        time.sleep(SETTLE_SECONDS)


def show(stage: Screen, page: str) -> None:
    """Shows a page by its key."""
    stage.press(f"ctrl+{PAGES.index(page) + 1}")


def actions(home: Stage, stage: Screen):
    """The actions of a person and the arrivals, each with its name."""
    for page in PAGES:
        yield f"opening {page}", lambda page=page: show(stage, page)
    for page in ("mates", "promises"):
        yield f"back to {page}", lambda page=page: show(stage, page)
        yield f"scrolling {page}", lambda: (stage.scroll(*PAGE_POINT, 60),
                                            stage.scroll(*PAGE_POINT, 60, down=False))
        yield f"opening the {FORMS[page]} form", lambda: (
            stage.press("ctrl+n"), time.sleep(1), stage.press("Escape"))
    yield "back to chat", lambda: show(stage, "chat")
    yield "scrolling the rooms", lambda: (stage.scroll(*ROOMS_POINT, 60),
                                          stage.scroll(*ROOMS_POINT, 80, down=False))
    yield PHOTOS_ROOM, lambda: (
        stage.click(*PHOTOS_POINT), time.sleep(SETTLE_SECONDS))
    yield "scrolling the photos", lambda: stage.scroll(*TALK_POINT, 60, down=False)
    yield "opening the room of photos again", lambda: (
        stage.click(*ROOM_POINT), time.sleep(1), stage.click(*PHOTOS_POINT))
    yield "opening the room", lambda: stage.click(*ROOM_POINT)
    yield "receiving 200 messages", lambda: home.send(ARRIVALS)
    yield "scrolling the room", lambda: (stage.scroll(*TALK_POINT, 90, down=False),
                                         stage.scroll(*TALK_POINT, 60))
    yield "searching", lambda: (stage.press("ctrl+f"), stage.type("pond"), time.sleep(1),
                                stage.press("Escape"))
    yield "switching pages", lambda: [show(stage, page) for page in PAGES * 2]
    yield "receiving 200 messages, on another page", lambda: home.send(ARRIVALS)


def window(bench) -> None:
    """the window's stalls, memory and first picture, among 300 mates and 5 000 messages"""
    with Stage(bench) as home:
        home.check(bench.report)
        home.link()
        for with_reader in (False, True):
            for _ in range(bench.runs):
                with screen(bench.scratch, with_reader) as stage:
                    record_stalls(bench.report, home, stage, with_reader)
                if not with_reader:
                    with screen(bench.scratch, with_reader) as stage:
                        bench.report.record(
                            "window_first_paint_ms", first_paint_ms(home, stage))


def record_stalls(report, home: Stage, stage: Screen, with_reader: bool) -> None:
    """Does everything once, and records the longest answer of the main loop to each."""
    suffix, beside = ("_reader", ", with a screen reader") if with_reader else ("", "")
    home.open(stage)
    stalls = {}
    with stage.pings() as answers:
        for name, act in actions(home, stage):
            began = time.monotonic_ns()
            act()
            during = answers_until_quiet(answers, began)
            longest = max(during, key=lambda answer: answer.took - answer.waited)
            stalls[name] = longest.took - longest.waited
            report.record_beside(f"stall, {name}{beside}, ms", stalls[name] / 1e6)
            report.record_beside(f"median answer, {name}{beside}, ms",
                                 median(answer.took for answer in during) / 1e6)
    report.record(f"window_stall{suffix}_ms", max(stalls.values()) / 1e6)
    if not with_reader:
        report.record("photos_room_ms", milliseconds(
            lambda: home.mine.api.ask("chat/open", {"room": home.photos})))
        report.record("photos_room_stall_ms", stalls[PHOTOS_ROOM] / 1e6)
    report.record(f"window_private{suffix}_mb", stage.private_megabytes())


def longest_answer(answers, act) -> int:
    """Does something; returns the longest answer of the main loop to it, in nanoseconds, without the
    time that it waited for a processor."""
    began = time.monotonic_ns()
    act()
    return max(answer.took - answer.waited for answer in answers_until_quiet(answers, began))


def answers_until_quiet(answers, began: int) -> list[Answer]:
    """The answers since `began`, up to one that was asked for a second from now."""
    end = time.monotonic_ns() + QUIET_NANOSECONDS
    if not wait_until(lambda: any(answer.asked > end for answer in answers()), 30, every=0.2):
        raise SystemExit("nothing is reported: the window does not answer pings")
    return [answer for answer in answers() if answer.asked + answer.took > began]


def first_paint_ms(home: Stage, stage: Screen) -> float:
    """The time from exec to the first picture that is like the one that stays."""
    pictures = []
    began = time.monotonic()
    stage.open(home.programs / "waggle-window", home.mine.home)
    while (at := time.monotonic() - began) < SETTLE_SECONDS:
        pictures.append((at, stage.picture()))
        time.sleep(max(0, PICTURE_SECONDS - (time.monotonic() - began - at)))
    last = pictures[-1][1]
    return next(at for at, picture in pictures
                if picture_likeness(picture, last) >= LIKENESS_MIN) * 1000


def window_idle(bench) -> None:
    """the window's processor time while nothing happens, page by page"""
    with Stage(bench) as home:
        home.link()
        home.send(1)
        for with_reader in (False, True):
            beside = ", with a screen reader" if with_reader else ""
            with screen(bench.scratch, with_reader) as stage:
                home.open(stage)
                shares = []
                for page in PAGES:
                    show(stage, page)
                    if page == "chat":
                        time.sleep(1)
                        stage.click(*ROOM_POINT)
                    time.sleep(SETTLE_SECONDS)
                    before = stage.processor_seconds()
                    time.sleep(IDLE_SECONDS)
                    shares.append((stage.processor_seconds() - before) / IDLE_SECONDS * 100)
                    bench.report.record_beside(
                        f"processor while idle on {page}{beside}, %", shares[-1])
                bench.report.record(
                    "window_idle_percent" if not with_reader else "window_idle_reader_percent",
                    max(shares))
