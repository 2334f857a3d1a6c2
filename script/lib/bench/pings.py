"""Measures how long a window's main loop takes to answer, from outside.

    pings.py WINDOW PID     a line per answer: when it was asked, the time, the wait (nanoseconds)

It sends the window `_NET_WM_PING`, as window managers do, 5 ms after the last answer. GTK answers
in its main loop, before it lays out or draws. So the time of an answer is that of whatever the loop
was doing, and as long as a key or a click would wait. The wait is the part of it in which the main
thread was ready and other processes had the processor, by the kernel's count.
"""

import ctypes
import os
import select
import sys
import time
from pathlib import Path

from x11 import Display

PAUSE_SECONDS = 0.005
CLIENT_MESSAGE = 33
SUBSTRUCTURE_NOTIFY = 1 << 19
ROOM_FOR_EVENT = 24


class ClientMessage(ctypes.Structure):
    """Xlib's XClientMessageEvent."""

    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong),
                ("message_type", ctypes.c_ulong), ("format", ctypes.c_int),
                ("data", ctypes.c_long * 5)]


class Event(ctypes.Union):
    """Xlib's XEvent."""

    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage),
                ("room", ctypes.c_long * ROOM_FOR_EVENT)]


class Pinger(Display):
    """Pings one window."""

    def __init__(self, window: int, pid: int):
        super().__init__(os.environ["DISPLAY"])
        self.x11.XSelectInput(self.display, self.root, SUBSTRUCTURE_NOTIFY)
        self.window = window
        self.protocols, self.ping = self.atom("WM_PROTOCOLS"), self.atom("_NET_WM_PING")
        self.file = self.x11.XConnectionNumber(self.display)
        self.waits = Path(f"/proc/{pid}/task/{pid}/schedstat")
        self.number = 0

    def waited(self) -> int:
        """The nanoseconds that the main thread has waited for a processor."""
        return int(self.waits.read_text().split()[1])

    def once(self) -> tuple[int, int, int]:
        """Pings; returns the time of the question, the time to the answer and the wait in it."""
        self.number += 1
        event = Event()
        event.client = ClientMessage(
            type=CLIENT_MESSAGE, window=self.window, message_type=self.protocols, format=32,
            data=(self.ping, self.number, self.window, 0, 0))
        waited, began = self.waited(), time.monotonic_ns()
        self.x11.XSendEvent(self.display, ctypes.c_ulong(self.window), 0, 0, ctypes.byref(event))
        self.x11.XFlush(self.display)
        while not self._answered():
            select.select([self.file], [], [], 1)
        took = time.monotonic_ns() - began
        return began, took, min(took, self.waited() - waited)

    def _answered(self) -> bool:
        event = Event()
        while self.x11.XPending(self.display):
            self.x11.XNextEvent(self.display, ctypes.byref(event))
            if (event.type == CLIENT_MESSAGE and event.client.message_type == self.protocols
                    and event.client.data[1] == self.number):
                return True
        return False


def main() -> None:
    pinger = Pinger(int(sys.argv[1]), int(sys.argv[2]))
    try:
        while True:
            print(*pinger.once(), flush=True)
            time.sleep(PAUSE_SECONDS)
    except (OSError, KeyboardInterrupt):
        pass  # The window has ended, or the measurement has.


if __name__ == "__main__":
    main()
