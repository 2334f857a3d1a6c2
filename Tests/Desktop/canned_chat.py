"""The chat of the canned node: two rooms, whose messages are kept in order and answered in pages."""
import time

MINA = "a1" * 32
JUN = "b2" * 32
PAIR, WALKERS = "d0" * 32, "d1" * 32
NOW_MS = lambda: int(time.time() * 1000)


class Chat:
    """Rooms with messages; what is unread is read by opening, as a node has it."""

    PAGE = 50

    def __init__(self, me):
        self.me = me
        self.rooms = {
            PAIR: {"id": PAIR, "kind": "pair", "title": "Mina", "person": MINA, "canSend": True},
            WALKERS: {"id": WALKERS, "kind": "group", "title": "Walkers", "canSend": False,
                      "reason": "You may read in this group, and its writers write."}}
        self.messages = {PAIR: [], WALKERS: []}
        self.unread = {PAIR: 0, WALKERS: 0}
        for number in range(60):
            self.add(PAIR, MINA, "Mina", f"Earlier, number {number}")
        self.add(PAIR, me, None, "Choco and Bori could meet by the old oak.", state="read")
        self.add(PAIR, MINA, "Mina", "같이산책하자! Today at six, when the sun is behind the "
                 "houses and the path along the stream is in the shade?", unread=True)
        self.add(PAIR, MINA, "Mina", "Or tomorrow", unread=True)
        self.add(WALKERS, JUN, "Jun", "Who brings water?")

    def add(self, room, author, name, text, state=None, unread=False):
        messages = self.messages[room]
        number = len(messages)
        message = {"id": f"{room[:2]}{number:030}", "from": author, "isMine": author == self.me,
                   "text": text, "atMs": NOW_MS() - 1000 * (100 - number),
                   "cursor": f"{number:0112}"}
        if name:
            message["name"] = name
        if state:
            message.update(state=state, delivered=1, read=int(state == "read"), receivers=1)
        messages.append(message)
        self.unread[room] += unread

    def room(self, id):
        last = self.messages[id][-1] if self.messages[id] else None
        return {**self.rooms[id], "unread": self.unread[id], **({
            "lastMs": last["atMs"], "lastText": last["text"], "lastIsMine": last["isMine"]}
            if last else {})}

    def page(self, id, messages, unread=0):
        known = self.messages[id]
        answer = {"room": self.room(id), "messages": messages}
        if messages and messages[0] is not known[0]:
            answer["before"] = messages[0]["cursor"]
        if messages and messages[-1] is not known[-1]:
            answer["after"] = messages[-1]["cursor"]
        if unread:
            answer["firstUnread"] = known[-unread]["id"]
        return answer

    def get(self, path, query):
        """The answer to a query, or None where it is none of the chat."""
        if path == "chat/rooms":
            return {"rooms": [self.room(id) for id in self.rooms],
                    "unread": sum(self.unread.values())}
        if path == "chat/search":
            found = [
                {**each, "room": self.rooms[id]["title"], "roomId": id}
                for id, messages in self.messages.items() for each in messages
                if query["text"].lower() in each["text"].lower()]
            return {"messages": found[::-1]}
        if path == "chat/page":
            return self.middle(query)
        return None

    def middle(self, query):
        known, half = self.messages[query["room"]], self.PAGE // 2
        if "before" in query:
            chosen = [each for each in known if each["cursor"] < query["before"]][-self.PAGE:]
        elif "after" in query:
            chosen = [each for each in known if each["cursor"] > query["after"]][:self.PAGE]
        else:
            place = query["around"]
            chosen = ([each for each in known if each["cursor"] <= place][-half:]
                      + [each for each in known if each["cursor"] > place][:half])
        return self.page(query["room"], chosen)

    def post(self, path, body):
        """The answer to an action, or None where it is none of the chat."""
        if path == "chat/open":
            id = body["room"]
            answer = self.page(id, self.messages[id][-self.PAGE:], self.unread[id])
            if body["mark"]:
                self.unread[id] = 0
            return answer
        if path == "chat/send":
            self.add(body["room"], self.me, None, body["text"], state="queued")
            return self.messages[body["room"]][-1]
        if path == "chat/delete":
            for messages in self.messages.values():
                messages[:] = [each for each in messages if each["id"] != body["id"]]
            return {}
        return None
