"""The command info: print the content of a database as text or as JSON."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from ocgdedup.cli import show
from ocgdedup.cli.command import Command
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.cli.terminal import write_result, write_table
from ocgdedup.errors import ExitStatus
from ocgdedup.wording import counted, counted_classes, spelling_lines_text

if TYPE_CHECKING:
    from ocgdedup.commands.info import FileInfo
    from ocgdedup.store.reports import GoCounts

_LABEL_CHARS = 15
_SOURCES_SHOWN = 6
_TABLES_SHOWN = 5
_CODES_SHOWN = 4
_INDEXES = {
    "GamesMoveHash": "queries for games with equal moves",
    "GamesFinalZobrist": "queries for a last position",
    "GamesPositionsKey": "queries for similar games",
    "GamesSampledKey": "queries for similar games",
    "GamesCoreHash": "queries for a pair of players",
    "GamesGameHash": "queries for equal records",
    "DuplicateFlagsGroup": "queries for groups, and dedup",
    "CommentsGameID": "printpgn and export of comments",
    "AnnotationsGameID": "printpgn and export of variations",
    "SignaturesA": "find by signature A",
    "SignaturesB": "find by signature B",
    "SignaturesSymmetric": "queries for rotated games",
    "SignaturesMD5": "find by MD5",
    "SignaturesMD5First50": "find by MD5",
    "SignaturesMD5First100": "find by MD5",
    "SignaturesCanonicalMD5": "find by MD5",
}


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    add_flags(command, "--json")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Print the content of a database."""
    from ocgdedup.commands.info import read_info  # 33 ms

    summary = read_info(options.database)
    if options.json:
        from ocgdedup.deprecated import with_old_keys  # 1 ms

        text = json.dumps(with_old_keys("info", _object(summary)), indent=2)
        write_result(f"{text}\n")
    else:
        write_table(f"{label:<{_LABEL_CHARS}} {text}" for label, text in _lines(summary))
    return ExitStatus.DONE


def _lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    """Yield label and text of each line; the label is "" in continuation lines."""
    beside = f", search files {_size(info.search_files_bytes)}" if info.search_files_bytes else ""
    yield "database", f"{info.path}, {_size(info.size_bytes)}{beside}"
    kind = "OCGDB; can be read as it is, 'ocgdedup dedup --upgrade' adds our columns"
    if info.version is not None:
        is_current = info.upgrade is None
        state = " (current)" if is_current else "; the next command that writes upgrades it"
        kind = f"ocgdedup, schema version {info.version}{state}"
    yield "kind", kind
    yield from _game_lines(info)
    yield from _source_lines(info)
    yield from _player_lines(info)
    yield from _duplicate_lines(info)
    yield from _undo_lines(info)
    yield from _index_lines(info)
    yield from _page_lines(info)


def _game_lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    games = info.games
    years = "years unknown"
    if games.first_year is not None:
        years = f"{games.first_year} to {games.last_year}"
    unit = "plies" if info.go is None else "moves"
    average = f", {games.plies / games.games:.1f} {unit} on average" if games.games else ""
    go = "" if info.go is None else f" Go game{'s' * (games.games != 1)}"
    yield "games", f"{games.games:,}{go}; {years}{average}"
    yield from _board_lines(info.go)
    details = [
        (games.with_fen if info.go is None else 0, "with a start position (FEN)"),
        (games.with_comments, "with comments"),
        (games.with_variations, "with variations"),
        (info.games_truncated_at_error, "read up to an error"),
        (info.deleted_games or 0, "deleted as duplicates (can be restored)"),
    ]
    texts = [f"{count:,} {words}" for count, words in details if count]
    if texts:
        yield "", ", ".join(texts)
    yield from _opening_lines(info.openings)
    if info.rejects:
        yield "rejected texts", f"{info.rejects:,}"
    yield (
        "names",
        f"{counted(info.players, 'player name')}, {counted(info.events, 'event')}, "
        f"{counted(info.sites, 'site')}",
    )
    if info.comments or info.annotations:
        comments = counted(info.comments or 0, "comment")
        yield "annotations", f"{comments}, {counted(info.annotations or 0, 'other')}"


