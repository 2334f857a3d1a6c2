"""The pages and sheets of the window, in the order in which pictures of them are taken.

A scene is a function of a `Shooting`: it goes to a page and takes its pictures. It begins on the
window without a sheet.
"""
import json
import math
import os
import signal
import socket
import time
from pathlib import Path

from accessible import Atspi, choose as choose_entry, focused, key, until
from device_tests import phone
from map_tests import tiles
from matching_tests import REVIEWABLE_HOURS, answer, both_look, later, looks, match
from menu_tests import TRACK
from neighbourhood_tests import EVERYWHERE, PLACE, arrived, joins, writes
from own_data_tests import DELETION_SECONDS
from pairing_tests import CODE
from pictures import pond
from snapshots import (HOUR, NOODLE_BAR, PROFILES, TALK_OF_TODAY, TALK_OF_YESTERDAY, ask_for_walk,
                       promised, room)
from started import is_running, started

# What people wrote in the homes that the pictures show, and the forms in which they are told to
# write; it may be shortened, and in any language.
WRITTEN = [
    *(profile[name] for profile in PROFILES.values() for name in ("nickname", "dogName")),
    *(line[1:] for line in TALK_OF_YESTERDAY + TALK_OF_TODAY), "Who brings water?", "Walkers",
    "See you at the noodle bar", "Again!", "coffeeshop run", "coffee run", "coffee", "tea", "run",
    "Dinner", "Concert", "Coffee", "Picnic", "Bridge", "Library",
    "Lake", "Pancakes", NOODLE_BAR["locationName"], "Stream by the old bridge",
    "A walk before dinner?", "Once round the pond?", "north.gpx", "north.geojson", "song.ogg", "Minnie",
    "Mina from the house by the pond", "somewhere", "soon", "Squares", "© Ann & Ben",
    "shapes.mbtiles", "Pond walkers", "Shouts at dogs", "Practice", "Pixel",
    "host:port", "[address]:port", "IPv6", "GeoJSON", "chmod", "--home",
    # The neighbourhood.
    PLACE, "A vet on Sundays?", "Choco limps since yesterday, and everyone is closed.", "A red lead",
    "Two metres, hardly used. First come, first served.", "누구 일곱 시에 산책해요?",
    "Round the pond, twice", "Is it long enough for a terrier?", "It is two metres.",
    "Who feeds Bori in May?", "Choco and I are away for a week.", "fireworks",
    "Who feeds Bori in May?" * 3,
    # Interests that have the same letters in Korean.
    "VR", "PC", "MBTI",
    # A device is named after its host.
    socket.gethostname(),
]
# The track of a dropped file in the other format.
TRACK_AS_GEOJSON = {
    "type": "Feature", "properties": {"coordTimes": [
        "2026-05-01T09:00:00Z", "2026-05-01T10:00:00Z"]},
    "geometry": {"type": "LineString", "coordinates": [[126.98, 37.57], [126.99, 37.58]]}}
# Nine recovery words, the third of which cannot be one.
MISSPELT = "babad bamag xxxxx bimal boban sodig babad bamag bibaj"
# A `waggle` that starts and never answers, until it is told to end. It then ends with a fault.
SILENT = """#!/bin/sh
echo $$ >>{folder}/pids
trap 'exit 3' TERM
while :; do sleep 0.1; done
"""


# Sora's window


def nearby(show) -> None:
    show.page("Nearby")
    show.frame.find("More for Mina")
    show.take("nearby")
    show.press_below("Show your name to everyone nearby for 10 minutes")
    show.frame.find("Stop showing your name to everyone")
    show.take("nearby-visible")
    show.press_below("Stop showing your name to everyone")
    show.press_below("Add by address…")
    show.frame.find("Address", "text")
    show.take("address")
    show.frame.type("Address", "somewhere")
    show.frame.press("Add")
    show.frame.says("somewhere")
    show.take_sheet("address-fault")


def mates(show) -> None:
    show.page("Mates")
    show.frame.find("More for Mina")
    show.take("mates")
    show.frame.press("More for Mina")
    show.frame.find("Details…")
    show.take("mate-menu")
    show.frame.press("Details…")
    show.frame.find("*", "dialog")
    show.frame.find("Photo of Mina")
    show.take("mate")
    show.press_below("Block…")
    choose_entry(show.frame.find("Reason", "combo box"), 3)
    show.take_sheet("mate-block")
    key("ctrl+f")
    show.frame.find("Search mates")
    show.take("mates-search")
    key("Escape")
    show.frame.gone("Search mates")
    show.frame.press("More for Mina")
    show.frame.press("Details…")
    show.press_below("Remove…")
    show.take_sheet("mate-remove")


