"""players: write, list and take back the user's decisions about names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.commands.upgrade import require_ours
from ocgdedup.errors import UsageError
from ocgdedup.fide.name_table import read_alias_file
from ocgdedup.matching.names.name_decisions import (
    DIFFERENT,
    NAME,
    SAME,
    NameDecisions,
    names_of,
)
from ocgdedup.model import DecidedName, GivenNameDecision, NameDecision, Reporter
from ocgdedup.pipeline.corrections.settle import settle_corrections
from ocgdedup.pipeline.players.decided_names import apply_decisions
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.duplicates import mark_stale
from ocgdedup.store.fide_players import lacks_players
from ocgdedup.store.file_state import result_changes
from ocgdedup.store.history import DECISION, transaction
from ocgdedup.store.migrations import migrate
from ocgdedup.store.name_decisions import (
    ids_of_names,
    name_decisions,
    names_of_game,
    write_name_decisions,
)
from ocgdedup.store.players import merges_of_name
from ocgdedup.wording import counted

_MAX_ERRORS = 10  # in one message


class DecisionRequest(NamedTuple):
    """Decisions to write at once, names as typed: `NAME@ID` is a name in one game.

    `same`: each with the names of one player, `canonical`: the name of the player of the last;
    `different`, `names`: pairs; `forget`: names, done first; `given`: read from a file.
    """

    database: str
    same: Sequence[Sequence[str]] = ()
    canonical: str | None = None
    different: Sequence[Sequence[str]] = ()
    names: Sequence[Sequence[str]] = ()
    forget: Sequence[str] = ()
    given: Sequence[GivenNameDecision] = ()


class DecidedPlayer(NamedTuple):
    """A decided name, its number of games with a player, and the player; "" if unknown."""

    name: str
    games: int
    player: str
    fide_id: int | None


class DecisionResult(NamedTuple):
    """`changed`: decisions written or deleted; `decisions`: all; `games`: with other players.

    `left_out`: decisions of a file about names that their games do not have.
    """

    changed: int
    decisions: int
    games: int
    players: list[DecidedPlayer]
    left_out: int = 0


def decide_names(request: DecisionRequest, reporter: Reporter) -> DecisionResult:
    """Write decisions and apply them to all games: all of it or nothing.

    Raises UsageError for decisions that contradict others, unknown games, and names of nobody.
    """
    path = request.database
    with open_database(path, writable=True) as database:
        require_ours(database)
        connection = database.connection
        with store_errors(path, "no decision was written"):
            migrate(database, reporter)
            with transaction(connection, DECISION) as change, result_changes(connection):
                before = name_decisions(connection)
                decisions = NameDecisions(before)
                touched = _forget(connection, decisions, request.forget)
                asked = [*request.given, *_given(connection, request)]
                given = [*_placed(connection, path, asked, set(before), reporter)]
                _add(decisions, given)
                rows = decisions.rows
                write_name_decisions(connection, rows)
                changed = len(set(before) ^ set(rows))
                change.words = f"{counted(changed, 'decision')} about names"
                if changed:  # different players are evidence
                    mark_stale(connection)
                games = apply_decisions(connection)
                settle_corrections(connection)
                if not request.given:  # a spelling file may have a hundred thousand names
                    touched += [name for _, row in given for name in names_of(row)]
                names = list(dict.fromkeys(touched))
                _warn_of_new_names(connection, names, reporter)
                players = [*_players(connection, names)]
                _warn_of_reduced_list(connection, path, request, players, reporter)
                return DecisionResult(changed, len(rows), games, players, len(asked) - len(given))


def decisions_of_spellings(path: str) -> Iterator[GivenNameDecision]:
    """Yield decisions that the spellings of a file belong to one player with its first name."""
    for group in read_alias_file(path):
        name = DecidedName(group.name)
        if group.aliases:
            yield GivenNameDecision(path, NameDecision(NAME, name, name))
        for alias in group.aliases:
            yield GivenNameDecision(path, NameDecision(SAME, name, DecidedName(alias)))


def _forget(
    connection: apsw.Connection, decisions: NameDecisions, names: Sequence[str]
) -> list[DecidedName]:
    forgotten: list[DecidedName] = []
    for text in names:
        name = next((name for name in _readings(text) if decisions.about(name)), None)
        if name is None:
            raise UsageError(
                f"--forget {text}: there is no decision about this name; --decisions lists them"
            )
        forgotten.append(name)
        decisions.forget(name)
    return forgotten


def _readings(text: str) -> Iterator[DecidedName]:
    """Yield what a name of the command line may mean."""
    head, _, digits = text.rpartition("@")
    yield DecidedName(text)
    if head and digits.isascii() and digits.isdigit() and len(digits) < 19:
        yield DecidedName(head, int(digits))


def _name(connection: apsw.Connection, text: str) -> DecidedName:
    """Return the name that is meant: one of the database, else one of a game."""
    whole, *of_games = _readings(text)
    if not of_games or ids_of_names(connection, [text]):
        return whole
    return of_games[0]


def _given(connection: apsw.Connection, request: DecisionRequest) -> Iterator[GivenNameDecision]:
    for names in request.same:
        first, *others = (_name(connection, name) for name in names)
        if request.canonical is not None and names is request.same[-1]:
            canonical = DecidedName(request.canonical)
            for name in (first, *others):
                yield GivenNameDecision("", NameDecision(NAME, name, canonical))
        for other in others:
            yield GivenNameDecision("", NameDecision(SAME, first, other))
    for pair in request.different:
        left, right = (_name(connection, name) for name in pair)
        yield GivenNameDecision("", NameDecision(DIFFERENT, left, right))
    for text, canonical_text in request.names:
        canonical = DecidedName(canonical_text)
        name = _name(connection, text)
        yield GivenNameDecision("", NameDecision(NAME, name, canonical))


def _placed(
    connection: apsw.Connection,
    path: str,
    given: Iterable[GivenNameDecision],
    before: Collection[NameDecision],
    reporter: Reporter,
) -> Iterator[GivenNameDecision]:
    """Yield the decisions whose games have the names; warn of the others in files.

    Decisions that are stored already stay. Raises UsageError for other names of the command line
    that their game does not have.
    """
    wrong: list[str] = []
    for location, row in given:
        problems = [] if row in before else [*_problems(connection, path, row)]
        if not problems:
            yield GivenNameDecision(location, row)
        elif location:
            reporter.warn(f"{location}: {row} is left out: {'; '.join(problems)}")
        else:
            wrong += problems
    if wrong:
        raise UsageError("; ".join(wrong[:_MAX_ERRORS]))


def _problems(connection: apsw.Connection, path: str, row: NameDecision) -> Iterator[str]:
    for name in names_of(row):
        names = names_of_game(connection, name.game_id) if name.game_id is not None else ()
        if name.game_id is None or name.name in names:
            continue
        problem = f"there is no game with ID {name.game_id} in {path}"
        if names:
            players = " and ".join(names)
            problem = f"game {name.game_id} has no player called {name.name}; it has {players}"
        yield f"{name}: {problem}"


def _add(decisions: NameDecisions, given: Iterable[GivenNameDecision]) -> None:
    for location, row in given:
        try:
            decisions.add(row)
        except UsageError as error:
            raise UsageError(f"{location}: {error}" if location else str(error)) from error


def _warn_of_new_names(
    connection: apsw.Connection, names: Sequence[DecidedName], reporter: Reporter
) -> None:
    existing = ids_of_names(connection, {name.name for name in names})
    for name in names:
        if name.name not in existing:
            reporter.warn(
                f"no game has the name {name.name} yet; decisions about it hold for games that "
                "come later"
            )


def _warn_of_reduced_list(
    connection: apsw.Connection,
    path: str,
    request: DecisionRequest,
    players: Sequence[DecidedPlayer],
    reporter: Reporter,
) -> None:
    """Warn of players without a FIDE ID who may be in the FIDE list, but not in the database."""
    is_unlisted = any(player.player and player.fide_id is None for player in players)
    if (is_unlisted or request.given) and lacks_players(connection):
        reporter.warn(
            "a decided name may be in the FIDE list, of which the database keeps only the entries "
            "of its own players (players --no-store-list); look it up in the whole list with "
            f"'ocgdedup players {path} --fide-xml LIST --again'"
        )


def _players(connection: apsw.Connection, names: Iterable[DecidedName]) -> Iterator[DecidedPlayer]:
    for name in dict.fromkeys(name.name for name in names):
        rows = list(merges_of_name(connection, name))
        for _, games, person, fide_id, *_ in rows:
            yield DecidedPlayer(name, games, person, fide_id)
        if not rows:
            yield DecidedPlayer(name, 0, "", None)


def stored_decisions(path: str) -> list[NameDecision]:
    """Return the decisions in a database, in their order."""
    with open_database(path) as database, store_errors(path, "cannot be read"):
        require_ours(database)
        return name_decisions(database.connection)


def decisions_about(connection: apsw.Connection, name: str) -> Iterator[str]:
    """Yield lines on the decisions about a name, in all games and in single ones."""
    rows = name_decisions(connection)
    names = dict.fromkeys(
        decided for row in rows for decided in names_of(row) if decided.name == name
    )
    decisions = NameDecisions(rows)
    words = {SAME: "the same player as", DIFFERENT: "another player than", NAME: "canonical name"}
    for decided in names:
        place = "" if decided.game_id is None else f" in game {decided.game_id}"
        for row in decisions.about(decided):
            other = row.name if row.other == decided and row.decision != NAME else row.other
            yield f"  your decision{place}: {words[row.decision]} {other}"
