"""Read NGF, the format of the servers Cyberoro and WBaduk, as SGF.

There is no specification; these facts are from files and from other readers. Twelve lines precede
the moves: title, board size, White and Black with their ranks, site, handicap, an unknown number,
komi (a half is added in even games), date, minutes, result, number of moves. A move is "PM", its
number in letters, its colour, and its column and row, from "B" at the upper left; "A" is a pass. In
another form, lines before and after the moves begin with "GI", and "ID" lines are comments.
"""

from __future__ import annotations

import re

from ocgdedup.sgf.line_record import (
    BLACK,
    WHITE,
    LineRecord,
    day_of,
    number_of,
    plain_number,
    sgf_point,
)
from ocgdedup.sgf.root_values import read_result

START = r"(?!\s*[\[(])(?:[^\n]*\n){1,16}?PM[A-Z]{2}[BW][A-Z]{2}"
FIRST_LINE = r"(?!)"  # a file has one game
CHARSETS: dict[bytes, str] = {}
DECLARED = rb"(?!)"
PRIVATE = "NGF"

_MOVE = r"PM[A-Z]{2}([BW])([A-Z])([A-Z])(?:[A-Z]{2})?"
_PLAYER = r"(.*?)\s+(\S*[0-9初段級级단급]\S*)"
_COMMENT = r"^ID[BW]?\[(\d{1,4})\](.*?)(?:\[EndTxt\]|\Z)"
_DIGITS = 5  # of a number, at most
_FIELDS = (
    "title", "size", "white", "black", "site", "handicap", "unknown", "komi", "date", "minutes",
    "result", "moves",
)  # fmt: skip
_GI_FIELDS = ("title", "white", "black", "", "site", "date", "size", "handicap", "unknown", "komi")
_PARTLY_MAPPED = ("unknown", "date", "result", "")
_NUMBERS = ("size", "handicap", "minutes", "moves")
# Results in words, after the colour. "loses" and the like mean the other side.
_COLOUR = r"(black|黑|黒|흑)|(white|白|백)"
_LOSES = r"lose|lost|负|負|敗|败|패"
_MANNERS = ((r"resi|中盘|中盤|中押|불계", "R"), (r"time|时间|時間|超时|超時|시간", "T"))
_MARGIN = r"([0-9]+(?:\.[0-9]+)?)\s*(?:目|집|子)?\s*(半|반)?"
_WINS = r"win|won|lose|lost|胜|勝|勝ち|负|負|敗|败|승|패|子|目"


def record_of(lines: list[str]) -> list[str]:
    """Return a record as SGF, line for line."""
    record = LineRecord(len(lines))
    first = next(number for number, line in enumerate(lines) if re.match(_MOVE, line))
    after = []
    for number, line in enumerate(lines[first:], start=first):
        move = re.fullmatch(_MOVE, line.strip())
        if move:
            is_pass = "A" in (move[2], move[3])
            point = sgf_point(ord(move[2]) - 66, ord(move[3]) - 66)
            record.move(number, move[1], "" if is_pass else point)
        elif line.startswith("PM"):
            record.fault(number, line)
        elif line.strip():
            after.append(line)
    is_gi = all(line.startswith("GI") for line in lines[:first])
    texts = [line.removeprefix("GI").strip() if is_gi else line.strip() for line in lines[:first]]
    fields = dict(zip(_GI_FIELDS if is_gi else _FIELDS, texts, strict=False))
    comments = re.findall(_COMMENT, "\n".join(after), re.DOTALL | re.MULTILINE)
    result = fields.get("result") or (comments[-1][1] if comments else "")
    _put_header(record, fields, result)
    for number, text in comments:
        record.comment(record.moves_of(int(number)), text)
    kept = [
        f"{name}={text}"
        for name, text in fields.items()
        if (name in _PARTLY_MAPPED and text)
        or (name in _NUMBERS and number_of(text, digits=_DIGITS) is None)
    ]
    record.put(PRIVATE, "\n".join(kept + texts[len(fields) :] + after))
    return record.text()


def _put_header(record: LineRecord, fields: dict[str, str], result: str) -> None:
    size, handicap, minutes, _ = (
        number_of(fields.get(name, ""), digits=_DIGITS) or 0 for name in _NUMBERS
    )
    record.size = size or record.size
    record.put("EV", fields.get("title", ""))
    record.put("PC", fields.get("site", ""))
    record.put("DT", day_of(fields.get("date", "")))
    for colour, name in ((BLACK, "black"), (WHITE, "white")):
        player = fields.get(name, "")
        ranked = re.fullmatch(_PLAYER, player)
        record.put_player(colour, *(ranked.groups() if ranked else (player, "")))
    komi = number_of(fields.get("komi", ""), digits=_DIGITS)
    known = None if komi is None else plain_number(str(komi + 0.5 * (not handicap)))
    record.put("KM", known or fields.get("komi", ""))
    record.put("TM", str(60 * minutes) if minutes else "")
    record.put("RE", sgf_result(result))
    record.put_handicap(handicap)


def sgf_result(text: str) -> str:
    """Return a result in words as an RE value; the words, if they are not clear."""
    plain = text.partition(">>")[0].strip(" !\uff01")
    colour = re.search(_COLOUR, plain, re.IGNORECASE)
    if colour is None or not re.search(_WINS, plain, re.IGNORECASE):
        return plain if read_result(plain) != "*" else text
    is_black = (colour[1] is not None) != bool(re.search(_LOSES, plain, re.IGNORECASE))
    winner = BLACK if is_black else WHITE
    for pattern, manner in _MANNERS:
        if re.search(pattern, plain, re.IGNORECASE):
            return f"{winner}+{manner}"
    margin = re.search(_MARGIN, plain[colour.start() :])
    points = float(margin[1]) + 0.5 * bool(margin[2]) if margin else 0
    return f"{winner}+{points:g}" if points else f"{winner}+"
