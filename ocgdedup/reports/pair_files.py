"""Files of pairs: the report of a search as .csv or .json, and what `printpgn --pairs` reads."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from typing import BinaryIO, NamedTuple

from ocgdedup.errors import UsageError
from ocgdedup.files.decompress import refuse_address
from ocgdedup.matching.evidence import TERMS
from ocgdedup.pipeline.search.overview import ReportedPair
from ocgdedup.pipeline.search.pairs import ShownPair
from ocgdedup.tables.columns import COLUMNS_OF, Column, Columns, Table
from ocgdedup.tables.formats import REPORT_FORMATS, kind_of
from ocgdedup.tables.spreadsheet import plain_cell
from ocgdedup.tables.table_file import open_table

# One row a pair: the duplicate and its kept game ("Master"), or two possible duplicates, the
# earlier one as "Master". The last columns are the terms of Score: "MovesEvidence" and so on.
_TERM_COLUMNS = tuple(Column(f"{term[0].upper()}{term[1:]}Evidence", "real") for term in TERMS)
PAIRS = Table("pairs", (*COLUMNS_OF["pairs"], *_TERM_COLUMNS))
COLUMNS = PAIRS.column_names
_SCORE_DIGITS = 3
_ROWS_AT_ONCE = 400


OpenFile = Callable[[str], AbstractContextManager[BinaryIO]]


def write_report(path: str, pairs: Iterable[ReportedPair], open_file: OpenFile) -> int:
    """Write one row for each pair; return how many.

    `open_file` opens a new file that gets its name when it is whole. Few rows are in memory.
    Raises UsageError if the name ends in none of REPORT_FORMATS.
    """
    kind, count = kind_of(path, REPORT_FORMATS), 0
    with open_file(path) as handle:
        # No cell of CSV is a formula to a spreadsheet.
        file = open_table(kind, handle, PAIRS, is_safe_csv=True)
        try:
            for columns in pair_columns(pairs):
                file.write(columns)
                count += len(columns[0])
        except BaseException:
            file.discard()
            raise
        file.finish()
    return count


def pair_columns(pairs: Iterable[ReportedPair]) -> Iterator[Columns]:
    """Yield pairs as columns of PAIRS, some hundred at a time."""
    rows = map(_values, pairs)
    while batch := list(islice(rows, _ROWS_AT_ONCE)):
        yield list(zip(*batch, strict=True))


def _values(reported: ReportedPair) -> tuple[object, ...]:
    """Return the values of COLUMNS."""
    pair = reported.pair
    game, kept = pair.game, pair.kept
    score = None if pair.score is None else round(pair.score, _SCORE_DIGITS)
    return (
        pair.group, game.game_id, kept.game_id,
        pair.status, pair.reason, pair.kind, score, pair.evidence,
        reported.suspected_false, pair.decision, pair.note,
        game.white, kept.white, game.black, kept.black, game.event, kept.event,
        game.date, kept.date, game.round, kept.round, game.result, kept.result,
        game.plies, kept.plies, reported.first_difference,
        game.header_score, kept.header_score, game.has_comments, game.has_variations,
        game.source, game.number, kept.source, kept.number,
        *map(reported.terms.get, TERMS),
    )  # fmt: skip


# --- reading --------------------------------------------------------------------------------------

_BETWEEN = re.compile(r"[\s,;]+")
_NEEDED = ("MasterID", "GameID")


class PairRow(NamedTuple):
    """A pair of a file; `values`: values of a report by its COLUMNS, empty for other files."""

    first: int
    second: int
    values: Mapping[str, object] = {}  # read-only


def read_rows(path: str) -> list[PairRow]:
    """Return the pairs of a file: of a report with the kept game first, of other text in its order.

    The content shows whether it is a report. Other text has two IDs on a line, separated by blanks,
    tabs, a comma or a semicolon; "#" starts a comment. Raises UsageError with the line that is not
    a pair, and if the file cannot be read or has no pairs.
    """
    text = read_text(path)
    first = text.lstrip()[:1]
    if first in ("[", "{"):
        rows = _pairs_of_json(path, text)
    elif all(name in text.split("\n", 1)[0] for name in _NEEDED):
        rows = _pairs_of_csv(path, text)
    else:
        rows = _pairs_of_lines(path, text)
    pairs = list(rows)
    if not pairs:
        raise UsageError(f"{path}: has no pairs of games")
    return pairs


def fits(row: PairRow, pair: ShownPair) -> bool:
    """Return whether the games of a database can be those of a row of a report.

    Lengths do not change. A merge may change players, but not all of them.
    """
    for start, game in (("Master", pair.left), ("", pair.right)):
        plies = str(row.values.get(f"{start}Plies") or "")
        if plies.isdecimal() and int(plies) != len(game.texts):
            return False
        tags = dict(game.tags)
        sides = [(row.values.get(start + side), tags.get(side)) for side in ("White", "Black")]
        if not game.has_merged_header and all(was and was != now for was, now in sides):
            return False
    return True


def read_text(path: str) -> str:
    """Return the text of a file; raise UsageError if it is not UTF-8."""
    refuse_address(path)
    try:
        with open(path, encoding="utf-8-sig", newline="") as handle:
            return handle.read()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}: byte {error.start + 1} is not UTF-8 text; save the file as UTF-8"
        ) from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error


def rows_of_table(path: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the location and the cells of each row of a file, separated by commas, ";" or tabs.

    Blank rows and comments after "#" are left out. Raises UsageError for a file that is no table.
    """
    text = read_text(path)
    first = next((line for line in text.splitlines() if line.strip() and line[0] != "#"), "")
    reader = csv.reader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not cells[0].startswith("#"):
                yield f"{path}:{reader.line_num}", cells
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: {error}") from error


def _pairs_of_lines(path: str, text: str) -> Iterator[PairRow]:
    for number, line in enumerate(io.StringIO(text), 1):
        words = _BETWEEN.split(line.partition("#")[0].strip())
        if words != [""]:
            yield PairRow(*_pair(f"{path}:{number}", words))


def _pairs_of_csv(path: str, text: str) -> Iterator[PairRow]:
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)  # a spreadsheet may have saved it
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    try:
        for row in reader:
            values = [row.get(name) for name in _NEEDED]
            texts = {name: plain_cell(cell or "") for name, cell in row.items() if name in COLUMNS}
            yield PairRow(*_pair(f"{path}:{reader.line_num}", values), texts)
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: {error}") from error


def _pairs_of_json(path: str, text: str) -> Iterator[PairRow]:
    try:
        rows = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise UsageError(f"{path}:{line}: is not JSON: {getattr(error, 'msg', error)}") from error
    for number, row in enumerate(rows if isinstance(rows, list) else [rows], 1):
        values = [row.get(name) for name in _NEEDED] if isinstance(row, dict) else row
        pair = _pair(f"{path}: entry {number}", values)
        yield PairRow(*pair, row if isinstance(row, dict) else {})


def _pair(location: str, values: object) -> tuple[int, int]:
    if not isinstance(values, list) or len(values) != 2:
        raise UsageError(f"{location}: needs the IDs of two games")
    first, second = (game_id(location, value) for value in values)
    if first == second:
        raise UsageError(f"{location}: names game {first} twice; a pair needs two different games")
    return first, second


def game_id(location: str, value: object) -> int:
    """Return the game ID in a value of a file; raise UsageError with the location otherwise."""
    text = "" if value is None or isinstance(value, bool) else str(value).strip()
    # SQLite's numbers end at 2**63; int() would take 1_000 and digits of other scripts too.
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 19):
        raise UsageError(f"{location}: {text!r} is not a game ID")
    return int(text)
