"""Resolve all names of a collection of Go games.

Uses spellings, an optional list of players, and games recorded under two names. No rating list
shows how common a word is, and half of the players share twenty surnames. So two names are joined
only if they differ in the romanisation alone. The result does not depend on the order of the names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from rapidfuzz.distance import Indel, JaroWinkler

from ocgdedup.matching.clusters import clusters
from ocgdedup.matching.names.consolidate import Consolidated, Identity, NameUse
from ocgdedup.matching.names.go_spelling import Spelling, may_be_one, spelling
from ocgdedup.matching.names.name_list import PersonTable
from ocgdedup.matching.names.resolve import OTHERS_FIT, Persons
from ocgdedup.model import AliasGroup, Person
from ocgdedup.thresholds import SURE_PROBABILITY

# Least number of games recorded under both names, since a record may have a wrong name: one if the
# names are similar ("Kim Sonjin", "Kim Sungjin"), two if one has additional words ("Hayashi Hakuei
# Monnyu"), five if they only share a word ("Fujisawa Hideyuki", "Fujisawa Shuko").
_GAMES_OF_LONGER, _GAMES_OF_A_WORD = 2, 5
_NEARLY_ALIKE = 0.7
_DECORATED = re.compile(r"[\d,(\[]")
_FIRST_HAN = "\u3000"  # lower letters are not of East Asian scripts
_SOUND, _GAMES = 1.0, 0.5  # evidence: the surer pairs are joined first
_NO_LIST = "not in the list"

Pairs = Mapping[tuple[int, int], int]
Days = Mapping[int, Mapping[str, Set[int | str]]]


class GamesOfNames(NamedTuple):
    """Evidence of the games for names, by player IDs.

    `met`: pairs, the lower first, that have played each other; `shared_games`: number of games
    recorded under both names of a pair, with the same moves and opponent; `days_of`: returns the
    days on which each player played, with keys of the games: hash of the moves and the opponent's
    name. Games that share a key may be the same game.
    """

    met: Container[tuple[int, int]] = frozenset()
    shared_games: Pairs = MappingProxyType({})
    days_of: Callable[[Set[int]], Days] = lambda _: {}


_NO_GAMES = GamesOfNames()


class Listed(NamedTuple):
    """A player of a list, with the comparison forms of each spelling."""

    person: Person
    spellings: tuple[Spelling, ...]
    readings: frozenset[str]


class GoList:
    """The players of a list, indexed by the keys of their names."""

    def __init__(self, groups: Iterable[AliasGroup]) -> None:
        self.players = [player for player in map(_listed, groups) if player.spellings]
        self._by_key: defaultdict[str, set[int]] = defaultdict(set)
        for number, player in enumerate(self.players):
            for name in player.spellings:
                self._by_key[name.key].add(number)

    @property
    def persons(self) -> PersonTable:
        return PersonTable(player.person for player in self.players)

    def with_key(self, key: str) -> list[int]:
        """Return the numbers of the players with a name of this key."""
        return sorted(self._by_key.get(key, ()))

    def alike(self, name: Spelling) -> list[int]:
        """Return the numbers of the players whose name may be another spelling of this one."""
        return [
            number
            for number, player in enumerate(self.players)
            if may_be_one(name, _as_spelling(player))
        ]


def _listed(group: AliasGroup) -> Listed:
    person = Person(
        group.name, None, group.title, group.country, group.birth_year, group.death_year
    )
    names = dict.fromkeys(map(spelling, (group.name, *group.aliases)))
    spellings = tuple(name for name in names if name.key)
    readings = frozenset[str]().union(*(name.readings for name in spellings))
    others = frozenset(reading for reading in readings if not reading.startswith("ko:"))
    return Listed(person, spellings, others | _korean_readings(spellings, group.country))


def _korean_readings(spellings: Sequence[Spelling], country: str) -> frozenset[str]:
    """Return the Korean readings of a listed player: those of all spellings, or else of any.

    Hangul decides which reading of "Sungjin" is meant. Players who are not Korean have no Korean
    readings: for them Hangul or Latin letters only show how the name sounds.
    """
    korean = {
        name: frozenset(reading for reading in name.readings if reading.startswith("ko:"))
        for name in spellings
    }
    if country != "KOR" and not all(
        r for name, r in korean.items() if name.letters[:1] < _FIRST_HAN
    ):
        return frozenset()
    readings = [reading for reading in korean.values() if reading]
    return (
        frozenset.intersection(*readings) or frozenset[str]().union(*readings)
        if readings
        else frozenset()
    )


def _as_spelling(player: Listed) -> Spelling:
    return player.spellings[0]._replace(readings=player.readings)


class _Node:
    """Names with one key, or a listed player with the names that surely mean the player."""

    def __init__(self, name: Spelling, listed: int | None = None) -> None:
        self.spelling = name
        self.listed = listed
        self.uses: list[NameUse] = []

    @property
    def players(self) -> list[int]:
        return [use.player_id for use in self.uses]


class GoConsolidation:
    """Resolves the names of a collection, with a list of players."""

    def __init__(self, listed: GoList) -> None:
        self._listed = listed

    def run(self, uses: Iterable[NameUse], games: GamesOfNames = _NO_GAMES) -> Consolidated:
        """Resolve all names except those that mean no player."""
        identities: dict[int, Identity] = {}
        nodes = self._nodes(uses, identities)
        node_of = {player: number for number, node in enumerate(nodes) for player in node.players}
        pairs = _links(nodes, node_of, games.shared_games)
        made: list[Person] = []
        for cluster in clusters(len(nodes), pairs, _veto(nodes, pairs, games)):
            self._identify([nodes[number] for number in cluster], made, identities)
        return Consolidated(Persons(self._listed.persons, PersonTable(made)), identities)

    def _nodes(self, uses: Iterable[NameUse], identities: dict[int, Identity]) -> list[_Node]:
        """Group names by key; unresolved names get their identity here."""
        by_key: dict[str, _Node] = {}
        by_player: dict[int, _Node] = {}
        for use in sorted(uses, key=lambda use: (use.name, use.player_id)):
            name = spelling(use.name)
            if not name.key:
                continue
            listed = self._listed.with_key(name.key)
            if len(listed) > 1:
                identities[use.player_id] = Identity(use.player_id, None, "", 0.0, OTHERS_FIT)
            elif listed:
                player = _as_spelling(self._listed.players[listed[0]])
                node = by_player.setdefault(listed[0], _Node(player, listed[0]))
                node.uses.append(use)
            elif name.is_short:
                reason = "too little of a name"
                identities[use.player_id] = Identity(use.player_id, None, "", 0.0, reason)
            else:
                by_key.setdefault(name.key, _Node(name)).uses.append(use)
        self._add_alike(by_key.values(), by_player)
        listed_nodes = [node for _, node in sorted(by_player.items())]
        return listed_nodes + [node for _, node in sorted(by_key.items())]

    def _add_alike(self, unlisted: Iterable[_Node], by_player: dict[int, _Node]) -> None:
        """Add listed players without names yet whom other names may mean."""
        by_reading = _indexes_by_reading(player.readings for player in self._listed.players)
        for node in unlisted:
            for reading in node.spelling.readings:
                for number in by_reading.get(reading, ()):
                    name = _as_spelling(self._listed.players[number])
                    by_player.setdefault(number, _Node(name, number))

    def _identify(
        self, same: Sequence[_Node], made: list[Person], identities: dict[int, Identity]
    ) -> None:
        """Give the names of some nodes their person."""
        uses = [use for node in same for use in node.uses]
        if not uses:
            return
        listed = next((node.listed for node in same if node.listed is not None), None)
        if listed is not None:
            player = self._listed.players[listed]
            spellings, number, reason = player.spellings, listed, ""
        else:
            person = _person_of(uses)
            number, reason = len(self._listed.players) + len(made), _NO_LIST
            made.append(person)
            spellings = (spelling(person.name),)
        for use in uses:
            stage, score = _stage(use, spellings)
            # None of the joined names that were examined was wrong.
            probability = 1.0 if stage == "exact" else SURE_PROBABILITY
            identities[use.player_id] = Identity(
                use.player_id, number, stage, score, reason, probability
            )


def _indexes_by_reading(readings: Iterable[Set[str]]) -> Mapping[str, Sequence[int]]:
    indexes: defaultdict[str, list[int]] = defaultdict(list)
    for index, name_readings in enumerate(readings):
        for reading in name_readings:
            indexes[reading].append(index)
    return indexes


def _person_of(uses: Sequence[NameUse]) -> Person:
    """Return the person of unlisted names: the name of most games, without a rank, the longest."""
    best = max(
        uses, key=lambda use: (use.games, not _DECORATED.search(use.name), len(use.name), use.name)
    )
    return Person(best.name)


def _stage(use: NameUse, spellings: Sequence[Spelling]) -> tuple[str, float]:
    """Return the stage and the score of a name, compared with the spellings of its person."""
    name = spelling(use.name)
    score = max(JaroWinkler.similarity(name.letters, other.letters) for other in spellings)
    if any(name.letters == other.letters for other in spellings):
        return "exact", 1.0
    if any(name.key == other.key for other in spellings):
        words = sorted(name.letters.split())
        is_turned = any(words == sorted(other.letters.split()) for other in spellings)
        return "order" if is_turned else "variant", score
    return "phonetic" if any(may_be_one(name, other) for other in spellings) else "games", score


def _links(
    nodes: Sequence[_Node], node_of: Mapping[int, int], shared_games: Pairs
) -> list[tuple[float, int, int]]:
    """Return the pairs of nodes that may be the same person, with their evidence."""
    sure = _unambiguous(_similar(nodes))
    pairs = [(_SOUND, *pair) for pair in sorted(sure)]
    games: defaultdict[tuple[int, int], int] = defaultdict(int)
    for (left, right), count in shared_games.items():
        first, second = node_of.get(left), node_of.get(right)
        if first is not None and second is not None and first != second:
            games[min(first, second), max(first, second)] += count
    pairs += [
        (_GAMES, *pair)
        for pair, count in sorted(games.items())
        if pair not in sure and _are_one_by_games(nodes[pair[0]], nodes[pair[1]], count)
    ]
    return pairs


def _similar(nodes: Sequence[_Node]) -> set[tuple[int, int]]:
    """Return the pairs of nodes that share a reading, the lower first.

    If there are "Lee Sanghun (b)" and "(s)", spellings without a mark are ambiguous.
    """
    by_reading = _indexes_by_reading(node.spelling.readings for node in nodes)
    marked = {reading.partition("#")[0] for reading in by_reading if "#" in reading}
    pairs = {pair for indexes in by_reading.values() for pair in combinations(indexes, 2)}

    def are_similar(left: _Node, right: _Node) -> bool:
        shared = left.spelling.readings & right.spelling.readings
        are_listed = left.listed is not None and right.listed is not None
        may_be = not are_listed and marked.isdisjoint(shared)
        return may_be and may_be_one(left.spelling, right.spelling)

    return {pair for pair in pairs if are_similar(nodes[pair[0]], nodes[pair[1]])}


def _unambiguous(similar: Set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the pairs without names that match two names that do not match each other.

    "Kim Sungjin" is 김성진 or 김숭진: if both exist, it is joined to neither.
    """
    matches: defaultdict[int, set[int]] = defaultdict(set)
    for left, right in similar:
        matches[left].add(right)
        matches[right].add(left)
    ambiguous = {
        index
        for index, others in matches.items()
        if any(pair not in similar for pair in combinations(sorted(others), 2))
    }
    return {pair for pair in similar if ambiguous.isdisjoint(pair)}


