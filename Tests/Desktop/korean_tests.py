"""Window tests: the window in Korean."""
from stage import expect, stage
from words import Words

KOREAN = {"LC_ALL": "C.UTF-8", "LANGUAGE": "ko"}


def test_korean_by_the_environment():
    with stage("mates", variables=KOREAN) as on:
        on.frame.press("메이트")
        on.frame.find("메이트", "list")
        on.frame.find("메뉴")
        on.shot("korean-mates")
        expect(on.frame.seen("Mates") is None, "the page has an English name too")


def test_korean_by_the_setting():
    with stage("mates", before=choose_korean, words=Words("ko")) as on:
        on.frame.press("Mates")
        on.frame.find("메이트", "list")


def test_korean_gives_way_to_a_setting():
    with stage("mates", before=choose_english, variables=KOREAN) as on:
        on.frame.press("Mates")
        on.frame.find("Mates", "list")


def choose_korean(cast) -> None:
    cast.sora.api.ask("config/set", {"name": "language", "value": "ko"})


def choose_english(cast) -> None:
    cast.sora.api.ask("config/set", {"name": "language", "value": "en"})
