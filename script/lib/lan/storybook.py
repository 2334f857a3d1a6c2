"""The scenes in their order, and the steps of each that can be left out."""

from lan.chat import chat
from lan.devices import devices
from lan.erased import erased
from lan.group import group
from lan.interests import interests
from lan.neighbourhood import neighbourhood
from lan.photo import photo
from lan.portrait import portrait
from lan.promise import promise
from lan.ranged import ranged
from lan.recovered import recovered
from lan.removed import removed
from lan.restored import restored
from lan.scenes import Scene, apart, drop, expiry, found, goodbye, killed, walk
from lan.stranger import stranger
from lan.study import study
from lan.walklog import walklog

SCENES = [
    Scene("found", "They find each other", found, {
        "avahi": "Ben's host has no Avahi",
        "node": "Ben's node is not started",
    }),
    Scene("interests", "They look for people with the same interests", interests, {
        "interests-look": "Cleo does not look",
        "interests-better": "Cleo chooses nothing better",
        "interests-tap": "Cleo does not say that they met",
        "interests-touch": "their devices stay 0.08 m apart",
    }, ["found"]),
    Scene("drop", "They press Drop", drop, {
        "drop-a": "Anna does not press Drop",
        "drop-b": "Ben does not press Drop",
        "accept-a": "Anna does not accept",
        "accept-b": "Ben does not accept",
    }, ["found"]),
    Scene("ranged", "Anna and Cleo hold their devices together", ranged, {
        "ranged-press": "Cleo does not press Drop",
        "ranged-hold": "Cleo does not hold her device to Anna's",
    }, ["found", "drop"]),
    Scene("walk", "A walk", walk, {
        "walk-ask": "Anna does not ask",
        "walk-accept": "Ben does not accept",
    }, ["found", "drop"]),
    Scene("expiry", "A request that runs out", expiry, {
        "expiry-ask": "Anna does not ask",
        "expiry-wait": "the 60 s are not waited for",
    }, ["found", "drop"]),
    Scene("apart", "Ben's cable is out", apart, {
        "link-down": "the cable stays in",
        "edit-a": "Anna edits nothing",
        "edit-b": "Ben edits nothing",
        "note-a": "Anna writes no note on the request",
        "note-b": "Ben writes no note on the request",
        "cancel-apart": "Anna does not cancel",
        "ask-apart": "Anna asks for nothing",
        "link-up": "the cable stays out",
    }, ["found", "drop"]),
    Scene("killed", "Ben's node is killed while it writes", killed, {
        "write": "nothing is written",
        "kill": "it is not killed",
        "restart": "it is not started again",
        "keep": "the ledger has an edit that was never made",
    }, ["found", "drop"]),
    Scene("erased", "A request that Anna erases while Ben is away", erased, {
        "erase-ask": "Anna does not ask",
        "erase-away": "Ben's node is not killed",
        "erase": "Anna erases nothing",
        "erase-back": "Ben's node is not started again",
    }, ["found", "drop"]),
    Scene("chat", "They write to each other, and one of them is away", chat, {
        "chat-away": "Ben's node is not stopped",
        "chat-write": "Anna writes nothing",
        "chat-answer": "Ben writes nothing",
        "chat-back": "Anna's node is not started again",
        "chat-pause": "Ben's node is not paused",
        "chat-read": "Ben does not open the room",
        "chat-delete": "Anna deletes nothing",
    }, ["found", "drop"]),
    Scene("portrait", "A photo of Anna that says where it was taken", portrait, {
        "photo-choose": "Anna chooses no photo",
        "photo-drop": "Cleo does not press Drop",
        "photo-remove": "Anna does not remove it",
    }, ["found", "drop"]),
    Scene("photo", "A photo from a camera, cut on its way, and deleted for both", photo, {
        "photo-send": "Anna sends no photo",
        "photo-cut": "Anna's node is not killed",
        "photo-back": "it is not started again",
        "photo-ask": "Cleo does not ask",
        "photo-delete": "Anna deletes nothing",
    }, ["found", "drop"]),
    Scene("stranger", "Cleo, a stranger, asks for their space", stranger, {
        "ask": "Cleo does not ask",
        "member": "the counter-check is made without Anna's key",
        "replay": "nothing is replayed",
    }, ["found", "drop"]),
    Scene("group", "A group of four, one of them removed while they are apart", group, {
        "group-invite": "Anna invites nobody",
        "group-accept": "nobody accepts",
        "group-note": "nobody writes",
        "group-split": "the LAN stays whole",
        "group-remove": "Anna does not remove Dora",
        "group-beyond": "Dora writes nothing more",
        "group-heal": "the LAN stays split",
        "group-again": "Anna does not invite Dora again",
        "group-away": "Emil stays on the LAN",
        "group-erase": "Ben erases nothing",
        "group-back": "Emil stays away",
    }, ["found", "drop"]),
    Scene("devices", "Three devices of Anna, and two splits", devices, {
        "device-photo": "Anna sends no photo",
        "device-join": "no device joins",
        "device-write": "nothing is written apart",
        "device-heal": "the LAN stays split",
    }, ["found", "drop"]),
    Scene("restored", "A backup of Anna's home, restored on another host", restored, {
        "restore-backup": "no backup is made",
        "restore-later": "Anna writes nothing after it",
        "restore-away": "her host stays",
        "restore-start": "the restored home's node is not started",
    }, ["found", "drop"]),
    Scene("recovered", "Anna's home is destroyed, and she comes back by her words", recovered, {
        "recover-burn": "her home is not destroyed",
        "recover-words": "she does not type her words",
        "recover-start": "the new node is not started",
    }, ["found", "drop"]),
    Scene("removed", "A device of Anna's that she removes", removed, {
        "removed-write": "Anna writes nothing on it",
        "removed-remove": "Anna does not remove it",
    }, ["found", "drop"]),
    Scene("promise", "Four promise to meet, and one is late", promise, {
        "promise-accept": "nobody accepts",
        "promise-track": "Anna's track is not played",
        "promise-kill": "Ben's node is not killed",
        "promise-share": "Ben does not go on",
        "promise-wait": "the clocks are not put forward",
    }, ["found", "drop"]),
    Scene("walklog", "A walk that is recorded, though Anna's node is killed", walklog, {
        "walk-record": "Anna records nothing",
        "walk-kill": "her node is not killed",
        "walk-resume": "she does not go on",
        "walk-share": "she does not show it to Ben",
        "walk-unshare": "she does not take it back",
    }, ["found", "drop"]),
    Scene("study", "Three look for somebody to study with, and two ask each other", study, {
        "study-look": "Cleo does not look",
        "study-third": "Anna does not ask",
        "study-ask": "Ben does not ask Cleo",
        "study-heal": "Ben stays in the other switch",
        "study-write": "Ben writes nothing",
        "study-cancel": "Cleo does not end the match",
        "study-wait": "the clocks are not put forward",
        "study-review": "Cleo writes no review",
    }, ["found"]),
    Scene("neighbourhood", "Five in a chain read one post, and its ends never meet",
          neighbourhood, {
        "hood-apart": "every host reaches every other",
        "hood-join": "the last does not join",
        "hood-write": "nothing is written",
        "hood-photo": "the post has no photo",
        "hood-comment": "the last does not comment",
        "hood-like": "the last does not like it",
        "hood-edit": "the first changes nothing",
        "hood-delete": "the first deletes nothing",
        "hood-expire": "the clocks are not put forward",
    }),
    Scene("goodbye", "Good night", goodbye, {
        "stop": "the nodes are not stopped",
    }, ["found"]),
]

