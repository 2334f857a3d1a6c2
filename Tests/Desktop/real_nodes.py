"""Real nodes on this host, driven by their command line, for a window to look at."""
import json
import os
import shutil
import signal
import subprocess
import tempfile

from accessible import until


class Node:
    """One node with a home of its own, which is removed when it stops."""

    def __init__(self, program, nickname, dog_name):
        self.program = program
        self.home = tempfile.mkdtemp(prefix="waggle-node-")
        self.run("init")
        log = open(os.path.join(self.home, "node.log"), "w")
        self.process = subprocess.Popen(
            [program, "node", "--home", self.home], stdout=log, stderr=log)
        until(self.answers, f"the node of {nickname}")
        self.run("me", "edit", "--nickname", nickname, "--dog-name", dog_name)
        self.nickname = nickname

    def run(self, *words):
        done = subprocess.run([self.program, *words, "--home", self.home, "--json"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"waggle {' '.join(words)}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout or "{}")

    def answers(self):
        try:
            return self.run("status", "show")
        except AssertionError:
            return None

    def meet(self, other):
        """Links to another node, drops with it, and says yes on both sides."""
        self.run("peer", "add", "127.0.0.1:%d" % other.run("status", "show")["port"])
        device = other.run("me", "show")["device"]
        until(lambda: any(link["device"] == device
                          for link in self.run("status", "show")["links"]), "the link")
        self.run("drop", "start")
        other.run("drop", "start")
        for node in (self, other):
            until(lambda: node.run("drop", "show")["phase"] == "deciding", "the other's card")
        codes = {node.run("drop", "show")["checkCode"] for node in (self, other)}
        if len(codes) != 1:
            raise AssertionError(f"the two sides show different codes: {codes}")
        for node in (self, other):
            node.run("drop", "accept")
        until(lambda: any(mate["state"] == "mate" and mate["person"] == other.person()
                          for mate in self.run("mates", "list")["mates"]), "the mateship")

    def person(self):
        return self.run("me", "show")["person"]

    def stand(self, latitude, longitude):
        self.run("location", "set", "--latitude", str(latitude), "--longitude", str(longitude))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
