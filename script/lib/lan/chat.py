"""Anna and Ben write to each other while one of them is away, in turn; then both hold the same.

Their nodes are stopped, paused and started again. At every step the state that each shows for its
own messages is checked, and at the end both files are compared.
"""

import json
import os
import re
import subprocess
import time
from dataclasses import dataclass

from lan.erased import holds
from lan.mishaps import NOT_RUNNING
from processes import die_with_parent
from waggle import Node
from lan.outside import sqlite
from lan.people import World
from lan.story import Story

# The messages that each writes while the other is away, and Anna's while Ben's node is paused.
FROM_ANNA = ["Are you there?", "같이산책하자, by the old oak", "I will wait"]
FROM_BEN = ["I was away", "Still there?"]
PAUSED = "One more thing"
REGRETTED = FROM_ANNA[1]
# A line of `waggle watch`: the time and a sentence, without a key.
SENTENCE = re.compile(r"\d\d:\d\d:\d\d  [A-Z](?!.*[0-9a-f]{6}).*\.")


@dataclass
class Talker:
    """One of the two. Keys are read at the beginning: a stopped node does not answer."""

    node: Node
    name: str
    mate_key: str


def chat(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben = (Talker(one.node, one.name, other.person) for one, other in (
        (world.anna, world.ben), (world.ben, world.anna)))
    away(story, anna, ben)
    meet_again(story, anna, ben)
    paused(story, anna, ben)
    read(story, anna, ben)
    found(story, anna, ben)
    taken_back(story, anna, ben)


# Reading nodes and files


def page(who: Talker) -> list[dict]:
    """The messages of the room with the other, from `waggle chat page`."""
    return who.node.cli("chat", "page", who.mate_key)["messages"]


def states(who: Talker) -> list[str]:
    """The states of a person's own messages, in the order of the room."""
    return [each["state"] for each in page(who) if each["isMine"]]


def said(who: Talker) -> list[tuple]:
    """The parts of the messages in their room that both must show alike."""
    return [(each["id"], each["from"], each["text"], each["atMs"]) for each in page(who)]


def unread(who: Talker) -> int:
    """The number of unread messages of the other."""
    rooms = who.node.get("chat/rooms").get("rooms", [])
    return next((each["unread"] for each in rooms if each.get("person") == who.mate_key), 0)


def rows(who: Talker) -> list[str]:
    """The messages in a node's file, in the order of the rule: time, author, id."""
    return sqlite(who.node.home, """
        SELECT stamp, hex(creator), hex(entity), text FROM chat_message
        ORDER BY stamp, creator, entity""")


def words(who: Talker) -> list[str]:
    """The texts of these."""
    return [row.split("|", 3)[3] for row in rows(who)]


# Away


def away(story: Story, anna: Talker, ben: Talker) -> None:
    """Ben is away and Anna writes; then she is away and he does, not having seen it."""
    if story.does("chat-away"):
        ben.node.stop()
    story.claim("Ben is away", lambda: not ben.node.answers())
    for text in FROM_ANNA if story.does("chat-write") else []:
        anna.node.cli("chat", "send", anna.mate_key, text)
    story.claim("what Anna writes to him is queued",
                lambda: states(anna) == ["queued"] * len(FROM_ANNA))
    anna.node.stop()
    ben.node.start()
    for text in FROM_BEN if story.does("chat-answer") else []:
        ben.node.cli("chat", "send", ben.mate_key, text)
    story.claim("Anna is away, and what Ben writes is queued too",
                lambda: states(ben) == ["queued"] * len(FROM_BEN))
    story.claim("neither has what the other wrote", lambda: (
        words(anna) == FROM_ANNA and words(ben) == FROM_BEN))


def meet_again(story: Story, anna: Talker, ben: Talker) -> None:
    """Both are there again."""
    if story.does("chat-back"):
        anna.node.start()
    story.claim("Anna is back, and both say that all they wrote is delivered", lambda: (
        states(anna) == ["delivered"] * len(FROM_ANNA)
        and states(ben) == ["delivered"] * len(FROM_BEN)), within=45)
    same(story, anna, ben, FROM_ANNA + FROM_BEN)
    story.claim("each has as many unread as the other wrote", lambda: (
        unread(anna) == len(FROM_BEN) and unread(ben) == len(FROM_ANNA)), within=5)


def same(story: Story, anna: Talker, ben: Talker, texts: list[str]) -> None:
    """Both files and both command lines show the same messages, in one order, each once."""
    story.claim("sqlite3 finds the same messages in both files, in the same order, each once",
                lambda: rows(anna) == rows(ben) and sorted(words(anna)) == sorted(texts),
                within=15)
    story.equal("both command lines show them in that order", said(anna), said(ben))
    story.equal("which is the order of the files", [each[2] for each in said(anna)], words(anna))


# On the way


class Running:
    """A command that goes on until its node stops, and its output."""

    def __init__(self, who: Talker, *words: str, as_json: bool):
        self.process = subprocess.Popen(
            who.node.command_line.line(*words, as_json=as_json), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=die_with_parent())
        os.set_blocking(self.process.stdout.fileno(), False)
        self.printed = b""

    def lines(self) -> list[str]:
        """The whole lines it has printed so far."""
        self.printed += self.process.stdout.read() or b""
        return [line.decode().rstrip("\n") for line in self.printed.splitlines(keepends=True)
                if line.endswith(b"\n")]

    def texts(self) -> list[str]:
        """The texts of the messages it has printed so far, as `chat follow` prints them."""
        return [each["text"] for line in self.lines()
                for each in json.loads(line).get("messages", [])]

    def end(self, within: float) -> tuple[int, str]:
        """Its exit code and its error output, once it has ended without a signal."""
        try:
            said = self.process.communicate(timeout=within)[1]
            return self.process.returncode, said.decode()
        finally:
            self.process.kill()


def paused(story: Story, anna: Talker, ben: Talker) -> None:
    """Ben's node is paused: Anna's message has been sent, and has not arrived."""
    follower = Running(ben, "chat", "follow", as_json=True)
    watcher = Running(ben, "watch", "chat", "link", as_json=False)
    applet = Running(ben, "promise", "today", "--follow", as_json=False)
    time.sleep(1)  # They follow from their own start, which cannot be observed.
    if story.does("chat-pause"):
        ben.node.pause()
    try:
        anna.node.cli("chat", "send", anna.mate_key, PAUSED)
        story.claim("Ben's node is paused: what Anna writes now is sent, and no more",
                    lambda: states(anna)[-1] == "sent")
    finally:
        ben.node.go_on()
    story.claim("it goes on, and it is delivered",
                lambda: states(anna)[-1] == "delivered", within=20)
    story.claim("the follower at Ben's node prints this one message, once",
                lambda: follower.texts() == [PAUSED], within=5)
    story.claim("a watcher at Ben's node prints a sentence for it, with the time and no key",
                lambda: any(SENTENCE.fullmatch(line) for line in watcher.lines()), within=5)
    story.claim("the line of today's promises is printed once while it stays as it is",
                lambda: len(applet.lines()) == 1)
    ben.node.stop()
    for each in [watcher, applet]:
        each.end(within=10)
    code, sentence = follower.end(within=10)
    story.claim(f"Ben's node stops, and the follower ends with the reason: exit {code}, "
                f"“{sentence.strip()}”", lambda: code == NOT_RUNNING and "waggle node" in sentence)
    ben.node.start()


# Read


def read(story: Story, anna: Talker, ben: Talker) -> None:
    """Ben opens the room, and Anna sees that he has."""
    texts = [*FROM_ANNA, PAUSED]
    if story.does("chat-read"):
        opened = ben.node.cli("chat", "open", ben.mate_key)
        first = next(each for each in opened["messages"] if not each["isMine"])
        story.equal("Ben opens the room: the divider is above the first message he has not read",
                    opened["firstUnread"], first["id"])
    story.claim("nothing is unread", lambda: unread(ben) == 0)
    story.claim("Anna sees that he has read it all",
                lambda: states(anna) == ["read"] * len(texts), within=10)
    story.claim("Ben does not see that of his own: she has read nothing",
                lambda: states(ben) == ["delivered"] * len(FROM_BEN))


def hits(who: Talker, question: str) -> list[str]:
    """The texts that a search finds."""
    return [each["text"] for each in who.node.cli("chat", "search", question)["messages"]]


def found(story: Story, anna: Talker, ben: Talker) -> None:
    """Both find a message by two syllables in the middle of a word."""
    story.claim("both find 산책 in the middle of a word", lambda: [
        hits(each, "산책") for each in (anna, ben)] == [[REGRETTED]] * 2)


# Deleted


def taken_back(story: Story, anna: Talker, ben: Talker) -> None:
    """Anna deletes a message for both."""
    story.claim("both homes contain the bytes of the message that Anna regrets", lambda: all(
        holds(each.node.home, REGRETTED) for each in (anna, ben)))
    regretted = next(each["id"] for each in page(anna) if each["text"] == REGRETTED)
    if story.does("chat-delete"):
        story.tell("Anna deletes it for everyone")
        anna.node.cli("chat", "delete", regretted, "--for-everyone")
    story.claim("no file of either home contains it", lambda: not any(
        holds(each.node.home, REGRETTED) for each in (anna, ben)), within=30)
    story.claim("nobody finds it any more",
                lambda: not any(hits(each, "산책") for each in (anna, ben)))
    left = [text for text in FROM_ANNA if text != REGRETTED]
    same(story, anna, ben, [*left, *FROM_BEN, PAUSED])