def _opening_lines(openings: Mapping[str, int] | None) -> Iterator[tuple[str, str]]:
    if not openings:
        return
    letters = Counter[str]()
    for code, games in openings.items():
        letters[code[0]] += games
    by_letter = ", ".join(f"{games:,} {letter}" for letter, games in sorted(letters.items()))
    yield "openings", f"{counted(letters.total(), 'game')} with an ECO code: {by_letter}"
    codes = ", ".join(f"{games:,} {code}" for code, games in islice(openings.items(), _CODES_SHOWN))
    yield "", f"most frequent: {codes}"


def _board_lines(go: GoCounts | None) -> Iterator[tuple[str, str]]:
    if go is None:
        return
    boards = [f"{count:,} of {lines} lines" for lines, count in go.board_lines.items()]
    yield "boards", ", ".join(boards) or "none"
    stones = [
        (go.with_handicap, "with handicap stones"),
        (go.set_up, "with setup stones of both players"),
    ]
    texts = [f"{count:,} {words}" for count, words in stones if count]
    if texts:
        yield "", ", ".join(texts)


def _source_lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    if not info.sources:
        yield "sources", "unknown"
    is_searched = info.duplicate_state is not None
    for number, source in enumerate(info.sources[:_SOURCES_SHOWN]):
        size = _size(source.size_bytes) if source.size_bytes is not None else "size unknown"
        when = (source.import_date or "")[:10]
        yield (
            "" if number else "sources",
            f"{source.name}, {size}, {when}, {counted(source.games, 'game')}"
            + (f" ({show.source_text(source)})" if is_searched else ""),
        )
    rest = info.sources[_SOURCES_SHOWN:]
    if rest:
        games = counted(sum(source.games for source in rest), "game")
        yield "", f"and {len(rest):,} more with {games}"


def _player_lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    state = info.player_state
    if state is None:
        yield "players", "not resolved yet (run 'ocgdedup players')"
        return
    lists = ", ".join(
        f"{rating_list.name} ({rating_list.month or 'month unknown'})"
        for rating_list in state.lists
    )
    yield "players", f"resolved {_time(state.at)}; lists: {lists or 'none'}"
    if state.spelling_lines:
        kept = spelling_lines_text(state.spelling_lines)
        yield "", f"kept from spelling files: {kept}"
    has_fide = state.with_fide_id or info.go is None
    fide = f", {state.with_fide_id:,} with a FIDE ID" if has_fide else ""
    yield "", f"{counted(state.persons, 'player')}{fide}"
    yield "", f"both players known in {counted(state.games_with_both, 'game')}"
    if not state.stores_whole_list:
        yield "", "FIDE list reduced to the players of this database (players --no-store-list)"
    if not state.is_current:
        new_games = info.games.not_looked_up
        count = f" ({counted(new_games, 'new game')})" if new_games else ""
        yield "", f"new games or names since then: run 'ocgdedup players'{count}"


def _duplicate_lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    state = info.duplicate_state
    if state is None:
        yield "duplicates", "not searched yet (run 'ocgdedup dedup')"
        return
    words = "not stored" if info.search_options is None else info.search_options.in_words()
    by_key = f" by {info.search_key} alone" if info.search_key else ""
    of_next = " for the next search by evidence" if info.search_key else ""
    yield "duplicates", f"searched {_time(state.at)}{by_key}; options{of_next}: {words}"
    classes = counted_classes(state.by_class, state.longer, state.diverging)
    count = f"{sum(state.by_class.values()):,}" + (f" ({classes})" if classes else "")
    yield "", f"groups: {state.groups:,}; duplicates in Games: {count}"
    yield (
        "",
        f"possible duplicates: {state.possible_duplicates_undecided:,} undecided, "
        f"{state.possible_duplicates_decided:,} decided; "
        f"games with merged headers: {info.games.with_merged_header:,}",
    )
    if info.games.with_merged_notes:
        yield "", f"games with merged annotations: {info.games.with_merged_notes:,}"
    if not state.is_current:
        yield "", "games, names or flags have changed since then: run 'ocgdedup dedup'"


def _undo_lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    undoes = [
        f"ocgdedup {command} --undo (run of {_time(when)})"
        for command, when in (("players", info.undo_players), ("dedup", info.undo_dedup))
        if when is not None
    ]
    if info.deleted_games:
        undoes.append(f"ocgdedup restore ({counted(info.deleted_games, 'game')})")
    for number, text in enumerate(undoes):
        yield "" if number else "can be undone", text