def nickname(show) -> None:
    """A mate whom the user calls by another name, and a name that is too long."""
    def choose(name: str, entry: str) -> None:
        show.press_below(f"More for {name}")
        show.frame.press(entry)
        show.frame.find("*", "dialog")

    show.page("Mates")
    choose("Mina", "Nickname…")
    show.take("nickname")
    show.frame.type("Nickname", "Mina from the house by the pond")
    show.frame.press("Save")
    show.frame.find("⚠ *")
    show.take("nickname-fault")
    show.frame.type("Nickname", "Minnie")
    show.frame.press("Save")
    show.frame.find("More for Minnie")
    choose("Minnie", "Details…")
    show.take_sheet("mate-renamed")
    choose("Minnie", "Nickname…")
    show.take("nickname-remove")
    show.frame.press("Remove nickname")
    show.frame.find("More for Mina")


def walk(show) -> None:
    for name, picture in (("Mina", "walk"), ("Jun", "walk-away")):
        show.page("Mates")
        show.frame.press(f"More for {name}")
        show.frame.find("Details…")
        if show.frame.seen("Ask for a walk…"):
            show.frame.press("Ask for a walk…")
        else:
            key("Escape")
            show.frame.press(f"{name}: Ask for a walk…")
        show.frame.find(f"Ask {name} for a walk", "dialog")
        show.take(picture)
        if name == "Mina":
            choose_on_map(show, "walk")
            show.frame.find(f"Ask {name} for a walk", "dialog")
            show.take("walk-chosen")
        show.close_sheet()
    forget_choice(show)


def choose_on_map(show, name: str) -> None:
    """Takes the picture of the bar that asks for a location, and chooses the middle of the map."""
    show.press_below("Choose on the map…")
    show.frame.find("Where do you want to meet?", "alert")
    show.frame.find("Map", "canvas").get_component_iface().grab_focus()
    show.take(f"{name}-choose")
    key("space")


def forget_choice(show) -> None:
    """Clears the location that was chosen on the map, so that it is in no picture after this."""
    show.show_map()
    show.frame.find("Map", "canvas").get_component_iface().grab_focus()
    if show.frame.seen("Chosen point"):
        key("Escape")
        show.frame.gone("Chosen point")


def walks_sent(show) -> None:
    """Requests that wait for the answer of others."""
    sora = show.on.cast.sora
    asked = [show.on.ask("walk/ask", {
        "to": each["person"], "latitude": 37.5690, "longitude": 126.9860,
        "message": "Once round the pond?"})["id"] for each in show.on.ask("mates/list")["mates"]]
    show.page("Inbox")
    show.frame.reach("Cancel request: *")
    show.take("inbox-sent")
    for walk in asked:
        sora.api.ask("walk/cancel", {"id": walk})
    show.frame.gone("Cancel request: *")


def inbox(show) -> None:
    show.page("Inbox")
    show.frame.find("Dismiss: *")
    show.take("inbox")
    show.frame.press("Dismiss: *")
    show.frame.find("Undo")
    show.take("inbox-undo")
    undo(show)


def undo(show) -> None:
    """Presses Undo, unless its eight seconds are over."""
    if show.frame.seen("Undo"):
        show.frame.press("Undo")
    show.frame.gone("Undo")


def chat(show) -> None:
    show.page("Chat")
    show.frame.find("Open the chat with Mina")
    show.take("chat-rooms")
    show.frame.press("Open the chat with Mina")
    until(lambda: focused_role(show) == "text", "the focus on the new message")
    show.take("chat")
    if not show.is_narrow:
        show.frame.press("Show or hide the map")
        show.frame.find("Map", "canvas")
        show.take("chat-map")
        show.frame.press("Show or hide the map")
    show.press_below("More for this message: Dry since noon.")
    show.frame.find("Delete for me")
    show.take("chat-menu")
    show.frame.press("Delete for me")
    show.frame.find("Undo")
    show.take("chat-undo")
    undo(show)
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
    show.frame.type("Search all messages", "없는 말")
    key("Return")
    show.frame.find("Nothing found")
    show.take("chat-not-found")
    show.frame.type("Search all messages", "")


def chat_photos(show) -> None:
    """A photo among the messages, the whole of it, and one whose sender is away."""
    show.page("Chat")
    if show.frame.seen("All chats"):
        show.frame.press("All chats")
    show.press_below("Open the chat with Mina")
    path = show.on.cast.folder / "pond.png"
    path.write_bytes(pond())
    mina = room(show.on.node, "Mina")["person"]
    sent = show.on.ask("chat/send", {"room": mina, "photo": str(path)})
    show.frame.find("Photo from you")
    show.take("chat-photo")
    show.press_below("Photo from you")
    show.frame.find("Save as…")
    show.take_sheet("chat-photo-whole")
    show.on.ask("chat/delete", {"id": sent["id"], "forEveryone": True})


def focused_role(show) -> str:
    """The role of the node that has the focus; empty if none has it."""
    node = focused(show.frame)
    return node.get_role_name() if node else ""


