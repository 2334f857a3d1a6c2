"""The neighbourhood: joining and leaving, posts on the page and on the map, comments, own posts."""
import time

from accessible import Atspi, choose, extent, focused, hear, key, until
from stage import expect, stage

PLACE = "Seongsu"
# Where Sora is, 110 m from there, and a town further.
HERE, NEAR, FAR = (37.5700, 126.9800), (37.5710, 126.9800), (37.6700, 126.9800)
ON_MAP, EVERYWHERE = 0, 1


def joins(*nodes) -> None:
    """Lets people join the neighbourhood."""
    for node in nodes:
        node.api.ask("neighbourhood/join", {"name": PLACE, "yes": True})


def writes(node, title: str, at: tuple[float, float] | None = NEAR, **rest) -> str:
    """Writes a post; returns its id."""
    place = {"latitude": at[0], "longitude": at[1]} if at else {}
    post = {"category": "question", "title": title, **place, **rest}
    return node.api.ask("posts/write", post)["id"]


def neighbours(cast) -> None:
    """Sora and Haneul, who is no mate of Sora's, are in one neighbourhood."""
    cast.sora.api.ask("location/set", {"latitude": HERE[0], "longitude": HERE[1]})
    joins(cast.sora, cast.haneul)


def a_lead(cast) -> None:
    """Haneul gives a lead away in the neighbourhood."""
    neighbours(cast)
    writes(cast.haneul, "A red lead", category="give-away", text="Hardly used.\n\n\n\n<b>Free</b>")


def posts_of(node) -> list[dict]:
    """The newest posts at a node."""
    return node.api.ask("posts/list")["posts"]


# A peer that once does not answer in time is asked again after half a minute.
ARRIVAL_SECONDS = 40


def arrived(node, title: str) -> dict:
    """Waits until a post is at a node; returns it."""
    return until(lambda: next((post for post in posts_of(node) if post["title"] == title), None),
                 f"“{title}” at {node.name}", ARRIVAL_SECONDS)


def open_post(on, title: str) -> None:
    """Opens a post from the list."""
    on.frame.press("Neighbourhood")
    on.frame.press(title)
    on.frame.find("Your comment", "text")


def markers(on) -> str:
    """What the map says about its locations."""
    return on.frame.find("Map").get_description()


def test_neighbourhood_is_joined_and_left():
    with stage("mates") as on:
        on.frame.press("Neighbourhood")
        on.frame.says("Everyone whose device is linked with yours and who joined the same name")
        expect(not on.frame.is_usable("Join"), "a neighbourhood without a name can be joined")
        on.expect_good_layout()
        on.shot("neighbourhood-outside")
        on.frame.type("Name of the neighbourhood", "x" * 65)
        on.frame.press("Join")
        on.frame.says("⚠ The name of the neighbourhood must have")
        on.frame.type("Name of the neighbourhood", PLACE)
        on.frame.press("Join")
        on.frame.press("Show posts everywhere")
        on.frame.find("Write the first post…")
        on.expect_good_layout()
        on.shot("neighbourhood-empty")
        on.frame.press("More for the neighbourhood")
        on.frame.press("Your neighbourhoods…")
        on.frame.find(f"Leave {PLACE}")
        on.expect_good_layout()
        on.shot("neighbourhood-places")
        on.frame.press(f"Leave {PLACE}")
        on.frame.says("What you wrote stays with others until they delete it")
        on.frame.press("Leave")
        on.wait("neighbourhood/list", lambda list: not list["neighbourhoods"], "Sora to leave")
        on.frame.press("Close")
        on.frame.find("Name of the neighbourhood", "text")


