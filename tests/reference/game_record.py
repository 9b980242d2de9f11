"""A game as the search for duplicates reads it: reference of game_record.pxd and row_scan.pxd."""

from __future__ import annotations

from typing import NamedTuple

from ocgdedup._kernels.names import is_unknown, name_hash
from ocgdedup.matching.addresses import GameAddress, address_of
from ocgdedup.matching.names.letters import plain_letters
from tests.reference.header_text import (
    Date,
    EventText,
    Round,
    begins_with_name,
    is_doubtful,
    read_date,
    read_event,
    read_result,
    read_round,
)
from tests.reference.search_hashes import content_hash, round_number
from tests.support.copy_games import Record, blob_of, fide_ids_of, final_key_of, start_key


class Game(NamedTuple):
    """`names`: plain letters, None if unknown; `is_by_one`: both sides have the same name.

    `event`, `site`: empty if unknown; the name of a study is no event. `is_round_doubtful`: the
    round may be unknown. `roster`: number of a Seven Tag Roster (`written`) that several sources
    (`roster_sources`) have with equal moves. Records of one rank are paired; see equal_records.
    """

    number: int
    moves: tuple[int, ...]
    start: int
    replays: bool
    final_key: int
    names: tuple[str | None, str | None]
    is_by_one: bool
    persons: tuple[int, int]
    fide_ids: tuple[int, int]
    core_hash: int
    elos: tuple[int, int]
    date: Date
    round: Round
    is_round_doubtful: bool
    result: str
    event: EventText
    site: EventText
    source: int
    content: int
    address: GameAddress | None = None
    written: tuple[str | None, ...] = ()
    roster: int = 0
    rank: int = 0
    roster_sources: frozenset[int] = frozenset()


def read_game(number: int, record: Record) -> Game:
    names = (record.white, record.black)
    written = [None if name is None else plain_letters(name) for name in names]
    white, black = (None if name is None or is_unknown(name) else name for name in written)
    hashes = [0 if name is None else name_hash(name) for name in written]
    date = read_date(record.date)
    round_ = read_round(record.round)
    doubtful = is_doubtful(round_, record.round, date)
    result = read_result(record.result)
    event_name = None if is_of_study(record) else record.event
    event, site = read_event(event_name), read_event(record.site)
    fide_ids = fide_ids_of(record)
    content = content_hash(
        date, round_number(round_, is_doubtful=doubtful), result, record.elos, record.fide_ids,
        (hashes[0], hashes[1]), (event.letters, site.letters), blob_of(record.moves),
    )  # fmt: skip
    return Game(
        number, record.moves, start_key(record.fen), record.replays, final_key_of(record),
        (white, black), names[0] == names[1], record.persons, fide_ids, record.core_hash,
        record.elos, date, round_, doubtful, result, event, site, record.source, content,
        address_of(record.site or ""),
        (*names, event_name, record.site, record.date, record.round, record.result),
    )  # fmt: skip


def is_of_study(record: Record) -> bool:
    """Return whether the event is the name of a study or chapter of Lichess."""
    if "lichess.org/study/" in (record.site or ""):
        return True
    tags = dict(record.tags)
    names = (tags.get("StudyName", ""), tags.get("ChapterName", ""))
    has_address = any("/" in value for value in tags.values())
    return has_address and any(begins_with_name(record.event, name) for name in names)


def share_address(a: Game, b: Game) -> bool:
    return a.address is not None and a.address == b.address


def have_other_addresses(a: Game, b: Game) -> bool:
    """Return whether two games have different addresses and no others."""
    if a.address is None or b.address is None or a.address == b.address:
        return False
    return a.address.is_unique and b.address.is_unique