def chat_group(show) -> None:
    """The chat of a group in which Sora may only read, and the menu of a chat with a mate."""
    show.page("Chat")
    if show.frame.seen("All chats"):
        show.frame.press("All chats")
    show.press_below("Open the chat with Walkers")
    show.frame.says("Who brings water?")
    show.take("chat-group")
    if show.frame.seen("All chats"):
        show.frame.press("All chats")
    show.press_below("Open the chat with Mina")
    # The new message takes the focus when the chat is loaded, which would close a menu.
    until(lambda: focused_role(show) == "text", "the focus on the new message")
    show.take_menu("More for Mina", "New promise with…", "chat-person-menu")


def promises(show) -> None:
    show.page("Promises")
    show.frame.find("Dinner", "list item")
    show.take("promises")
    show.first_below("Your record").get_component_iface().grab_focus()
    key("Return")
    show.take_sheet("promise-ledger")
    show.press_below("Dinner")
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


def promise_change(show) -> None:
    """Changing and calling off a promise of Sora's."""
    show.page("Promises")
    show.press_below("Coffee")
    show.frame.press("More for Coffee")
    show.frame.find("Change…")
    show.take("promise-mine-menu")
    show.frame.press("Change…")
    show.frame.find("Change a promise", "dialog")
    show.take("promise-change")
    choose_on_map(show, "promise")
    show.frame.find("Change a promise", "dialog")
    show.take("promise-change-chosen")
    show.take_rest("promise-change-chosen")
    show.close_sheet()
    forget_choice(show)
    show.page("Promises")
    show.frame.press("More for Coffee")
    show.frame.press("Call off…")
    show.frame.find("*", "dialog")
    show.take_sheet("promise-call-off")
    show.frame.press("All promises")


def promise_stopped(show) -> None:
    """A promise on whose way the others do not see Sora any more."""
    show.page("Promises")
    dinner = next(each["id"] for each in show.on.ask("promise/list")["promises"]
                  if each["title"] == "Dinner")
    show.on.ask("promise/stop", {"promise": dinner})
    show.press_below("Dinner")
    show.frame.find("Show where I am")
    show.take("promise-stopped")
    show.frame.press("Show where I am")
    show.frame.gone("Show where I am")
    show.frame.press("All promises")


def promise_form(show) -> None:
    show.page("Promises")
    show.press_below("Make a promise")
    show.frame.find("Make a promise", "dialog")
    show.take("promise-make")
    show.frame.type("What", "Picnic")
    show.frame.reach("When")
    show.frame.type("When", "soon")
    show.take("promise-when-fault")
    show.press_below("Choose a day and a time")
    show.frame.find("Hour", "spin button")
    show.take("promise-calendar")
    key("Escape")
    show.frame.gone("Hour")
    show.frame.type("When", "2030-05-01 18:30")
    show.press_below("With Mina")
    show.take("promise-filled")
    key("Escape")
    show.frame.gone("With Mina")


def past_promise(show) -> None:
    show.page("Promises")
    show.press_below("Past promises")
    show.frame.reach("Bridge")
    show.take("promises-past")
    show.press_below("Bridge")
    show.frame.find("All promises")
    show.take("promise-result")
    show.frame.press("All promises")


def interests(show) -> None:
    """The choice of interests, the switch, and the match with Haneul, who looks too."""
    haneul = show.on.cast.haneul
    show.page("Interests")
    show.frame.find("Search interests", "text")
    show.take("interests-choose")
    for interest in ("puppies", "cats", "outdoors", "tea", "hiking"):
        show.press_below(interest)
    show.frame.type("Search interests", "ing")
    show.frame.gone("puppies")
    show.take("interests-found")
    show.frame.type("Search interests", "")
    show.press_below("coffee")
    show.press_below("Save")
    show.frame.find("Change your interests")
    show.take("interests")
    show.frame.press("Look for people with your interests for 10 minutes")
    show.frame.says("Nobody else is looking here yet")
    show.take("interests-alone")
    for own, name in (("gym", "interests-unmatched"), ("hiking", "interests-match")):
        haneul.api.ask("interests/choose", {"interest": ["tea", "coffee", own, "vr", "boxing"]})
        haneul.api.ask("interests/look", {})
        if own == "hiking":
            show.below("Another question")
        else:
            show.frame.says("Nobody shares 3 of your interests yet.")
        show.scroll_to_top()
        show.take(name)
        show.take_rest(name)
    haneul.api.ask("interests/stop", {})
    show.frame.gone("Another question")
    show.press_below("Stop looking for people with your interests")