def test_neighbourhood_post_is_written_with_its_limits():
    with stage("mates", "haneul", before=neighbours) as on:
        on.frame.press("Neighbourhood")
        on.frame.press("Write a post")
        expect(not on.frame.is_usable("Publish"), "a post without a title can be published")
        on.frame.type("Title", "x" * 51)
        on.frame.says("51 of 50 characters")
        on.frame.says("⚠ The title must have 1 to 50 characters; it has 51.")
        expect(not on.frame.is_usable("Publish"), "a title that is too long can be published")
        on.frame.type("Title", "A vet on Sundays?")
        on.frame.type("Text", "y" * 1001)
        on.frame.says("1001 of 1000 characters")
        expect(not on.frame.is_usable("Publish"), "a text that is too long can be published")
        on.frame.type("Text", "Choco limps.")
        on.frame.says("12 of 1000 characters")
        on.frame.says("Without a location, it is not on the map.")
        on.frame.reach("Where I am")
        on.frame.press("Where I am")
        on.frame.says("Others see it rounded to 100 m")
        on.expect_good_layout()
        on.shot("neighbourhood-compose")
        on.expect_tab_reaches_all()
        on.frame.press("Publish")
        on.frame.gone("Publish")
        post = arrived(on.cast.haneul, "A vet on Sundays?")
        expect(post["text"] == "Choco limps.", f"it wrote {post}")
        on.frame.find("A vet on Sundays?")


def test_neighbourhood_draft_is_kept_and_published():
    with stage("mates", "haneul", before=neighbours) as on:
        on.frame.press("Neighbourhood")
        on.frame.press("Write a post")
        on.frame.type("Title", "Who walks at seven?")
        key("Escape")
        on.frame.gone("Publish")
        on.frame.press("Write a post")
        expect(on.frame.line("Title") == "Who walks at seven?", "Escape lost what was typed")
        on.frame.press("Keep as a draft")
        on.frame.gone("Publish")
        on.frame.press("Your posts")
        on.frame.press("Go on with the draft “Who walks at seven?”")
        on.frame.press("Publish")
        on.frame.gone("Publish")
        arrived(on.cast.haneul, "Who walks at seven?")
        on.wait("posts/drafts", lambda answer: not answer["drafts"], "the draft to be replaced")
        on.frame.gone("Go on with the draft “Who walks at seven?”")
        on.frame.find("Who walks at seven?")
        on.expect_good_layout()
        on.shot("neighbourhood-own")
        key("Escape")
        on.frame.find("Search posts")


def test_neighbourhood_list_and_map_are_twins():
    with stage("mates", "haneul", before=a_lead) as on:
        writes(on.cast.haneul, "Without a place", at=None)
        arrived(on.node, "Without a place")
        on.frame.press("Neighbourhood")
        on.frame.find("A red lead")
        expect(on.frame.seen("Without a place") is None, "a post without a location is in an area")
        on.frame.says("of you")
        until(lambda: "locations" in markers(on), "the post on the map")
        on.expect_good_layout()
        on.shot("neighbourhood-list")
        on.expect_tab_reaches_all()
        choose(on.frame.find("Where to look for posts", "combo box"), EVERYWHERE)
        on.frame.find("Without a place")
        choose(on.frame.find("Category of the posts", "combo box"), 5)
        on.frame.gone("Without a place")
        on.frame.type("Search posts", "nothing like it")
        on.frame.says("No post matches.")
        on.frame.press("Show all posts")
        on.frame.find("Without a place")
        on.frame.type("Search posts", "red le")
        on.frame.gone("Without a place")
        on.frame.find("A red lead")
        on.expect_good_when_small("neighbourhood-small")


def leave(on) -> None:
    """Moves the map away from Sora's location."""
    on.frame.find("Map").get_component_iface().grab_focus()
    until(lambda: focused(on.frame).get_name() == "Map", "the map to have the focus")
    key(*["Up"] * 60)


def test_neighbourhood_searches_where_the_map_is():
    def before(cast) -> None:
        a_lead(cast)
        writes(cast.haneul, "In the next town", at=FAR)
    with stage("mates", "haneul", before=before) as on:
        arrived(on.node, "In the next town")
        on.frame.press("Neighbourhood")
        on.frame.find("A red lead")
        on.frame.press("My location")
        on.frame.find("A red lead")
        on.frame.find("Map").get_component_iface().grab_focus()
        expect(on.frame.seen("Search this area") is None, "a search is offered around me")
        radius = on.frame.find("Within * of you").get_name()
        key("plus")
        until(lambda: (on.frame.seen("Within * of you") or on.frame.root).get_name() != radius,
              "the radius to follow the zoom")
        leave(on)
        on.frame.find("Search this area")
        on.frame.find("A red lead")
        on.expect_good_layout()
        on.shot("neighbourhood-search-area")
        on.frame.press("Search this area")
        on.frame.gone("A red lead")
        on.frame.gone("Search this area")
        on.frame.press("My location")
        on.frame.find("A red lead")
        on.ask("walk-log/start", {})
        leave(on)
        on.frame.find("A red lead")
        expect(on.frame.seen("Search this area") is None, "a search is offered during a walk")


