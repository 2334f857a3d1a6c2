"""Finds the marked texts of Swift sources, and writes each as its template: "%1 is %2 m away".

A text is marked if it is
- an argument of a call in HEADS, as in localized("…"),
- a wording of Sentence(count: n, one: "…", other: "…"),
- followed by `as Sentence`, or
- in a function, property or constant whose type names Sentence.
A ternary and texts joined by + are understood. A text within an interpolation needs a mark of its
own.
"""

import re
from dataclasses import dataclass, field

# The calls whose argument is a Sentence, and which argument: its position, or its label. A new kind
# of call that takes a Sentence is added here.
HEADS = {
    "localized": [0],
    "Sentence": ["one", "other"],
    "catalogue.text": [0],
    # Faults of commands.
    "usage": [0], "failed": [0, 1], "refused": [0], "notFound": [0], "notRunning": [0],
    "timedOut": [0], "conflict": [0], "onlyMatch": ["of"], "resolve": ["what"],
    "NodeUnreachable": ["reason"], "Mismatch": [1], "mismatch": [0], "Breach": ["rule"],
    "consumeValue": ["help"],
    # The inbox and the notices of the desktop.
    "InboxItem": ["title", "body"], "InboxText": ["title", "body"], "Action": [0],
    "DesktopNotice": ["title", "body", "withoutText"],
    # What a node says about itself.
    "Notice": ["text"], "tell": [2], "DevicePairing": ["detail"],
    "DeviceRemoval": ["detail"], "StatusChange": ["problem", "notice"],
    "SettingDeclaration": ["help"], "storage": ["help"],
    # The doctor.
    "ok": [1], "skipped": ["because"], "Fix": [0], "notTried": ["reason"], "notAsked": ["reason"],
    # The command line.
    "section": [0], "person": ["else"],
    # The reason why somebody cannot be reached.
    "init": ["cause", "fix"], "ConnectionTrouble": ["cause", "fix"], "Ranged": ["reason"], "shown": [0],
}
# The most arguments of a sentence, as Sentence.argumentCountMax.
ARGUMENTS_MAX = 9

TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>#*\"(?:\"\")?)|(?P<name>[A-Za-z_]\w*|`[^`]*`)"
    r"|(?P<mark>->|[=!<>]=|&&|\|\||\?\?|\.\.[.<]|.)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
# What a type is written with, between its colon or arrow and the body or the value.
TYPE_MARKS = {"[", "]", "(", ")", ",", "?", ":", ".", "<", ">", "&"}
# What goes on with the statement of the line above, at the end of that line and at a line's start.
GOES_ON = {"+", "?", ":", ".", ",", "(", "[", "{", "=", "??", "&&", "||"}


@dataclass
class Token:
    """A name, a mark, or a text with its parts: strings, and the tokens of interpolations."""
    kind: str
    value: str
    line: int
    parts: list = field(default_factory=list)


@dataclass(frozen=True)
class Message:
    """A marked text: its template, and its template for a count of one if it has one."""
    template: str
    singular: str | None
    path: str
    line: int


class Mistake(Exception):
    """A text that cannot be marked as it is."""

    def __init__(self, line: int, sentence: str):
        super().__init__(sentence)
        self.line = line


def tokens(source: str, start: int = 0, line: int = 1, nested: bool = False):
    """The tokens of a source, and where they end: at the end, or if nested at a closing bracket."""
    found, depth, at = [], 0, start
    while at < len(source):
        match = TOKEN.match(source, at)
        kind, value = match.lastgroup, match.group()
        if kind == "text":
            token, end = text_token(source, match, line)
            found.append(token)
            line += source.count("\n", at, end)
            at = end
            continue
        if nested and value == ")" and depth == 0:
            return found, match.end()
        depth += (value == "(") - (value == ")")
        if kind != "space":
            found.append(Token(kind, value, line))
        line += value.count("\n")
        at = match.end()
    return found, at


