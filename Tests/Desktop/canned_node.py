"""A node that answers the window from canned state: only for driving the window in a test.

It speaks the local API (HTTP and JSON on a Unix socket, server-sent events) as far as the window
uses it. Actions change the state the way a node would, and every change is sent as an event.
A test can also change the state from outside: POST /test/set with a JSON object of nouns.
"""
import http.server
import json
import os
import queue
import socketserver
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from canned_chat import JUN, MINA, NOW_MS, PAIR, Chat  # noqa: E402


def mate(person, suffix, nickname, dog, present, latitude, longitude, fix_age, **rest):
    profile = {"nickname": nickname, "dogName": dog, **rest}
    last = NOW_MS() - 1000 * 60 * 7
    place = {"latitude": latitude, "longitude": longitude, "atMs": NOW_MS() - 1000 * fix_age,
             "ageSeconds": fix_age}
    return {"person": person, "suffix": suffix, "state": "mate", "profile": profile,
            "present": present, "lastExchangeMs": last, "place": place}


def scene(name):
    """The whole state of a node, by the name of a scene."""
    me = {"person": "cc" * 32, "device": "dd" * 32, "suffix": "k3q9", "complete": True,
          "nickname": "Sora", "dogName": "Bori", "age": 3, "sex": "female", "neutered": True,
          "size": "small", "keywords": ["smart", "friendly"], "keptPrivate": ["age"]}
    state = {
        "status/show": {"version": "0.1.0", "person": me["person"], "device": me["device"],
                        "suffix": "k3q9", "home": "", "startedMs": NOW_MS(), "nowMs": NOW_MS(),
                        "port": 47000, "discovery": {"state": "announcing", "detail": ""},
                        "links": [], "spaces": [], "clockSkewMs": 0},
        "me/show": me,
        "nearby/list": {"people": [
            {"device": "e1" * 32, "person": MINA, "suffix": "m7x2", "name": "Mina",
             "dogName": "Choco", "mate": True, "dropOpen": False, "sinceMs": NOW_MS()},
            {"device": "e3" * 32, "suffix": "p4t8", "mate": False, "dropOpen": True,
             "sinceMs": NOW_MS()}]},
        "mates/list": {"mates": [
            mate(MINA, "m7x2", "Mina", "Choco", True, 37.5709, 126.9769, 35,
                 age=4, size="medium", keywords=["energetic"]),
            mate(JUN, "w2c5", "Jun", "Max", False, 37.5651, 126.9895, 7 * 60,
                 age=1, size="big", keywords=["shy", "smart"])]},
        "walk/list": {"requests": []},
        "inbox/list": {"items": []},
        "location/show": {"latitude": 37.5665, "longitude": 126.9780, "atMs": NOW_MS()},
        "visibility/show": {"level": "mates"},
        "drop/preview": {"fields": {"nickname": "Sora", "dogName": "Bori", "sex": "female",
                                    "neutered": True, "size": "small",
                                    "keywords": ["smart", "friendly"]},
                         "keptPrivate": ["age"]},
        "drop/show": {"phase": "idle"},
        "promise/list": {"promises": []},
        "promise/today": {"promises": [], "allDone": False},
        "promise/ledger": {"people": [], "debts": []},
    }
    if name in ("first-run", "nobody"):
        state["mates/list"] = {"mates": []}
        state["location/show"] = {}
        state["nearby/list"] = {"people": [], "emptyReason": {
            "cause": "No Avahi daemon answers, so nobody can be found on this network.",
            "fix": "sudo systemctl enable --now avahi-daemon"}}
    if name == "first-run":
        state["me/show"] = {"person": "cc" * 32, "device": "dd" * 32, "suffix": "k3q9",
                            "complete": False, "keptPrivate": []}
    if name == "request":
        state["walk/list"]["requests"] = [incoming_request()]
    if name == "promise":
        state.update(dinner(me["person"]))
    if name == "promise-mine":
        state.update(lunch(me["person"]))
    return state