def test_neighbourhood_post_is_read_liked_and_commented():
    with stage("mates", "haneul", before=a_lead) as on:
        post = arrived(on.node, "A red lead")
        open_post(on, "A red lead")
        on.frame.says("<b>Free</b>")
        on.frame.says("No comments yet.")
        on.expect_good_layout()
        on.shot("neighbourhood-post")
        on.expect_tab_reaches_all()
        on.frame.press("Like this post")
        on.frame.find("Take the like back")
        until(lambda: arrived(on.cast.haneul, "A red lead")["likes"] == 1, "the like at Haneul's")
        on.frame.press("Take the like back")
        on.frame.find("Like this post")
        on.frame.type("Your comment", "z" * 301)
        on.frame.says("⚠ The comment must have 1 to 300 characters; it has 301.")
        expect(not on.frame.is_usable("Comment"), "a comment that is too long can be sent")
        on.frame.type("Your comment", "Is it long enough for a terrier?")
        on.frame.press("Comment")
        on.frame.says("Is it long enough for a terrier?")
        shown = f"posts/show?id={post['id']}"
        on.wait(shown, lambda answer: answer["comments"], "the comment at Haneul's", on.cast.haneul)
        on.cast.haneul.api.ask("posts/comment", {"id": post["id"], "text": "It is two metres."})
        on.frame.says("It is two metres.")
        on.frame.says("(author)")
        on.frame.reach("More for the comment of You")
        on.frame.press("More for the comment of You")
        on.frame.press("Delete")
        on.wait(shown, lambda answer: len(answer["comments"]) == 1, "the deletion at Haneul's",
                on.cast.haneul)
        on.frame.gone("More for the comment of You")
        key("ctrl+f")
        until(lambda: focused(on.frame) and focused(on.frame).get_name() == "Search posts",
              "the focus on the search")


def test_neighbourhood_post_is_edited_and_deleted():
    def before(cast) -> None:
        neighbours(cast)
        writes(cast.sora, "Old shoes", text="Size 38.")
    with stage("mates", "haneul", before=before) as on:
        arrived(on.cast.haneul, "Old shoes")
        open_post(on, "Old shoes")
        on.frame.says("Disappears ")
        on.frame.press("Edit…")
        expect(not on.frame.is_usable("Save"), "nothing is changed, and it can be saved")
        on.frame.type("Title", "New shoes")
        on.frame.press("Save")
        on.frame.gone("Save")
        on.frame.says("New shoes")
        arrived(on.cast.haneul, "New shoes")
        on.frame.press("Renew")
        on.frame.press("More for this post")
        on.frame.press("Delete…")
        on.frame.says("It is deleted here now")
        on.frame.press("Delete")
        on.frame.find("Search posts")
        on.frame.gone("New shoes")
        until(lambda: not posts_of(on.cast.haneul), "the post to go at Haneul's")


def test_neighbourhood_post_and_word_are_hidden():
    def before(cast) -> None:
        a_lead(cast)
        writes(cast.haneul, "Fireworks tonight")
    with stage("mates", "haneul", before=before) as on:
        arrived(on.node, "Fireworks tonight")
        open_post(on, "A red lead")
        on.frame.press("More for this post")
        on.frame.find("Block…")
        on.frame.press("Hide this post")
        on.frame.gone("A red lead")
        on.frame.says("1 post is hidden by your settings.")
        on.frame.press("Undo")
        on.frame.find("A red lead")
        open_post(on, "A red lead")
        on.frame.press("More for this post")
        on.frame.press("Report…")
        on.frame.press("Report")
        on.frame.gone("A red lead")
        on.frame.press("More for the neighbourhood")
        on.frame.press("Hidden posts…")
        on.frame.says("Advertising")
        on.expect_good_layout()
        on.frame.press("Show “A red lead” again")
        on.frame.says("You have hidden no posts.")
        on.frame.press("Close")
        on.frame.find("A red lead")
        on.frame.press("More for the neighbourhood")
        on.frame.press("Muted words…")
        on.frame.type("Word to mute", "firework")
        on.frame.press("Mute")
        on.frame.find("Show “firework” again")
        on.expect_good_layout()
        on.shot("neighbourhood-muted")
        on.frame.press("Close")
        on.frame.gone("Fireworks tonight")
        on.frame.find("A red lead")


