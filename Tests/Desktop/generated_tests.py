"""The page of a plugin that script/new-plugin has just made, and that of the example Wave, which
the product does not link. Only script/new-plugin-test runs them."""
from stage import stage


def test_generated_plugin():
    with stage("found") as on:
        on.frame.press("Sample")
        on.frame.press("New entry")
        on.frame.find("Add to Sample", "dialog")
        on.frame.type("Text", "Water bowls")
        on.shot("generated-sheet")
        on.frame.press("Add")
        on.frame.says("Water bowls")
        on.shot("generated-page")
        # The node is not queried: the page alone makes the age advance.
        on.frame.says("Water bowls · 10 s ago")


def test_wave_in_a_generated_window():
    with stage("mates", "mina") as on:
        on.cast.mina.api.ask("wave/send", {"to": on.node.person, "greeting": "Woof"})
        on.frame.press("Waves")
        on.frame.says("Mina: Woof")
        on.shot("wave-page")
        on.frame.says("Mina: Woof · 10 s ago")
        on.expect_tab_reaches_all()
        on.frame.press("More for this wave")
        on.frame.find("Message")
        on.shot("wave-menu")
        on.frame.press("Ask for a walk…")
        on.frame.find("Ask Mina for a walk", "dialog")
        on.frame.press("Cancel")
        on.frame.press("Mates")
        on.frame.press("More for Mina")
        on.frame.press("Wave…")
        on.frame.find("Wave at a mate", "dialog")
        on.expect_good_layout()
        on.frame.type("Greeting", "Woof, Mina")
        on.shot("wave-sheet")
        on.frame.press("Wave")
        on.wait("wave/list", lambda answer: any(
            each["greeting"] == "Woof, Mina" for each in answer["waves"]), "the wave", on.cast.mina)
