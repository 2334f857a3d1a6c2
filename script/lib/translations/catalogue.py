"""Reads and extends the gettext catalogues of a translation."""

import re
from dataclasses import dataclass, field

QUOTED = re.compile(r'^(?:(msgid_plural|msgid|msgstr\[0\]|msgstr) )?"((?:[^"\\]|\\.)*)"$')
UNESCAPED = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\\\": "\\"}
WIDTH = 79
# The head of a catalogue that the reader accepts.
HEADER = ('msgid ""\nmsgstr ""\n"Language: ko\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
          '"Plural-Forms: nplurals=1; plural=0;\\n"\n')


@dataclass
class Entry:
    """An entry of a catalogue; its line is that of its msgid, from 1."""
    line: int = 0
    id: str | None = None
    plural: str | None = None
    translation: str | None = None
    is_fuzzy: bool = False
    comments: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The template whose translation this is."""
        return self.id if self.plural is None else self.plural


def entries(text: str) -> list[Entry]:
    """The entries of a catalogue, without its header and obsolete ones."""
    found, entry, open_field = [], Entry(), None
    fields = {"msgid": "id", "msgid_plural": "plural", "msgstr": "translation",
              "msgstr[0]": "translation"}
    for number, line in enumerate(text.splitlines(), 1):
        if match := QUOTED.match(line):
            keyword, quoted = match.groups()
            value = re.sub(r"\\.", lambda it: UNESCAPED.get(it.group(), it.group()), quoted)
            if keyword:
                if keyword == "msgid" and entry.id is not None:
                    found.append(entry)
                    entry = Entry()
                if keyword == "msgid":
                    entry.line = number
                open_field = fields[keyword]
                setattr(entry, open_field, value)
            else:
                setattr(entry, open_field, getattr(entry, open_field) + value)
        elif line.startswith("#") and not line.startswith("#~"):
            if entry.id is not None:
                found.append(entry)
                entry = Entry()
            entry.comments.append(line)
            entry.is_fuzzy |= line.startswith("#,") and "fuzzy" in line
        elif not line.strip() and entry.id is not None:
            found.append(entry)
            entry = Entry()
    if entry.id is not None:
        found.append(entry)
    return [entry for entry in found if entry.id]


def written(entry: Entry) -> str:
    """An entry as a catalogue has it."""
    lines = list(entry.comments) + field_lines("msgid", entry.id)
    if entry.plural is None:
        lines += field_lines("msgstr", entry.translation or "")
    else:
        lines += field_lines("msgid_plural", entry.plural)
        lines += field_lines("msgstr[0]", entry.translation or "")
    return "\n".join(lines) + "\n"


def field_lines(keyword: str, text: str) -> list[str]:
    """A text as gettext writes it: on one line, or on several if it is long or has line ends."""
    escaped = "".join({v: k for k, v in UNESCAPED.items()}.get(letter, letter) for letter in text)
    if len(keyword) + len(escaped) + 3 <= WIDTH and "\\n" not in escaped:
        return [f'{keyword} "{escaped}"']
    pieces, line = [], ""
    for word in re.findall(r"(?:\\n|[^ \\]|\\[^n])*(?: +|\\n|$)", escaped):
        if line and len(line) + len(word) + 2 > WIDTH:
            pieces.append(line)
            line = ""
        line += word
        if word.endswith("\\n"):
            pieces.append(line)
            line = ""
    if line:
        pieces.append(line)
    return [f'{keyword} ""'] + [f'"{piece}"' for piece in pieces]
