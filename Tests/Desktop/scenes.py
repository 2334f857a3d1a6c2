"""The pages and sheets of the window, in the order in which pictures of them are taken.

A scene is a function of a `Shooting`: it goes to a page and takes its pictures. It begins on the
window without a sheet.
"""
import os

from accessible import focused, key, until
from menu_tests import TRACK, drop
from snapshots import (HOUR, NOODLE_BAR, PROFILES, TALK_OF_TODAY, TALK_OF_YESTERDAY, ask_for_walk,
                       promised)

# What people wrote in the homes that the pictures show; it may be shortened, and in any language.
WRITTEN = [
    *(profile[name] for profile in PROFILES.values() for name in ("nickname", "dogName")),
    *(line[1:] for line in TALK_OF_YESTERDAY + TALK_OF_TODAY), "Who brings water?", "Walkers",
    "See you at the noodle bar", "Dinner", "Concert", "Coffee", "Picnic", "Bridge", "Library",
    "Lake", "Breakfast", NOODLE_BAR["locationName"], "Stream by the old bridge",
    "A walk before dinner?", "Once round the pond?", "north.gpx", "song.ogg",
]


# Sora's window


def nearby(show) -> None:
    show.page("Nearby")
    show.frame.find("More for Mina")
    show.take("nearby")
    show.press_below("Add by address…")
    show.take_sheet("address")


def mates(show) -> None:
    show.page("Mates")
    show.frame.find("More for Mina")
    show.take("mates")
    show.frame.press("More for Mina")
    show.frame.find("Details…")
    show.take("mate-menu")
    show.frame.press("Details…")
    show.frame.find("*", "dialog")
    show.take("mate")
    show.press_below("Block…")
    show.take_sheet("mate-block")
    show.frame.press("More for Mina")
    show.frame.press("Details…")
    show.press_below("Remove…")
    show.take_sheet("mate-remove")


def walk(show) -> None:
    for name, picture in (("Mina", "walk"), ("Jun", "walk-away")):
        show.page("Mates")
        show.frame.press(f"More for {name}")
        if show.frame.seen("Ask for a walk…"):
            show.frame.press("Ask for a walk…")
        else:
            key("Escape")
            show.frame.press(f"{name}: Ask for a walk…")
        show.frame.find(f"Ask {name} for a walk", "dialog")
        show.take_sheet(picture)


def inbox(show) -> None:
    show.page("Inbox")
    show.frame.find("Dismiss: *")
    show.take("inbox")
    show.frame.press("Dismiss: *")
    show.frame.find("Undo")
    show.take("inbox-undo")
    show.frame.press("Undo")
    show.frame.gone("Undo")


def chat(show) -> None:
    show.page("Chat")
    show.frame.find("Open the chat with Mina")
    show.take("chat-rooms")
    show.frame.press("Open the chat with Mina")
    until(lambda: focused(show.frame) and focused(show.frame).get_role_name() == "text",
          "the focus on the new message")
    show.take("chat")
    if not show.is_narrow:
        show.frame.press("Show or hide the map")
        show.frame.find("Map", "canvas")
        show.take("chat-map")
        show.frame.press("Show or hide the map")
    show.press_below("More for this message: Dry and sunny.")
    show.frame.find("Delete for me")
    show.take("chat-menu")
    key("Escape")
    show.press_below("More for this message: Then I bring the long leash.")
    show.frame.press("Delete for everyone…")
    show.take_sheet("chat-delete")
    if show.frame.seen("All chats"):
        show.frame.press("All chats")
    show.frame.type("Search all messages", "다리")
    show.frame.find("Search all messages", "text").get_component_iface().grab_focus()
    key("Return")
    show.frame.find("Show this message from You")
    show.take("chat-found")
    show.frame.type("Search all messages", "")


def promises(show) -> None:
    show.page("Promises")
    show.frame.find("Dinner", "list item")
    show.take("promises")
    show.frame.press("Dinner")
    show.frame.find("Open its chat")
    if show.frame.seen("Show everyone"):
        show.frame.press("Show everyone")
    show.take("promise")
    show.frame.press("More for Dinner")
    show.take("promise-menu")
    show.frame.press("Leave…")
    show.take_sheet("promise-leave")
    show.frame.press("All promises")
    show.press_below("Coffee")
    show.frame.find("All promises")
    show.take("promise-mine")
    show.frame.press("All promises")


def promise_form(show) -> None:
    show.page("Promises")
    show.press_below("Make a promise")
    show.frame.find("Make a promise", "dialog")
    show.take("promise-make")
    show.frame.type("What", "Picnic")
    show.frame.reach("When")
    show.frame.type("When", "2030-05-01 18:30")
    show.press_below("With Mina")
    show.take("promise-filled")
    key("Escape")
    show.frame.gone("With Mina")


def past_promise(show) -> None:
    show.page("Promises")
    show.press_below("Past promises")
    show.press_below("Bridge")
    show.frame.find("All promises")
    show.take("promise-result")
    show.frame.press("All promises")


def profile(show) -> None:
    show.frame.press("Profile")
    show.frame.find("Edit your card")
    show.take("profile")
    show.frame.press("Edit your card")
    show.frame.find("Your name", "text")
    show.take("profile-edit")
    show.press_below("Cancel")
    show.press_below("Delete me…")
    show.take_sheet("profile-delete")
    key("Escape")


