"""Read a Result tag value or a termination marker that is not written as PGN asks.

Owns: the spellings of the four results. Must not know: games, forfeits, who played.

PGN standard 8.1.1.7: "It is always one of four possible values: "1-0" (White wins), "0-1" (Black
wins), "1/2-1/2" (drawn game), and "*" (game still in progress, game abandoned, or result
otherwise unknown)."
"""

from __future__ import annotations

import re
import unicodedata

WHITE_WINS, BLACK_WINS, DRAW, UNDECIDED = "1-0", "0-1", "1/2-1/2", "*"

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
# Patterns stay text: re compiles each once, when first used, so import is cheap.
_HALF_POINT = r"0?[.,]5|1\u20442"
_ZERO_AS_LETTER = r"1[-:]o|o[-:]1"

# What may follow a result without changing it: how the game ended, never another score.
_REMARK = r"(?<=[0-9])(?:ff?|w\.?[o0]\.?|forfeit|\([^()0-9]*\))$"

# Keys are without spaces, in small letters. Left out because they have a second meaning:
# "1", "0" and "2" (a code or one player's points), "=", "+/-", "-/+" and "+=" (evaluations),
# "0-0" and "-:-" (both lose; PGN has no value for it).
_SPELLINGS = {
    "": UNDECIDED,
    "?": UNDECIDED,
    "*": UNDECIDED,
    "1-0": WHITE_WINS,
    "+-": WHITE_WINS,
    "+:-": WHITE_WINS,
    "+--": WHITE_WINS,
    "whitewins": WHITE_WINS,
    "0-1": BLACK_WINS,
    "-+": BLACK_WINS,
    "-:+": BLACK_WINS,
    "--+": BLACK_WINS,
    "blackwins": BLACK_WINS,
    "1/2": DRAW,
    "1/2-1/2": DRAW,
    "draw": DRAW,
    "drawn": DRAW,
    "remis": DRAW,
    "remise": DRAW,
    "tablas": DRAW,
    "patta": DRAW,
    "nulle": DRAW,
    "ничья": DRAW,
}


def parse_result(text: str) -> str | None:
    """Return the result a value means: "1-0", "0-1", "1/2-1/2" or "*"; None if it says none."""
    squeezed = _squeeze(text)
    plain = re.sub(_REMARK, "", squeezed)
    if re.fullmatch(_ZERO_AS_LETTER, plain):
        plain = plain.replace("o", "0")
    # ":" is the dash of German and Russian scores; "+:-" keeps it, having a dash of its own.
    return _SPELLINGS.get(plain) or _SPELLINGS.get(_with_dash(plain))


def _squeeze(text: str) -> str:
    # NFKC writes the one-half sign as 1, U+2044, 2 and full-width forms as ASCII.
    compatible = unicodedata.normalize("NFKC", text).casefold().translate(_DASHES)
    return re.sub(_HALF_POINT, "1/2", "".join(compatible.split()))


def _with_dash(score: str) -> str:
    return score.replace(":", "-") if "+" not in score else score
