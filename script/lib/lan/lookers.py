#!/usr/bin/python3
"""Announces people who look for others with the same interests, through the Avahi of the host it
runs on. No node stands behind the announcements.

    lookers.py ADDRESS

All of them are at this address, at which nobody may be. Each line of the input is a tag, a port and
the interests in hexadecimal digits. It announces such a person, and then prints the tag. The
announcements stay until the process is ended.
"""

import sys

import dbus

EVERY_INTERFACE = EVERY_PROTOCOL = dbus.Int32(-1)
NO_REVERSE = dbus.UInt32(16)
HOST = "lookers.local"
BUS_NAME = "org.freedesktop.Avahi"


def main() -> None:
    bus = dbus.SystemBus()
    server = dbus.Interface(bus.get_object(BUS_NAME, "/"), f"{BUS_NAME}.Server")

    def new_group() -> dbus.Interface:
        return dbus.Interface(
            bus.get_object(BUS_NAME, server.EntryGroupNew()), f"{BUS_NAME}.EntryGroup")

    name = new_group()
    name.AddAddress(EVERY_INTERFACE, EVERY_PROTOCOL, NO_REVERSE, HOST, sys.argv[1])
    name.Commit()
    for line in sys.stdin:
        tag, port, interests = line.split()
        group = new_group()
        text = [dbus.ByteArray(each) for each in (
            b"v=1", f"t={tag}".encode(), b"in=" + bytes.fromhex(interests))]
        group.AddService(
            EVERY_INTERFACE, EVERY_PROTOCOL, dbus.UInt32(0), f"waggle-{tag}", "_waggle._tcp", "",
            HOST, dbus.UInt16(int(port)), dbus.Array(text, signature="ay"))
        group.Commit()
        print(tag, flush=True)


if __name__ == "__main__":
    main()
