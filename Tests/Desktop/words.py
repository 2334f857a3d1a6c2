"""The texts of a window in another language, from the catalogues of the translators.

Tests name things in English; a window in Korean has other names.
"""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = ROOT / "Sources/Localization/Resources"
# A placeholder; the quotation marks that close behind it; and the particle after them.
PLACEHOLDER = re.compile(r"%(\d|%)(?:([”’\"')]*)(\{[^}]*\}))?")
# A Korean particle has at most this many syllables, with the brackets of "이(가)".
PARTICLE = r"[가-힣()]{0,5}"


class Words:
    """The translations into one language. Without a catalogue, every text stays as it is."""

    def __init__(self, language: str = "en"):
        self.translations: dict[str, str] = {}
        for path in [*sorted((CATALOGUES / language).glob("*.po")),
                     *sorted(ROOT.glob(f"plugins/*/Localization/{language}.po"))]:
            for id, text in entries(path.read_text()):
                self.translations.setdefault(id, text)
        self.templates = [(template_pattern(id), text) for id, text in self.translations.items()
                          if PLACEHOLDER.search(id)]

    def pattern(self, english: str) -> re.Pattern:
        """Matches a text of the window by its English wording, in which * stands for anything."""
        return re.compile(self._expression(english), re.DOTALL)

    def _expression(self, english: str) -> str:
        return self._whole(english) or self._joined(english) or \
            re.escape(english).replace(r"\*", ".*")

    def _whole(self, english: str) -> str | None:
        """The expression for one text of the catalogues, or a template with its arguments."""
        if english in self.translations:
            # A person may have written the same words, which stay as they are.
            return f"(?:{fill(self.translations[english], [])}|{re.escape(english)})"
        best = None
        for (pattern, letters), text in self.templates:
            found = pattern.fullmatch(english)
            if found and (best is None or letters > best[0]):
                best = letters, text, found
        if best is None:
            return None
        arguments = {int(name[1:]): self._expression(value)
                     for name, value in best[2].groupdict().items()}
        return fill(best[1], arguments)

    def _joined(self, english: str) -> str | None:
        """The expression for a name that the window joins of texts: "Accept: Dinner", "With Mina",
        "Leave…", "Mina: Reply" and "Someone without a name (*). *"; None if neither its beginning
        nor its end is one of them."""
        head, found, rest = english.partition(". ")
        if found and (beginning := self._whole(head)):
            return beginning + re.escape(". ") + self._expression(rest)
        for mark in (": ", " ", "…"):
            head, found, rest = english.partition(mark)
            if found and head in self.translations:
                return fill(self.translations[head], []) + re.escape(mark) + (
                    self._expression(rest) if rest else "")
        name, mark, rest = english.partition(": ")
        if rest in self.translations:
            return re.escape(name + mark).replace(r"\*", ".*") + self._expression(rest)
        return None


def template_pattern(id: str) -> tuple[re.Pattern, int]:
    """Matches texts made of an English template; and the number of letters that are its own."""
    parts, letters, at, seen = [], 0, 0, set()
    for mark in PLACEHOLDER.finditer(id):
        own = id[at:mark.start()]
        parts.append(re.escape(own))
        letters += len(own)
        digit = mark[1]
        if digit == "%":
            parts.append("%")
        elif digit in seen:
            parts.append(f"(?P=a{digit})")
        else:
            parts.append(f"(?P<a{digit}>.+?)")
            seen.add(digit)
        at = mark.end()
    parts.append(re.escape(id[at:]))
    return re.compile("".join(parts), re.DOTALL), letters + len(id) - at


def fill(translation: str, arguments: dict[int, str]) -> str:
    """A regular expression for a translation with its arguments, and any particle after each."""
    expression, at = "", 0
    for mark in PLACEHOLDER.finditer(translation):
        expression += re.escape(translation[at:mark.start()])
        expression += "%" if mark[1] == "%" else arguments.get(int(mark[1]), ".+?")
        expression += re.escape(mark[2]) + PARTICLE if mark[3] else ""
        at = mark.end()
    return expression + re.escape(translation[at:])


def entries(po: str):
    """The translated ids of a catalogue with their translations; of two wordings the second, which
    is the one for many."""
    for block in po.split("\n\n"):
        texts: dict[str, str] = {}
        keyword = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            word, _, rest = line.partition('"')
            keyword = word.strip() or keyword
            texts[keyword] = texts.get(keyword, "") + unquoted(rest.rpartition('"')[0])
        id = texts.get("msgid_plural") or texts.get("msgid", "")
        translation = texts.get("msgstr[0]") or texts.get("msgstr", "")
        if id and translation and "#, fuzzy" not in block:
            yield id, translation
            if "msgid_plural" in texts:
                yield texts["msgid"], translation


def unquoted(text: str) -> str:
    """A text of a catalogue without its escapes."""
    return re.sub(r"\\(.)", lambda mark: {"n": "\n", "t": "\t"}.get(mark[1], mark[1]), text)
