"""The main page, the map, the first run, and the visibility of one's name."""
import itertools
import subprocess

from accessible import Atspi, choose, descendants, extent, has_focus, key, until
from stage import Stage, expect, stage
from snapshots import LOCATIONS
from widgets import Texts, Widget, WidgetTree, place_faults, text_faults

# The rows of a list that is far longer than its view.
LONG_LIST = 60


def jun_leaves(cast) -> None:
    """Jun's node ends, and Sora's has noticed."""
    cast.jun.stop()
    until(lambda: not any(
        mate["present"] for mate in cast.sora.api.ask("mates/list")["mates"]
        if mate["profile"]["nickname"] == "Jun"), "Jun to be away")


def test_main_page():
    with stage("mates", "mina", "jun", "haneul", before=jun_leaves) as on:
        on.cast.haneul.api.ask("drop/start", {})
        on.frame.says("2 people nearby")
        on.frame.find("Mina: Ask for a walk…")
        on.frame.says("waiting for a drop")
        on.expect_good_layout()
        on.shot("nearby")
        on.expect_tab_reaches_all()
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        on.frame.find("Jun: Ask for a walk…")
        on.frame.says("Here now")
        on.frame.says("499 m")
        on.expect_good_layout()
        on.shot("main")
        on.expect_tab_reaches_all()
        on.expect_good_when_small("main-small")


def make_long_list(on) -> None:
    """Makes promises, each one hour after the one before."""
    now = on.ask("status/show")["nowMs"]
    mina = on.ask("mates/list")["mates"][0]["person"]
    for number in range(LONG_LIST):
        on.ask("promise/create", {
            "title": f"Walk {number:02}", "atMs": now + (30 + number) * 3_600_000,
            "latitude": LOCATIONS["sora"][0], "longitude": LOCATIONS["sora"][1],
            "with": [mina]})


def test_long_list_that_was_never_shown():
    """A promise is opened from the map; on the way back, its row in the list has the focus."""
    with stage("mates") as on:
        make_long_list(on)
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        walks = [f"Walk {number:02}" for number in range(LONG_LIST)]
        select(on, "Walk 50", "Me", "Mina", "Jun", *walks[:50], *walks[51:])
        key("Return")
        on.frame.press("All promises")

        def is_focused(name: str) -> bool:
            return any(node.get_name() == name
                       and node.get_state_set().contains(Atspi.StateType.FOCUSED)
                       for node in descendants(on.frame.root))
        until(lambda: is_focused("Walk 50"), "“Walk 50” to have the focus")
        key("Up")
        until(lambda: is_focused("Walk 49"), "the row above it to exist and to have the focus")


def test_long_list():
    """A list of which only some rows exist: the keys reach each of them."""
    with stage("mates") as on:
        make_long_list(on)
        on.frame.press("Promises")
        first = on.frame.find("Walk 00")
        rows = first.get_parent()
        expect(0 < rows.get_child_count() < LONG_LIST, "all rows of a long list exist")
        first.get_component_iface().grab_focus()

        def expect_focus(name: str) -> None:
            def is_there() -> bool:
                # GTK says of a row far down in a list that it does not show, even when it does:
                # it compares positions of two of its X windows.
                children = map(rows.get_child_at_index, range(rows.get_child_count()))
                return any(each.get_name() == name and
                           each.get_state_set().contains(Atspi.StateType.FOCUSED)
                           for each in children if each)
            until(is_there, f"“{name}” to have the focus")
        expect_focus("Walk 00")
        for press, name in (("End", "Walk 59"), ("Up", "Walk 58"), ("Home", "Walk 00")):
            key(press)
            expect_focus(name)
        for number in range(1, 30):
            key("Down")
            expect_focus(f"Walk {number:02}")
        expect(rows.get_child_count() < LONG_LIST, "all rows exist after the keys")
        key("Return")
        on.frame.find("Walk 29")
        on.frame.gone("Walk 28")