def window(show) -> None:
    key("F10")
    show.frame.find("Keyboard shortcuts", "push button")
    show.take("menu")
    show.frame.press("About Waggle")
    show.take_sheet("about")
    for press, picture in (("ctrl+question", "shortcuts"), ("ctrl+comma", "preferences")):
        key(press)
        show.take_sheet(picture)


def map_alone(show) -> None:
    """The map in a narrow window, where it is a page of its own."""
    if show.is_narrow:
        show.page("Map")
        show.frame.find("Map", "canvas")
        show.take("map")


def files(show) -> None:
    """The questions about files that are dropped on the window."""
    show.page("Nearby")
    for name, text in (("north.gpx", TRACK), ("song.ogg", "")):
        path = os.path.join(show.on.cast.folder, name)
        with open(path, "w") as file:
            file.write(text)
        drop(show.on, path)
    show.frame.find("Play")
    show.take("track")
    show.frame.press("Remove")
    show.frame.press("Close")


def drop_asked(show) -> None:
    """A drop that a stranger begins, from the bar to their card."""
    haneul = show.on.cast.haneul
    show.page("Nearby")
    haneul.api.ask("drop/start", {"to": show.on.node.device})
    show.frame.find("* wants to drop profiles", "alert")
    show.take("drop-bar")
    haneul.api.ask("drop/cancel", {})
    show.frame.gone("* wants to drop profiles")


def drop_made(show) -> None:
    """A drop from the button to the new mate."""
    haneul = show.on.cast.haneul
    show.frame.press("Profile drop")
    show.frame.find("Profile drop", "dialog")
    show.take("drop")
    show.frame.press("Drop")
    show.frame.find("Cancel")
    show.on.wait("drop/show", lambda drop: drop["phase"] == "finding", "the drop to begin")
    show.take("drop-finding")
    haneul.api.ask("drop/start", {})
    show.on.wait("drop/show", lambda drop: drop["phase"] == "deciding", "a check code", haneul)
    show.frame.find("Accept")
    show.take("drop-code")
    show.frame.press("Accept")
    show.on.wait("drop/show", lambda drop: drop.get("myAnswer") == "accept", "the yes")
    haneul.api.ask("drop/accept", {})
    show.frame.find("Done")
    show.take("drop-mates")
    show.frame.press("Done")
    show.frame.gone("Done")


def questions(show) -> None:
    """What Mina asks, each question where it is answered; and the bars of all of them."""
    sora, mina = show.on.cast.sora, show.on.cast.mina
    show.page("Mates")
    ask_for_walk(show.on.cast, "A walk before dinner?")
    show.frame.find("Mina asks you for a walk", "alert")
    show.take("walk-asked")
    promised(mina, "Picnic", 20 * HOUR, [sora.person])
    show.page("Promises")
    show.press_below("Show Picnic")
    show.take("promise-invited")
    show.frame.press("All promises")
    concert = next(each for each in mina.api.ask("promise/list")["promises"]
                   if each["title"] == "Concert")
    mina.api.ask("promise/edit", {"promise": concert["id"],
                                  "atMs": concert["atMs"] - HOUR * 1000})
    show.press_below("Concert")
    show.frame.find("Confirm")
    show.take("promise-moved")
    show.page("Inbox")
    show.frame.reach("Accept: *")
    show.take("questions")


def node_lost(show) -> None:
    """The bar of a node that ended and cannot be started again. It comes last."""
    show.page("Mates")
    show.on.node.kill()
    show.frame.find("Waggle stopped and cannot be started again", "alert")
    show.take("node-lost")


# The window of a new user


def first_run(show) -> None:
    show.frame.find("Your name", "text")
    show.take("first-run")
    show.frame.type("Your dog's name", "sixteen letters!")
    show.take("first-run-faults")
    show.frame.type("Your dog's name", "Bori")
    show.frame.type("Your name", "Sora")
    show.frame.press("Start")
    show.frame.find("I have written them down")
    show.take("recovery-words")
    show.frame.press("I have written them down")
    show.frame.find("Confirm")
    show.take("recovery-check")
    key("Escape")


def empty_pages(show) -> None:
    for title in ("Mates", "Inbox", "Chat", "Promises"):
        show.page(title)
        show.take(f"{title.lower()}-none")
    show.page("Nearby")
    show.frame.find("Copy the command")
    show.take("nearby-nobody")


def own_words(show) -> None:
    """The profile of a user who has not confirmed the recovery words."""
    show.frame.press("Profile")
    show.frame.find("Show the recovery words")
    show.take("profile-words")
    key("Escape")


# A window without a node


def no_node(show) -> None:
    show.frame.find("Try again")
    show.take("no-node")


# The scenes by the window that they are on, each in its order.
ON_SORAS = (nearby, mates, walk, inbox, chat, promises, promise_form, past_promise, profile, window, map_alone,
            files, drop_asked, drop_made, questions, node_lost)
ON_NEW_USERS = (first_run, empty_pages, own_words)
WITHOUT_NODE = (no_node,)


def title(scene) -> str:
    """The name of a scene on the command line."""
    return scene.__name__.replace("_", "-")
