"""A window as an assistive technology sees it, and checks of its layout and keyboard use."""
import itertools
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402
from words import Words  # noqa: E402

WAIT_SECONDS = 15
# A window that is busy for longer than this does not answer a question about its widgets.
Atspi.set_timeout(WAIT_SECONDS * 1000, WAIT_SECONDS * 1000)
TEXT_PIXELS_MIN = 11
CONTROLS = {"push button", "toggle button", "radio button", "check box", "text", "combo box",
            "canvas", "spin button", "calendar"}


def hear():
    """Processes the events of the bus, so that the tree below is not a stale copy."""
    while GLib.MainContext.default().iteration(False):
        pass


def until(condition, what, seconds=WAIT_SECONDS):
    """Waits until the condition returns something true, and returns that."""
    end = time.monotonic() + seconds
    while (began := time.monotonic()) < end:
        hear()
        try:
            value = condition()
        except (GLib.Error, AttributeError):
            value = None  # The widget was removed meanwhile, and may have no interfaces any more.
        if value:
            return value
        # A look at the whole tree costs the window as much as this process, so at least as long a
        # pause follows.
        time.sleep(max(0.05, time.monotonic() - began))
    raise AssertionError(f"waited {seconds} s for {what}")


class Frame:
    """The one top-level window of the program. Names are given in English; in a window of another
    language they are those of `words`."""

    def __init__(self, pid, words=Words()):
        self.pid = pid
        self.words = words
        self.root = until(self._find, "the window in the accessible tree")

    def _find(self):
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(index)
            if program and program.get_process_id() == self.pid and program.get_child_count():
                return program.get_child_at_index(0)
        return None

    def all(self, node=None):
        """All nodes on the screen, outermost first."""
        node = node or self.root
        try:
            states = node.get_state_set()
            # GTK reports a viewport as hidden once it is scrolled by more than its own height.
            if (node is not self.root and not states.contains(Atspi.StateType.SHOWING)
                    and node.get_role_name() != "viewport"):
                return
            yield node
            for index in range(node.get_child_count()):
                child = node.get_child_at_index(index)
                if child:
                    yield from self.all(child)
        except GLib.Error:
            return

    def seen(self, name, role=None):
        """The node on the screen with exactly this name now, or None; * stands for anything."""
        pattern = self.words.pattern(name)
        for node in self.all():
            if pattern.fullmatch(node.get_name() or "") and (role is None or node.get_role_name() == role):
                return node
        return None

    def find(self, name, role=None):
        return until(lambda: self.seen(name, role), f"“{name}” on the screen")

    def gone(self, name, seconds=WAIT_SECONDS):
        until(lambda: self.seen(name) is None, f"“{name}” to leave the screen", seconds)

    def says(self, part):
        """Waits until some text on the screen contains this."""
        pattern = self.words.pattern(part)
        return until(lambda: any(pattern.search(text) for text in self.texts()),
                     f"the text “{part}”")

    def texts(self):
        for node in self.all():
            text = node.get_text_iface()
            if text:
                yield Atspi.Text.get_text(text, 0, -1)
            yield node.get_name() or ""
            yield node.get_description() or ""

    def reach(self, name):
        """Gives the focus to a control that may be scrolled out of view, so that its view scrolls
        to it; returns it."""
        pattern = self.words.pattern(name)

        def shown():
            # The page may have made another one meanwhile.
            node = next((each for each in descendants(self.root)
                         if pattern.fullmatch(each.get_name() or "")
                         and each.get_state_set().contains(Atspi.StateType.FOCUSABLE)), None)
            if node is None:
                return None
            if node.get_state_set().contains(Atspi.StateType.FOCUSED) and not is_showing(node):
                # GTK scrolls to a control only when it gets the focus, so something else has to
                # have it first.
                self._focus_another(node)
            node.get_component_iface().grab_focus()
            hear()
            time.sleep(0.2)  # What arrives above it may move it out of view again.
            return node if is_showing(node) else None
        return until(lambda: shown() and shown(), f"“{name}” in view")

    def _focus_another(self, node):
        """Gives the focus to any other control in sight."""
        other = next(each for each in self.all()
                     if each != node and each.get_role_name() in CONTROLS
                     and each.get_state_set().contains(Atspi.StateType.FOCUSABLE)
                     and each.get_state_set().contains(Atspi.StateType.SENSITIVE))
        other.get_component_iface().grab_focus()
        hear()

    def press(self, name):
        """Presses the node with this name, once it can be pressed."""
        def enabled():
            node = self.seen(name)
            usable = node and node.get_state_set().contains(Atspi.StateType.SENSITIVE)
            return node if usable else None
        node = until(enabled, f"“{name}” to be usable")
        action = node.get_action_iface()
        if action and Atspi.Action.get_n_actions(action):
            Atspi.Action.do_action(action, 0)
        else:
            # A row of a list has no action; Enter presses the one with the focus.
            # The window may still give the focus to something else, as to a page that opens.
            until(lambda: node.get_component_iface().grab_focus()
                  and node.get_state_set().contains(Atspi.StateType.FOCUSED),
                  f"“{name}” to have the focus")
            key("Return")

    def type(self, name, text):
        """Replaces the text of the line with this name."""
        line = self.find(name, "text").get_editable_text_iface()
        Atspi.EditableText.set_text_contents(line, text)

    def line(self, name):
        """The text in the line with this name."""
        return Atspi.Text.get_text(self.find(name, "text").get_text_iface(), 0, -1)

    def is_usable(self, name):
        return self.find(name).get_state_set().contains(Atspi.StateType.SENSITIVE)


