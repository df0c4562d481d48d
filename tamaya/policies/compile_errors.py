"""Numba's complaints, in the words of somebody who wrote a policy."""

import re

KINDS = (
    (r"Literal\[str\]\(.*\)|unicode_type", "a text"),
    (r"Literal\[bool\]\(.*\)|bool(ean)?", "yes or no"),
    (r"Literal\[int\]\(.*\)|u?int\d+", "a whole number"),
    (r"float\d+", "a number"),
    (r"(Uni)?Tuple.*", "a tuple"),
    (r"(reflected )?list.*|LiteralList.*", "a list"),
    (r"(nested)?array.*", "an array"),
    (r"Record.*", "the view"),
    (r"none", "nothing"),
    (r"Module\(<module '(\w+)'.*", r"the module \1"),
)
"""What numba calls the types that a policy meets, and what people call them."""

CAUSES = (
    (r"No conversion from none to", "it returns nothing on some path; a policy must return a move on every path"),
    (
        r"No conversion from float\d+ to int64 for",
        "it returns a fraction; a policy returns a move, which is a whole number",
    ),
    (r"No conversion from (.+?) to int64 for", "it returns {0}; a policy returns a move, which is a whole number"),
    (r"Cannot unify (.+?) and (.+?) for '(\w+)", "{2} is {0} on one path and {1} on another"),
    (r"Cannot unify (.+?) and (.+?) for", "a value is {0} on one path and {1} on another"),
    (
        r"Untyped global name '(\w+)': .*<class 'function'>",
        "{0} is a plain function; put @kernel from tamaya.engine.jit above it",
    ),
    (r"Untyped global name '(\w+)'", "compiled code does not know {0}"),
    (r"Unknown attribute '(\w+)' of type (.+)", "compiled code has no {0} in {1}"),
    (r">>> (\w+)\((.*)\)", "compiled code has no {0}({1})"),
    (r"NameError: (.+)", "{0}"),
    (r"The '(.+?)' construct is not supported", "compiled code has no {0}"),
)
"""What numba says, and what that means."""

PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+):\n(?P<source>(?:.*\n)*?)\s*\^')


COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""What numba puts into its messages where colorama is installed."""


def kind_of(name: str) -> str:
    """What people call a numba type."""
    for pattern, words in KINDS:
        found = re.fullmatch(pattern, name.strip())
        if found:
            return found.expand(words)
    return name.strip()


def kinds_of(names: str) -> str:
    """What people call the types of some arguments, separated by commas as numba lists them."""
    parts, depth = [""], 0
    for letter in names:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return ", ".join(map(kind_of, parts))


def cause_of(error: Exception) -> str:
    """What numba found wrong, and in which of the user's lines, without its compiler passes and the view's fields."""
    text = re.sub(r"Record\(.*?;\d+;(?:True|False)\)", "Record", COLOUR.sub("", str(error)))
    places = list(PLACE.finditer(text))
    place = ""
    if places:
        source = places[-1]["source"].rstrip("\n").splitlines() or [""]
        place = f" ({places[-1]['file']}, line {places[-1]['line']}: {source[-1].strip()})"
    for pattern, words in CAUSES:
        found = re.search(pattern, text)
        if found:
            return words.format(*map(kinds_of, found.groups())) + place
    lines = [line for line in text.strip().splitlines() if not line.startswith("Failed in")]
    return (lines or [text])[0] + place
