"""Read UGF (.ugf, .ugi), the format of PandaNet and of Japanese newspapers, as SGF.

There is no specification; these facts are from A. E. Brouwer's description
(https://homepages.cwi.nl/~aeb/go/misc/ugf.html) and from files. A file has sections: [Header] with
"Name=Value", [Data] with moves "QP,B1,1,0" (point, colour and player, number, seconds; number 0 is
a setup stone, and a column "Y" or "Z" a pass), [Figure] with comments and diagrams, [ReviewNode]
with variations and [ReviewComment] with comments on their nodes. Rows count from the top, or from
the bottom if CoordinateType is IGS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ocgdedup.sgf.line_record import (
    BLACK,
    WHITE,
    LineRecord,
    branch_text,
    day_of,
    number_of,
    plain_number,
    sgf_point,
    value_of,
)

START = r"\s*(?:#[^\n]*\n\s*)*\[Header\]\s*\n"
FIRST_LINE = r"\s*\[Header\]\s*$"
CHARSETS = {b"": "Shift_JIS"}
DECLARED = rb"^Lang=([\w-]*)"
PRIVATE = "UGF"

_MOVE = r"([A-Z])([A-Z]),(?:([BW])[0-9]*|MK),([0-9]+)(?:,(.*))?"
_SECTION = (
    r"\[(Header|Remote|Files|Data|Figure|Comment|MessageLine|ReviewNode|ReviewComment|End)\]\s*"
)
_NODE = r"\s*NODE,([0-9]+),([012]),([0-9]+),([0-9]+)\s*"
_RULES = {"JPN": "Japanese", "CHN": "Chinese"}
_PLAIN = {
    "Place": "PC", "Writer": "US", "Commentator": "AN", "Copyright": "CP", "Comment": "GC",
}  # fmt: skip
_WINNERS = {"D": "0", "N": "Void", "O": "Both lost", "A": "Void", "P": "?", "E": "?"}
_MANNERS = {"C": "R", "G": "R", "E": "R", "T": "T", "F": "F"}
_REVIEW_COLOURS = {"1": BLACK, "2": WHITE}
_PLAIN_FILE = r"(?:.*PLAIN_UGF_FILE.*)?"
_PASS_COLUMN = 24  # "Y"
_DEEPEST = 200  # variations, one in the other
_PICTURES = "Files"  # in hexadecimal digits
_Lines = list[tuple[int, str]]  # with their places in the file


def record_of(lines: list[str]) -> list[str]:
    """Return a record as SGF, line for line."""
    record = LineRecord(len(lines))
    sections: dict[str, _Lines] = {}
    name = ""
    for number, line in enumerate(lines):
        match = re.fullmatch(_SECTION, line)
        name = match[1] if match else name
        if not match and line.strip():
            sections.setdefault(name, []).append((number, line))
    header = dict(line.split("=", 1) for _, line in sections.get("Header", []) if "=" in line)
    if not re.fullmatch(_PLAIN_FILE, header.get("Crypt", "")):
        return lines  # not readable, thus rejected
    record.size = number_of(header.get("Size", "").strip()) or record.size
    is_flipped = header.get("CoordinateType", "").strip() == "IGS"
    kept = _read_moves(record, sections.pop("Data", []), is_flipped)
    kept = _put_header(record, header) + kept
    kept += [line for _, line in sections.pop("Header", []) if "=" not in line]
    kept += _read_figures(record, sections.pop("Figure", []), is_flipped)
    review, remarks = sections.pop("ReviewNode", []), sections.pop("ReviewComment", [])
    if not _read_review(record, review, remarks, is_flipped):
        kept += [line for _, line in (*review, *remarks)]
    sections.pop(_PICTURES, None)
    kept += [line for others in sections.values() for _, line in others]
    record.put(PRIVATE, "\n".join(kept))
    return record.text()


def _point(record: LineRecord, column: int, row: int, is_flipped: bool) -> str:
    """Return a point by its numbers from 0; "" for a pass: YA, or 20,20 on a board of 19."""
    if column >= _PASS_COLUMN or min(column, row) >= record.size:
        return ""
    if max(column, row) >= record.size:
        return sgf_point(column, row)
    return sgf_point(column, record.size - 1 - row if is_flipped else row)


def _read_moves(record: LineRecord, lines: _Lines, is_flipped: bool) -> list[str]:
    """Add the moves and the stones before them; return the other lines."""
    stones: dict[str, list[str]] = {}
    kept = []
    for number, line in lines:
        match = re.fullmatch(_MOVE, line.strip(), re.ASCII)
        if match is None:
            if re.match("[A-Z]{2},", line):
                record.fault(number, line)
            else:
                kept.append(line)
            continue
        point = _point(record, ord(match[1]) - 65, ord(match[2]) - 65, is_flipped)
        seconds = (match[5] or "").strip()
        if int(match[4]) == 0 and match[3] and point:
            stones.setdefault(match[3], []).append(point)
        elif match[3]:
            record.move(number, match[3], point, f"SEC{value_of(seconds)}" * (seconds not in "0"))
        else:
            record.pass_move(number, BLACK)
    for colour, points in stones.items():
        record.set_up(colour, points)
    return kept


def _put_header(record: LineRecord, header: dict[str, str]) -> list[str]:
    """Add root properties; return the lines that say more."""
    parts = {name: [part.strip() for part in text.split(",")] for name, text in header.items()}
    record.put("EV", ", ".join(filter(None, parts.get("Title", []))))
    dates = [day_of(part) for part in parts.get("Date", [])]
    days = [day for day in dates if day]
    record.put("DT", ",".join(days[: 1 + (len(days) > 1 and days[1] > days[0])]))
    for colour in (BLACK, WHITE):
        names = [f"Player{colour}", f"Player{colour}2", f"{colour}Memb1"]
        players = [(*parts[name], "")[:2] for name in names if any(parts.get(name, []))]
        for name, column in ((f"P{colour}", 0), (f"{colour}R", 1)):
            record.put(name, " & ".join(filter(None, (player[column] for player in players))))
    rule = header.get("Rule", "").strip()
    record.put("RU", _RULES.get(rule, rule))
    handicap, komi = (*parts.get("Hdcp", []), "", "")[:2]
    record.put_handicap(number_of(handicap) or 0)
    record.put("KM", plain_number(komi) if re.fullmatch(r"-?\d{1,4}(\.\d*)?", komi) else komi)
    time = re.match(r"\w*;([1-9][0-9]{0,4});", header.get("Ptime", ""), re.ASCII)
    record.put("TM", str(60 * int(time[1])) if time else "")
    record.put("RE", _result(*(*parts.get("Winner", []), "", "")[:2]))
    for name, sgf_name in _PLAIN.items():
        record.put(sgf_name, header.get(name, ""))
    return [
        f"{name}={text}"
        for name, text in header.items()
        if any(parts[name][2 * name.startswith("Player") :]) and name not in (*_PLAIN, "Size")
    ]


def _result(winner: str, margin: str) -> str:
    """Return the result; "B,C" is a resignation (chuoshi)."""
    if winner not in (BLACK, WHITE):
        return _WINNERS.get(winner[:1], winner)
    if re.fullmatch(r"[0-9]{1,4}(\.[0-9]*)?", margin, re.ASCII):
        return f"{winner}+{plain_number(margin)}"
    return f"{winner}+{_MANNERS.get(margin[:1].upper(), '')}"


def _read_figures(record: LineRecord, lines: _Lines, is_flipped: bool) -> list[str]:
    """Add the comments and labels; return the lines of diagrams."""
    kept: list[str] = []
    played: int | None = None
    comment: list[str] = []
    in_diagram = False
    for _, line in lines:
        if in_diagram or line.startswith(".Fig"):
            in_diagram = not line.startswith(".EndFig")
            kept.append(line)
        elif text := re.match(r"\.Text,([0-9]{1,4})", line, re.ASCII):
            played, comment = record.moves_of(int(text[1])), []
        elif line.startswith(".EndText") and played is not None:
            record.comment(played, "\n".join(comment))
            played = None
        elif played is not None and (label := re.match(r"\.#,(\d+),(\d+),(.+)", line, re.ASCII)):
            point = _point(record, int(label[1]) - 1, int(label[2]) - 1, is_flipped)
            record.note(played, f"LB{value_of(f'{point}:{label[3]}')}")
        elif played is not None:
            comment.append(line)
        else:
            kept.append(line)
    if played is not None:
        record.comment(played, "\n".join(comment))
    return kept


class _Node:
    """A node of a review, and the nodes that follow it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments: list[str] = []
        self.next: list[_Node] = []


