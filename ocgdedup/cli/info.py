"""The command info: what is in a database, as a screen of text or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ocgdedup.cli import show
from ocgdedup.cli.terminal import write_result, write_table
from ocgdedup.errors import ExitStatus

if TYPE_CHECKING:
    from ocgdedup.commands.info import FileInfo
    from ocgdedup.pipeline.named_options import NamedOptions
    from ocgdedup.store.overview import GoCounts

_LABEL_CHARS = 15
_SOURCES_SHOWN = 6
_TABLES_SHOWN = 5
_INDEXES = {
    "GamesMoveHash": "queries for equal games",
    "GamesFinalZobrist": "queries for a last position",
    "GamesPositionsKey": "queries for like games",
    "GamesSampledKey": "queries for like games",
    "GamesCoreHash": "queries for a pair of players",
    "DuplicateFlagsGroup": "queries for groups, and dedup",
    "CommentsGameID": "printpgn and export of comments",
    "AnnotationsGameID": "printpgn and export of variations",
    "SignaturesA": "find by signature A",
    "SignaturesB": "find by signature B",
    "SignaturesSymmetric": "queries for turned games",
    "SignaturesMD5": "find by MD5",
    "SignaturesMD5First50": "find by MD5",
    "SignaturesMD5First100": "find by MD5",
    "SignaturesCanonicalMD5": "find by MD5",
}


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print what is in a database."""
    from ocgdedup.commands.info import read_info

    found = read_info(options.database)
    if options.json:
        write_result(f"{json.dumps(_object(found), indent=2)}\n")
    else:
        write_table(f"{label:<{_LABEL_CHARS}} {text}" for label, text in _lines(found))
    return ExitStatus.DONE


def _lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    """Yield a label, which is "" where the one before goes on, and a text."""
    yield "database", f"{found.path}, {_size(found.size_bytes)}"
    yield "kind", _kind_text(found)
    yield from _game_lines(found)
    yield from _source_lines(found)
    yield from _player_lines(found)
    yield from _duplicate_lines(found)
    yield from _undo_lines(found)
    yield from _index_lines(found)
    yield from _page_lines(found)


def _kind_text(found: FileInfo) -> str:
    if found.version is None:
        return "of OCGDB; 'ocgdedup dedup --upgrade' makes it ours, read it can be as it is"
    if found.upgrade is None:
        return f"of ocgdedup, schema version {found.version}, which is the current one"
    return f"of ocgdedup, schema version {found.version}; the next command that writes upgrades it"


def _game_lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    games = found.games
    years = "no years known"
    if games.first_year is not None:
        years = f"{games.first_year} to {games.last_year}"
    unit = "plies" if found.go is None else "moves"
    average = f", {games.plies / games.games:.1f} {unit} on average" if games.games else ""
    yield "games", f"{games.games:,}{'' if found.go is None else ' of Go'}; {years}{average}"
    yield from _board_lines(found.go)
    details = [
        (games.with_fen if found.go is None else 0, "from a position (FEN)"),
        (games.with_comments, "with comments"),
        (games.with_variations, "with variations"),
        (found.cut_games, "cut at a fault"),
        (found.removed_games or 0, "deleted as copies, kept aside"),
    ]
    texts = [f"{count:,} {words}" for count, words in details if count]
    if texts:
        yield "", ", ".join(texts)
    if found.rejects:
        yield "rejects", f"{found.rejects:,}"
    yield "names", f"{found.players:,} players, {found.events:,} events, {found.sites:,} sites"
    if found.comments or found.annotations:
        yield "annotations", f"{found.comments or 0:,} comments, {found.annotations or 0:,} others"


def _board_lines(go: GoCounts | None) -> Iterator[tuple[str, str]]:
    if go is None:
        return
    boards = [f"{count:,} of {lines} lines" for lines, count in go.board_lines.items()]
    yield "boards", ", ".join(boards) or "none"
    stones = [(go.with_handicap, "with handicap"), (go.set_up, "from stones of both set up")]
    texts = [f"{count:,} {words}" for count, words in stones if count]
    if texts:
        yield "", ", ".join(texts)


def _source_lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    if not found.sources:
        yield "sources", "not known"
    is_searched = found.duplicate_state is not None
    for number, source in enumerate(found.sources[:_SOURCES_SHOWN]):
        size = _size(source.size_bytes) if source.size_bytes is not None else "size not known"
        when = (source.import_date or "")[:10]
        yield (
            "" if number else "sources",
            f"{source.name}, {size}, {when}, games here: {source.games:,}"
            + (f" ({show.source_text(source)})" if is_searched else ""),
        )
    rest = found.sources[_SOURCES_SHOWN:]
    if rest:
        yield "", f"and {len(rest)} more, games here: {sum(source.games for source in rest):,}"


def _player_lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    state = found.player_state
    if state is None:
        yield "players", "not looked up yet ('ocgdedup players')"
        return
    lists = ", ".join(f"{one.name} ({one.month or 'month not known'})" for one in state.lists)
    yield "players", f"looked up {_time(state.at)}; lists: {lists or 'none'}"
    fide = f", {state.with_fide_id:,} with a FIDE ID"
    yield "", f"{state.persons:,} persons{fide if state.with_fide_id or found.go is None else ''}"
    yield "", f"both players known in {state.games_with_both:,} games"
    if not state.stores_whole_list:
        yield "", "FIDE list reduced to the players of this database (players --no-store-list)"
    if not state.is_current:
        yield "", f"games or names are new since: run 'ocgdedup players'{_waiting(found)}"


