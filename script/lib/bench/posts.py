"""Lists of 50 000 posts of others, asked of the plugin as the window asks."""

import struct
from functools import partial
from statistics import median
from urllib.parse import quote, urlencode

from bench.node import BenchNode
from bench.timing import milliseconds

# A point of the city, one of its old town, and one 35 m beside the spot of the other home.
CITY, OLD_TOWN, BESIDE_SPOT = (37.5665, 126.9780), (37.84, 126.9780), (37.5665, 126.9784)
RARE, EVERYWHERE, MUTED = "산책", "오늘", "casino"
DIAGONAL_SPOT = (37.56628, 126.97772)
# The people who wrote the posts.
AUTHORS_COUNT = 500
# A letter in about one post of ten, at the beginning of many pairs.
LETTER = "가"
# The name of a page, its command, and the milliseconds of an answer.
Time = tuple[str, tuple[str, float]]


def at(point: tuple[float, float], radius: float, **more) -> dict:
    """The parameters of a list of an area."""
    return {"latitude": point[0], "longitude": point[1], "radiusMetres": radius, **more}


def beyond(point: tuple[float, float], metres: int) -> str:
    """The cursor after all posts at a distance, in steps of 10 m."""
    return "d" + struct.pack(">ddqq", *point, metres // 10, 0).hex() + "00" * 16


def queries() -> dict[str, dict[str, tuple[str, dict]]]:
    """The commands and parameters of each home, by the figure they belong to and a name."""
    lists = {
        "newest": {},
        "newest within 700 m": at(CITY, 700),
        "newest within 20 km": at(CITY, 20_000),
        "newest of an area that only old posts are in": at(OLD_TOWN, 5000),
        "newest of a category": {"category": "walk"},
        "newest of a category with 3 posts": {"category": "sitter"},
        "newest of a category with 3 posts within 20 km": at(OLD_TOWN, 20_000, category="sitter"),
        "newest of a category in an area that only old posts are in":
            at(OLD_TOWN, 5000, category="walk"),
        "newest of a neighbourhood": {"neighbourhood": "Bench Town"},
        "nearest": at(CITY, 20_000, order="nearest"),
        "nearest 100 km away": at((36.7, 126.978), 200_000, order="nearest"),
        "nearest 20 km to the south-west, beside the city":
            at((37.4405, 126.8193), 200_000, order="nearest"),
        "nearest beyond 4 km": at(CITY, 20_000, order="nearest", after=beyond(CITY, 4000)),
        "nearest of a category": at(CITY, 20_000, order="nearest", category="walk"),
        "nearest of a category with 3 posts": at(CITY, 90_000, order="nearest", category="sitter"),
    }
    searches = {
        "a word of one in a thousand": {"text": RARE},
        "a word in every post": {"text": EVERYWHERE},
        "one letter": {"text": LETTER},
        "a word in every post, within 700 m": at(CITY, 700, text=EVERYWHERE),
        "a word in every post, in an area that only old posts are in":
            at(OLD_TOWN, 5000, text=EVERYWHERE),
        "a word in every post, in a category with 3 posts":
            {"text": EVERYWHERE, "category": "sitter"},
        "a word of one in a thousand, within 5 km": at(CITY, 5000, text=RARE),
        "a word of one in a thousand, in a category with 3 posts":
            {"text": RARE, "category": "sitter"},
        "two words, of which one is rare": {"text": f"{EVERYWHERE} {RARE}"},
        "a word in no post": {"text": "nowhere"},
    }
    spot = {
        "newest at one spot": at(BESIDE_SPOT, 700),
        "newest beside the spot": at(BESIDE_SPOT, 20),
        "nearest, all at one spot": at(BESIDE_SPOT, 20_000, order="nearest"),
        "nearest, all at a spot to the north-east":
            at(DIAGONAL_SPOT, 20_000, order="nearest"),
        "nearest of a category, all at one spot":
            at(BESIDE_SPOT, 20_000, order="nearest", category="walk"),
        "a word in every post, beside the spot": at(BESIDE_SPOT, 20, text=EVERYWHERE),
    }
    return {
        "city": {**{name: ("posts/list", query) for name, query in lists.items()},
                 **{name: ("posts/search", query) for name, query in searches.items()}},
        "spot": {name: ("posts/search" if "text" in query else "posts/list", query)
                 for name, query in spot.items()},
    }


def posts(bench) -> None:
    """50 000 posts of 500 people: lists and searches, as the window asks for them"""
    took: dict[str, list[dict[str, float]]] = {"list": [], "search": []}
    for layout, asked in queries().items():
        home = bench.fresh(f"posts-{layout}")
        bench.call("posts", str(home), layout)
        node = BenchNode(bench.binary, home)
        try:
            for run in range(bench.runs):
                times = measure(bench.report, node, asked)
                if layout == "city":
                    times += measure(bench.report, node, LIVELY)
                    times += measure_hidden(bench.report, node)
                    times += measure_blocked(bench.report, node)
                for command, values in took.items():
                    values.extend([{}] * (run + 1 - len(values)))
                    values[run] = values[run] | {
                        name: time for name, (found, time) in times if found == command}
        finally:
            node.end()
    for command, runs in took.items():
        for times in runs:
            bench.report.record(f"posts_{command}_ms_50k", max(times.values()))
            bench.report.record_beside(f"the median of these, posts {command}, ms",
                                       median(times.values()))


LIVELY = {"posts with 500 likes, 500 views and 100 comments each":
          ("posts/list", {"neighbourhood": "Bench Square"})}


def queries_without_most(state: str) -> dict[str, tuple[str, dict]]:
    """The lists that are measured while nine of ten posts are left out."""
    return {
        f"newest, nine of ten {state}": ("posts/list", {"neighbourhood": "Bench Town"}),
        f"newest within 700 m, nine of ten {state}": ("posts/list", at(CITY, 700)),
        f"nearest, nine of ten {state}": ("posts/list", at(CITY, 20_000, order="nearest")),
        f"a word in every post, nine of ten {state}": ("posts/search", {"text": EVERYWHERE}),
    }


def measure_hidden(report, node: BenchNode) -> list[Time]:
    """The time of lists while nine of ten posts have a muted word."""
    node.ask("muted/add", {"word": MUTED})
    try:
        return measure(report, node, queries_without_most("hidden"))
    finally:
        node.ask("muted/remove", {"word": MUTED})


def measure_blocked(report, node: BenchNode) -> list[Time]:
    """The time of lists while nine of ten authors are blocked."""
    people = [person for index, person in enumerate(authors(node)) if index % 10]
    for person in people:
        node.ask("mates/block", {"person": person, "reason": "other"})
    try:
        return measure(report, node, queries_without_most("blocked"))
    finally:
        for person in people:
            node.ask("mates/unblock", {"person": person})


def authors(node: BenchNode) -> list[str]:
    """The authors of the newest posts, each of whom wrote one of them."""
    found, after = set(), {}
    while len(found) < AUTHORS_COUNT:
        page = page_of(node, "posts/list", {"neighbourhood": "Bench Town"} | after)
        found.update(post["author"] for post in page["posts"])
        after = {"after": page["after"]}
    return sorted(found)


def page_of(node: BenchNode, route: str, query: dict) -> dict:
    """The answer of a list."""
    return node.ask(f"{route}?{urlencode(query, quote_via=quote)}" if query else route)


def measure(report, node: BenchNode, asked: dict[str, tuple[str, dict]]) -> list[Time]:
    """The median time of the first page of each list, and of the second."""
    times = []
    for name, (route, query) in asked.items():
        command = route.split("/")[1]
        ask = partial(page_of, node, route, query)
        page = ask()
        found = {name: milliseconds(ask)}
        if "after" in page:
            following = partial(page_of, node, route, query | {"after": page["after"]})
            found[f"{name}, the second page"] = milliseconds(following)
            ids = [post["id"] for post in page["posts"] + following()["posts"]]
            report.check("two pages of posts have no post twice", len(ids) == len(set(ids)))
        for name, took in found.items():
            report.record_beside(f"50 000 posts: {name}, ms", took)
            times.append((name, (command, took)))
    report.record_beside("the local API alone, ms", milliseconds(lambda: node.ask("status/show")))
    return times