def _read_review(record: LineRecord, lines: _Lines, remarks: _Lines, is_flipped: bool) -> bool:
    """Add the variations and comments of a review.

    Returns False if its mainline is another one, or if too many variations are in one another.
    """
    nodes: dict[str, _Node] = {}
    mainline: list[_Node] = []
    last: _Node | None = None
    saved: list[_Node | None] = []  # the last node before each open variation
    for _, line in lines:
        word = line.strip()
        if word.startswith("VARIATIONEND") and saved:
            last = saved.pop()
        elif word.startswith("VARIATION"):
            saved.append(last)
            if len(saved) > _DEEPEST:
                return False
        elif match := re.fullmatch(_NODE, line, re.ASCII):
            colour = _REVIEW_COLOURS.get(match[2])
            point = _point(record, int(match[3]) - 1, int(match[4]) - 1, is_flipped)
            node = _Node(f";{colour}[{point}]" if colour else "")
            nodes[match[1]] = node
            if last:
                last.next.append(node)
            if not saved:
                mainline.append(node)
            last = node
    played = [node for node in mainline if node.text]
    moves = [move.partition("SEC[")[0] for move in record.moves]
    if [node.text for node in played][: len(moves)] != moves[: len(played)]:
        return False
    for number, text in _remarks(remarks):
        if number in nodes:
            nodes[number].comments.append(text)
        else:
            record.comment(0, text)
    _add_review(record, mainline)
    return True


def _remarks(lines: _Lines) -> Iterator[tuple[str, str]]:
    """Yield the number of a node, and the comment on it."""
    texts = re.split(r"^\.Comment,([0-9]+).*$", "\n".join(line for _, line in lines), flags=re.M)
    yield from zip(texts[1::2], texts[2::2], strict=True)


def _add_review(record: LineRecord, mainline: list[_Node]) -> None:
    count = 0
    for place, node in enumerate(mainline):
        count += bool(node.text)
        record.comment(count, "\n".join(node.comments))
        for other in node.next:
            if other not in mainline[place + 1 : place + 2]:
                record.branch(count, branch_text(_texts(other)))


def _texts(node: _Node) -> list[str]:
    """Return the nodes of a variation, with variations within it."""
    texts: list[str] = []
    ends: list[str] = []  # of the main variation at each fork, with the others after it
    while True:
        comment = "\n".join(node.comments).strip()
        texts.append((node.text or ";") + (comment and f"C{value_of(comment)}"))
        if not node.next:
            return [*texts, *reversed(ends)]
        *others, node = node.next
        if others:
            texts.append("(")
            ends.append(")" + "".join(branch_text(_texts(other)) for other in others))
