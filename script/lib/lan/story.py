"""A story that is checked while it is printed: each line has its time and one observation."""

import sys
import time
from contextlib import contextmanager

from processes import grows_to, wait_until


class StoryFailed(Exception):
    """A claim of the story did not hold."""


class Story:
    """Prints a story, checks its claims, and leaves out the step it was given."""

    def __init__(self, left_out: str | None = None):
        self.left_out = left_out
        self.left_out_reached = False
        self.observed = 0
        self.failed = 0
        self.skipped: list[str] = []
        self._started = time.monotonic()

    # Telling

    def scene(self, title: str) -> None:
        """Begins a scene."""
        self._say("", f"\n— {title}")

    def tell(self, text: str) -> None:
        """Prints an action."""
        self._say("  ", text)

    def skip(self, text: str) -> None:
        """Prints a check that is not made, with its reason, and counts it."""
        self.skipped.append(text)
        self._say("∅ ", text)

    def _say(self, mark: str, text: str) -> None:
        if text.startswith("\n"):
            print(text, flush=True)
        else:
            print(f"+{time.monotonic() - self._started:6.1f} s  {mark}{text}", flush=True)

    # Doing

    def does(self, step: str) -> bool:
        """Whether a step is to be done: always, except the one that is left out."""
        if step != self.left_out:
            return True
        self.left_out_reached = True
        self._say("  ", f"(left out: {step})")
        return False

    # Checking

    def claim(self, text: str, test, within: float = 0):
        """Checks that `test` returns something true within so many seconds, and returns that.

        Ends the story if it does not: later claims would build on this one.
        """
        found, trouble = None, None
        try:
            found = wait_until(test, within, every=0.1) if within else test()
        except Exception as error:  # A check that raises is a claim that does not hold.
            trouble = error
        if not found:
            self.failed += 1
            self._say("✗ ", text + (f" ({type(trouble).__name__}: {trouble})" if trouble else ""))
            raise StoryFailed(text)
        self.observed += 1
        self._say("✓ ", text)
        return found

    def reached(self, text: str, goal: int, count, stalled: float) -> None:
        """Checks that a count reaches its goal. It may take any time while the count grows at least
        once in `stalled` seconds: a busy machine is slow, not wrong."""
        self.claim(text, lambda: grows_to(goal, count, stalled))

    def equal(self, text: str, left, right) -> None:
        """Checks that two values are equal, and prints both if they are not."""
        self.claim(text if left == right else f"{text}\n    {left!r}\n    {right!r}",
                   lambda: left == right)

    # Ending

    def totals(self) -> str:
        """The last line: how many claims held, failed and were skipped."""
        return f"{self.observed} passed, {self.failed} failed, {len(self.skipped)} skipped"


@contextmanager
def told(story: Story):
    """Runs a story; prints a failure once, as a sentence, and raises nothing."""
    try:
        yield
    except StoryFailed:
        pass
    except KeyboardInterrupt:
        story.failed += 1
        print("interrupted", file=sys.stderr)
    except Exception as error:
        story.failed += 1
        print(f"✗ {type(error).__name__}: {error}", flush=True)
