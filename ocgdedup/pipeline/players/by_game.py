"""Find the players of single games whose names alone do not identify them.

The kernel reads the games and decides: kernels/names/game_judge.pxi.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import apsw

from ocgdedup._kernels.names import ClaimRules, GameJudge, GameRows, ListedPersons
from ocgdedup.matching.names.consolidate import (
    FIDE_ID_STAGE,
    GIVEN_SPELLING,
    Consolidated,
    NameUse,
)
from ocgdedup.matching.names.evidence import GAME_WEIGHTS, title_ranks
from ocgdedup.matching.names.likelihood import WEIGHTS, NameDifference, country_evidence
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_words import SUCCESSORS
from ocgdedup.matching.names.resolve import STAGES, Persons
from ocgdedup.model import Reporter
from ocgdedup.pipeline.players.game_claims import may_be_nickname
from ocgdedup.store import players as store
from ocgdedup.thresholds import SURE_PROBABILITY

_REPORT_EVERY = 5000

_NO_PERSON = -1


class GamePlayers:
    """The players of sides of games that are not the persons of their names; 33 bytes for each."""

    def __init__(self) -> None:
        self._games, self._sides = array("q"), array("B")
        self._players, self._persons = array("q"), array("q")
        self._probabilities = array("d")

    def add(self, game_id: int, side: int, player: int, verdict: tuple[int | None, float]) -> None:
        """Add a side; `verdict`: person or None, and probability."""
        person, probability = verdict
        self._games.append(game_id)
        self._sides.append(side)
        self._players.append(player)
        self._persons.append(_NO_PERSON if person is None else person)
        self._probabilities.append(probability)

    def extend(self, columns: Sequence[array[Any]]) -> None:
        """Add the columns of GameJudge.take_decided()."""
        for column, more in zip(self._columns(), columns, strict=True):
            column.extend(more)

    def _columns(self) -> Sequence[array[Any]]:
        return self._games, self._sides, self._players, self._persons, self._probabilities

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[tuple[int, int, int, int | None, float]]:
        """Yield (game ID, side, player ID, person, probability) in the order of add()."""
        for game_id, side, player, person, probability in zip(*self._columns(), strict=True):
            yield game_id, side, player, None if person == _NO_PERSON else person, probability


def judge_of(
    uses: Mapping[int, NameUse], consolidated: Consolidated, names: Iterable[int] | None = None
) -> GameJudge:
    """Return a judge of games that knows the names and the persons.

    `names`: more names than those of `uses`, in rising order; their games are not decided, but show
    the careers of persons.
    """
    judge = GameJudge(
        GAME_WEIGHTS._asdict(), array("q", sorted(uses) if names is None else names),
        listed_persons(consolidated.persons), may_be_nickname, lambda name: name_form(name).number,
    )  # fmt: skip
    for player, identity in consolidated.identities.items():
        if player in uses:
            judge.add(
                uses[player],
                identity,
                is_given=identity.reason == GIVEN_SPELLING,
                is_by_fide_id=identity.stage == FIDE_ID_STAGE,
            )
        elif identity.person is not None:
            is_sure = identity.probability >= SURE_PROBABILITY
            judge.add_resolved(player, identity.person, is_sure=is_sure)
    return judge


def listed_persons(persons: Persons) -> ListedPersons:
    """Return persons as candidates for the kernel."""
    facts = [table.fact_rows() for table in persons.tables]
    titles = title_ranks(title for rows in facts for title, *_ in rows)
    of_persons = (country for rows in facts for _, country, *_ in rows)
    countries = list(dict.fromkeys(("", *of_persons, *SUCCESSORS)))
    other = max(countries, key=len) + "?"  # any text that is no federation
    evidence = array(
        "d",
        (country_evidence(code, listed) for code in (*countries, other) for listed in countries),
    )
    title_numbers = {title: number for number, (title, _, _) in enumerate(titles)}
    country_numbers = {country: number for number, country in enumerate(countries)}
    tables = [
        (
            table.columns(array("I")),
            array("H", (title_numbers[title] for title, *_ in rows)),
            array("H", (country_numbers[country] for _, country, *_ in rows)),
        )
        for table, rows in zip(persons.tables, facts, strict=True)
    ]
    return ListedPersons(WEIGHTS._asdict(), tables, titles, countries, evidence)


def players_by_game(
    connection: apsw.Connection, judge: GameJudge, claims: ClaimRules, reporter: Reporter
) -> GamePlayers:
    """Decide the sides whose name is not resolved, or whose name's person may not have played.

    Reads the games of such names twice, at first only their moves' hashes, and those of their
    candidates once. No decision is evidence for another game, so the order of games does not
    matter.
    """
    judge.set_claims(claims)
    decided = GamePlayers()
    with store.reading_games(connection) as games:
        judge.add_keys(games.keys_of_names(judge.open_names()))
        _each_block(judge.collect, games.of_names(judge.names_of_candidates()), lambda _: None)

        def report(count: int) -> None:
            decided.extend(judge.take_decided())
            reporter.advance(count, 0)

        _each_block(judge.decide, games.of_names(judge.judged_names()), report)
    return decided


def _each_block(
    take: Callable[[GameRows, int], int], rows: GameRows, report: Callable[[int], None]
) -> None:
    """Give all rows to a method of a judge, a block at a time; report their number so far."""
    total, count = 0, _REPORT_EVERY
    while count == _REPORT_EVERY:
        count = take(rows, _REPORT_EVERY)
        total += count
        report(total)


def settled(
    consolidated: Consolidated,
    by_game: GamePlayers,
    uses: Mapping[int, NameUse],
    judge: GameJudge,
) -> tuple[Consolidated, GamePlayers]:
    """Revise doubtful names by the decisions on their games; return also the sides that differ.

    A name none of whose games is the person's has no person: its other games stay unresolved. So
    has a name that was enough alone, if half of its games contradict the person. A name all of
    whose games are the person's is as probable as the least of them.
    """
    identities = dict(consolidated.identities)
    doubtful = set(filter(judge.is_doubtful, {player for _, _, player, _, _ in by_game}))
    agreed: dict[int, list[float]] = {}
    differing: Counter[int] = Counter()
    refused: Counter[int] = Counter()
    for _, _, player, person, probability in by_game:
        if player not in doubtful:
            continue
        if person == identities[player].person:
            agreed.setdefault(player, []).append(probability)
        elif person is None:
            refused[player] += 1
        else:
            differing[player] += 1
    for player in (differing.keys() | refused.keys()) - agreed.keys():
        identity, use = identities[player], uses[player]
        assert identity.person is not None
        contradicting = differing[player] + refused[player]
        is_refuted = contradicting == use.games
        if differing[player] and identity.probability < SURE_PROBABILITY:
            is_refuted = True
        elif differing[player] and 2 * contradicting >= use.games:
            # Not if the years alone contradict: they say nothing about the other games.
            named = consolidated.persons[identity.person]
            is_refuted = is_refuted or use.tags.contradicts(named, has_rival=True)
        if is_refuted:
            identities[player] = identity._replace(
                person=None, reason=CONTRADICTED, probability=0.0
            )
    for player, probabilities in agreed.items():
        identity = identities[player]
        if identity.stage == _SIMILARITY:
            continue  # a similar name may be that of an unlisted player
        if len(probabilities) == uses[player].games and min(probabilities) > identity.probability:
            identities[player] = identity._replace(probability=min(probabilities), reason=CONFIRMED)
    others = GamePlayers()
    for game_id, side, player, person, probability in by_game:
        if player not in identities or person != identities[player].person:
            others.add(game_id, side, player, (person, probability))
    return consolidated._replace(identities=identities), others


_SIMILARITY = STAGES[NameDifference.SIMILAR]
CONTRADICTED = "its games are by other players"
CONFIRMED = "all its games agree"
