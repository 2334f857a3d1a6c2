"""Drives the real window by accessible names against a canned node, and looks at what it shows.

Run by script/window-test, which gives it a display and a bus of its own.
usage: window_test.py WINDOW_PROGRAM SHOTS_FOLDER NODE_PROGRAM [NAME...]
"""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accessible import Frame, key, layout_faults, unreached_by_tab, until  # noqa: E402
from real_nodes import Node  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CANNED = os.path.join(HERE, "canned_node.py")
WINDOW, SHOTS, NODE = sys.argv[1:4]


class Stage:
    """One window, its home and its canned node; all of it is gone afterwards."""

    def __init__(self, scene=None, path=None, home=None):
        self.home = home or tempfile.mkdtemp(prefix="waggle-window-")
        self.socket = os.path.join(self.home, "api.sock")
        self.node = None
        self.environment = dict(os.environ, PATH=path or "/usr/bin:/bin",
                                G_DEBUG="fatal-criticals")
        self.window = None
        try:
            if scene:
                self.start_node(scene)
            self.start_window()
        except BaseException:
            self.close()
            raise

    def start_window(self):
        self.window = subprocess.Popen(
            [WINDOW, "--home", self.home], env=self.environment, start_new_session=True,
            # Whoever runs this may ignore the signal of a terminal that closes; the window is to
            # hear it.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        self.frame = Frame(self.window.pid)

    def start_node(self, scene):
        self.node = subprocess.Popen([sys.executable, CANNED, scene, self.socket])
        until(lambda: self.answers(), "the canned node")

    def stop_node(self):
        self.node.kill()
        self.node.wait()
        self.node = None

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.socket)
        connection.request(method, path, json.dumps(body) if body is not None else None)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def answers(self):
        try:
            return bool(self.ask("GET", "/v1/status/show"))
        except OSError:
            return False

    def set(self, topic, **state):
        state = {noun.replace("_", "/"): value for noun, value in state.items()}
        self.ask("POST", "/test/set", {"topic": topic, "state": state})

    def posted(self, path):
        """Waits for an action that the window sent, and gives its body."""
        def last():
            found = [body for sent, body in self.ask("GET", "/test/posts") if sent == path]
            return found[-1:] or None
        return until(last, f"the action {path}")[0]

    def count_posted(self, path):
        """How often the window has sent an action."""
        return sum(sent == path for sent, _ in self.ask("GET", "/test/posts"))

    def shot(self, name):
        time.sleep(0.4)  # A transition may still run; nothing says when the last frame is out.
        target = os.path.join(SHOTS, name + ".png")
        subprocess.run(["import", "-window", "root", target], check=True)

    def resize(self, width, height):
        window = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.window.pid), "--name",
             "Waggle"], check=True, capture_output=True, text=True).stdout.split()[-1]
        subprocess.run(["xdotool", "windowsize", "--sync", window, str(width), str(height)],
                       check=True)

    def size(self):
        return self.frame.root.get_component_iface().get_extents(0)

    def close(self):
        if self.window:
            self.window.terminate()
            self.window.wait()
        if self.node:
            self.stop_node()
        shutil.rmtree(self.home, ignore_errors=True)


