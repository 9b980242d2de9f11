"""The inputs of the last search for duplicates, so that the next search knows what is new.

All writes belong to the transaction of the caller.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.store.connection import count_rows, id_list
from ocgdedup.store.duplicates import FlagSums, are_stale, flags_in_games, sorted_sums
from ocgdedup.store.file_state import has_verdicts
from ocgdedup.store.games import Row
from ocgdedup.store.names import CHOICES_STATE, PLAYERS_STATE, read_json, read_state, write_state
from ocgdedup.store.players import newest_game, newest_ids
from ocgdedup.store.possible_duplicates import decisions
from ocgdedup.wording import TRUNCATED_STATUS

_OPTIONS = "Duplicates searched by"  # in Info: the options of the last search
OPTIONS_STATE = "Duplicates options"  # in Info: the options that the user named for it, as JSON
_CONTENT = "Duplicates searched in"  # in Info: a text that changes with games, names, decisions
_FLAGS = "Duplicates left as"  # in Info: a text that changes with the flags
# Sums that cannot overflow for any IDs.
_SUM_UP_FLAGS = """
    SELECT DuplicateStatus, DuplicateReason, count(*), sum(ID % 1000000007),
        sum((ID * 31 + DuplicateGroup) % 1000000007), sum(HeaderScore % 1000000007)
    FROM {flags} GROUP BY 1, 2 ORDER BY 1, 2
"""
_DUPLICATES = "FROM {flags} WHERE DuplicateStatus IS NOT NULL"
_COUNT_STATUSES = f"SELECT CAST(DuplicateStatus AS TEXT), count(*) {_DUPLICATES} GROUP BY 1"
_COUNT_GROUPS = f"SELECT count(DISTINCT DuplicateGroup) {_DUPLICATES}"
_COUNT_LENGTHS = """
    SELECT count(CASE WHEN Game.PlyCount > Kept.PlyCount THEN 1 END),
        count(CASE WHEN Game.PlyCount = Kept.PlyCount AND Game.FEN IS Kept.FEN THEN 1 END)
    FROM ({source}) AS Flags JOIN Games AS Game USING (ID)
    JOIN Games AS Kept ON Kept.ID = Flags.DuplicateGroup