def matching(show) -> None:
    """Wishes, people who look, a request, a match with Haneul, and reviews."""
    on, haneul = show.on, show.on.cast.haneul
    mine = on.ask("location/show")
    haneul.api.ask("location/set", {"latitude": mine["latitude"] + 0.002,
                                    "longitude": mine["longitude"] + 0.001})
    show.page("Matching")
    show.frame.says("Find someone to study with")
    show.take("matching")
    show.take_rest("matching")
    show.scroll_to_top()
    show.press_below("Change what others see of you")
    show.press_below("Show my age")
    show.take_sheet("matching-card")
    show.press_below("Change whom the list shows")
    show.press_below("Only some ages")
    show.take_sheet("matching-filters")
    show.frame.type("Your wishes", "coffeeshop run")
    show.frame.find("⚠ *")
    show.take("matching-fault")
    show.frame.type("Your wishes", "coffee run")
    show.press_below("Look for people")
    show.frame.says("Nobody looks within 700 m yet. People appear here by themselves.")
    show.take("matching-alone")
    haneul.api.ask("matching/edit-card", {"age": 24, "gender": "female"})
    looks(haneul, "coffee", "tea", "산책")
    show.press_below("Someone without a name (*). *")
    show.take("matching-people")
    show.take_rest("matching-people")
    answer(on, "request")
    show.below("Accept: Haneul*")
    show.scroll_to_top()
    show.take("matching-asked")
    show.take_rest("matching-asked")
    show.press_below("Accept: Haneul*")
    show.frame.find("Message", "text")
    show.take("matching-room")
    show.page("Matching")
    show.frame.find("End the match…")
    show.take("matching-matched")
    show.press_below("End the match…")
    show.take("matching-end")
    show.frame.press("End the match")
    show.frame.says("You can look again in *.")
    show.take("matching-pause")


def neighbours(show) -> list:
    """Lets Sora, Mina and Haneul join a neighbourhood with posts, once."""
    on, cast = show.on, show.on.cast
    people = [cast.sora, cast.mina, cast.haneul]
    if on.ask("neighbourhood/list")["neighbourhoods"]:
        return people
    joins(*people)
    mine = on.ask("location/show")

    def place(north: float, east: float) -> tuple[float, float]:
        return mine["latitude"] + north, mine["longitude"] + east
    writes(cast.mina, "Round the pond, twice", place(0.004, 0.003), category="walk")
    writes(cast.haneul, "누구 일곱 시에 산책해요?", place(-0.003, 0.004))
    lead = writes(cast.haneul, "A red lead", place(0.001, -0.004), category="give-away",
                  text="Two metres, hardly used. First come, first served.")
    writes(cast.sora, "A vet on Sundays?", place(-0.002, -0.002),
           text="Choco limps since yesterday, and everyone is closed.")
    arrived(cast.mina, "A red lead")
    cast.mina.api.ask("posts/like", {"id": lead})
    cast.mina.api.ask("posts/comment",
                      {"id": lead, "text": "Is it long enough for a terrier?"})
    arrived(on.node, "A red lead")
    arrived(on.node, "Round the pond, twice")
    return people


def neighbourhood(show) -> None:
    """Joining, the list with its empty states, own posts, and what is hidden."""
    on = show.on
    show.page("Neighbourhood")
    if not on.ask("neighbourhood/list")["neighbourhoods"]:
        show.below("Name of the neighbourhood")
        show.take("neighbourhood-outside")
        show.take_rest("neighbourhood-outside")
    neighbours(show)
    show.below("A red lead")
    show.take("neighbourhood")
    show.take_rest("neighbourhood")
    show.scroll_to_top()
    show.frame.type("Search posts", "fireworks")
    show.below("No post matches.")
    show.take("neighbourhood-nothing")
    show.press_below("Show all posts")
    show.below("A red lead")
    choose_entry(show.below("Where to look for posts"), EVERYWHERE)
    show.below("Posts everywhere")
    show.scroll_to_top()
    show.take("neighbourhood-everywhere")
    show.press_below("Your posts")
    show.below("Back to the neighbourhood")
    show.take("neighbourhood-own")
    show.press_below("Back to the neighbourhood")
    for entry, picture in (("Your neighbourhoods…", "neighbourhood-places"),
                           ("Muted words…", "neighbourhood-muted"),
                           ("Hidden posts…", "neighbourhood-hidden")):
        show.press_below("More for the neighbourhood")
        show.frame.press(entry)
        show.take_sheet(picture)


def post(show) -> None:
    """A post of Haneul's with comments, its menu, and the sheet of a report."""
    neighbours(show)
    show.page("Neighbourhood")
    show.press_below("A red lead")
    show.below("Is it long enough for a terrier?")
    show.take("post")
    show.take_rest("post")
    show.scroll_to_top()
    show.press_below("More for this post")
    show.frame.press("Report…")
    show.take_sheet("post-report")
    key("Escape")


def compose(show) -> None:
    """The sheet that writes a post, empty, filled, and with a fault."""
    neighbours(show)
    show.page("Neighbourhood")
    show.press_below("Write a post")
    show.frame.find("Write a post", "dialog")
    show.take("compose-empty")
    for name, text in (("Title", "Who feeds Bori in May?"),
                       ("Text", "Choco and I are away for a week.")):
        show.frame.reach(name)
        show.frame.type(name, text)
    show.press_below("Where I am")
    show.scroll_to_top()
    show.take("compose")
    show.take_rest("compose")
    show.scroll_to_top()
    # The sheet keeps the focused line in view while its foot grows.
    show.frame.reach("Title")
    show.frame.type("Title", "Who feeds Bori in May?" * 3)
    show.take("compose-fault")
    for name in ("Title", "Text"):
        show.frame.reach(name)
        show.frame.type(name, "")
    show.close_sheet()