def _waiting(found: FileInfo) -> str:
    waiting = found.games.not_looked_up
    return f" ({waiting:,} games not looked at yet)" if waiting else ""


def _duplicate_lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    state = found.duplicate_state
    if state is None:
        yield "duplicates", "not searched for yet ('ocgdedup dedup')"
        return
    words = "not noted"
    if found.search_options is not None:
        words = found.search_options.in_words()
    by_key = f" by {found.search_key} alone" if found.search_key else ""
    of_next = " of the next search by evidence" if found.search_key else ""
    yield "duplicates", f"searched for {_time(state.at)}{by_key}; options{of_next}: {words}"
    classes = ", ".join(f"{name} {count:,}" for name, count in state.copies.items())
    copies = f"{sum(state.copies.values()):,}" + (f" ({classes})" if classes else "")
    yield "", f"groups: {state.groups:,}; copies in Games: {copies}"
    yield (
        "",
        f"suspects open: {state.suspects_open:,}, decided: {state.suspects_decided:,}; "
        f"merged headers: {found.games.with_merged_header:,}",
    )
    if not state.is_current:
        yield "", "games, names or flags have changed since: run 'ocgdedup dedup'"


def _undo_lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    undoes = [
        f"ocgdedup {command} --undo (run of {_time(when)})"
        for command, when in (("players", found.undo_players), ("dedup", found.undo_dedup))
        if when is not None
    ]
    if found.removed_games:
        undoes.append(f"ocgdedup dedup --restore ({found.removed_games:,} games)")
    for number, text in enumerate(undoes):
        yield "" if number else "can be undone", text


def _index_lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    if found.version is None:
        return  # ours come with the upgrade
    not_needed = set()
    if found.player_state is None:
        not_needed.add("GamesCoreHash")
    if found.duplicate_state is None:
        not_needed.add("DuplicateFlagsGroup")
    missing = [name for name in found.missing_indexes if name not in not_needed]
    if not missing:
        yield "indexes", f"all {len(found.indexes)} that are needed"
    for number, name in enumerate(missing):
        yield "" if number else "no index", f"{name}: slow are {_INDEXES[name]}"


def _page_lines(found: FileInfo) -> Iterator[tuple[str, str]]:
    pages = found.pages
    if pages.tables is not None:
        largest = list(pages.tables.items())[:_TABLES_SHOWN]
        yield "largest", ", ".join(f"{name} {_size(size)}" for name, size in largest)
    if pages.free_pages:
        free = _size(pages.free_pages * pages.page_bytes)
        yield "free", f"{free} can be freed by VACUUM (any SQLite client)"


def _size(size_bytes: int) -> str:
    """Write bytes as people read them."""
    if size_bytes < 1000:
        return f"{size_bytes} B"
    size = size_bytes / 1000
    for unit in ("kB", "MB"):
        if size < 999.95:
            return f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _time(text: str | None) -> str:
    """Write a stored time without seconds."""
    return f"{text[:10]} {text[11:16]} UTC" if text else "at a time not noted"


def _object(found: FileInfo) -> dict[str, object]:
    """Return what --json writes; docs/info.md says what the keys mean."""
    games = found.games
    return {
        "path": found.path,
        "size_bytes": found.size_bytes,
        "kind": found.kind,
        "game": "chess" if found.go is None else "go",
        "schema_version": found.version,
        "upgrade": found.upgrade,
        "games": {
            "count": games.games,
            "average_plies": round(games.plies / games.games, 1) if games.games else None,
            "first_year": games.first_year,
            "last_year": games.last_year,
            "with_fen": games.with_fen,
            "with_comments": games.with_comments,
            "with_variations": games.with_variations,
            "cut_at_a_fault": found.cut_games,
            "removed": found.removed_games or 0,
        },
        "go": None if found.go is None else found.go._asdict(),
        "names": {"players": found.players, "events": found.events, "sites": found.sites},
        "persons": found.persons,
        "comments": found.comments or 0,
        "annotations": found.annotations or 0,
        "rejects": found.rejects or 0,
        "sources": [source._asdict() for source in found.sources],
        "players": _player_object(found),
        "duplicates": _duplicate_object(found),
        "undo": {"players": found.undo_players, "dedup": found.undo_dedup},
        "indexes": {"present": found.indexes, "missing": found.missing_indexes},
        "pages": {
            "size_bytes": found.pages.page_bytes,
            "count": found.pages.pages,
            "free": found.pages.free_pages,
            "tables": found.pages.tables,
        },
    }


def _player_object(found: FileInfo) -> dict[str, object] | None:
    state = found.player_state
    if state is None:
        return None
    return {
        "at": state.at,
        "lists": [
            {"name": one.name, "kind": one.kind, "month": one.month, "entries": one.entries}
            for one in state.lists
        ],
        "stores_whole_list": state.stores_whole_list,
        "with_fide_id": state.with_fide_id,
        "games_with_both": state.games_with_both,
        "games_not_looked_up": found.games.not_looked_up,
        "current": state.is_current,
    }


def _option_object(options: NamedOptions) -> dict[str, object]:
    return {name.replace("_", "-"): value for name, value in options.named().items()}


def _duplicate_object(found: FileInfo) -> dict[str, object] | None:
    state = found.duplicate_state
    if state is None:
        return None
    return {
        "at": state.at,
        "options": None if found.search_options is None else _option_object(found.search_options),
        "by": found.search_key,
        "groups": state.groups,
        "copies": state.copies,
        "suspects_open": state.suspects_open,
        "suspects_decided": state.suspects_decided,
        "merged_headers": found.games.with_merged_header,
        "current": state.is_current,
    }