def _index_lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    if info.version is None:
        return  # our columns come with the upgrade
    is_needed = {
        "GamesCoreHash": info.player_state is not None,
        "DuplicateFlagsGroup": info.duplicate_state is not None,
    }
    missing = [name for name in info.missing_indexes if is_needed.get(name, True)]
    if not missing:
        yield "indexes", f"{len(info.indexes)} of {len(info.indexes)}"
    for number, name in enumerate(missing):
        yield "" if number else "missing index", f"{name}: slows down {_INDEXES[name]}"


def _page_lines(info: FileInfo) -> Iterator[tuple[str, str]]:
    pages = info.pages
    if pages.tables is not None:
        largest = list(pages.tables.items())[:_TABLES_SHOWN]
        yield "largest", ", ".join(f"{name} {_size(size)}" for name, size in largest)
    if pages.free_pages:
        free = _size(pages.free_pages * pages.page_bytes)
        yield "free", f"{free}; VACUUM in any SQLite client frees it"


def _size(size_bytes: int) -> str:
    """Format a number of bytes for people."""
    if size_bytes < 1000:
        return f"{size_bytes} B"
    size = size_bytes / 1000
    for unit in ("kB", "MB"):
        if size < 999.95:
            return f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _time(text: str | None) -> str:
    """Format a stored time without seconds."""
    return f"{text[:10]} {text[11:16]} UTC" if text else "at an unknown time"


def _object(info: FileInfo) -> dict[str, object]:
    """Return the JSON object; docs/info.md explains the keys."""
    games = info.games
    return {
        "path": info.path,
        "size_bytes": info.size_bytes,
        "search_files_bytes": info.search_files_bytes,
        "format": info.format,
        "game": "chess" if info.go is None else "go",
        "schema_version": info.version,
        "upgrade": info.upgrade,
        "games": {
            "count": games.games,
            "average_plies": round(games.plies / games.games, 1) if games.games else None,
            **_fields(games, "first_year last_year with_fen with_comments with_variations"),
            "truncated_at_error": info.games_truncated_at_error,
            "deleted": info.deleted_games or 0,
        },
        "openings": info.openings,
        "go": None if info.go is None else info.go._asdict(),
        "names": {"players": info.players, "events": info.events, "sites": info.sites},
        "persons": info.persons,
        "comments": info.comments or 0,
        "annotations": info.annotations or 0,
        "rejects": info.rejects or 0,
        "sources": [source._asdict() for source in info.sources],
        "players": _player_object(info),
        "duplicates": _duplicate_object(info),
        "undo": {"players": info.undo_players, "dedup": info.undo_dedup},
        "indexes": {"present": info.indexes, "missing": info.missing_indexes},
        "pages": {
            "size_bytes": info.pages.page_bytes,
            "count": info.pages.pages,
            "free": info.pages.free_pages,
            "tables": info.pages.tables,
        },
    }


def _fields(record: object, names: str) -> dict[str, object]:
    """Return some fields of a record, which have the same names in JSON."""
    return {name: getattr(record, name) for name in names.split()}


def _player_object(info: FileInfo) -> dict[str, object] | None:
    state = info.player_state
    if state is None:
        return None
    return {
        "at": state.at,
        "lists": [_fields(rating_list, "name kind month entries") for rating_list in state.lists],
        **_fields(state, "spelling_lines stores_whole_list with_fide_id games_with_both"),
        "games_not_looked_up": info.games.not_looked_up,
        "current": state.is_current,
    }


def _duplicate_object(info: FileInfo) -> dict[str, object] | None:
    state = info.duplicate_state
    if state is None:
        return None
    options = None if info.search_options is None else info.search_options.named()
    return {
        "at": state.at,
        "options": options and {name.replace("_", "-"): value for name, value in options.items()},
        "by": info.search_key,
        **_fields(state, "groups by_class longer diverging"),
        **_fields(state, "possible_duplicates_undecided possible_duplicates_decided"),
        "merged_headers": info.games.with_merged_header,
        "merged_annotations": info.games.with_merged_notes,
        "current": state.is_current,
    }


COMMAND = Command("info", _add_options, run_command)