def descendants(node):
    """All nodes below one that are not hidden, also those that are scrolled out of view."""
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child and child.get_state_set().contains(Atspi.StateType.VISIBLE):
            yield child
            yield from descendants(child)


def is_showing(node):
    """Whether some of a node is on the screen."""
    return node.get_state_set().contains(Atspi.StateType.SHOWING)


def extent(node):
    box = Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.WINDOW)
    return box.x, box.y, box.width, box.height


def label(node):
    return f"{node.get_role_name()} “{node.get_name()}”"


def overlaps(a, b):
    return (a[0] < b[0] + b[2] and b[0] < a[0] + a[2]
            and a[1] < b[1] + b[3] and b[1] < a[1] + a[3])


def is_inside(a, b):
    return (a[0] >= b[0] and a[1] >= b[1]
            and a[0] + a[2] <= b[0] + b[2] and a[1] + a[3] <= b[1] + b[3])


def viewport_of(node):
    """The nearest scrolling view around a node, or None."""
    parent = node.get_parent()
    while parent:
        if parent.get_role_name() == "scroll pane":
            return extent(parent)
        # A viewport that GTK reports as hidden has no extents; its parent has the same.
        if parent.get_role_name() == "viewport" and extent(parent)[0] >= 0:
            return extent(parent)
        parent = parent.get_parent()
    return None


def layout_faults(frame):
    """The faults of the layout, as sentences; an empty list is good."""
    faults = []
    whole = extent(frame.root)
    leaves = []
    for node in frame.all():
        role = node.get_role_name()
        states = node.get_state_set()
        if role in CONTROLS and states.contains(Atspi.StateType.FOCUSABLE):
            if not node.get_name():
                faults.append(f"{label(node)} at {extent(node)} has no name")
        if role not in CONTROLS and role != "label":
            continue
        box = extent(node)
        if box[2] <= 0 or box[3] <= 0:
            faults.append(f"{label(node)} has no size: {box}")
            continue
        clip = viewport_of(node)
        if clip is None and not is_inside(box, whole):
            faults.append(f"{label(node)} at {box} leaves the window {whole}")
        if clip and (box[0] < clip[0] or box[0] + box[2] > clip[0] + clip[2]):
            faults.append(f"{label(node)} at {box} is cut at the side of its view {clip}")
        if clip is None or is_inside(box, clip):
            leaves.append((node, box))
        if role == "label":
            faults += text_faults(node, box)
    faults += overlap_faults(leaves)
    return faults


def text_faults(node, box):
    text = node.get_text_iface()
    count = Atspi.Text.get_character_count(text) if text else 0
    faults = []
    for offset in range(count):
        place = Atspi.Text.get_character_extents(text, offset, Atspi.CoordType.WINDOW)
        if place.x < box[0] - 1 or place.x + place.width > box[0] + box[2] + 1:
            faults.append(f"{label(node)} is cut at character {offset}")
            break
    attributes = Atspi.Text.get_default_attributes(text) if text else {}
    points = float(attributes.get("size", "0") or 0)
    scale = float(attributes.get("scale", "1") or 1)
    pixels = points * scale * 96 / 72
    if count and 0 < pixels < TEXT_PIXELS_MIN:
        faults.append(f"{label(node)} is only {pixels:.1f} px high")
    return faults