def matching_reviews(show) -> None:
    """Reviews of the match with Haneul, which was half an hour ago."""
    on, haneul = show.on, show.on.cast.haneul
    if not on.ask("matching/status")["cancelCount"]:
        both_look(on.cast)
        match(on)
    # The window starts no other node meanwhile.
    waggle = show.programs / "waggle"
    before = waggle.read_text()
    waggle.unlink()
    end_node_of_window(show)
    later(on, REVIEWABLE_HOURS, "sora", "mina", "haneul")
    waggle.write_text(before)
    waggle.chmod(0o755)
    show.frame.gone("Waggle stopped and cannot be started again", RESTART_SECONDS)
    show.page("Matching")
    show.below("Review Haneul*")
    show.take("matching-due")
    show.press_below("Review Haneul*")
    show.take_sheet("matching-review")
    haneul.api.ask("matching/review", {"mark": ["manners", "useful"], "text": "Again!"})
    on.wait("matching/reviews", lambda reviews: reviews["received"], "Haneul's review")
    show.press_below("Show the reviews")
    show.below("Show the review by Haneul* on my card")
    show.take("matching-reviews")
    show.press_below("Back to matching")


def walk_file(path: Path, begun: float, points: int, turn: float = 0, size: float = 1) -> Path:
    """A GPX file of a walk around a pond of this size, with a point each 20 seconds from a time
    on."""
    places = []
    for index in range(points):
        angle = turn + 2 * math.pi * index / points * 0.94
        reach = size + 0.22 * math.sin(3 * angle) + 0.1 * math.cos(5 * angle + turn)
        places.append((37.5713 + 3.1e-3 * reach * math.sin(angle),
                       126.9840 + 5.2e-3 * reach * math.cos(angle)))
    lines = [f'<trkpt lat="{latitude:.6f}" lon="{longitude:.6f}"><time>'
             + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begun + 20 * index))
             + "</time></trkpt>" for index, (latitude, longitude) in enumerate(places)]
    path.write_text("<gpx><trk><trkseg>" + "".join(lines) + "</trkseg></trk></gpx>")
    return path


def walks(show) -> None:
    """Walks of Sora's, one of which Mina sees, and one of Mina's, with their routes."""
    sora, mina = show.on.cast.sora, show.on.cast.mina
    now = time.time() + show.on.theatre.snapshots.seconds_ahead
    for number, days in enumerate((61, 40, 26, 19, 16, 9, 5, 3)):
        file = walk_file(show.programs / "old.gpx", now - days * 24 * HOUR, 110,
                         size=0.5 + number % 3 * 0.4)
        sora.api.ask("walk-log/import", {"file": str(file)})
    for node, other, hours in ((sora, mina, 3), (mina, sora, 25)):
        file = walk_file(show.programs / "walk.gpx", now - hours * HOUR, 120, turn=hours)
        walk = node.api.ask("walk-log/import", {"file": str(file)})
        node.api.ask("walk-log/share",
                     {"id": walk["id"], "with": other.person, "whole": True})
    show.page("Walks")
    row = show.first_below("Shared walks")
    show.take("walks")
    show.take_rest("walks")
    row.get_component_iface().grab_focus()
    key("Return")
    show.below("Position on the way")
    show.take("walks-mate")
    show.press_below("All walks")
    row = show.first_below("Your walks")
    row.get_component_iface().grab_focus()
    key("Return")
    show.frame.find("Share this walk")
    value = show.below("Position on the way").get_value_iface()
    value.set_current_value(value.get_maximum_value() * 0.4)
    show.scroll_to_top()
    show.take("walks-one")
    show.take_rest("walks-one")
    show.scroll_to_top()
    show.take_menu("More actions", "Save as GPX…", "walks-save")
    show.press_below("Delete…")
    show.take_sheet("walks-delete")
    show.press_below("All walks")
    sora.api.ask("walk-log/start", {"dog": ["Bori"], "with": ["Mina"]})
    show.scroll_to_top()
    show.frame.says("Recording your walk")
    show.take("walks-recording")
    sora.api.ask("walk-log/discard", {})
    show.frame.says("No walk is being recorded")


def profile(show) -> None:
    show.frame.press("Profile")
    show.frame.find("Edit your card")
    show.take("profile")
    show.take_rest("profile")
    show.press_below("Edit your card")
    show.frame.find("Your name", "text")
    show.take("profile-edit")
    show.frame.type("Your name", "")
    show.take("profile-edit-fault")
    show.take_rest("profile-edit-fault")
    show.press_below("Cancel")
    show.press_below("Delete me…")
    show.take_sheet("profile-delete")
    key("Escape")