def expect(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def expect_good_layout(stage):
    """What is still moving gets its time; what stays wrong is said."""
    faults = []

    def is_good():
        faults[:] = layout_faults(stage.frame)
        return not faults
    try:
        until(is_good, "a good layout")
    except AssertionError:
        raise AssertionError("the layout is wrong:\n    " + "\n    ".join(faults)) from None


def is_small(stage):
    return stage.size().width <= 640 and stage.size().height <= 480


def expect_good_when_small(stage, name):
    """Makes the window 640 × 480. It may say so and then grow to what its content wants."""
    stage.resize(640, 480)
    until(lambda: is_small(stage), "the window to be 640 × 480 or less")
    expect_good_layout(stage)
    stage.shot(name)
    expect(is_small(stage), f"the window wants {stage.size().width} × {stage.size().height}")


def expect_tab_reaches_all(stage):
    missing = unreached_by_tab(stage.frame)
    expect(not missing, "Tab never reaches " + ", ".join(missing))


def test_main_page():
    stage = Stage("mates")
    try:
        stage.frame.find("Ask Mina for a walk")
        stage.frame.says("Here now")
        stage.frame.says("499 m away")
        expect_good_layout(stage)
        stage.shot("main")
        expect_tab_reaches_all(stage)
        expect_good_when_small(stage, "main-small")
    finally:
        stage.close()


def test_map_by_keyboard():
    stage = Stage("mates")
    try:
        stage.frame.find("Ask Mina for a walk")
        stage.frame.find("Map", "canvas").get_component_iface().grab_focus()
        key("Tab")
        stage.frame.says("Selected: Me")
        key("Tab")
        stage.frame.says("Selected: Mina")
        stage.shot("map-marker")
        key("Return")
        stage.frame.find("Ask Mina for a walk", "dialog")
        key("Escape")
        stage.frame.find("Map", "canvas").get_component_iface().grab_focus()
        key("Right")
        key("plus")
        key("space")
        stage.frame.press("I am here: make the chosen point my place")
        place = stage.posted("location/set")
        expect(37 < place["latitude"] < 38, f"the place is {place}")
    finally:
        stage.close()


def test_first_run():
    stage = Stage("first-run")
    try:
        stage.frame.find("Your name")
        expect_good_layout(stage)
        stage.shot("first-run")
        expect_tab_reaches_all(stage)
        stage.frame.type("Your name", "S")
        stage.frame.says("2 to 8 characters, please; this has 1.")
        stage.frame.type("Your dog's name", "sixteen letters!")
        stage.frame.says("1 to 15 characters, please; this has 16.")
        expect(not stage.frame.is_usable("Save"), "Save can be pressed with faults in the form")
        stage.shot("first-run-faults")
        stage.frame.type("Your name", "Sora")
        stage.frame.type("Your dog's name", "Bori")
        stage.frame.type("The dog's age in years", "3")
        stage.frame.press("Save")
        edit = stage.posted("me/edit")
        expect(edit["nickname"] == "Sora" and edit["age"] == 3, f"the node was sent {edit}")
        stage.frame.says("No mates yet")
        stage.frame.says("No Avahi daemon answers")
        expect_good_layout(stage)
        stage.shot("empty")
        stage.frame.press("Start a drop")
        stage.frame.find("Profile drop", "dialog")
    finally:
        stage.close()


def test_first_run_can_be_skipped():
    stage = Stage("first-run")
    try:
        stage.frame.press("Later")
        stage.frame.says("No mates yet")
    finally:
        stage.close()


def test_incoming_request():
    stage = Stage("request")
    try:
        stage.frame.find("Mina asks you for a walk", "alert")
        stage.frame.says("s left")
        expect_good_layout(stage)
        stage.shot("request")
        expect_tab_reaches_all(stage)
        stage.frame.press("Accept")
        expect(stage.posted("walk/accept") == {"id": "w1"}, "another request was accepted")
        stage.frame.gone("Accept")
    finally:
        stage.close()


def test_asking_for_a_walk():
    stage = Stage("mates")
    try:
        stage.frame.press("Ask Mina for a walk")
        stage.frame.find("Ask Mina for a walk", "dialog")
        expect(not stage.frame.is_usable("Ask"), "a request without a message can be sent")
        expect_good_layout(stage)
        stage.frame.type("Your message", "A walk before dinner?")
        stage.frame.type("Name of the place", "North gate")
        stage.shot("ask")
        expect_tab_reaches_all(stage)
        stage.frame.press("Ask")
        ask = stage.posted("walk/ask")
        expect(ask["message"] == "A walk before dinner?" and ask["place"] == "North gate",
               f"the node was sent {ask}")
        stage.frame.says("You asked Mina for a walk")
        stage.frame.says("Delivered: waiting for an answer.")
        stage.shot("asked")
    finally:
        stage.close()


PEER = {"device": "e3" * 32, "suffix": "p4t8", "card": {
    "nickname": "Haneul", "dogName": "Latte", "age": 5, "size": "medium"}}


def test_drop():
    stage = Stage("mates")
    try:
        stage.frame.press("Drop your profile")
        stage.frame.find("Profile drop", "dialog")
        stage.frame.says("Kept private: age.")
        stage.frame.says("smart, friendly")
        expect_good_layout(stage)
        stage.shot("drop-choose")
        expect_tab_reaches_all(stage)
        stage.frame.press("Drop")
        expect(stage.posted("drop/start") == {"share": True}, "the drop was begun otherwise")
        stage.frame.says("Looking for the other…")
        stage.shot("drop-finding")
        stage.set("drop", drop_show={
            "phase": "deciding", "id": "d1", "share": True, "secondsLeft": 55,
            "checkCode": "482913", "peer": PEER})
        stage.frame.says("482 913")
        stage.frame.says("The other screen shows the same; you type it nowhere.")
        expect_good_layout(stage)
        stage.shot("drop-code")
        stage.frame.press("Accept")
        stage.posted("drop/accept")
        stage.frame.says("You and Haneul are mates")
        expect_good_layout(stage)
        stage.shot("drop-mates")
        stage.frame.press("Done")
        stage.frame.gone("Done")
    finally:
        stage.close()


def test_drop_cancelled_and_receive_only():
    stage = Stage("mates")
    try:
        stage.frame.press("Drop your profile")
        stage.frame.press("Receive only")
        stage.frame.says("Nothing: you only receive.")
        stage.frame.press("Drop")
        expect(stage.posted("drop/start") == {"share": False}, "the card was shared")
        stage.frame.press("Cancel")
        stage.posted("drop/cancel")
        stage.frame.says("Cancelled")
    finally:
        stage.close()


def test_invitation_to_a_drop():
    stage = Stage("mates")
    try:
        stage.frame.find("Ask Mina for a walk")
        stage.set("drop", drop_show={"phase": "idle", "incoming": True, "peer": {
            "device": "e3" * 32, "suffix": "p4t8"}})
        stage.frame.find("Somebody (p4t8) wants to drop profiles", "alert")
        expect_good_layout(stage)
        stage.frame.press("Accept")
        stage.frame.find("Somebody (p4t8) wants to drop profiles", "dialog")
        stage.frame.says("Exactly this will be sent")
        expect_good_layout(stage)
        stage.shot("drop-invited")
        stage.frame.press("Accept")
        expect(stage.posted("drop/start") == {"to": "e3" * 32, "share": True},
               "the drop was begun otherwise")
    finally:
        stage.close()


def test_chat():
    stage = Stage("chat")
    try:
        stage.frame.press("Chat (2)")
        stage.frame.says("2 unread")
        stage.frame.says("Or tomorrow")
        expect_good_layout(stage)
        expect_tab_reaches_all(stage)
        stage.shot("chat-rooms")
        stage.frame.press("Open the chat with Mina")
        stage.frame.says("You read up to here")
        expect(stage.posted("chat/open")["mark"], "an open room was not marked as read")
        stage.frame.gone("Chat (2)")
        stage.frame.type("Message", "Tomorrow, then")
        stage.frame.press("Send")
        expect(stage.posted("chat/send")["text"] == "Tomorrow, then", "it sent something else")
        stage.frame.says("waits for them")
        stage.shot("chat-room")
        stage.frame.type("Message", "At six")
        stage.frame.find("Message", "text").get_component_iface().grab_focus()
        key("ctrl+End", "shift+Return", "o", "k")
        stage.frame.says("At six\nok")
        stage.shot("chat-lines")
        expect(stage.count_posted("chat/send") == 1, "Shift and Enter sent it")
        key("Return")
        until(lambda: stage.count_posted("chat/send") == 2, "Enter to send")
        expect(stage.posted("chat/send")["text"] == "At six\nok", "it sent something else")
        until(lambda: "At six\nok" not in stage.frame.line("Message"), "an empty line")
        stage.ask("POST", "/test/say", {"text": "Good!"})
        stage.frame.says("Good!")
        expect_good_layout(stage)
        expect_good_when_small(stage, "chat-small")
        stage.frame.press("All rooms")
        stage.frame.press("Open the chat with Walkers")
        stage.frame.says("its writers write")
        expect(not stage.frame.is_usable("Send"), "a reader can send")
    finally:
        stage.close()


def search(stage, text):
    stage.frame.type("Search all messages", text)
    stage.frame.find("Search all messages").get_component_iface().grab_focus()
    key("Return")


def test_finding_and_deleting_a_message():
    stage = Stage("chat")
    try:
        stage.frame.press("Chat (2)")
        search(stage, "산책")
        stage.frame.says("Mina in Mina")
        expect_good_layout(stage)
        stage.shot("chat-found")
        stage.frame.press("Show this message of Mina")
        stage.frame.says("Or tomorrow")
        stage.shot("chat-found-shown")
        stage.frame.press("All rooms")
        search(stage, "old oak")
        stage.frame.press("Show this message of You")
        stage.frame.press("Delete this message: Choco and Bori could meet by the old oak.")
        stage.shot("chat-delete")
        stage.frame.press("Delete for everyone")
        deleted = stage.posted("chat/delete")
        expect(deleted["forEveryone"], "it was deleted for one alone")
        stage.frame.gone("Choco and Bori could meet by the old oak.")
        expect_good_layout(stage)
    finally:
        stage.close()


def test_promises():
    stage = Stage("promise")
    try:
        stage.frame.press("Promises")
        stage.frame.says("Next today: Dinner")
        stage.frame.says("Ordinary · 75 % kept · owes 500 potatoes")
        expect_tab_reaches_all(stage)
        stage.frame.press("Dinner")
        stage.frame.says("610 m to go")
        stage.frame.says("#1 · gold medal, 20 min early")
        stage.frame.find("Map", "canvas").get_component_iface().grab_focus()
        for _ in range(4):
            key("Tab")
        stage.frame.says("Selected: Mina, 610 m to go")
        expect_good_layout(stage)
        stage.shot("promise")
        stage.frame.press("Stop showing me")
        expect(stage.posted("promise/stop") == {"promise": "f0" * 32}, "another was stopped")
        stage.frame.find("Show where I am")
    finally:
        stage.close()


def test_changing_a_promise():
    stage = Stage("promise-mine")
    try:
        stage.frame.press("Promises")
        stage.frame.press("Lunch")
        stage.frame.says("has not answered")
        stage.frame.press("Call off")
        stage.frame.says("That cannot be undone.")
        stage.shot("promise-call-off")
        stage.frame.press("Keep it")
        stage.frame.find("Call off")
        stage.shot("promise-mine")
        stage.frame.press("Change")
        stage.frame.find("Change a promise", "dialog")
        stage.frame.says("Nothing is changed yet.")
        expect(not stage.frame.is_usable("Save"), "what is not changed can be saved")
        stage.frame.type("What", "Late lunch")
        stage.frame.press("Jun · w2c5")
        expect(stage.frame.is_usable("Save"), "what is changed cannot be saved")
        expect_good_layout(stage)
        stage.shot("promise-change")
        expect_tab_reaches_all(stage)
        stage.frame.press("Save")
        expect(stage.posted("promise/edit") == {"promise": "f1" * 32, "title": "Late lunch"},
               "something else was changed too")
        expect(stage.posted("promise/invite") == {"promise": "f1" * 32, "with": ["b2" * 32]},
               "somebody else was asked")
        stage.frame.gone("Save")
        stage.frame.find("Late lunch")
        move_to_the_chosen_point(stage)
        stage.frame.press("Call off")
        expect(stage.count_posted("promise/delete") == 0, "one press called it off")
        stage.frame.press("Call off")
        expect(stage.posted("promise/delete") == {"promise": "f1" * 32}, "another was called off")
    finally:
        stage.close()


def move_to_the_chosen_point(stage):
    stage.frame.find("Map", "canvas").get_component_iface().grab_focus()
    key("Right")
    key("space")
    stage.frame.find("I am here: make the chosen point my place")
    stage.frame.press("Change")
    stage.frame.gone("To move it, choose a point on the map first.")
    stage.frame.press("Meet at the point chosen on the map instead")
    stage.shot("promise-move")
    before = stage.count_posted("promise/edit")
    stage.frame.press("Save")
    until(lambda: stage.count_posted("promise/edit") > before, "the change to be sent")
    moved = stage.posted("promise/edit")
    expect(set(moved) == {"promise", "latitude", "longitude"}, f"it changed {moved}")
    expect((moved["latitude"], moved["longitude"]) != (37.5690, 126.9830), "it stays")
    stage.frame.gone("Save")


def test_making_a_promise():
    stage = Stage("mates")
    try:
        stage.frame.press("Promises")
        stage.frame.says("No promises yet.")
        stage.frame.press("Make a promise")
        stage.frame.find("Make a promise", "dialog")
        stage.frame.says("What is it?")
        expect(not stage.frame.is_usable("Promise"), "an empty promise can be made")
        stage.frame.type("What", "Dinner")
        stage.frame.type("When", "2030-05-01 18:30")
        stage.frame.says("With whom?")
        stage.frame.press("Mina · m7x2")
        expect_good_layout(stage)
        stage.shot("promise-make")
        expect_tab_reaches_all(stage)
        stage.frame.press("Promise")
        made = stage.posted("promise/create")
        expect(made["title"] == "Dinner" and made["with"] == ["a1" * 32], f"it sent {made}")
        expect(made["latitude"] == 37.5665, "it is not where I am")
        stage.frame.gone("Promise")
    finally:
        stage.close()


def test_visibility():
    stage = Stage("mates")
    try:
        stage.frame.says("Only mates see your name")
        stage.frame.press("Show your name to everyone nearby for 10 minutes")
        stage.posted("visibility/everyone")
        stage.frame.says("Everyone nearby sees your name")
        expect_good_layout(stage)
        stage.frame.press("Stop showing your name to everyone")
        stage.posted("visibility/mates")
        stage.frame.says("Only mates see your name")
    finally:
        stage.close()


def test_incoming_drop():
    stage = Stage("mates")
    try:
        stage.frame.find("Ask Mina for a walk")
        stage.set("drop", drop_show={
            "phase": "deciding", "id": "d9", "secondsLeft": 58, "checkCode": "120045",
            "peer": PEER, "incoming": True})
        stage.frame.says("Both screens show 120 045.")
        expect_good_layout(stage)
        stage.shot("drop-incoming")
        stage.frame.press("Decline")
        stage.posted("drop/decline")
    finally:
        stage.close()


def test_lost_node():
    stage = Stage("mates")
    try:
        stage.frame.find("Ask Mina for a walk")
        stage.stop_node()
        stage.frame.find("The node is gone", "alert")
        expect_good_layout(stage)
        stage.frame.find("Ask Mina for a walk")
        stage.shot("lost")
        stage.start_node("mates")
        stage.frame.gone("The node is gone")
    finally:
        stage.close()


def test_node_cannot_be_started():
    stage = Stage()
    try:
        stage.frame.says("The node is not running")
        stage.frame.says("Install it, then try again.")
        expect_good_layout(stage)
        stage.shot("no-node")
        stage.start_node("mates")
        stage.frame.press("Try again")
        stage.frame.find("Ask Mina for a walk")
    finally:
        stage.close()


def test_node_is_started_and_outlives_the_window():
    folder = tempfile.mkdtemp(prefix="waggle-path-")
    program = os.path.join(folder, "waggle")
    with open(program, "w") as script:
        script.write(f"#!/bin/sh\necho $$ > {folder}/pid\n"
                     f"exec {sys.executable} {CANNED} \"$@\"\n")
    os.chmod(program, 0o755)
    stage = Stage(path=f"{folder}:/usr/bin:/bin")
    try:
        stage.frame.says("3. word3")
        expect_good_layout(stage)
        stage.shot("recovery-words")
        stage.frame.press("I have written them down")
        stage.frame.find("Ask Mina for a walk")
        os.killpg(stage.window.pid, signal.SIGHUP)
        stage.window.wait(timeout=30)
        expect(stage.answers(), "the node went away with the window")
    finally:
        with open(os.path.join(folder, "pid")) as file:
            os.kill(int(file.read()), signal.SIGKILL)
        stage.close()
        shutil.rmtree(folder)


def test_real_nodes():
    """Two mates on the grid, and a request that arrives while the window is open."""
    nodes = []
    stage = None
    try:
        for name in (("Sora", "Bori"), ("Mina", "Choco"), ("Jun", "Max")):
            nodes.append(Node(NODE, *name))
        me, mina, jun = nodes
        me.meet(mina)
        me.meet(jun)
        me.stand(37.5665, 126.9780)
        mina.stand(37.5709, 126.9769)
        jun.stand(37.5651, 126.9895)
        stage = Stage(home=me.home)
        stage.frame.find("Ask Jun for a walk")
        stage.frame.says("499 m away")
        mina.run("walk", "ask", "--to", me.person(), "--latitude", "37.569", "--longitude",
                 "126.986", "--place", "Old bridge", "--message", "A walk before dinner?")
        stage.frame.find("Mina asks you for a walk", "alert")
        expect_good_layout(stage)
        stage.shot("real-request")
        expect_tab_reaches_all(stage)
        stage.frame.press("Accept")
        until(lambda: [walk["state"] for walk in mina.run("walk", "list")["requests"]]
              == ["accepted"], "the yes on the other side")
        stage.frame.press("Drop your profile")
        stage.frame.says("Exactly this will be sent")
        stage.frame.press("Drop")
        stage.frame.says("Looking for the other…")
        stage.frame.press("Cancel")
        stage.frame.says("Cancelled")
    finally:
        if stage:
            stage.close()
        for node in nodes:
            node.stop()


def alone(program, folder):
    """A copy of the window with its resources and with no waggle beside it."""
    os.makedirs(os.path.join(folder, "bin"))
    os.makedirs(os.path.join(folder, "ui"))
    os.symlink(os.path.join(HERE, "../../ui/data"), os.path.join(folder, "ui/data"))
    return shutil.copy(program, os.path.join(folder, "bin"))


def main():
    global WINDOW
    os.makedirs(SHOTS, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="waggle-window-")
    WINDOW = alone(WINDOW, folder)
    try:
        failed = run_all()
    finally:
        shutil.rmtree(folder)
    print(f"window-test: {failed} failed" if failed else "window-test: all passed")
    sys.exit(1 if failed else 0)


def run_all():
    wanted = sys.argv[4:]
    tests = [(name, run) for name, run in globals().items() if name.startswith("test_")]
    failed = 0
    for name, run in tests:
        if wanted and not any(word in name for word in wanted):
            continue
        title = name.removeprefix("test_").replace("_", " ")
        if name == "test_real_nodes" and not os.access(NODE, os.X_OK):
            print(f"  SKIPPED {title}: {NODE} is not built", flush=True)
            continue
        try:
            run()
            print(f"  ok      {title}", flush=True)
        except Exception as fault:
            failed += 1
            print(f"  FAILED  {title}: {fault}", flush=True)
            if not isinstance(fault, AssertionError):
                traceback.print_exc()
    return failed


if __name__ == "__main__":
    main()
