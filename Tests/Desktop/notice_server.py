"""A server of notices that shows nothing (org.freedesktop.Notifications), for the tests.

It prints each call as a line of JSON, and does what the lines on its input say: `press ID KEY` or
`close ID`, as if a person did. It ends when its input does.
"""
import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
CLOSED_BY_PERSON, CLOSED_BY_CALL = 2, 3


class Server(dbus.service.Object):
    """The object on the bus."""

    def __init__(self, bus: dbus.SessionBus):
        super().__init__(dbus.service.BusName(NAME, bus, do_not_queue=True), PATH)
        self.last = 0

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup"]

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, title, body, actions, hints, _milliseconds):
        if not replaces:
            self.last += 1
        id = int(replaces) or self.last
        say(call="show", id=id, app=str(app), icon=str(icon), title=str(title), body=str(body),
            actions=dict(zip(map(str, actions[1::2]), map(str, actions[::2]))),
            entry=str(hints.get("desktop-entry", "")))
        return dbus.UInt32(id)

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, id):
        say(call="close", id=int(id))
        self.NotificationClosed(id, CLOSED_BY_CALL)

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, id, reason):
        pass

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, id, key):
        pass

    @dbus.service.signal(NAME, signature="us")
    def ActivationToken(self, id, token):
        pass

    def obey(self, line: str) -> None:
        """Does what a line of input says. A pressed notice goes away, as on most desktops."""
        verb, id, *key = line.split()
        if verb == "press":
            self.ActivationToken(int(id), "token-of-the-test")
            self.ActionInvoked(int(id), key[0])
        self.NotificationClosed(int(id), CLOSED_BY_PERSON)


def say(**call) -> None:
    """Prints a line of JSON."""
    print(json.dumps(call), flush=True)


def main() -> None:
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    server = Server(dbus.SessionBus())
    loop = GLib.MainLoop()

    def read(source, _condition) -> bool:
        line = source.readline()
        if line:
            server.obey(line)
        else:
            loop.quit()
        return bool(line)
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
    say(call="ready")
    loop.run()


if __name__ == "__main__":
    main()