def devices(show) -> None:
    """The code for another device, and a second device that can be named and removed."""
    show.frame.press("Profile")
    show.press_below("Add a device…")
    shown = show.on.wait("device/pairing", lambda answer: answer["stage"] == "open" and answer,
                         "a code")
    show.texts.known.append(" ".join(shown["words"]))
    show.frame.find("Add a device", "dialog")
    show.take_sheet("device-code")
    with phone(show.on) as second:
        name = next(each["name"] for each in show.on.ask("device/list")["devices"]
                    if each["device"] == second.device)
        named = f"{name} · {second.device[:6]}"
        show.frame.reach(f"Remove {named}")
        show.take("devices")
        show.frame.press(f"Rename {named}")
        show.take_sheet("device-name")
        show.press_below(f"Remove {named}")
        show.take_sheet("device-remove")
        show.on.ask("device/remove", {"device": second.device, "yes": True})
        show.frame.gone(f"Remove {named}")
    key("Escape")


def window(show) -> None:
    key("F10")
    show.frame.find("Keyboard shortcuts", "push button")
    show.take("menu")
    show.frame.press("About Waggle")
    show.take_sheet("about")
    for press, picture in (("ctrl+question", "shortcuts"), ("ctrl+comma", "preferences")):
        key(press)
        show.frame.find("*", "dialog")
        show.take(picture)
        show.take_rest(picture)
        show.close_sheet()


def map_alone(show) -> None:
    """The map in a narrow window, where it is a page of its own."""
    if show.is_narrow:
        show.page("Map")
        show.frame.find("Map", "canvas")
        show.take("map")


def map_menus(show) -> None:
    """The menus of the map, of a point that was chosen on it, and of a mate."""
    show.show_map()
    show.take_menu("More for the map", "Forget my location", "map-menu")
    show.frame.find("Map", "canvas").get_component_iface().grab_focus()
    key("space")
    show.take_menu("More for the chosen point", "New promise here…", "map-point-menu")
    show.frame.find("Map", "canvas").get_component_iface().grab_focus()
    key("Tab", "Tab")
    show.frame.says("Selected: *, *. Enter opens it, Shift+F10 its menu.")
    key("shift+F10")
    show.frame.find("Message")
    show.take("map-mate-menu")
    key("Escape")
    show.frame.gone("Message")
    if not show.is_narrow:
        # In a narrow window this key leaves the map.
        show.frame.find("Map", "canvas").get_component_iface().grab_focus()
        key("Escape")
        show.frame.gone("Chosen point")


def map_file(show) -> None:
    """A file of map tiles that is dropped, and one that cannot be drawn."""
    show.show_map()
    show.drop(tiles(Path(show.on.cast.folder) / "squares.mbtiles", attribution="© Ann & Ben"))
    show.frame.says("The map shows “Squares”")
    show.frame.find("© Ann & Ben", "label")
    show.take("map-file")
    show.frame.press("Close this bar")
    show.frame.gone("Close this bar")
    shapes = tiles(Path(show.on.cast.folder) / "shapes.mbtiles", form="pbf")
    show.on.ask("config/set", {"name": "map.file", "value": shapes})
    show.frame.find("The map file cannot be shown", "alert")
    show.take("map-file-fault")
    show.frame.press("Remove the map file")
    show.frame.gone("The map file cannot be shown")
    show.frame.press("Close this bar")
    show.frame.gone("Close this bar")


def files(show) -> None:
    """The questions about files that are dropped on the window."""
    show.page("Nearby")
    for name, text in (("north.gpx", TRACK), ("song.ogg", "")):
        path = os.path.join(show.on.cast.folder, name)
        with open(path, "w") as file:
            file.write(text)
        show.drop(path)
    show.frame.find("Play")
    show.take("track")
    show.frame.press("Close")
    show.frame.press("Play")
    show.frame.find("“north.gpx” is playing as your location", "alert")
    show.frame.gone("Play")
    show.take("track-plays")
    show.frame.press("Stop")
    show.frame.gone("“north.gpx” is playing as your location")
    path = os.path.join(show.on.cast.folder, "north.geojson")
    with open(path, "w") as file:
        json.dump(TRACK_AS_GEOJSON, file)
    show.drop(path)
    show.frame.find("Keep as a walk")
    show.take("track-geojson")
    show.frame.press("Remove")
    show.frame.gone("“north.geojson” is on the map")


def drop_asked(show) -> None:
    """A drop that a stranger begins, from the bar to their card."""
    haneul = show.on.cast.haneul
    show.page("Nearby")
    haneul.api.ask("drop/start", {"to": show.on.node.device})
    show.frame.find("* wants to exchange profiles", "alert")
    show.take("drop-bar")
    show.frame.press("Accept")
    show.frame.find("* wants to exchange profiles", "dialog")
    show.take("drop-invited")
    show.frame.press("Accept")
    show.on.wait("drop/show", lambda drop: drop["phase"] == "deciding", "a check code", haneul)
    haneul.api.ask("drop/decline", {})
    show.frame.find("You did not become mates", "dialog")
    show.take("drop-declined")
    show.frame.press("Done")
    show.frame.gone("Done")