def _are_one_by_games(left: _Node, right: _Node, count: int) -> bool:
    """Return whether enough games are recorded under both names to join them."""
    if left.spelling.key.partition("#")[2] != right.spelling.key.partition("#")[2]:
        return False
    first, second = left.spelling.letters.split(), right.spelling.letters.split()
    if "&" in first or "&" in second:
        return False
    left_words = [word for word in first if word not in second]
    right_words = [word for word in second if word not in first]
    if not left_words or not right_words:
        return count >= _GAMES_OF_LONGER
    if Indel.normalized_similarity(" ".join(left_words), " ".join(right_words)) >= _NEARLY_ALIKE:
        return True
    return count >= _GAMES_OF_A_WORD and len(left_words) < len(first)


def _veto(
    nodes: Sequence[_Node], pairs: Iterable[tuple[float, int, int]], games: GamesOfNames
) -> Callable[[list[int], list[int]], bool]:
    """Return a function that tells whether two clusters must not be joined.

    They must not if both have listed players, or names of two players.
    """
    linked = {number for _, *pair in pairs for number in pair}
    played = games.days_of({player for number in linked for player in nodes[number].players})

    def are_two(left: int, right: int) -> bool:
        """Return whether two names are of two players.

        They are if they have played each other, or different games on the same day: a player plays
        one game a day. Each game recorded under both names excuses one such day, since an opponent
        may have two names, too.
        """
        if (left, right) in games.met:
            return True
        first, second = played.get(left, {}), played.get(right, {})
        days = sum(first[day].isdisjoint(second[day]) for day in first.keys() & second.keys())
        return days > games.shared_games.get((left, right), 0)

    def differ(left: _Node, right: _Node) -> bool:
        if left.listed is not None and right.listed is not None:
            return True
        return any(
            are_two(min(player, other), max(player, other))
            for player in left.players
            for other in right.players
        )

    return lambda left, right: any(differ(nodes[i], nodes[j]) for i in left for j in right)