def text_token(source: str, opening: re.Match, line: int):
    """The token of a string literal, and where it ends."""
    quotes = opening.group()
    hashes = quotes.count("#")
    is_block = quotes.endswith('"""')
    end_mark = ('"""' if is_block else '"') + "#" * hashes
    escape = "\\" + "#" * hashes
    parts, text, at = [], "", opening.end()
    while not source.startswith(end_mark, at):
        if at >= len(source):
            raise Mistake(line, "a text does not end")
        if not source.startswith(escape, at):
            text += source[at]
            at += 1
            continue
        at += len(escape)
        sign = source[at]
        at += 1
        if sign == "(":
            inside, at = tokens(source, at, line + source.count("\n", opening.start(), at), True)
            parts += [text, inside]
            text = ""
        elif sign == "u":
            close = source.index("}", at)
            text += chr(int(source[at + 1:close], 16))
            at = close + 1
        elif sign == "\n":
            text += "\\\n"  # The end of the line is no part of the text; see unindented.
        else:
            text += ESCAPES[sign]
    parts.append(text)
    if is_block:
        parts = unindented(parts)
    return Token("text", "", line, parts), at + len(end_mark)


def unindented(parts: list) -> list:
    """The parts of a text over several lines without the indentation of its last line."""
    indent = parts[-1].rsplit("\n", 1)[-1]
    parts = [part.replace("\n" + indent, "\n") if isinstance(part, str) else part
             for part in parts]
    parts[0] = parts[0].removeprefix("\n")
    parts[-1] = parts[-1].removesuffix("\n")
    return [part.replace("\\\n", "") if isinstance(part, str) else part for part in parts]


def template(parts: list, line: int, first: int = 1) -> tuple[str, int]:
    """The template of a text's parts, and the number of its next placeholder."""
    written = ""
    for part in parts:
        if isinstance(part, str):
            written += part.replace("%", "%%")
        else:
            if first > ARGUMENTS_MAX:
                raise Mistake(line, f"a sentence has at most {ARGUMENTS_MAX} arguments")
            written += f"%{first}"
            first += 1
    return written, first


def has_words(text: str) -> bool:
    """Whether a template says anything that a language may say in another way."""
    return any(letter.isalpha() for letter in re.sub(r"%\d", "", text))