def drop_cancelled(show) -> None:
    """A drop in which Sora only receives, and that she cancels; and one that fails."""
    sora, haneul = show.on.cast.sora, show.on.cast.haneul
    show.frame.press("Profile drop")
    show.press_below("Receive only")
    show.frame.says("Nothing: you only receive.")
    show.take("drop-receive")
    show.frame.press("Drop")
    show.frame.find("Looking for the other person…", "dialog")
    show.frame.press("Cancel")
    show.frame.find("Cancelled", "dialog")
    show.take("drop-cancelled")
    show.frame.press("Try again")
    show.press_below("Share")
    show.frame.press("Drop")
    haneul.api.ask("drop/start", {})
    show.frame.find("Accept")
    sora.api.ask("mates/block", {"person": haneul.person, "reason": "other"})
    show.frame.press("Accept")
    show.frame.find("The drop failed", "dialog")
    show.take("drop-failed")
    show.frame.press("Done")
    show.frame.gone("Done")
    haneul.api.ask("drop/cancel", {})
    sora.api.ask("mates/unblock", {"person": haneul.person})
    show.on.wait("nearby/list", lambda nearby: any(
        not each["mate"] for each in nearby["people"]), "Haneul to be nearby again")


def drop_made(show) -> None:
    """A drop from the button to the new mate."""
    haneul = show.on.cast.haneul
    show.frame.press("Profile drop")
    show.frame.find("Profile drop", "dialog")
    show.frame.find("Photo")
    show.take("drop")
    show.frame.press("Drop")
    show.frame.find("Cancel")
    show.on.wait("drop/show", lambda drop: drop["phase"] == "finding", "the drop to begin")
    show.take("drop-finding")
    haneul.api.ask("drop/start", {})
    show.on.wait("drop/show", lambda drop: drop["phase"] == "deciding", "a check code", haneul)
    show.frame.find("Accept")
    show.frame.find("Photo")
    show.take("drop-code")
    show.frame.press("Accept")
    show.frame.find("Waiting for Haneul", "dialog")
    show.take("drop-waiting")
    haneul.api.ask("drop/accept", {})
    show.frame.find("Done")
    show.take("drop-mates")
    show.frame.press("Done")
    show.frame.gone("Done")


def questions(show) -> None:
    """The questions of Mina, each where it is answered; and the bars of all of them."""
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
    group = mina.api.ask("group/create", {"name": "Pond walkers"})["id"]
    mina.api.ask("group/invite", {"group": group, "person": sora.person, "role": "reader"})
    show.frame.reach("Accept: *Pond walkers*")
    show.scroll_to_top()
    show.take("inbox-group")


def blocked(show) -> None:
    """The preferences with a person who is blocked."""
    jun = next(each["person"] for each in show.on.ask("mates/list")["mates"]
               if each["profile"]["nickname"] == "Jun")
    show.on.ask("mates/block", {"person": jun, "reason": "unpleasant", "text": "Shouts at dogs"})
    key("ctrl+comma")
    show.frame.reach("Unblock Jun")
    show.take_sheet("preferences-blocked")


def node_lost(show) -> None:
    """The bars of a node that ended, that starts again and that cannot, and what it asks then."""
    waggle = show.programs / "waggle"
    before = waggle.read_text()
    show.page("Mates")
    start_silently(show)
    show.on.node.kill()
    show.frame.find("Waggle stopped. Restarting…", "alert")
    show.take("node-restarting")
    end_started(show)
    waggle.unlink()
    show.frame.find("Waggle stopped and cannot be started again", "alert")
    show.frame.says("The program “waggle” is neither beside this window nor in PATH (looked in *). "
                    "Install it, then try again.")
    show.take("node-lost")
    waggle.write_text(before)
    waggle.chmod(0o755)
    show.frame.gone("Waggle stopped and cannot be started again", RESTART_SECONDS)
    show.page("Promises")
    show.press_below("Dinner")
    show.frame.find("Show where I am")
    show.take("promise-interrupted")
    show.frame.press("All promises")


# The window tries to start a node again after at most 30 s.
RESTART_SECONDS = 40


def start_silently(show) -> None:
    """Lets the window start a node that never answers."""
    waggle = show.programs / "waggle"
    waggle.write_text(SILENT.format(folder=show.programs))
    waggle.chmod(0o755)


def end_started(show, number: int = signal.SIGTERM) -> None:
    """Ends the program that the window has started last."""
    until(lambda: started(str(show.programs)), "a program that the window has started")
    os.kill(started(str(show.programs))[-1], number)


def end_node_of_window(show) -> None:
    """Ends Sora's node if the window has started it."""
    if show.on.node.pid() is None:
        end_started(show)
        node = started(str(show.programs))[-1]
        until(lambda: not is_running(node), "the node of the window to end")