def test_quick_keys_in_a_list():
    """Rows have the focus before they are laid out, and the list is scrolled meanwhile."""
    with stage("mates") as on:
        make_long_list(on)
        on.frame.press("Promises")
        on.frame.reach("Walk 00")
        key(*["End", "Up", "Home", "Down"] * 20, "End")
        until(lambda: has_focus(on.frame, "Walk 59"), "the focus on the last row")
        key("Home")
        until(lambda: has_focus(on.frame, "Walk 00"), "the focus on the first row")


def select(on, name: str, *others: str) -> None:
    """Presses Tab on the map until a mate is selected; the others may come first."""
    for _ in range(1 + len(others)):
        key("Tab")
        selected = until(lambda: next((each for each in (name, *others) if any(
            f"Selected: {each}" in text for text in on.frame.texts())), None), "another selection")
        if selected == name:
            return
        others = tuple(each for each in others if each != selected)
    raise AssertionError(f"Tab never selects {name}")


def test_shapes():
    with stage("mates", "mina") as on:
        on.frame.find("Mina: Ask for a walk…")
        for width, height in ((1600, 900), (800, 600), (600, 480), (360, 600)):
            on.resize(width, height)
            until(lambda: on.size().width <= width, f"the window to be {width} wide")
            on.expect_good_layout()
            expect(on.size().width <= width, f"the window wants {on.size().width} pixels")
            on.shot(f"nearby-{width}")
        expect(on.frame.seen("Map", "canvas") is None, "a narrow window shows page and map at once")
        on.expect_tab_reaches_all()
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("Show on the map")
        on.frame.find("Map", "canvas")
        on.expect_good_layout()
        on.shot("map-360")
        on.frame.press("Nearby")
        on.frame.says("1 person nearby")


def test_map_by_keyboard():
    with stage("mates", "mina", "jun", before=jun_leaves) as on:
        on.frame.find("Mina: Ask for a walk…")
        # The line under the map is there until the user's own location is known.
        on.frame.gone("Chosen point")
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        until(lambda: has_focus(on.frame, "Map"), "the map to have the focus")
        key("Tab")
        on.frame.says("Selected: Me")
        select(on, "Mina", "Jun")
        on.shot("map-marker")
        key("Return")
        on.frame.find("Ask Mina for a walk", "dialog")
        key("Escape")
        on.frame.find("Map", "canvas").get_component_iface().grab_focus()
        for step in ("Home", "Right", "plus", "space"):
            key(step)
        on.frame.press("I am here: set the chosen point as my location")
        location = on.wait("location/show", lambda known: (
            known["latitude"], known["longitude"]) != LOCATIONS["sora"] and known,
            "another location")
        expect(37 < location["latitude"] < 38, f"the location is {location}")


def first_run(before=lambda cast: None) -> Stage:
    """A stage on a node that was founded a moment ago."""
    cast = Stage.theatre.empty()
    cast.sora.cli("init")
    return Stage(cast, before=before)


def reason(node) -> dict | None:
    """The node's reason why no person is in sight, which it knows after ten seconds."""
    return node.api.ask("nearby/list").get("emptyReason")


