"""Sheets: what lies under one cannot be used by keyboard, pointer or screen reader."""
import time

from accessible import Atspi, click, focused, hear, is_ancestor, key, label, until
from key_tests import expect_in_front, is_in_front
from stage import expect, stage

# About as many as the sheet has stops. The first one leaves its last stop.
TABS = 40
# The time in which a press under a sheet would do something.
ACTION_SECONDS = 0.5
# A control of the list of pages, one of the page, the map, and the user's own page.
UNDER = (("Mates", "radio button"), ("Add by address…", "push button"), ("Map", "canvas"),
         ("Profile", "push button"))

# The button of a bar, which no sheet covers.
BESIDE = "Stop showing your location to your mates"


def open_preferences(on):
    """Opens a sheet that covers everything; returns it."""
    key("ctrl+comma")
    return on.frame.find("*", "dialog")


def is_usable(node) -> bool:
    return node.get_state_set().contains(Atspi.StateType.SENSITIVE)


def test_tab_stays_in_a_sheet():
    with stage("mates", "mina") as on:
        on.frame.reach("Add by address…")
        sheet = open_preferences(on)
        for way in ("Tab", "shift+Tab"):
            reached = set()
            for _ in range(TABS):
                key(way)
                time.sleep(0.03)  # The key travels through the X server.
                hear()
                node = focused(on.frame)
                if node is None:
                    continue  # GTK says nothing of the button inside a list that drops down.
                expect(is_ancestor(sheet, node) or node.get_name() == BESIDE,
                       f"{way} leaves the sheet for {label(node)}")
                reached.add(label(node))
            expect(len(reached) > 2, f"{way} reaches only {len(reached)} controls of the sheet")


def test_pointer_stays_out_of_what_is_under_a_sheet():
    with stage("mates", "mina") as on:
        page = on.frame.find("Mates", "radio button")
        open_preferences(on)
        click(page, 0.5, 0.5)
        time.sleep(ACTION_SECONDS)
        expect(is_in_front(on, "Nearby"), "a click went through the sheet")
        key("Escape")
        on.frame.gone("Theme")
        click(page, 0.5, 0.5)
        expect_in_front(on, "Mates")


def test_screen_reader_is_offered_nothing_under_a_sheet():
    with stage("mates", "mina") as on:
        on.frame.reach("Add by address…")
        under = [on.frame.find(*each) for each in UNDER]
        expect(all(map(is_usable, under)), "a control of the page cannot be used without a sheet")
        open_preferences(on)
        until(lambda: not any(map(is_usable, under)), "nothing under the sheet to be usable")
        for node in under:
            node.get_component_iface().grab_focus()
            if action := node.get_action_iface():
                Atspi.Action.do_action(action, 0)
        expect(focused(on.frame) not in under, "a control under the sheet took the focus")
        time.sleep(ACTION_SECONDS)
        key("Escape")
        on.frame.gone("Theme")
        expect(on.frame.seen("*", "dialog") is None, "a button under the sheet opened another one")
        expect(is_in_front(on, "Nearby"), "a button under the sheet showed another page")
        until(lambda: all(map(is_usable, under)), "the page to be usable after the sheet")
