"""Making two people mates, as they would: both press Drop, and both accept."""

from processes import wait_until
from waggle import Node


def make_mates(one: Node, other: Node, within: float) -> None:
    """Makes the people of two linked nodes mates.

    Raises RuntimeError if a phase of the drop takes longer than `within`, in seconds.
    """
    for node, peer in ((one, other), (other, one)):
        node.api.ask("drop/start", {"to": peer.device})
    await_phase("deciding", one, other, within)
    for node in (one, other):
        node.api.ask("drop/accept", {})
    await_phase("mates", one, other, within)


def await_phase(phase: str, one: Node, other: Node, within: float) -> None:
    """Waits until the drop of both nodes is in a phase."""
    for node in (one, other):
        if not wait_until(lambda: node.get("drop/show").get("phase") == phase, within, every=0.02):
            raise RuntimeError(f"{node.name}'s drop is not '{phase}': {node.get('drop/show')}")
