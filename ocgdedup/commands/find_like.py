"""find --like FILE: the games of a database that the games of a file are duplicates of."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import apsw

from ocgdedup._kernels.chess import signature_rows
from ocgdedup.commands.database_inputs import as_read, with_databases
from ocgdedup.errors import LastingChanges, UsageError
from ocgdedup.files.inputs import InputFile, list_inputs
from ocgdedup.files.portable import processors
from ocgdedup.files.temporary import TemporaryFile
from ocgdedup.matching.evidence import MATCH, POSSIBLE_MATCH, VERDICTS
from ocgdedup.model import Reporter
from ocgdedup.pipeline.find.games import SimilarGames
from ocgdedup.pipeline.ingest.blocks import Ingest, Notices
from ocgdedup.pipeline.search import new_games
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.named_options import NamedOptions, options_over_last
from ocgdedup.pipeline.search.new_games import LastSearch, NewMatch
from ocgdedup.pipeline.search.search_files import SearchFiles
from ocgdedup.pipeline.search.spill import Resources
from ocgdedup.store.connection import Database, connect, copy_pages
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.deleted_games import deleted_among
from ocgdedup.store.duplicates import groups_of
from ocgdedup.store.find import games_like_row, has_signatures, played_games
from ocgdedup.store.game_sample import create_sample
from ocgdedup.store.history import transaction
from ocgdedup.store.name_decisions import has_decisions
from ocgdedup.store.names import game_kind
from ocgdedup.wording import counted

_IN_MEMORY = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_SHOWN = 20  # numbers of games in a message
_QUIET = Notices(lambda _: None, lambda _, __: None)


class FileMatches(NamedTuple):
    """The result: `first_id`, `games`: the IDs that the games of the file would get.

    `similar`: for each of them, the games with equal parts of signatures, if there are any.
    """

    first_id: int
    games: int
    matches: Sequence[NewMatch]
    similar: Mapping[int, Mapping[int, str]] = {}


def games_like_file(database: Database, path: str, reporter: Reporter) -> SimilarGames:
    """Return the games that are duplicates of the games of a file, or similar to them.

    The database is in a transaction. The verdicts are those of a search after the file was added,
    by the options of the last search. Raises PgnReadError for a missing file.
    """
    found = matches_of_file(database, path, reporter)
    connection = database.connection
    deleted = deleted_among(connection, {match.game_id for match in found.matches})
    kept = groups_of(connection, deleted)
    words: dict[int, dict[int, list[str]]] = {}  # by number in the file, and game
    for match in found.matches:
        game_id = match.game_id
        if game_id in deleted:
            game_id = kept.get(game_id, game_id)
        verdict = VERDICTS[MATCH if match.is_match else POSSIBLE_MATCH]
        like_this = words.setdefault(match.new_id, {})
        like_this.setdefault(game_id, [verdict])
    for new_id, similar in found.similar.items():
        for game_id, equal_parts in similar.items():
            words.setdefault(new_id, {}).setdefault(game_id, []).append(equal_parts)
    texts: dict[int, list[str]] = {}
    for new_id in sorted(words):
        for game_id, parts in words[new_id].items():
            text = f"game {new_id - found.first_id + 1}: {', '.join(parts)}"
            texts.setdefault(game_id, []).append(text)
    deleted = deleted_among(connection, texts)
    lacking = [
        new_id - found.first_id + 1
        for new_id in range(found.first_id, found.first_id + found.games)
        if deleted.issuperset(words.get(new_id, ()))
    ]
    similarity = {game_id: "; ".join(parts) for game_id, parts in texts.items()}
    return SimilarGames(similarity, _note(path, found.games, lacking))


def _note(path: str, games: int, lacking: Sequence[int]) -> str:
    """Return a message on the games of a file that are like no game of the database."""
    if not lacking:
        return f"{path}: {counted(games, 'game')}, all found" if games else f"{path}: no game"
    if games == 1:
        return f"{path}: the game is not in the database"
    shown = ", ".join(map(str, lacking[:_SHOWN])) + (", ..." if len(lacking) > _SHOWN else "")
    return f"{path}: {len(lacking):,} of {games:,} games not found: {shown}"


def matches_of_file(database: Database, path: str, reporter: Reporter) -> FileMatches:
    """Compare the games of a file with those of a database: see games_like_file()."""
    files = with_databases(list_inputs([path]))
    options = options_over_last(database.connection, NamedOptions(), defaults=False).search()
    with (
        LastingChanges(is_draft=True),
        _inputs(files) as read,
        contextlib.closing(create_sample(database.connection)) as sample,
    ):
        first_id, games = _load(sample, read, path, reporter)
        if not games:
            return FileMatches(first_id, 0, ())
        _check_kind(database, sample, path)
        reporter.start("duplicates: search", None, None)
        last = new_games.last_search(database.connection, options)
        matches = None
        if last is not None and games <= new_games.MOST_FEW:
            matches = _match_few(database, sample, last.files, options)
        if matches is None:
            matches = _match_in_copy(database, sample, last, options, reporter)
        reporter.finish()
        return FileMatches(first_id, games, matches, _similar_games(database, sample))


def _similar_games(database: Database, sample: apsw.Connection) -> dict[int, dict[int, str]]:
    """Return the games of the database that `find --like ID` would list, by new game."""
    if not has_signatures(database.connection):
        return {}
    is_go = game_kind(sample).is_go
    return {
        row[0]: games_like_row(database.connection, row)
        for rows in played_games(sample)
        for row in filter(None, signature_rows(rows, is_go))
    }


@contextlib.contextmanager
def _inputs(files: Sequence[InputFile]) -> Iterator[Sequence[InputFile]]:
    """Yield the files, databases among them as they were read."""
    if all(file.database is None for file in files):
        yield files
        return
    with as_read(files, _temporary_path()) as read:
        yield read


def _temporary_path() -> str:
    return os.path.join(tempfile.gettempdir(), f"found-{os.urandom(8).hex()}.db3")


def _load(
    sample: apsw.Connection, files: Sequence[InputFile], path: str, reporter: Reporter
) -> tuple[int, int]:
    """Load the files; return the ID of the first game, and the number of games."""
    with store_errors(path, "cannot be read"), transaction(sample):
        summary = Ingest(sample, _QUIET, reporter).load(files)
    if summary.rejects:
        rejects = counted(summary.rejects, "text that is", "texts that are")
        reporter.warn(f"left out {rejects} not a game")
    return summary.first_id, summary.games


def _check_kind(database: Database, sample: apsw.Connection, path: str) -> None:
    kind, other = game_kind(database.connection), game_kind(sample)
    if kind is not other:
        raise UsageError(
            f"{path}: holds {other.title} games, and {database.path} holds {kind.title} games"
        )


def _match_few(
    database: Database, sample: apsw.Connection, files: SearchFiles, options: SearchOptions
) -> list[NewMatch] | None:
    with contextlib.closing(connect(":memory:", _IN_MEMORY)) as work:
        with work.backup("main", sample, "main") as backup:
            backup.step()
        return new_games.match_few(database.connection, work, files, options)


def _match_in_copy(
    database: Database,
    sample: apsw.Connection,
    last: LastSearch | None,
    options: SearchOptions,
    reporter: Reporter,
) -> list[NewMatch]:
    """Add the games to a temporary copy of the database, and search it."""
    with contextlib.ExitStack() as stack:
        temporary, loaded = (TemporaryFile(_temporary_path()) for _ in range(2))
        for file, source in ((temporary, database.connection), (loaded, sample)):
            stack.callback(file.discard)
            with store_errors(file.name, "cannot be written"):
                copy_pages(source, file.name)
        copy = stack.enter_context(open_database(temporary.name, writable=True))
        stack.enter_context(store_errors(temporary.name, "the games cannot be compared"))
        from ocgdedup.commands.upgrade import upgrade_copy  # 18 ms
        from ocgdedup.store.migrations import migrate_copy  # 15 ms

        connection = copy.connection
        connection.pragma("journal_mode", "off")
        connection.pragma("synchronous", "off")
        (migrate_copy if copy.is_ours else upgrade_copy)(connection)
        with transaction(connection):
            ingest = Ingest(connection, _QUIET, reporter)
            ingest.load([InputFile(loaded.name, 0, database=loaded.name)])
            if has_decisions(connection):
                from ocgdedup.pipeline.players.decided_names import apply_decisions  # 73 ms

                apply_decisions(connection)
        first_id, found = ingest.files[0].first_id, None
        if last is not None:
            found = new_games.match_many(connection, first_id, *last, options)
        if found is None:
            resources = Resources(processors())
            found = new_games.match_all(connection, first_id, options, resources)
    shift = ingest.files[0].shift or 0
    return [match._replace(new_id=match.new_id - shift) for match in found]