class Reader:
    """Collects the messages of one file."""

    def __init__(self, path: str, source: str):
        self.path = path
        self.messages: list[Message] = []
        self.read(tokens(source)[0])

    def add(self, template: str, line: int, singular: str | None = None):
        if has_words(template):
            self.messages.append(Message(template, singular, self.path, line))

    def read(self, all_tokens: list[Token], marked: bool = False, inside: bool = False):
        """Reads tokens; in marked ones each text is a message, unless a call takes it. Inside an
        interpolation of a marked text, a text without a mark is a mistake."""
        at = 0
        while at < len(all_tokens):
            token = all_tokens[at]
            if token.kind == "text":
                at = self.read_texts(all_tokens, at, marked, inside)
            elif (head := self.head(all_tokens, at)) in HEADS \
                    and self.value(all_tokens, at + 1) == "(" and \
                    self.value(all_tokens, at - 1) not in {"func", "case", "struct", "enum"}:
                end = closing(all_tokens, at + 1)
                self.read_head(head, all_tokens[at + 2:end])
                at = end + 1
            elif (end := self.typed(all_tokens, at)) is not None:
                body, end = end
                self.read(all_tokens[body:end], marked=True)
                at = end
            elif token.value in {"(", "["} and (marked or inside) and self.is_call(all_tokens, at):
                end = closing(all_tokens, at)
                self.read(all_tokens[at + 1:end])
                at = end + 1
            else:
                at += 1

    def read_texts(self, all_tokens, at: int, marked: bool, inside: bool) -> int:
        """Reads a text and those that are joined to it; returns where they end."""
        line, parts, end = all_tokens[at].line, list(all_tokens[at].parts), at + 1
        while self.value(all_tokens, end) == "+" and self.kind(all_tokens, end + 1) == "text":
            parts += all_tokens[end + 1].parts
            end += 2
        marked |= [it.value for it in all_tokens[end:end + 2]] == ["as", "Sentence"]
        written, _ = template(parts, line) if marked else ("", 0)
        is_compared = self.value(all_tokens, at - 1) in {"==", "!=", "case"} or \
            self.value(all_tokens, end) in {"==", "!="}
        if marked and not is_compared:
            self.add(written, line)
        elif inside and any(has_words(part) for part in parts if isinstance(part, str)):
            raise Mistake(line, "a text inside a marked text needs a mark of its own")
        for part in parts:
            if not isinstance(part, str):
                self.read(part, inside=marked or inside)
        return end

    def read_head(self, name: str, inner: list[Token]):
        """Reads the arguments of a marked call."""
        wordings = {}
        for position, argument in enumerate(split(inner)):
            label = None
            if len(argument) > 1 and argument[0].kind == "name" and argument[1].value == ":":
                label, argument = argument[0].value, argument[2:]
            is_message = label in HEADS[name] if label else position in HEADS[name]
            before = len(self.messages)
            self.read(argument, marked=is_message)
            if name == "Sentence" and label in {"one", "other"}:
                wordings[label] = self.messages[before:]
                del self.messages[before:]
        if not wordings:
            return
        for one, other in zip(wordings.get("one", []), wordings.get("other", []), strict=False):
            self.messages.append(Message(other.template, one.template, self.path, other.line))
        for extra in wordings.get("other", [])[len(wordings.get("one", [])):]:
            raise Mistake(extra.line, "a wording for many needs one for a single thing")

    def typed(self, all_tokens, at: int) -> tuple[int, int] | None:
        """The body or the value of a declaration whose type names Sentence, if it begins here."""
        if all_tokens[at].value not in {"->", ":"}:
            return None
        end, names_sentence = at + 1, False
        while end < len(all_tokens) and (
                all_tokens[end].kind == "name" or all_tokens[end].value in TYPE_MARKS):
            names_sentence |= all_tokens[end].value == "Sentence"
            if all_tokens[end].value in {"func", "var", "let", "case", "return"}:
                return None
            end += 1
        if not names_sentence or end >= len(all_tokens):
            return None
        if all_tokens[end].value == "{":
            return end + 1, closing(all_tokens, end)
        if all_tokens[end].value == "=":
            return end + 1, statement_end(all_tokens, end + 1)
        return None

    @classmethod
    def head(cls, all_tokens, at: int) -> str:
        """The name of the call that may begin at an index, with its owner if that is a
        catalogue."""
        is_of_catalogue = cls.value(all_tokens, at - 1) == "." and \
            cls.value(all_tokens, at - 2) == "catalogue"
        return ("catalogue." if is_of_catalogue else "") + all_tokens[at].value

    @staticmethod
    def is_call(all_tokens, at: int) -> bool:
        """Whether a bracket belongs to the name or the bracket before it."""
        if at == 0 or all_tokens[at].line != all_tokens[at - 1].line:
            return False
        before = all_tokens[at - 1]
        return before.value in {")", "]"} or before.kind == "name" and before.value not in {
            "return", "in", "else", "case", "if", "where", "switch"}

    @staticmethod
    def value(all_tokens, at: int) -> str:
        return all_tokens[at].value if 0 <= at < len(all_tokens) else ""

    @staticmethod
    def kind(all_tokens, at: int) -> str:
        return all_tokens[at].kind if 0 <= at < len(all_tokens) else ""


def closing(all_tokens: list[Token], at: int) -> int:
    """The index of the bracket that closes the one at an index."""
    depth = 0
    for index in range(at, len(all_tokens)):
        if all_tokens[index].kind == "text":
            continue
        depth += (all_tokens[index].value in OPENING) - (all_tokens[index].value in CLOSING)
        if depth == 0:
            return index
    raise Mistake(all_tokens[at].line, "a bracket is not closed")


def statement_end(all_tokens: list[Token], at: int) -> int:
    """The index at which a statement ends that goes on at another one."""
    depth = 0
    for index in range(at, len(all_tokens)):
        token = all_tokens[index]
        if index > at and depth == 0 and token.line > all_tokens[index - 1].line:
            before = all_tokens[index - 1]
            goes_on = before.kind == "mark" and before.value in GOES_ON or \
                token.kind == "mark" and token.value in GOES_ON - {"{", "(", "["}
            if not goes_on and token.value != "else":
                return index
        if token.kind == "text":
            continue
        depth += (token.value in OPENING) - (token.value in CLOSING)
        if depth < 0:
            return index
    return len(all_tokens)


def split(inner: list[Token]) -> list[list[Token]]:
    """The arguments of a call."""
    arguments, depth = [[]], 0
    for token in inner:
        if token.kind != "text":
            depth += (token.value in OPENING) - (token.value in CLOSING)
            if token.value == "," and depth == 0:
                arguments.append([])
                continue
        arguments[-1].append(token)
    return arguments


def messages(path: str, source: str) -> list[Message]:
    """The marked texts of a file.

    Raises Mistake for one that no catalogue can hold.
    """
    return Reader(path, source).messages
