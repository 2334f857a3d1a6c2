"""The page of a plugin that script/new-plugin has just made. Only script/new-plugin-test runs it."""
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