"""
_KEY_OPTIONS = re.compile(
    r"KeyOptions\(key='([^']+)', min_plies=(\d+), include_shorter=(\w+)\).*\bkeep='([^']+)'"
)


class FlagCounts(NamedTuple):
    """Counts of the flags of games in Games, or of some of them: see note_flags().

    `groups`: those with duplicates; `longer`, `diverging`: see count_not_truncated().
    """

    sums: FlagSums
    groups: int
    longer: int
    diverging: int

    @property
    def duplicates(self) -> Mapping[str, int]:
        """The number of duplicates by status."""
        counts = Counter[str]()
        for status, _, games, *_ in self.sums:
            if status is not None:
                counts[status] += games
        return dict(sorted(counts.items()))

    def changed(self, before: FlagCounts, after: FlagCounts) -> FlagCounts:
        """Return these counts with those of some games replaced."""
        sums: dict[Row, list[int]] = {}
        for counts, sign in ((self, 1), (before, -1), (after, 1)):
            for status, reason, *numbers in counts.sums:
                total = sums.setdefault((status, reason), [0] * len(numbers))
                total[:] = [
                    old + sign * (more or 0) for old, more in zip(total, numbers, strict=True)
                ]
        rows = [(*texts, *numbers) for texts, numbers in sums.items() if numbers[0]]
        others = (
            old - less + more
            for old, less, more in zip(self[1:], before[1:], after[1:], strict=True)
        )
        return FlagCounts(sorted_sums(rows), *others)


class Basis(NamedTuple):
    """The inputs of a search: its options, and a text that changes with the searched content."""

    options: str
    content: str


def current_basis(connection: apsw.Connection, options: str, *, only_added: bool = False) -> Basis:
    """Return the current inputs of a search.

    `only_added`: since the last search, games and names were only added, so only these are counted.
    """
    content = read_state(connection, _CONTENT) if only_added else None
    return Basis(options, _content_text(connection, content))


def count_games_of(connection: apsw.Connection, basis: Basis) -> int:
    """Return the number of games in Games, by the inputs of a search."""
    return int(basis.content.split(",")[0]) - count_rows(connection, "RemovedGames")


def has_pending_decisions(connection: apsw.Connection) -> bool:
    """Return whether the user made or cleared a decision since the last search.

    True as well if there are decisions and the flags are not those that a search left.
    """
    content = read_state(connection, _CONTENT)
    if content is not None and _split(content)[1] != _decisions_text(connection):
        return True
    return bool(decisions(connection)) and last_basis(connection) is None


def has_changed_games(connection: apsw.Connection, *, decisions_count: bool) -> bool:
    """Return whether games or names were added or changed since the last search.

    True if there was no search. `decisions_count`: whether later decisions of the user count as
    changes.
    """
    content = read_state(connection, _CONTENT)
    if content is None or are_stale(connection):
        return True
    if decisions_count:
        return content != _content_text(connection)
    return _split(content)[0] != _games_text(connection)


def last_basis(connection: apsw.Connection) -> Basis | None:
    """Return the inputs of the last search.

    None if there was none, if it is stale, or if another program has changed the flags since.
    """
    options, content = read_state(connection, _OPTIONS), read_state(connection, _CONTENT)
    if options is None or content is None:
        return None
    # If only games and decisions were added, and players resolved, the flags are unchanged.
    if not has_verdicts(connection) and (
        are_stale(connection) or read_state(connection, _FLAGS) != _flags_text(connection)
    ):
        return None
    return Basis(options, content)


def write_basis(connection: apsw.Connection, basis: Basis, sums: FlagSums | None = None) -> None:
    """Store the inputs of the search just done, and the state of the flags.

    `sums`: see note_flags().
    """
    write_state(connection, _OPTIONS, basis.options)
    write_state(connection, _CONTENT, basis.content)
    note_flags(connection, sums)


def last_searched_game(connection: apsw.Connection) -> int:
    """Return the highest ID of the games of the last search; 0 if there was none."""
    return newest_game(read_state(connection, _CONTENT) or "")


def note_decisions(connection: apsw.Connection) -> None:
    """Store that the last search has applied the user's decisions as they are now."""
    content = read_state(connection, _CONTENT)
    if content is not None:
        write_state(connection, _CONTENT, f"{_split(content)[0]};{_decisions_text(connection)}")


def last_search(connection: apsw.Connection) -> str | None:
    """Return the options that write_basis() stored, None if there was no search."""
    return read_state(connection, _OPTIONS)


class LastKey(NamedTuple):
    """The options of a search by one key alone; `words`: those on the command line."""

    key: str
    words: str
    min_plies: int
    include_shorter: bool
    keep: str


def last_key(connection: apsw.Connection) -> LastKey | None:
    """Return the key of the last search, None if it used evidence, or if there was none."""
    match = _KEY_OPTIONS.search(read_state(connection, _OPTIONS) or "")
    if match is None:
        return None
    key, plies, is_shorter, keep = match.groups()
    more = f" --plycount {plies}" if int(plies) > 1 else ""
    more += " --include-shorter" if is_shorter == "True" else ""
    return LastKey(key, f"--by {key}{more}", int(plies), is_shorter == "True", keep)


