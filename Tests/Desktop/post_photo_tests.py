"""Photos of posts, dropped and viewed in the real window."""
from accessible import extent, key, until
from menu_tests import drop
from neighbourhood_tests import arrived, neighbours
from photo_tests import is_loaded, picture
from pictures import pond
from stage import expect, stage


def in_middle(node) -> tuple[int, int]:
    """The middle of a control."""
    box = extent(node)
    return box[0] + box[2] // 2, box[1] + box[3] // 2


def photos(node) -> list[dict]:
    """The photos of the post, at a node."""
    return arrived(node, "Our pond")["photos"]


def test_neighbourhood_photos_are_dropped_and_viewed():
    with stage("mates", "haneul", before=neighbours) as on:
        paths = [picture(on, "one.png"), picture(on, "two.png", pond(300, 400)),
                 picture(on, "three.jpg", b"Once upon a time")]
        on.frame.press("Neighbourhood")
        on.frame.press("Write a post")
        on.frame.type("Title", "Our pond")
        drop(on, *paths, at=in_middle(on.frame.reach("Add photos…")))
        on.frame.find("Photo 2 of 2")
        on.frame.says("⚠ Could not add three.jpg: This is neither a JPEG nor a PNG picture.")
        on.expect_good_layout()
        on.shot("neighbourhood-photos")
        on.frame.reach("Where I am")
        on.frame.press("Where I am")
        on.frame.press("Publish")
        on.frame.gone("Publish")
        until(lambda: len(photos(on.cast.haneul)) == 2, "two photos at Haneul's")
        sides = [each["sides"] for each in photos(on.cast.haneul)]
        expect(sides == ["800x600", "300x400"], f"Haneul has {sides}")
        on.frame.press("Our pond")
        on.frame.reach("Photo 1 of 2")
        on.frame.press("Photo 1 of 2")
        on.frame.find("Photo 1 of 2", "dialog")
        until(lambda: is_loaded(on), "the whole photo")
        on.expect_good_layout()
        on.shot("neighbourhood-photo")
        key("Escape")
        on.frame.gone("Save as…")
