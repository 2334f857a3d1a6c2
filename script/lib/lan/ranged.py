"""Two people hold their devices together, one of them later than the other.

Recorded distances stand for a radio: the drop is found by them alone, and both get both cards.
"""

import json
from pathlib import Path

from lan.people import Person, World
from lan.scenes import together
from lan.story import Story

# Rules: a drop is found between 0.09 and 0.15 m, and the search lasts 30 s.
HELD, NEAR, FAR, UNCERTAINTY = 0.12, 0.11, 2.0, 0.02
# How long each holds the device to the other, and how often it is measured.
HELD_SECONDS, PER_SECOND = 0.9, 10
# The seconds between the two; the last is near the end of the search.
APART_SECONDS = (0, 5, 28)
# The directions that the two measure: none at all, and one that is not of unit length.
DIRECTIONS = (None, [0, 0, 3])


def ranged(world: World, story: Story) -> None:
    """Plays the scene."""
    anna, ben, cleo = world.anna, world.ben, world.cleo
    story.claim("without a provider the ranged drop is shown as not available",
                lambda: anna.drop()["ranged"]["available"] is False)
    for seconds in APART_SECONDS:
        meet(world, story, seconds)
    for who in (anna, cleo):
        who.node.cli("ranging", "source", "off")
    story.claim("Ben, whose device was nearer all the time, is her mate and was never chosen",
                lambda: anna.mate(ben.person) and ben.drop()["phase"] != "declined")


def meet(world: World, story: Story, seconds: int) -> None:
    """Anna holds her device to Cleo's at once, and Cleo hers after some seconds."""
    anna, ben, cleo = world.anna, world.ben, world.cleo
    provide(world, anna, cleo, 0, DIRECTIONS[0], beside=ben)
    provide(world, cleo, anna, seconds if story.does("ranged-hold") else None, DIRECTIONS[1])
    story.tell(f"both press; Anna holds her device to Cleo's, and Cleo hers {seconds} s later")
    together(*(lambda who=who: who.node.cli("drop", "start", "--ranged")
               for who in ([anna, cleo] if story.does("ranged-press") else [anna])))
    story.claim("both say that the mode is available",
                lambda: anna.drop()["ranged"]["available"] and cleo.drop()["ranged"]["available"])
    if seconds > 3:
        story.claim("Anna's device has found Cleo's, and her list shows the measured distance",
                    lambda: (anna.sees(cleo.device) or {}).get("distanceMetres") == HELD, within=3)
        story.claim("Cleo's device still looks for hers, and says what to do",
                    lambda: cleo.drop()["phase"] == "finding"
                    and "closer" in cleo.drop()["ranged"]["advice"]
                    and cleo.sees(anna.device)["distanceMetres"] == FAR, within=3)
    story.claim("both are shown the other's card", lambda: [
        who.drop().get("peer", {}).get("card", {}).get("nickname") for who in (anna, cleo)
    ] == [cleo.name, anna.name], within=seconds + 12)
    story.claim("and the same check code",
                lambda: anna.drop()["checkCode"] == cleo.drop()["checkCode"], within=3)
    story.claim("nothing is measured any more", lambda: all(
        who.node.get("ranging/show")["state"] == "resting" for who in (anna, cleo)), within=5)
    cleo.node.cli("drop", "decline")
    story.claim("Cleo declines, and Anna reads it",
                lambda: anna.drop()["phase"] == "declined", within=5)


def provide(world: World, who: Person, other: Person, held_at: float | None,
            direction: list | None, beside: Person | None = None) -> None:
    """Gives a person's node a recording in which the other's device comes near and leaves again."""
    lines = []
    for tick in range(40 * PER_SECOND):
        at = tick / PER_SECOND
        is_held = held_at is not None and held_at <= at <= held_at + HELD_SECONDS
        lines.append({"seconds": at, "device": other.device, "uncertaintyMetres": UNCERTAINTY,
                      "distanceMetres": HELD if is_held else FAR, "direction": direction})
        if beside:
            lines.append({"seconds": at, "device": beside.device, "distanceMetres": NEAR,
                          "uncertaintyMetres": UNCERTAINTY})
    play(world, who, lines)


def play(world: World, who: Person, lines: list[dict]) -> None:
    """Gives a person's node a recording of measured distances, in place of any earlier one."""
    recording: Path = world.scratch / f"{who.name}-ranging.jsonl"
    recording.write_text("".join(json.dumps(line) + "\n" for line in lines))
    who.node.cli("ranging", "source", "recorded", str(recording))
