"""A LAN on one machine: hosts in separate namespaces, joined by a bridge in another one.

Nothing is changed on the machine itself. Every host is a PID, network, mount, UTS and IPC namespace
held by one anchor process. When the anchor ends, the kernel ends everything in the namespace, so a
host cannot leave a daemon behind, even if this script is killed.
"""

import os
import subprocess
from pathlib import Path

from processes import child_ids, die_with_parent, run, wait_until

SUBNET = "10.77.0"
# The first process of a host: it waits for ever, and reaps the processes that end there.
INIT = "sleep infinity & wait"

AVAHI_CONF = """\
[server]
host-name={name}
use-ipv4=yes
use-ipv6=yes
allow-interfaces=eth0
enable-dbus=yes
[publish]
publish-workstation=no
publish-hinfo=no
"""

# Makes a command use only the processor time that nobody else wants: attackers have their own
# processors on a real LAN.
IDLE = ("chrt", "--idle", "0")


class Namespace:
    """A set of namespaces and the anchor process that holds them."""

    def __init__(self, name: str, kinds: list[str]):
        self.name = name
        self.anchor = subprocess.Popen(
            ["unshare", *kinds, "--fork", "--kill-child=SIGKILL", "sh", "-c", INIT],
            preexec_fn=die_with_parent(),
        )
        self.pid = wait_until(self._first_process, 5)
        if self.pid is None:
            raise RuntimeError(f"{name}: no namespace could be made (is this root?)")

    def _first_process(self) -> int | None:
        """The process id of the anchor's child, once it runs inside the new namespaces."""
        if self.anchor.poll() is not None:
            return None
        children = child_ids(self.anchor.pid)
        if children and Path(f"/proc/{children[0]}/comm").read_text().strip() == "sh":
            return children[0]
        return None

    def enter(self, *command: str) -> list[str]:
        """The command line that runs `command` inside."""
        return ["nsenter", f"--target={self.pid}", "--all", "--", *command]

    def run(self, *command: str) -> str:
        """Runs a command inside to its end."""
        return run(*self.enter(*command))

    def close(self) -> None:
        """Ends everything inside."""
        self.anchor.kill()
        self.anchor.wait()


class Host(Namespace):
    """A machine on the LAN, with its own system bus and Avahi daemon."""

    ALL = ["--net", "--mount", "--pid", "--uts", "--ipc", "--mount-proc"]

    def __init__(self, name: str, number: int, wire: Namespace, scratch: Path):
        super().__init__(name, self.ALL)
        self.address = f"{SUBNET}.{number}"
        self.wire = wire
        self.port_name = f"port{number}"
        self.conf = scratch / f"{name}.avahi.conf"
        self.conf.write_text(AVAHI_CONF.format(name=name))
        self._plug()
        self.run("hostname", name)
        self.run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run")

    def _plug(self) -> None:
        """Joins the host to the bridge with a pair of virtual interfaces."""
        self.wire.run(
            "ip", "link", "add", self.port_name, "type", "veth",
            "peer", "name", "eth0", "netns", f"/proc/{self.pid}/ns/net",
        )
        self.wire.run("ip", "link", "set", self.port_name, "master", "bridge0", "up")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")

    def start_discovery(self, idle: bool = False) -> None:
        """Starts the system bus and Avahi; returns when Avahi answers.

        With `idle` they get only the processor time that nobody else wants.
        """
        self.run("mkdir", "-p", "/run/dbus", "/run/avahi-daemon")
        self.run(*(IDLE if idle else ()), "dbus-daemon", "--system", "--fork", "--nopidfile")
        self.start_avahi(idle)

    def start_avahi(self, idle: bool = False) -> None:
        """Starts Avahi; the bus must run already."""
        self.run(
            *(IDLE if idle else ()), "avahi-daemon", "--no-drop-root", "--no-chroot",
            "--no-rlimits", "--daemonize", f"--file={self.conf}",
        )

    def link_down(self) -> None:
        """Pulls the cable out at the switch: the interface stays, without a carrier."""
        self.wire.run("ip", "link", "set", self.port_name, "down")

    def link_up(self) -> None:
        """Plugs the cable in again."""
        self.wire.run("ip", "link", "set", self.port_name, "up")

    def join_bridge(self, bridge: str) -> None:
        """Moves the cable's other end to another switch; the carrier stays."""
        self.wire.run("ip", "link", "set", self.port_name, "master", bridge)

    def reaches(self, other: "Host", port: int) -> bool:
        """Whether a TCP connection to a port there can be made within a second."""
        connect = f"exec 3<>/dev/tcp/{other.address}/{port}"
        return subprocess.run(
            self.enter("timeout", "1", "bash", "-c", connect), capture_output=True
        ).returncode == 0

    def forget_ipv4(self) -> None:
        """Removes the IPv4 address, and waits until the link-local IPv6 one may be used: before
        that the kernel still checks whether another host has it."""
        self.run("ip", "-4", "address", "flush", "dev", "eth0")
        if wait_until(self._has_settled, 5) is None:
            raise RuntimeError(f"{self.name} has no link-local address: is IPv6 off in the kernel?")

    def _has_settled(self) -> bool:
        """Whether the link-local address is there and no longer tentative."""
        row = self.run("ip", "-6", "-o", "address", "show", "dev", "eth0", "scope", "link")
        return bool(row) and "tentative" not in row

    def addresses(self) -> set[str]:
        """The addresses of the interface, link-local ones too, without their zone."""
        rows = self.run("ip", "-o", "address", "show", "dev", "eth0").splitlines()
        return {row.split()[3].partition("/")[0] for row in rows}

    def has_carrier(self) -> bool:
        """Whether a cable is plugged in."""
        return "NO-CARRIER" not in self.run("ip", "link", "show", "eth0")


class LAN:
    """Hosts on one bridge, or, while it is split, on two."""

    def __init__(self, scratch: Path):
        self.scratch = scratch
        self.hosts: list[Host] = []
        self.wire = Namespace("wire", ["--net", "--pid"])
        for bridge in ("bridge0", "bridge1"):
            self.wire.run("ip", "link", "add", bridge, "type", "bridge", "mcast_snooping", "0")
            self.wire.run("ip", "link", "set", bridge, "up")

    def add(self, name: str) -> Host:
        """Adds a host called `name`, with the next free address."""
        host = Host(name, len(self.hosts) + 1, self.wire, self.scratch)
        self.hosts.append(host)
        return host

    def split(self, away: list[Host]) -> None:
        """Puts these hosts on a separate switch: they reach each other and no other host."""
        for host in away:
            host.join_bridge("bridge1")

    def heal(self) -> None:
        """Puts all hosts on one switch again."""
        for host in self.hosts:
            host.join_bridge("bridge0")

    def close(self) -> None:
        """Ends every host, and the switches."""
        for space in [*self.hosts, self.wire]:
            space.close()


def may_make_namespaces() -> bool:
    """Whether this process may make the namespaces a LAN needs."""
    if os.geteuid() != 0:
        return False
    probe = subprocess.run(["unshare", *Host.ALL, "--fork", "true"], capture_output=True)
    return probe.returncode == 0