def test_neighbourhood_list_loads_the_next_page():
    def before(cast) -> None:
        neighbours(cast)
        joins(cast.mina)
        for node in (cast.mina, cast.haneul):
            for number in range(13):
                writes(node, f"Post {number} of {node.name}")
    with stage("mates", "haneul", "mina", before=before) as on:
        for name in ("Mina", "Haneul"):
            arrived(on.node, f"Post 12 of {name}")
        on.frame.press("Neighbourhood")
        on.frame.reach("Post 12 of Haneul")
        last = until(lambda: at_end(on, "Post 0 of Mina"), "the last post of the second page")
        place, end = until(lambda: steady(on, last), "the list to stand still")
        # One that arrives now moves nothing in sight.
        writes(on.cast.haneul, "Just now")
        until(lambda: end_of_list(on) > end, "the list to become longer")
        now, _ = until(lambda: steady(on, last), "the list to stand still")
        expect(abs(now[1] - place[1]) <= 1, f"the last row moved from {place} to {now}")
        key("Home")
        on.frame.find("Just now")


def at_end(on, name: str):
    """Presses End; returns the row of this name if it is on the screen then."""
    key("End")
    row = focused(on.frame)
    return row if row and row.get_name() == name else None


def steady(on, row) -> tuple | None:
    """The place of a row and the end of the list, if they stay as they are for a moment."""
    before = extent(row), end_of_list(on)
    time.sleep(0.3)
    hear()
    return before if before == (extent(row), end_of_list(on)) else None


def end_of_list(on) -> float:
    """The end of the scroll bar of the list of posts."""
    return max(Atspi.Value.get_maximum_value(each.get_value_iface())
               for each in on.frame.all() if each.get_role_name() == "scroll bar")


def test_neighbourhood_author_is_messaged():
    with stage("mates", "haneul", before=a_lead) as on:
        haneul = on.cast.haneul
        arrived(on.node, "A red lead")
        open_post(on, "A red lead")
        on.frame.press("Message the author…")
        expect(not on.frame.is_usable("Ask"), "an empty request can be sent")
        on.frame.type("Your message", "q" * 101)
        on.frame.says("⚠ The text must have 1 to 100 characters; it has 101.")
        on.frame.type("Your message", "Is it still free?")
        on.expect_good_layout()
        on.shot("neighbourhood-message")
        on.frame.press("Ask")
        on.frame.find("Take the request back")
        until(lambda: any(each["state"] == "asking" for each in
                          haneul.api.ask("posts/messages")["messages"]), "the request at Haneul's")
        haneul.api.ask("posts/accept", {"person": on.node.person})
        on.frame.press("Open the chat")
        on.frame.find("Message", "text")


def test_neighbourhood_request_is_answered_in_the_inbox():
    def before(cast) -> None:
        neighbours(cast)
        writes(cast.sora, "Old shoes")
    with stage("mates", "haneul", before=before) as on:
        haneul = on.cast.haneul
        post = arrived(haneul, "Old shoes")
        haneul.api.ask("posts/message", {"id": post["id"], "text": "Which size?"})
        on.frame.find("Neighbourhood (1)", "radio button")
        on.frame.press("Inbox*")
        on.frame.says("Which size?")
        on.expect_good_layout()
        on.shot("neighbourhood-asked")
        on.frame.press("Accept*")
        for node in (on.node, haneul):
            on.wait("posts/messages", lambda answer: any(
                each["state"] == "open" for each in answer["messages"]), "the chat", node)
        on.frame.find("Neighbourhood", "radio button")
