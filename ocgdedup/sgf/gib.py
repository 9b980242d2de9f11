r"""Read GIB, the format of the server Tygem, as SGF.

There is no specification; these facts are from files and from other readers. A header between \HS
and \HE has fields, \[NAME=VALUE\]; the moves between \GS and \GE are lines:

    INI 0 1 HANDICAP &4
    STO 0 NUMBER COLOUR COLUMN ROW     colour 1 is Black, columns and rows count from 0 at the top
    SKI ...                            a pass

Remarks may follow, between \RS and \RE: REFSUSUN is the number of moves before them, REFEXPLAIN a
text, REFGIBO a line that is played from the start.
"""

from __future__ import annotations

import re

from ocgdedup.sgf.line_record import (
    BLACK,
    WHITE,
    LineRecord,
    branch_text,
    day_of,
    number_of,
    overtime,
    plain_number,
    sgf_point,
)

START = FIRST_LINE = r"\s*\\HS\b"
CHARSETS = {b"Korea": "EUC-KR", b"China": "GB18030", b"Japan": "Shift_JIS"}
DECLARED = rb"\\\[GIBOKIND=(\w+)"
PRIVATE = "GIB"

# A value ends at the start of the next field or part, too: a file without ends takes linear time.
_FIELD = r"\\\[(\w+)=([^\\]*(?:\\(?![\[\]])[^\\]*)*)\\\]"
_PART = r"(?:^|[,\s]){}:([^,]*)"
_PART_OF_TAG = r"(?:^|[,\s]){}([0-9][^,]*)"
_MOVE = r"STO\s+\d+\s+\d+\s+([12])\s+(\d{1,2})\s+(\d{1,2})\s*"
_RANK = r"(.*?)\(([^()]*)\)\s*"
_REMARK = r"\\RS\b([^\\]*(?:\\(?!R[SE]\b)[^\\]*)*)\\RE\b"
_COLOURS = {"1": BLACK, "2": WHITE}
# GRLT: how a game ended. With 0 and 1 it was counted, and ZIPSU are the tenths of the margin.
_RESULTS = {"3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}
_COUNTED = {"0": "B+", "1": "W+"}
# Levels below these are kyu, amateur dan and professional dan.
_FIRST_DAN, _FIRST_PROFESSIONAL = 18, 27
_MAPPED = frozenset(("GAMEPLACE", "GAMENAME", "GAMECOMMENT", "GAMEBLACKNAME", "GAMEWHITENAME"))
_MARK = r"\\[HGR][SE]\b"


def record_of(lines: list[str]) -> list[str]:
    """Return a record as SGF, line for line."""
    record = LineRecord(len(lines))
    text = "\n".join(lines)
    header, _, rest = text.partition("\\GS")
    game, end, remarks = rest.partition("\\GE")
    record.is_complete = bool(end)
    kept, handicap = _read_moves(record, game, header.count("\n"))
    kept = _others(_FIELD, header) + kept + _others(_REMARK, remarks)
    _put_header(record, dict(re.findall(_FIELD, header)), kept)
    record.put_handicap(handicap)
    for remark in re.findall(_REMARK, remarks):
        _add_remark(record, remark)
    return record.text()


def _read_moves(record: LineRecord, game: str, first_line: int) -> tuple[list[str], int]:
    """Add the moves; return the other lines, and the number of handicap stones."""
    kept, handicap = [], 0
    for number, text in enumerate(game.split("\n"), start=first_line):
        line = text.strip()
        move = re.fullmatch(_MOVE, line, re.ASCII)
        if move:
            record.move(number, _COLOURS[move[1]], sgf_point(int(move[2]), int(move[3])))
        elif line.startswith("SKI"):
            record.pass_move(number, WHITE if handicap else BLACK)
        elif line.startswith("STO"):
            record.fault(number, line)
        elif line:
            kept.append(line)
            setup = re.match(r"INI\s+\S+\s+\S+\s+([2-9])\b", line, re.ASCII)
            handicap = int(setup[1]) if setup else handicap
    return kept, handicap


def _put_header(record: LineRecord, fields: dict[str, str], kept: list[str]) -> None:
    main, sub, tag = (fields.get(name, "") for name in ("GAMEINFOMAIN", "GAMEINFOSUB", "GAMETAG"))
    record.size = number_of(_part("LINE", main)) or record.size
    record.put("EV", fields.get("GAMENAME") or _part("GNAME", sub))
    record.put("PC", fields.get("GAMEPLACE") or _part("GPLC", sub))
    dates = (fields.get("GAMEDATE", ""), _part("GDATE", sub), _part("C", tag, _PART_OF_TAG))
    record.put("DT", next(filter(None, map(day_of, dates)), ""))
    for colour, side in ((BLACK, "BLACK"), (WHITE, "WHITE")):
        name = fields.get(f"GAME{side}NAME", "")
        user = fields.get(f"{colour}USERINFO", "")
        ranked = re.fullmatch(_RANK, name, re.DOTALL)
        level = _rank_of_level(_part(f"{colour}LV", user))
        if ranked:
            record.put_player(colour, ranked[1], ranked[2])
        else:
            record.put_player(colour, name or _part(f"{colour}ID", user), level)
    record.put("RE", _result(fields, main, tag))
    komi = fields.get("GAMEGONGJE") or _part("GONGJE", main) or _part("G", tag, _PART_OF_TAG)
    if re.fullmatch(r"-?[0-9]{1,4}", komi.strip(), re.ASCII):
        record.put("KM", plain_number(str(int(komi) / 10)))
    time = re.search(r"GTIME:(\d{1,6})-(\d{1,6})-(\d{1,6})", main, re.ASCII)
    if time:
        record.put("TM", time[1])
        record.put("OT", overtime(time[3], time[2]))
    record.comment(0, fields.get("GAMECOMMENT") or _part("GCMT", sub))
    others = [f"{name}={text}" for name, text in fields.items() if text and name not in _MAPPED]
    record.put(PRIVATE, "\n".join(others + kept))


def _others(pattern: str, text: str) -> list[str]:
    """Return the lines of a text that are neither of a pattern nor the mark of a part."""
    others = re.sub(_MARK, "", re.sub(pattern, "", text))
    return [line.strip() for line in others.split("\n") if line.strip()]


def _part(name: str, text: str, pattern: str = _PART) -> str:
    """Return a part of a field: "GRLT:3" or, in GAMETAG, "W3"; "" if it is missing."""
    match = re.search(pattern.format(name), text)
    return match[1].strip() if match else ""


def _rank_of_level(level: str) -> str:
    number = number_of(level)
    if number is None:
        return ""
    if number >= _FIRST_PROFESSIONAL:
        return f"{number - _FIRST_PROFESSIONAL + 1}p"
    return f"{number - _FIRST_DAN + 1}d" if number >= _FIRST_DAN else f"{_FIRST_DAN - number}k"


def _result(fields: dict[str, str], main: str, tag: str) -> str:
    """Return the result by its code, or else in words."""
    code = _part("GRLT", main) or _part("W", tag, _PART_OF_TAG)
    margin = _part("ZIPSU", main) or _part("Z", tag, _PART_OF_TAG) or fields.get("GAMEZIPSU", "")
    if code in _COUNTED and re.fullmatch("[1-9][0-9]{0,4}", margin.strip(), re.ASCII):
        return _COUNTED[code] + plain_number(str(int(margin) / 10))
    return _RESULTS.get(code) or fields.get("GAMERESULT", "")


def _add_remark(record: LineRecord, remark: str) -> None:
    fields = dict(re.findall(_FIELD, remark))
    played = number_of(fields.get("REFSUSUN", "").strip(), digits=4) or 0
    line = [
        f";{_COLOURS[colour]}[{sgf_point(int(column), int(row))}]"
        for colour, column, row in re.findall(_MOVE, fields.get("REFGIBO", ""), re.ASCII)
    ]
    shared = 0
    while shared < min(len(line), len(record.moves)) and line[shared] == record.moves[shared]:
        shared += 1
    if line[shared:]:
        record.branch(shared, branch_text(line[shared:]))
    record.comment(record.moves_of(played), fields.get("REFEXPLAIN", ""))