def test_first_run():
    with first_run(before=lambda cast: until(lambda: reason(cast.sora), "a reason")) as on:
        on.frame.find("Your name")
        on.frame.says("No account, no server")
        on.expect_good_layout()
        on.shot("first-run")
        on.expect_tab_reaches_all()
        on.frame.type("Your name", "twenty-one characters")
        on.frame.says("Your name must have 1 to 20 characters; it has 21")
        on.frame.type("Your dog's name", "sixteen letters!")
        on.frame.says("The dog's name must have 1 to 15 characters; it has 16")
        expect(not on.frame.is_usable("Start"), "Start can be pressed with faults in the fields")
        on.shot("first-run-faults")
        on.frame.type("Your name", "Sora")
        on.frame.type("Your dog's name", "Bori")
        on.frame.press("Start")
        me = on.wait("me/show", lambda me: me["complete"] and me, "the profile to be saved")
        expect((me["nickname"], me["dogName"]) == ("Sora", "Bori"), f"it saved {me}")
        on.frame.says("Nobody is nearby")
        on.frame.says("Where are you?")
        found = reason(on.node)
        on.frame.says(found["cause"])
        command = on.frame.find("Command", "label").get_text_iface()
        expect(Atspi.Text.get_text(command, 0, -1) == found["command"],
               "the command does not stand alone")
        on.frame.press("Copy the command")
        on.frame.says("Copied")
        on.expect_good_layout()
        on.shot("nobody")
        on.frame.press("Mates")
        on.frame.says("No mates yet")
        on.expect_good_layout()
        on.shot("empty")
        on.frame.press("Start a drop")
        on.frame.find("Profile drop", "dialog")


def test_first_start_without_a_bus():
    with first_run() as on:
        on.frame.press("Later")
        on.frame.says("The system bus does not answer")


def test_first_run_can_be_skipped():
    with first_run() as on:
        on.frame.press("Later")
        on.frame.says("What others can see now")


def test_visibility():
    with stage("mates") as on:
        on.frame.says("sees that someone is here, but no name")
        on.frame.press("Show your name to everyone nearby for 10 minutes")
        on.wait("visibility/show", lambda answer: answer["level"] == "everyone", "to be shown")
        on.frame.says("Show my name for 10 min · ")
        on.expect_good_layout()
        on.frame.press("Stop showing your name to everyone")
        on.wait("visibility/show", lambda answer: answer["level"] == "mates", "to be hidden")
        on.frame.says("sees that someone is here, but no name")


def test_menu_and_keys():
    with stage("mates", "mina") as on:
        on.frame.find("Mina: Ask for a walk…")
        key("F10")
        on.frame.find("Keyboard shortcuts", "push button")
        on.shot("menu")
        on.frame.press("About Waggle")
        on.frame.find("About Waggle", "dialog")
        on.expect_good_layout()
        on.shot("about")
        key("Escape")
        on.frame.gone("About Waggle")
        key("ctrl+question")
        on.frame.find("Keyboard shortcuts", "dialog")
        on.frame.says("My location")
        on.expect_good_layout()
        on.shot("shortcuts")
        key("Escape")
        on.frame.gone("Keyboard shortcuts")
        key("ctrl+2")
        on.frame.press("More for Mina")
        key("Escape")
        key("ctrl+n")
        on.frame.find("Ask for a walk", "dialog")
        key("Escape")
        on.frame.press("Profile")
        on.frame.find("Edit your card")
        on.expect_good_layout()
        on.shot("profile")
        key("Escape")
        on.frame.gone("Edit your card")
        key("ctrl+r")
        on.frame.says("1 person nearby")
        key("ctrl+w")
        on.window.wait(timeout=15)


def test_sheets_stay_whole():
    with stage("mates", "mina") as on:
        on.frame.find("Mina: Ask for a walk…")
        for width, height in ((800, 600), (600, 480), (360, 600)):
            on.resize(width, height)
            until(lambda: on.size().width <= width, f"the window to be {width} wide")
            on.frame.press("Profile drop")
            on.frame.find("Profile drop", "dialog")
            on.expect_good_layout()
            button = on.frame.find("Cancel", "push button").get_component_iface().get_extents(1)
            expect(button.y + button.height <= on.size().height, f"Cancel is cut at {height}")
            on.shot(f"sheet-{width}")
            key("Escape")
            on.frame.gone("Cancel")


