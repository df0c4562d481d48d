"""The little language of agents: ``piers``, ``risky(0.6)``, ``rules(PlaySafeCard, IfRule(lives > 1, ...))``."""

import math
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

PIPE = re.compile(r"\s*pipe\s*\(")
"""What stands before the command of a bot, in which everything has the meaning that it has in a shell."""

QUOTED = r"""'[^'\x00-\x1f]*'|"[^"\x00-\x1f]*\""""
"""A text in quotes, in which nothing has a meaning but the quote that closes it."""

SETTING = re.compile(rf",\s*[a-z_]+\s*=\s*(?:[\w./~-]+|{QUOTED})\s*(?=[,)])")
"""What ends a command: a comma and a setting of the pipe."""

FILE = r"[\w.~-]*/[\w./~-]*\w|[\w.~-]*\w\.(?:json|npz|log)(?![\w.])"
"""The name of a file that needs no quotes: it has a slash in it, or one of our endings."""

TOKEN = re.compile(
    rf"\s*(?:(?P<quoted>{QUOTED})|(?P<file>{FILE})|"
    r"(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[A-Za-z_][\w.]*(?:-[A-Za-z_][\w.]*)*(?::\w+)?)"
    r"|(?P<sign><=|>=|==|[<>()=,+]))"
)


LONGEST, DEEPEST = 20_000, 20
"""How many characters the text of a team may have, and how deeply its brackets may be nested."""


class AgentError(ValueError):
    """A text that does not name an agent, or not correctly."""


@dataclass(frozen=True)
class Call:
    """A name with its arguments, if any."""

    name: str
    arguments: tuple["Value", ...] = ()
    keywords: tuple[tuple[str, "Value"], ...] = ()

    def __str__(self) -> str:
        inside = [show(value) for value in self.arguments] + [f"{key}={show(value)}" for key, value in self.keywords]
        return f"{self.name}({', '.join(inside)})" if inside else self.name

    def within(self) -> Iterator["Call"]:
        """The call itself and all those among its arguments."""
        yield self
        for value in (*self.arguments, *(value for _, value in self.keywords)):
            if isinstance(value, Call):
                yield from value.within()


@dataclass(frozen=True)
class Comparison:
    """A condition such as ``lives > 1``."""

    variable: str
    sign: str
    number: float

    def __str__(self) -> str:
        return f"{self.variable} {self.sign} {show_number(self.number)}"


