"""Values that are not in standard form: dates, results, charsets, tags.

The reading kernel calls OddValues for the rare value that it cannot decode itself.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from io import StringIO

from ocgdedup._kernels.chess import is_played_variant, movetext_parts, spelled_result
from ocgdedup.charsets import guess_charset
from ocgdedup.game_columns import GAME_COLUMNS
from ocgdedup.garbled import decoded_comment, decoded_value, repaired_name
from ocgdedup.pgn.dates import UNKNOWN_DATE, parse_date
from ocgdedup.pgn.variants import variant_of

# PGN standard 8.1.1.7, of the Result tag: "It is always one of four possible values: "1-0" (White
# wins), "0-1" (Black wins), "1/2-1/2" (drawn game), and "*" (game still in progress, game
# abandoned, or result otherwise unknown)."

RESULTS = WHITE_WINS, BLACK_WINS, DRAW, UNDECIDED = ("1-0", "0-1", "1/2-1/2", "*")


def parse_result(text: str, *, without_moves: bool = False) -> str | None:
    """Return the result of a value: "1-0", "0-1", "1/2-1/2" or "*"; None if it is not a result.

    "+/-", "-/+" and "=" are evaluations, except in a game `without_moves`. None also for "0-0", a
    result that PGN does not have.
    """
    # NFKC turns full-width forms into ASCII.
    compatible = unicodedata.normalize("NFKC", text).casefold().strip()
    if not compatible:
        return UNDECIDED
    return spelled_result(compatible.encode("utf-8", "replace"), without_moves)


ORIGINAL_DATE = "OriginalDate"  # the tag for a date that its column has in another form
_YEAR_QUALITY = 10  # the lowest DateQuality of a date with a known year

NO_BRACES = str.maketrans("{}", "()")


def flatten_variation(text: str) -> str:
    """Return a variation with its moves on one line, without escape lines.

    Line comments become brace comments; brace comments keep their lines.
    """
    flat = StringIO()  # less memory than a list of small parts
    for part in movetext_parts(text.replace("\r\n", "\n").replace("\r", "\n"), by_lines=True):
        if part[0] == ";":
            flat.write(f"{{{part[1:].translate(NO_BRACES)}}}")
        else:
            flat.write(decoded_comment(part) if part[0] == "{" else part.replace("\n", " "))
    return flat.getvalue()


def _distinct(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return tags by name; a repeated name gets a number: "Annotator_2"."""
    tags: dict[str, str] = {}
    used: dict[str, int] = dict.fromkeys(_COLUMN_TAGS, 1)
    for name, value in pairs:
        number = used.get(name, 0) + 1
        while (key := name if number == 1 else f"{name}_{number}") in tags:
            number += 1
        used[name] = number
        tags[key] = value
    return tags


# The tag names of the reading kernel (kernels/chess/pgn_lex.pxd: tag_value). Compiled when they are
# first used, since that takes 5 ms.
_LETTERS = "A-Za-z0-9_\u00a1-\u200a\u2010-\u2027\u202a-\ufefe\uff00-\U0010ffff"
_TAG_NAMES = rf"(?:[{_LETTERS}][{_LETTERS}+#=:./-]*\n)*"
_NOT_IN_NAMES = rf"[^{_LETTERS}+#=:./-]"


def writable_tags(tags: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Return tags with valid names that do not change how the moves are read.

    Tags stored by the loader stay as they are. `tags` must allow several iterations.
    """
    if re.fullmatch(_TAG_NAMES, "".join(f"{name}\n" for name, _ in tags)) and not any(
        map(_changes_moves, tags)
    ):
        return tags
    return _distinct([(_writable_name(*tag), tag[1]) for tag in tags]).items()


def _changes_moves(tag: tuple[str, str]) -> bool:
    """Return whether a tag without a column would change how the moves are read."""
    name = tag[0].lower()
    if name == "variant":
        return not is_played_variant(tag[1].encode())
    return name == "fen"


def _writable_name(name: str, value: str) -> str:
    writable = re.sub(_NOT_IN_NAMES, "_", name)
    writable = f"Tag{writable}" if writable[:1] in "+#=:./-" else writable
    return f"{writable}_2" if _changes_moves((writable, value)) else writable


def _decoded_value(name: str, value: str) -> str:
    return value if name.startswith("Original") else decoded_value(value)


# A tag that repeats one of these is stored as White_2 and so on.
_COLUMN_TAGS = frozenset(column.tag for column in GAME_COLUMNS if column.tag)


class OddValues:
    """The kernel's OddValues (see ocgdedup/_kernels/chess.pyi)."""

    def __init__(self) -> None:
        self.date = lru_cache(maxsize=4096)(parse_date)
        self.result = parse_result
        self.charset = guess_charset
        self.name = repaired_name
        self.comment = decoded_comment
        self.variation = flatten_variation
        self.variant = variant_of

    def extra_tags(
        self, pairs: list[tuple[str, str]], originals: dict[str, str], date: str, quality: int
    ) -> tuple[str | None, int]:
        """Return the JSON object of the extra tags, and the DateQuality."""
        decoded = [(name, _decoded_value(name, value)) for name, value in pairs]
        tags = _distinct(decoded)
        for (name, value), (_, new) in zip(pairs, decoded, strict=True):
            if new != value:
                originals.setdefault(f"Original{name}", value)
        for name, value in originals.items():
            if tags.get(name, value) != value:  # the file has a tag of this name
                tags = _distinct([*tags.items(), (name, tags[name])])
            tags[name] = value
        if ORIGINAL_DATE in tags and ORIGINAL_DATE not in originals:
            # ocgdedup wrote this file: the quality is that of the original text.
            original_date, original_quality = parse_date(tags[ORIGINAL_DATE])
            if original_date == date:
                quality = original_quality
            elif (
                original_date == UNKNOWN_DATE
                and quality >= _YEAR_QUALITY
                and tags.get("UTCDate") != date
            ):
                quality = quality // 10 * 10 + 1  # a guess, from the date of the event
        if not tags:
            return None, quality
        return json.dumps(tags, ensure_ascii=False, separators=(",", ":")), quality