def test_sheets_stay_whole_with_large_text():
    with stage("mates", "mina", scale=2) as on:
        on.frame.find("More for Mina")
        on.resize(800, 600)
        until(lambda: on.size().width <= 800, "the window to be 800 wide")
        on.expect_good_layout()
        on.shot("large-nearby")
        on.frame.press("Profile drop")
        on.frame.find("Profile drop", "dialog")
        on.expect_good_layout()
        button = on.frame.find("Cancel", "push button").get_component_iface().get_extents(1)
        expect(button.y + button.height <= on.size().height, "Cancel is cut")
        on.shot("large-sheet")


def test_nickname_of_a_mate():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("Nickname…")
        on.frame.find("Nickname for Mina", "dialog")
        on.frame.type("Nickname", "이웃 미나 of the long street")
        on.frame.press("Save")
        on.frame.says("The nickname must have at most 20 characters; it has")
        on.expect_good_layout()
        on.frame.type("Nickname", "이웃 미나")
        on.frame.press("Save")
        on.frame.find("이웃 미나: Ask for a walk…")
        expect(on.ask("mates/list")["mates"][-1]["ownNickname"] == "이웃 미나",
               "the node does not know the nickname")
        on.frame.press("More for 이웃 미나")
        on.frame.press("Details…")
        on.frame.find("이웃 미나", "dialog")
        on.frame.says("Calls themselves")
        on.expect_good_layout()
        on.shot("mate-nickname")
        on.frame.press("Close")
        on.frame.press("More for 이웃 미나")
        on.frame.press("Nickname…")
        on.frame.press("Remove nickname")
        on.frame.find("Mina: Ask for a walk…")


def test_text_of_a_closed_sheet_is_kept_until_it_is_sent():
    with stage("mates", "mina") as on:
        on.frame.reach("Add by address…")
        on.frame.press("Add by address…")
        on.frame.type("Address", "192.168.1.20")
        key("Escape")
        on.frame.gone("Address")
        on.frame.reach("Add by address…")
        on.frame.press("Add by address…")
        expect(on.frame.line("Address") == "192.168.1.20", "the address is lost")
        on.frame.type("Address", "127.0.0.1:9")
        on.frame.press("Add")
        on.frame.gone("Address")
        on.frame.reach("Add by address…")
        on.frame.press("Add by address…")
        expect(on.frame.line("Address") == "", "an address that was added is still there")
        key("Escape")
        on.frame.gone("Address")
        on.frame.press("Mates")

        def open_nickname(of="Mina"):
            on.frame.press(f"More for {of}")
            on.frame.press("Nickname…")
            return on.frame.line("Nickname")
        expect(open_nickname() == "", "Mina has a nickname")
        on.frame.type("Nickname", "Mina from the park, with the brown dog")
        key("Escape")
        on.frame.gone("Nickname")
        expect(open_nickname().startswith("Mina from the park"), "the nickname is lost")
        on.frame.type("Nickname", "Min")
        on.frame.press("Save")
        expect(open_nickname("Min") == "Min", "the saved nickname is not shown")


def test_details_of_a_mate():
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("Details…")
        on.frame.find("Mina", "dialog")
        on.frame.says("Choco")
        on.expect_good_layout()
        on.shot("mate-details")
        on.frame.reach("Block…")
        on.frame.press("Block…")
        on.frame.find("Block Mina?", "dialog")
        on.shot("mate-block")
        on.frame.press("Cancel")
        expect(not on.ask("mates/blocked")["blocked"], "Mina is blocked without a confirmation")
        on.frame.press("More for Mina")
        on.frame.press("Details…")
        on.frame.reach("Block…")
        on.frame.press("Block…")
        on.frame.says("You will no longer be mates")
        choose(on.frame.find("Reason", "combo box"), 3)
        on.frame.type("Your reason", "x" * 101)
        on.frame.press("Block")
        on.frame.says("The reason must have 1 to 100 characters; it has 101.")
        on.frame.type("Your reason", "Took our ball")
        on.expect_good_layout()
        on.shot("mate-block-reason")
        on.frame.press("Block")
        block = on.wait("mates/blocked", lambda answer: answer["blocked"], "the block")
        expect(block[0]["text"] == "Took our ball", f"it is {block}")
        on.frame.gone("More for Mina")
        on.frame.press("More for Jun")
        on.frame.press("Details…")
        on.frame.press("Remove…")
        on.frame.find("Remove Jun?", "dialog")
        on.frame.press("Remove")
        on.wait("mates/list", lambda answer: not any(
            mate["profile"].get("nickname") == "Jun" and mate["state"] == "mate"
            for mate in answer["mates"]), "the end of the mateship with Jun")