def order_faults(frame):
    """The places at which a screen reader, which follows the tree, comes to things in another order
    than a reader does: from the top down, and from left to right in a row."""
    faults = []
    for node in frame.all():
        parts = parts_with_boxes(node)
        for (a, box_a), (b, box_b) in itertools.pairwise(parts):
            if not overlaps(box_a, box_b) and reads_before(box_b, box_a):
                faults.append(f"{said(a)} {box_a} comes before {said(b)} {box_b}")
    return faults


def overlap_faults(leaves):
    faults = []
    for index, (a, box_a) in enumerate(leaves):
        for b, box_b in leaves[index + 1:]:
            # Controls may float above the map; a label inside its own button is part of it; a
            # page under a sheet cannot be used, and neither can a button of the sheet at times.
            if "canvas" in (a.get_role_name(), b.get_role_name()):
                continue
            usable = [n.get_state_set().contains(Atspi.StateType.SENSITIVE) for n in (a, b)]
            if is_ancestor(a, b) or is_ancestor(b, a) or usable[0] != usable[1]:
                continue
            if not any(usable) and is_in_sheet(a) != is_in_sheet(b):
                continue
            if overlaps(box_a, box_b):
                faults.append(f"{label(a)} {box_a} overlaps {label(b)} {box_b}")
    return faults


def is_in_sheet(node):
    """Whether a node is part of a sheet."""
    while node is not None and node.get_role_name() != "dialog":
        node = node.get_parent()
    return node is not None


def parts_with_boxes(node):
    """The children of a node that are on the screen and say something, with their boxes."""
    parts = []
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child and child.get_state_set().contains(Atspi.StateType.SHOWING) and said(child):
            parts.append((child, extent(child)))
    return parts


def said(node):
    """The node in words by its first text; empty if nothing in it has one."""
    if node.get_name():
        return label(node)
    children = map(node.get_child_at_index, range(node.get_child_count()))
    return next(filter(None, (said(child) for child in children if child)), "")


def reads_before(a, b):
    """Whether one of two boxes is read first: the left one in a row, else the upper one."""
    shared = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    is_in_row = shared > min(a[3], b[3]) / 2
    return a[0] < b[0] if is_in_row else a[1] < b[1]


def is_ancestor(a, b):
    parent = b.get_parent()
    while parent:
        if parent == a:
            return True
        parent = parent.get_parent()
    return False


def key(*names):
    subprocess.run(["xdotool", "key", *names], check=True)


def choose(combo_box, index: int) -> None:
    """Chooses an entry of a list that drops down."""
    Atspi.Selection.select_child(combo_box.get_selection_iface(), index)


def click(node, across: float, down: float, button: int = 1):
    """Clicks into a widget, at these parts of its width and height."""
    box = node.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
    subprocess.run(["xdotool", "mousemove", str(box.x + int(box.width * across)),
                    str(box.y + int(box.height * down)), "click", str(button)], check=True)


def focused(frame):
    for node in frame.all():
        if node.get_state_set().contains(Atspi.StateType.FOCUSED):
            return node
    return None


def has_focus(frame, name):
    """Whether the control of this name has the keyboard focus."""
    found = focused(frame)
    return found is not None and found.get_name() == name


def unreached_by_tab(frame):
    """The names of controls that Tab never reaches; one button of a radio group is enough."""
    wanted = {}
    for node in frame.all():
        states = node.get_state_set()
        if (node.get_role_name() in CONTROLS and states.contains(Atspi.StateType.FOCUSABLE)
                and states.contains(Atspi.StateType.SENSITIVE)):
            wanted[group_of(node)] = label(node)
    missing = set(wanted)
    for _ in range(len(wanted) * 2 + 20):
        key("Tab")
        time.sleep(0.03)  # The key travels through the X server; a lost one is pressed again.
        hear()
        node = focused(frame)
        while node and node.get_role_name() != "frame":
            missing.discard(group_of(node))
            node = node.get_parent()
        if not missing:
            break
    return sorted(wanted[group] for group in missing)


def group_of(node):
    """One stop of the Tab key: a radio button with its siblings, or one node. Its place is no part
    of it, because a view scrolls to what has the focus."""
    return node.get_parent() if node.get_role_name() == "radio button" else node
