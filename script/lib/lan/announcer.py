#!/usr/bin/python3
"""Announces many nodes that do not exist, through the Avahi of the host it runs on.

    announcer.py TAG COUNT ADDRESS...

Each announcement repeats one tag. A host name has 16 of the addresses, and each name is used by 16
announcements. They stay until the process is ended.
"""

import signal
import sys

import dbus

EVERY_INTERFACE = EVERY_PROTOCOL = dbus.Int32(-1)
NO_REVERSE = dbus.UInt32(16)
ADDRESSES_PER_NAME = SERVICES_PER_GROUP = 16
BUS_NAME = "org.freedesktop.Avahi"
# How long Avahi may take for one call, in seconds: a flooded daemon is slow.
CALL_SECONDS_MAX = 300


def announce(tag: str, count: int, addresses: list[str]) -> None:
    """Publishes the announcements, one group of entries for each host name."""
    bus = dbus.SystemBus()
    server = dbus.Interface(bus.get_object(BUS_NAME, "/"), f"{BUS_NAME}.Server")
    text = [dbus.ByteArray(each.encode()) for each in ("v=1", f"t={tag}", "f=ds")]
    for first in range(0, count, SERVICES_PER_GROUP):
        path = server.EntryGroupNew(timeout=CALL_SECONDS_MAX)
        group = dbus.Interface(bus.get_object(BUS_NAME, path), f"{BUS_NAME}.EntryGroup")
        name = f"host{first}.local"
        for offset in range(ADDRESSES_PER_NAME):
            address = addresses[(first + offset) % len(addresses)]
            group.AddAddress(EVERY_INTERFACE, EVERY_PROTOCOL, NO_REVERSE, name, address,
                             timeout=CALL_SECONDS_MAX)
        for number in range(first, min(count, first + SERVICES_PER_GROUP)):
            group.AddService(
                EVERY_INTERFACE, EVERY_PROTOCOL, dbus.UInt32(0), f"waggle-{tag}-{number}",
                "_waggle._tcp", "", name, dbus.UInt16(1024 + number),
                dbus.Array(text, signature="ay"), timeout=CALL_SECONDS_MAX)
        group.Commit(timeout=CALL_SECONDS_MAX)


def main() -> None:
    announce(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
    print("announced", flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