def test_blocking_a_person_nearby():
    with stage("mates", "haneul") as on:
        on.frame.press("More for Someone nearby")
        on.frame.press("Block…")
        on.frame.find("Block Someone nearby?", "dialog")
        choose(on.frame.find("Reason", "combo box"), 1)
        on.frame.press("Block")
        block = on.wait("mates/blocked", lambda answer: answer["blocked"], "the block")
        expect(block[0]["reason"] == "violent", f"it is {block}")
        on.frame.gone("More for Someone nearby")
        on.frame.press("Undo")
        on.wait("mates/blocked", lambda answer: not answer["blocked"], "no block")


def search_on(on, name: str):
    """Presses Ctrl+F and waits until the search with this name has the focus."""
    key("ctrl+f")
    until(lambda: has_focus(on.frame, name),
          f"the focus on “{name}”")


def test_finding_a_mate():
    """Ctrl+F searches the mates on their page, and the messages on every other page."""
    with stage("mates") as on:
        on.frame.press("Mates")
        on.frame.find("More for Jun")
        expect(on.frame.seen("Search mates") is None, "few mates have a search")
        search_on(on, "Search mates")
        on.frame.type("Search mates", "choc")
        on.frame.gone("More for Jun")
        on.frame.find("More for Mina")
        on.expect_good_layout()
        on.shot("mates-found")
        on.frame.type("Search mates", "xyz")
        on.frame.says("Nobody has this name.")
        key("Escape")
        on.frame.find("More for Jun")
        on.frame.gone("Search mates")
        on.frame.press("Nearby")
        search_on(on, "Search all messages")


def spans(on, width: int) -> dict[tuple[str, str], tuple[int, int]]:
    """The left edges and widths of the list of pages, its entries, the page and the map in a window
    this wide, once they stay the same. Heights change with the ages that a page shows."""
    on.resize(width, 680)
    until(lambda: on.size().width == width, f"the window to be {width} wide")
    last: list[dict] = []

    def measured():
        now = {(node.get_role_name(), node.get_name().split(" (")[0]): extent(node)[::2]
               for node in on.frame.all()
               if node.get_role_name() in ("radio button", "canvas", "scroll pane", "list")
               or node.get_name() in ("Pages", "Profile")}
        is_steady = last[-1:] == [now]
        last.append(now)
        return now if is_steady else None
    return until(measured, "a steady layout")


def test_badges_change_no_width():
    widths = (980, 700, 590)
    with stage("mates", "mina") as on:
        on.frame.press("Mates")
        on.frame.find("Mina: Ask for a walk…")
        before = {width: spans(on, width) for width in widths}
        count = 0
        for number in (1, 100):
            for _ in range(number - count):
                on.cast.mina.api.ask("chat/send", {"room": on.node.person, "text": "Hello"})
            count = number
            on.frame.find(f"Chat ({number})")
            for width in widths:
                after = spans(on, width)
                expect(("radio button", "Chat") in after, "there is no list of pages")
                expect(after == before[width],
                       f"{count} messages change {before[width]} to {after}")
        on.shot("badge")