@dataclass(frozen=True)
class Command:
    """The command of a bot, as words."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(f"'{word}'" if "," in word and "'" not in word else shlex.quote(word) for word in self.words)


@dataclass(frozen=True)
class Quoted:
    """A text in quotes, such as the name of a file with blanks in it."""

    text: str

    def __str__(self) -> str:
        quote = '"' if "'" in self.text else "'"
        return f"{quote}{self.text}{quote}"


Value = Call | Comparison | Command | Quoted | float


def words_of(value: Value) -> str:
    """The text of a value, without the quotes that it may need."""
    return value.text if isinstance(value, Quoted) else show(value)


def show(value: Value) -> str:
    """The text of a value."""
    return show_number(value) if isinstance(value, (int, float)) else str(value)


def show_number(number: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


class Parser:
    """Reads a team: agents joined by ``+``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self.split(text))
        self.at = self.depth = 0

    def split(self, text: str) -> Iterator[tuple[str, str]]:
        """The tokens of a text, with their kinds."""
        position, end = 0, len(text.rstrip())
        if end > LONGEST:
            raise AgentError(f"the name of an agent has at most {LONGEST:,} characters; this one has {end:,}")
        while position < end:
            if pipe := PIPE.match(text, position):
                yield from (("name", "pipe"), ("sign", "("))
                position = end_of_command(text, pipe.end())
                yield "command", text[pipe.end() : position]
            match = TOKEN.match(text, position)
            if match is None:
                character = text[position:].strip()[0]
                if character in "\"'":
                    raise AgentError(f"{text!r}: the {character} is not closed")
                raise AgentError(f"{text!r}: {character!r} has no meaning in the name of an agent")
            yield str(match.lastgroup), match.group(str(match.lastgroup))
            position = match.end()
        yield "end", "the end"

    def fail(self, expected: str) -> AgentError:
        """The error to raise when the next token is not what was expected."""
        return AgentError(f"{self.text!r}: expected {expected}, found {self.tokens[self.at][1]}")

    def take(self, *wanted: str) -> str | None:
        """The next token, if its kind or its sign is wanted."""
        kind, text = self.tokens[self.at]
        if kind in wanted or (kind == "sign" and text in wanted):
            self.at += 1
            return text
        return None

    def team(self) -> tuple[Call, ...]:
        """Agents joined by +."""
        members = [self.call()]
        while self.take("+"):
            members.append(self.call())
        if not self.take("end"):
            raise self.fail("a + or the end")
        return tuple(members)

    def call(self) -> Call:
        """A name, with or without arguments in brackets."""
        name = self.take("name", "file")
        if name is None:
            raise self.fail("a name")
        arguments: list[Value] = []
        keywords: list[tuple[str, Value]] = []
        if self.take("("):
            self.depth += 1
            if self.depth > DEEPEST:
                raise AgentError(f"{self.text[:40]!r}...: brackets are nested more than {DEEPEST} deep")
            while not self.take(")"):
                self.argument(arguments, keywords)
                if self.take(")"):
                    break
                if not self.take(","):
                    raise self.fail("a , or )")
            self.depth -= 1
        return Call(name, tuple(arguments), tuple(keywords))

    def argument(self, arguments: list[Value], keywords: list[tuple[str, Value]]) -> None:
        """A value, or a name = value."""
        value = self.value()
        if isinstance(value, Call) and self.take("="):
            keywords.append((value.name, self.value()))
        elif keywords:
            raise self.fail("a name and = (plain arguments come first)")
        else:
            arguments.append(value)

    def value(self) -> Value:
        """A number, a text in quotes, a name, or a comparison."""
        command = self.take("command")
        if command is not None:
            return Command(tuple(shlex.split(command)))
        quoted = self.take("quoted")
        if quoted is not None:
            return Quoted(quoted[1:-1])
        number = self.take("number")
        if number is not None:
            return self.finite(number)
        call = self.call()
        sign = self.take("<", ">", "<=", ">=", "==")
        if sign is None:
            return call
        number = self.take("number")
        if number is None:
            raise self.fail("a number")
        return Comparison(call.name, sign, self.finite(number))

    def finite(self, number: str) -> float:
        """The number that a text spells, if it is not too large."""
        if not math.isfinite(float(number)):
            raise AgentError(f"{self.text!r}: the number {number} is too large")
        return float(number)


def end_of_command(text: str, start: int) -> int:
    """Where a command ends: at the bracket that closes it, or at the first setting of the pipe."""
    quote, depth, at = "", 0, start
    while at < len(text):
        character = text[at]
        if character == "\\" and quote != "'":
            at += 1
        elif quote or character in "\"'":
            quote = "" if character == quote else quote or character
        elif not depth and (character == ")" or (character == "," and SETTING.match(text, at))):
            return at
        else:
            depth += (character == "(") - (character == ")")
        at += 1
    raise AgentError(f"{text!r}: {f'the {quote} of' if quote else 'the bracket after'} a command is not closed")


BUDGETS = ("iterations", "deals", "ms")


def split_budget(text: str) -> tuple[str, str, float]:
    """An agent without its budget, the name of the budget, and its size; the name is empty if it has none."""
    try:
        (call, *others) = parse(text)
    except AgentError:  # a template, such as predictor({partner})
        return text, "", 0.0
    found = [(key, value) for key, value in call.keywords if key in BUDGETS and isinstance(value, float)]
    if others or len(found) != 1:
        return text, "", 0.0
    rest = Call(call.name, call.arguments, tuple(pair for pair in call.keywords if pair not in found))
    return str(rest), *found[0]


def parse(text: str) -> tuple[Call, ...]:
    """The agents of a team, as written."""
    return Parser(text).team()
