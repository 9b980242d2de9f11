"""A file imported twice with different bytes: each record duplicates only itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.pipeline.search.detect import SearchOptions, SearchResult, find_duplicates
from ocgdedup.store.database import open_database
from tests.support.databases import Silent
from tests.support.played_games import collection_text

# Records that the sum alone leaves open: of few plies, without a date.
_SHORT = """[Event "Cup"]
[Site "Reykjavik"]
[Date "{date}"]
[Round "{round}"]
[White "{white}"]
[Black "Larsen, Bent"]
[Result "1/2-1/2"]

{moves} 1/2-1/2

"""
_MOVES = ("", "1. e4", "1. d4 d5", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6")
SHORT = [
    _SHORT.format(date=date, round=round_, white=f"{name}, Fridrik", moves=moves)
    for name, moves in zip(("Olafsson", "Pilnik", "Szabo", "Taimanov"), _MOVES, strict=True)
    for date, round_ in (("????.??.??", "?"), ("1957.??.??", "3"))
]
NAMELESS = _SHORT.format(date="????.??.??", round="?", white="NN", moves="1. d4 d5")


def found_in(folder: Path, *texts: bytes) -> SearchResult:
    paths = []
    for number, text in enumerate(texts):
        path = folder / f"{number}.pgn"
        path.write_bytes(text)
        paths.append(str(path))
    database = folder / "games.db3"
    create(CreateRequest(str(database), paths, force=True), Silent())
    opened = open_database(str(database))
    try:
        return find_duplicates(opened.connection, SearchOptions())
    finally:
        opened.close()


def duplicates(result: SearchResult) -> int:
    return sum(len(group.ids) - 1 for group in result.groups)


@pytest.mark.parametrize("times", [2, 3])
def test_each_game_once_more(tmp_path: Path, times: int) -> None:
    text = collection_text() + "".join(SHORT)
    ends = ["\n", "\r\n", "\n\n"][:times]
    once = found_in(tmp_path, text.encode())
    twice = found_in(tmp_path, *(text.replace("\n\n", end * 2).encode() for end in ends))
    assert twice.games == times * once.games
    kept = once.games - duplicates(once)
    assert twice.games - duplicates(twice) == kept
    assert len(twice.possible_duplicates) == len(once.possible_duplicates)


def test_a_short_record_without_players_is_no_duplicate(tmp_path: Path) -> None:
    result = found_in(tmp_path, NAMELESS.encode(), NAMELESS.replace("\n", "\r\n").encode())
    assert duplicates(result) == 0