def badge_faults(tree: WidgetTree, on) -> list[str]:
    """The badges of the list of pages that have less room than they need, and those that cover
    more than half of their icon."""
    buttons = [each for each in tree.read(on.window.pid) if each.kind == "GtkRadioButton"]
    shown = [(badge, icon) for button in buttons for badge in within(button, "GtkLabel")
             for icon in within(button, "GtkImage") if badge.text.isdigit()]
    if not shown:
        return ["there is no badge"]
    return [fault for badge, _ in shown
            for fault in text_faults(badge, Texts()) + place_faults(badge)] + [
        f"{badge} at {badge.box} covers the icon at {icon.box}" for badge, icon in shown
        if 2 * shared_pixels(badge.box, icon.box) > icon.box[2] * icon.box[3]]


def shared_pixels(a, b) -> int:
    """The number of pixels in both of two boxes."""
    width, height = (min(a[side] + a[side + 2], b[side] + b[side + 2]) - max(a[side], b[side])
                     for side in (0, 1))
    return max(0, width) * max(0, height)


def within(widget: Widget, kind: str) -> list[Widget]:
    """The widgets of a kind inside another one."""
    inner = [part for child in widget.children for part in within(child, kind)]
    return [child for child in widget.children if child.kind == kind] + inner


def test_badges_are_whole_with_large_texts():
    tree = WidgetTree(Stage.theatre.folder)
    for scale in (1, 1.5, 2):
        with stage("chat", scale=scale, variables=tree.variables) as on:
            for width in (980, 700, 600):
                on.resize(width, 690)
                on.frame.find("Chat (2)", "radio button")
                found = ["not read yet"]

                def is_good() -> bool:
                    found[:] = badge_faults(tree, on)
                    return not found
                try:
                    until(is_good, "whole badges")
                except AssertionError:
                    raise AssertionError(f"at {width} pixels and {scale}: {found}") from None
                on.shot(f"badges-{width}-{scale}")


def shades_of_texts(button) -> tuple[int, int] | None:
    """The darkest shades of grey of the user's name and of the dim lines under it, in a picture of
    the texts of the button with their profile; 0 is black. None before the texts are drawn."""
    box = button.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
    left, width = box.x + 54, box.width - 60  # Right of the user's picture.
    picture = subprocess.run(
        ["import", "-window", "root", "-depth", "8", "-crop",
         f"{width}x{box.height - 4}+{left}+{box.y + 2}", "gray:-"], check=True,
        capture_output=True).stdout
    ground = max(picture)
    shades = [min(picture[start:start + width]) for start in range(0, len(picture), width)]
    lines = [[shade for _, shade in line] for is_text, line in itertools.groupby(
        enumerate(shades), lambda each: each[1] < ground - 20) if is_text]
    if len(lines) < 2:
        return None
    return min(lines[0]), min(shade for line in lines[1:] for shade in line)


def test_dim_texts_under_a_sheet_are_not_darker_than_titles():
    with stage("mates") as on:
        button = on.frame.find("Profile", "push button")
        usable = until(lambda: shades_of_texts(button), "the texts to be drawn")
        expect(usable[0] < usable[1], f"the name and the dim text have the shades {usable}")
        on.frame.press("Profile drop")
        on.frame.find("Profile drop", "dialog")

        def is_dim() -> bool:
            title, dim = shades_of_texts(button)
            return title <= dim < usable[1]  # The scrim darkens both.
        until(is_dim, "the user's name, but no dim text, to be the darkest under the sheet")
        on.shot("dim-under-sheet")


def test_sheet_stays_beside_the_map_when_the_window_changes():
    with stage("mates", "mina") as on:
        on.frame.press("Mina: Ask for a walk…")
        sheet = on.frame.find("Ask Mina for a walk", "dialog")
        for width in (980, 700, 1000, 610, 980):
            on.resize(width, 680)
            until(lambda: on.size().width == width, f"the window to be {width} wide")

            def is_centred() -> bool:
                left, end = (extent(on.frame.find(name))[0] for name in ("Pages", "Map"))
                box = extent(sheet)
                return abs(2 * box[0] + box[2] - left - max(end, left + box[2])) <= 4
            until(is_centred, f"the sheet in the middle of what is beside the map, {width} wide")