def last_choices(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Return the user's choices of kept games before the last search, as pairs of IDs."""
    return [(kept, other) for kept, other in read_json(connection, CHOICES_STATE) or ()]


def write_choices(connection: apsw.Connection, choices: Sequence[tuple[int, int]]) -> None:
    """Store the result of last_choices()."""
    write_state(connection, CHOICES_STATE, json.dumps(choices) if choices else None)


def note_flags(connection: apsw.Connection, sums: FlagSums | None = None) -> None:
    """Store that the flags are as the last run of dedup left them.

    `sums`: the result of write_flag_rows(); without it they are counted, which reads each flagged
    game.
    """
    write_state(connection, _FLAGS, _flags_text(connection, sums))


def are_sums_left(connection: apsw.Connection, sums: FlagSums) -> bool:
    """Return whether the last note_flags() stored these sums."""
    return read_state(connection, _FLAGS) == _flags_text(connection, sums)


def flag_counts(connection: apsw.Connection, scope: Collection[int] | None = None) -> FlagCounts:
    """Count flags by reading those of all games, or of some games in Games."""
    flags = flags_in_games(connection)
    values: tuple[str, ...] = ()
    if scope is not None:
        flags = f"(SELECT * FROM {flags} WHERE ID IN (SELECT value FROM json_each(?1)))"
        values = (id_list(scope),)
    sums = connection.execute(_SUM_UP_FLAGS.format(flags=flags), values).fetchall()
    groups = connection.execute(_COUNT_GROUPS.format(flags=flags), values).get
    return FlagCounts(sums, groups, *_count_lengths(connection, flags, values))


def count_flagged(connection: apsw.Connection) -> tuple[int, dict[str, int]]:
    """Return the number of groups with duplicates in Games, and of duplicates by class."""
    flags = flags_in_games(connection)
    statuses = dict(connection.execute(_COUNT_STATUSES.format(flags=flags)))
    if not statuses:
        return 0, {}
    return connection.execute(_COUNT_GROUPS.format(flags=flags)).get, statuses


def count_not_truncated(
    connection: apsw.Connection, pairs: Collection[tuple[int, int]] | None = None
) -> tuple[int, int]:
    """Return how many duplicates with TRUNCATED_STATUS are longer than the kept game, or diverge.

    Those that diverge have the same start and length. `pairs`: IDs of duplicates with their kept
    games; None: the stored ones in Games.
    """
    if pairs is None:
        return _count_lengths(connection, flags_in_games(connection), ())
    source = "SELECT value ->> 0 AS ID, value ->> 1 AS DuplicateGroup FROM json_each(?)"
    sql = _COUNT_LENGTHS.format(source=source)
    longer, diverging = connection.execute(sql, (json.dumps(list(pairs)),)).get
    return longer, diverging


def _count_lengths(
    connection: apsw.Connection, flags: str, values: tuple[str, ...]
) -> tuple[int, int]:
    source = f"SELECT ID, DuplicateGroup FROM {flags} WHERE DuplicateStatus = '{TRUNCATED_STATUS}'"
    longer, diverging = connection.execute(_COUNT_LENGTHS.format(source=source), values).get
    return longer, diverging


def _games_text(connection: apsw.Connection, before: str | None = None) -> str:
    ids = newest_ids(connection, before)
    return f"{ids};{read_state(connection, PLAYERS_STATE) or ''}"


def _content_text(connection: apsw.Connection, before: str | None = None) -> str:
    return f"{_games_text(connection, before)};{_decisions_text(connection)}"


def _split(content: str) -> tuple[str, str]:
    """Return the parts of _content_text(): of games and of decisions."""
    of_games, _, of_decisions = content.rpartition(";")
    return of_games, of_decisions


def _decisions_text(connection: apsw.Connection) -> str:
    return _hash_text([row[:4] for row in decisions(connection)])  # a note changes no result


def _flags_text(connection: apsw.Connection, sums: FlagSums | None = None) -> str:
    if sums is None:
        sql = _SUM_UP_FLAGS.format(flags=flags_in_games(connection))
        sums = connection.execute(sql).fetchall()
    return _hash_text(sums)


def _hash_text(rows: list[Row]) -> str:
    import hashlib  # 4 ms

    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]