def dinner(me):
    """A promise in twenty minutes: Mina is on the way, Jun has arrived."""
    summary = {"id": "f0" * 32, "title": "Dinner", "atMs": NOW_MS() + 20 * 60_000,
               "phase": "tracking", "state": "member", "maker": MINA, "makerName": "Mina",
               "mine": False, "latitude": 37.5690, "longitude": 126.9830, "place": "Noodle bar",
               "penalty": 500, "peopleCount": 3, "sharing": "sharing"}

    def person(key, name, **rest):
        return {"person": key, "suffix": key[:6], "name": name, "me": key == me,
                "state": "member", "lateness": "open", "latenessText": "not here yet", **rest}
    people = [
        person(me, "Sora", departedMs=NOW_MS(), remaining="520 m", progress=0.3, position={
            "latitude": 37.5665, "longitude": 126.978, "ageSeconds": 2, "isStale": False}),
        person(MINA, "Mina", departedMs=NOW_MS(), remaining="610 m", progress=0.55, position={
            "latitude": 37.5709, "longitude": 126.9770, "ageSeconds": 40, "isStale": False}),
        person(JUN, "Jun", departedMs=NOW_MS(), arrivedMs=NOW_MS(), rank=1, medal="gold",
               lateness="early", latenessText="20 min early")]
    return {
        "promise/list": {"promises": [summary]},
        "promise/today": {"promises": [summary], "next": summary["id"], "allDone": False},
        "promise/show": {**summary, "people": people},
        "promise/ledger": {"debts": [], "people": [
            {"person": me, "name": "Sora", "me": True, "owes": 500, "past": 4, "late": 1,
             "keptPercent": 75.0, "title": "Ordinary"}]},
    }


def lunch(me):
    """A promise of mine in three hours: Mina has not answered, Jun is not asked."""
    summary = {"id": "f1" * 32, "title": "Lunch", "atMs": NOW_MS() + 3 * 3_600_000,
               "phase": "scheduled", "state": "member", "maker": me, "makerName": "Sora",
               "mine": True, "latitude": 37.5690, "longitude": 126.9830, "place": "Noodle bar",
               "penalty": 500, "peopleCount": 1, "sharing": "idle"}
    people = [{"person": key, "suffix": key[:6], "name": name, "me": key == me, "state": state}
              for key, name, state in ((me, "Sora", "member"), (MINA, "Mina", "invited"))]
    return {
        "promise/list": {"promises": [summary]},
        "promise/today": {"promises": [], "allDone": False},
        "promise/show": {**summary, "people": people},
        "promise/ledger": {"debts": [], "people": []},
    }


def incoming_request():
    return {"id": "w1", "direction": "received", "person": MINA, "name": "Mina",
            "latitude": 37.5690, "longitude": 126.9860, "place": "Stream by the old bridge",
            "message": "A walk before dinner? Choco is all ears.", "createdMs": NOW_MS() - 8000,
            "secondsLeft": 52, "state": "pending"}


