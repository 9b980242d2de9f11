"""Text of variations as PGN's standard has it.

A variation is stored as it stood, and people write more there than other programs read: commas
behind moves, signs such as "+=", a NAG before the first move, which some readers refuse and others
give to another move. In mainlines these were read away; here they are written away.
Works on the text between the parentheses of one variation. Must not know games.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO

from ocgdedup.pgn.odd_values import comment_end

# As kernels/chess/nag_table.h reads them in mainlines; a test compares. None: it says nothing.
SIGNS: dict[str, int | None] = {
    "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6,
    "=": 10, "==": 10, "~": 13, "∞": 13,
    "+=": 14, "+/=": 14, "⩲": 14, "=+": 15, "=/+": 15, "⩱": 15,
    "+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "+--": 18, "-+": 19, "--+": 19,
    "□": 7, "⨀": 22, "↑": 36, "→": 40, "⇆": 132, "⊕": 138, "∆": 140, "Δ": 140, "⌓": 142, "○": 26,
    "=/~": 44, "N": 146, "TN": 146, "RR": 145, "D": 220,
    "+": None, "++": None, "#": None, "##": None,
}  # fmt: skip

# Most variations have nothing of the kind: a comma, a sign or single letter by itself, "$5.", a
# brace that closes nothing, a NAG that comes first.
_MAY_BE_ODD = re.compile(
    r"[,~∞⩲⩱±∓□⨀↑→⇆⊕∆Δ⌓○]|(?<![^\s(){}])(?:[-+=!?/#]+|N|TN|RR|D)(?![^\s(){}])|\$\d+[.}]|"
    r"(?:^|\()\s*(?:\{[^}]*\}\s*)*\$"
)
_PIECE = re.compile(r"(\{[^}]*\}?)|(\s*)([^\s(){]+)")
_NAG_WITH_DOTS = re.compile(r"(\$\d+)\.+")
_NAGS_FIRST = re.compile(
    r"((?:^|\()\s*(?:\{[^}]*\}\s*)*)((?:\$\d+\s+)+)((?:\d+\.+\s*)?(?:[A-Za-z][^\s(){}]*|--))"
    r"|\{[^}]*\}?"
)
# Plain text and comments, and the same between parentheses, but no deeper.
_PLAIN = r"(?:[^{}();\r\n]++|\{[^{}\r\n]*+\})*+"
_CLOSED = re.compile(rf"{_PLAIN}(?:\({_PLAIN}\){_PLAIN})*+")
_BORDER = re.compile(r"[{}();\r\n]")
_BRACES_AWAY = str.maketrans("{}", "()")
_UNREAD = str.maketrans("", "", ",}")


def standard_variation(text: str) -> str:
    """Return a variation without commas, its signs as NAGs behind moves; comments stay."""
    if not _MAY_BE_ODD.search(text):
        return text
    return _replaced(_NAGS_FIRST, _move_first, _replaced(_PIECE, _standard_piece, text))


def _replaced(pattern: re.Pattern[str], new_text: Callable[[re.Match[str]], str], text: str) -> str:
    """Do what `pattern.sub()` does; it would hold all parts of a long text in memory."""
    result = StringIO()
    place = 0
    for match in pattern.finditer(text):
        result.write(text[place : match.start()])
        result.write(new_text(match))
        place = match.end()
    result.write(text[place:])
    return result.getvalue()


def closed_variation(text: str) -> str:
    """Return a variation whose comments and parentheses are all closed in it, and no others.

    What the loader stores is so already. In any other text a reader would look for the end
    elsewhere, and take moves and games for a part of the variation.
    """
    if _CLOSED.fullmatch(text):
        return text
    parts: list[str] = []
    depth = place = 0
    while sign := _BORDER.search(text, place):
        parts.append(text[place : sign.start()])
        place = sign.end()
        if sign[0] == "{":
            place = comment_end(text, sign.start())
            inner = text[sign.end() : place].removesuffix("}")
            if inner.count("{") != inner.count("}"):
                inner = inner.translate(_BRACES_AWAY)
            parts.append("{" + re.sub(r"\s*[\r\n]\s*", " ", inner) + "}")
        elif sign[0] == "(":
            depth += 1
            parts.append("(")
        elif sign[0] == ")" and depth:
            depth -= 1
            parts.append(")")
        else:
            parts.append(" ")
    return "".join((*parts, text[place:], ")" * depth))


def is_open(text: str) -> bool:
    """Return whether closed_variation() would change a text, apart from its line ends."""
    return closed_variation(text) != text.replace("\r", " ").replace("\n", " ")


def _standard_piece(match: re.Match[str]) -> str:
    comment, blanks, word = match.groups()
    if comment is not None:
        return str(comment)
    word = _NAG_WITH_DOTS.sub(r"\1", word.translate(_UNREAD))
    if word in SIGNS:
        number = SIGNS[word]
        word = "" if number is None else f"${number}"
    return f"{blanks}{word}" if word else ""


def _move_first(match: re.Match[str]) -> str:
    before, nags, move = match.groups()
    return match[0] if move is None else f"{before}{move} {nags.rstrip()}"