# Without root a script cannot pull a cable, split a LAN or keep Avahi from a host.
LAN_ONLY_SCENES = {"apart", "group", "devices", "restored", "recovered", "removed", "promise",
                   "study", "neighbourhood"}
# The steps that replace others if there is no LAN.
LOCAL_STEPS = {"avahi": ("addresses", "no node is told the addresses of the others")}


def steps(namespaces: bool) -> dict[str, str]:
    """Every step that can be left out, with the meaning of leaving it out."""
    found_steps = {}
    for scene in playable(namespaces):
        for step, meaning in scene.steps.items():
            if not namespaces and step in LOCAL_STEPS:
                step, meaning = LOCAL_STEPS[step]
            found_steps[step] = meaning
    return found_steps


def first_steps(namespaces: bool) -> list[str]:
    """The first step of each scene that can be left out."""
    return list({up_to(step, namespaces)[-1].name: step
                 for step in reversed(steps(namespaces))}.values())[::-1]


def playable(namespaces: bool) -> list[Scene]:
    """The scenes that can be played here."""
    return [each for each in SCENES if namespaces or each.name not in LAN_ONLY_SCENES]


def unplayable(namespaces: bool) -> list[Scene]:
    """The scenes that cannot be played here without a LAN."""
    return [] if namespaces else [each for each in SCENES if each.name in LAN_ONLY_SCENES]


def up_to(step: str, namespaces: bool) -> list[Scene]:
    """The scene of a step, after the scenes it needs; the others are not needed to see it fail."""
    for scene in playable(namespaces):
        local = {LOCAL_STEPS[each][0] for each in scene.steps if each in LOCAL_STEPS}
        if step in scene.steps or step in local:
            return [each for each in SCENES if each.name in scene.needs] + [scene]
    raise KeyError(step)