class Node:
    def __init__(self, name):
        self.state = scene(name)
        self.listeners = []
        self.lock = threading.Lock()
        self.posts = []
        self.chat = Chat(self.state["me/show"]["person"]) if name == "chat" else None

    def emit(self, topic):
        with self.lock:
            for listener in self.listeners:
                listener.put(topic)

    def drop(self, **changes):
        self.state["drop/show"] = {k: v for k, v in {**self.state["drop/show"],
                                                     **changes}.items() if v is not None}
        self.emit("drop")

    def post(self, path, body):
        """Performs an action; gives None, or an error as (status, code, message, field)."""
        self.posts.append((path, body))
        requests = self.state["walk/list"]["requests"]
        if path == "me/edit":
            if body.get("nickname") == "Refused"[:8]:
                return 403, "refused", "This name is refused by the test.", "nickname"
            self.state["me/show"].update({k: v for k, v in body.items() if k != "clear"})
            self.state["me/show"]["complete"] = True
            self.emit("me")
        elif path == "location/set":
            self.state["location/show"] = {**body, "atMs": NOW_MS()}
            self.emit("location")
        elif path == "walk/ask":
            requests.append({"id": "s%d" % len(requests), "direction": "sent",
                             "person": body["to"], "latitude": body["latitude"],
                             "longitude": body["longitude"], "message": body["message"],
                             "createdMs": NOW_MS(), "secondsLeft": 60, "state": "delivered",
                             **({"place": body["place"]} if "place" in body else {})})
            self.emit("walk")
        elif path in ("walk/accept", "walk/decline", "walk/cancel"):
            word = {"accept": "accepted", "decline": "declined", "cancel": "cancelled"}
            for request in requests:
                if request["id"] == body["id"]:
                    request["state"] = word[path.split("/")[1]]
                    request.pop("secondsLeft", None)
            self.emit("walk")
        elif path == "drop/start":
            self.drop(phase="finding", id="d1", secondsLeft=30, share=body.get("share", True))
        elif path == "drop/accept":
            self.drop(phase="mates", myAnswer="accept", secondsLeft=None)
        elif path in ("drop/decline", "drop/cancel"):
            phase = "declined" if path.endswith("decline") else "cancelled"
            self.drop(phase=phase, secondsLeft=None)
        elif path in ("visibility/everyone", "visibility/mates"):
            level = path.split("/")[1]
            self.state["visibility/show"] = {"level": level, **(
                {"secondsLeft": 600} if level == "everyone" else {})}
            self.emit("nearby")
        elif path == "promise/stop":
            for noun in ("promise/list", "promise/show"):
                answer = self.state[noun]
                for promise in answer.get("promises", [answer]):
                    promise["sharing"] = "stopped"
            self.emit("promise")
        elif path == "promise/edit":
            for promise in self.state["promise/list"]["promises"]:
                promise.update(body)
            self.emit("promise")
        elif path in ("inbox/handle", "promise/create", "promise/invite", "promise/share",
                      "promise/delete"):
            pass
        else:
            return 404, "notFound", "There is no such command.", None
        return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    node = None

    def address_string(self):
        return "unix"

    def log_message(self, *arguments):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0].removeprefix("/v1/")
        if path == "events":
            return self.stream()
        if path == "/test/posts":
            return self.answer(200, self.node.posts)
        if path == "status/show":
            self.node.state[path]["nowMs"] = NOW_MS()
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(self.path).query))
        told = self.node.chat.get(path, query) if self.node.chat else None
        if told is not None:
            return self.answer(200, told)
        if path in self.node.state:
            return self.answer(200, self.node.state[path])
        self.answer(404, {"error": {"code": "notFound", "message": "There is no such command."}})

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        if self.path == "/test/set":
            self.node.state.update(body["state"])
            self.node.emit(body["topic"])
            return self.answer(200, {})
        if self.path == "/test/say":
            self.node.chat.add(PAIR, MINA, "Mina", body["text"], unread=True)
            self.node.emit("chat")
            return self.answer(200, {})
        path = self.path.removeprefix("/v1/")
        unread = sum(self.node.chat.unread.values()) if self.node.chat else 0
        told = self.node.chat.post(path, body) if self.node.chat else None
        if told is not None:
            self.node.posts.append((path, body))
            # Reading what is read already changes nothing.
            if path != "chat/open" or unread > 0 and body["mark"]:
                self.node.emit("chat")
            return self.answer(200, told)
        fault = self.node.post(path, body)
        if fault is None:
            return self.answer(200, {})
        status, code, message, field = fault
        error = {"code": code, "message": message, **({"field": field} if field else {})}
        self.answer(status, {"error": error})

    def stream(self):
        events = queue.Queue()
        with self.node.lock:
            self.node.listeners.append(events)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            self.say("open")
            while True:
                self.say(events.get())
        except OSError:
            with self.node.lock:
                self.node.listeners.remove(events)

    def say(self, topic):
        self.wfile.write(("event: %s\ndata: {}\n\n" % topic).encode())
        self.wfile.flush()


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A window that closes in the middle of an answer is no fault of this node."""

    def get_request(self):
        connection, _ = super().get_request()
        return connection, ("unix", 0)


def main():
    """canned_node.py SCENE SOCKET, or as `waggle node --home DIR` where SCENE is in the
    environment, so that the window can start it as if it were the real one."""
    if sys.argv[1:2] == ["init"]:
        print(json.dumps({"recoveryWords": ["word%d" % number for number in range(1, 10)]}))
        return
    if sys.argv[1:2] == ["node"]:
        name = os.environ.get("CANNED_SCENE", "mates")
        path = os.path.join(sys.argv[sys.argv.index("--home") + 1], "api.sock")
    else:
        name, path = sys.argv[1], sys.argv[2]
    if os.path.exists(path):
        os.unlink(path)
    Handler.node = Node(name)
    Server(path, Handler).serve_forever()


if __name__ == "__main__":
    main()