def deleted(show) -> None:
    """Deleting everything, to the first page of a new user. It comes last."""
    mina = show.on.cast.mina
    show.on.wait("status/show", lambda status: any(
        each["device"] == mina.device for each in status.get("links", [])), "the link to Mina")
    show.frame.press("Profile")
    show.press_below("Delete me…")
    show.frame.find("Delete everything?", "dialog")
    show.frame.type("Type “Sora” to confirm", "Sora")
    button = show.frame.find("Delete me", "push button")
    until(lambda: button.get_state_set().contains(Atspi.StateType.SENSITIVE), "the name to count")
    # Mina's node is paused until the picture of the wait is taken.
    mina.pause()
    try:
        Atspi.Action.do_action(button.get_action_iface(), 0)
        show.frame.find("Deleting your data…", "dialog")
        show.take("deleting")
    finally:
        mina.go_on()
    until(lambda: show.frame.seen("Your data is deleted", "dialog"), "the report of the deletion",
          seconds=DELETION_SECONDS)
    show.take("deleted")
    show.frame.press("Done")
    show.frame.find("Your name", "text")
    show.take("deleted-begin")


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
    for title in ("Mates", "Inbox", "Chat", "Promises", "Interests", "Walks",
                  "Matching", "Neighbourhood"):
        show.page(title)
        show.take(f"{title.lower()}-none")
    show.page("Nearby")
    show.frame.find("Copy the command")
    show.take("nearby-nobody")
    show.take_rest("nearby-nobody")


def empty_map(show) -> None:
    """The map that knows no location, and a region of it that a key has brought nearer."""
    show.show_map()
    show.frame.says("Where are you? Click your location on the map or type it below, then "
                    "press “I am here”.")
    show.take("map-nowhere")
    show.frame.find("Map", "canvas").get_component_iface().grab_focus()
    key("space")
    show.frame.says("Click again to choose the exact point, or press Space to choose the middle.")
    show.take("map-nearer")


def practice(show) -> None:
    """The practice mate who is here, and who has stopped."""
    show.page("Nearby")
    show.press_below("Try with a practice mate")
    show.frame.find("Stop practising")
    show.on.wait("nearby/list", lambda nearby: nearby["people"], "the practice mate to be nearby")
    show.take("practice")
    end_started(show, signal.SIGKILL)
    show.frame.says("The practice mate has stopped: *")
    show.take("practice-failed")


def own_words(show) -> None:
    """The profile of a user who has not confirmed the recovery words."""
    show.frame.press("Profile")
    show.frame.reach("Show the recovery words")
    show.take("profile-words")
    key("Escape")


# The window of a person who has used Waggle before


def ways_back(show) -> None:
    """Both forms with a fault, and the search for the other device."""
    show.press_below("I have used Waggle before")
    show.frame.find("I have my nine words")
    show.take("ways-back")
    show.press_below("I have my nine words")
    show.frame.find("Word 1", "text")
    for number, word in enumerate(MISSPELT.split(), 1):
        show.frame.type(f"Word {number}", word)
    show.press_below("Bring me back")
    show.frame.says("Word 3 is misspelt: each word has five letters, like 'lusab'.")
    show.take("recover-form")
    show.press_below("Back")
    show.press_below("My other device is here")
    show.frame.find("Address", "text")
    show.frame.type("Code", CODE.replace("bibaj", "bixab"))
    show.press_below("Connect")
    show.frame.says("Word 3 of the code is misspelt: each word has five letters, like 'lusab'.")
    show.take("join-form")
    show.frame.type("Code", CODE)
    show.press_below("Connect")
    show.frame.says("Looking for your other device")
    show.take("join-search")


# A window without a node


def no_node(show) -> None:
    """A node that does not answer, that is gone, that starts, and that ends at once."""
    (show.programs / "waggle").unlink()
    show.frame.says("One moment…")
    show.take("node-connecting")
    show.on.node.kill()
    show.frame.find("Try again")
    show.take("no-node")
    start_silently(show)
    show.frame.press("Try again")
    show.frame.says("Starting Waggle")
    show.take("node-starting")
    end_started(show)
    show.frame.find("Try again")
    show.take("node-ended")


# A window that cannot use its folder


def no_folder(show) -> None:
    show.frame.says("Waggle cannot use its folder")
    show.take("no-folder")


# The scenes by the window that they are on, each in its order.
ON_SORAS = (nearby, mates, nickname, walk, walks_sent, inbox, chat, chat_photos, chat_group,
            promises, promise_change, promise_stopped, promise_form, past_promise, interests,
            matching, neighbourhood, post, compose, walks, profile, devices, window, map_alone,
            map_menus, map_file, files, drop_asked,
            drop_cancelled, drop_made, questions, blocked, node_lost, matching_reviews, deleted)
ON_NEW_USERS = (first_run, empty_pages, empty_map, own_words, practice)
RETURNING = (ways_back,)
WITHOUT_NODE = (no_node,)
WITHOUT_HOME = (no_folder,)


def title(scene) -> str:
    """The name of a scene on the command line."""
    return scene.__name__.replace("_", "-")
