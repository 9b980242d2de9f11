"""Resolve all names of a collection, by the list of players and by comparison with each other.

Uses the joint evidence of all games of a name; evidence.py weighs single games. The result does not
depend on the order of the names.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import (
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from functools import lru_cache
from itertools import product, starmap
from math import isnan, log
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from ocgdedup._kernels.names import name_scores
from ocgdedup.matching.canonical_name import (
    WrittenName,
    are_same_words,
    best_spelling,
    open_spellings,
)
from ocgdedup.matching.clusters import clusters
from ocgdedup.matching.names.evidence import NO_CLAIM, NO_TAGS, Claim, TagSummary, can_have_played
from ocgdedup.matching.names.likelihood import LIMITS, NameDifference
from ocgdedup.matching.names.name_form import is_full, name_form, name_key
from ocgdedup.matching.names.name_list import Encoder, NameList, PersonTable, Weighed
from ocgdedup.matching.names.resolve import (
    NUMBERED_NAME,
    OTHERS_FIT,
    Decision,
    GamesOfName,
    Persons,
    Resolver,
    weigh_each,
)
from ocgdedup.model import NameForm, Person

# Least evidence that two unlisted names are of the same person: a probability of 0.8, or of 0.98 if
# one name is similar to the other by a typing error only.
_MIN_EVIDENCE = log(0.8 / 0.2)
_MIN_EVIDENCE_OF_SLIP = log(0.98 / 0.02)
# Required lead of a partner over a rival that contradicts the partner
_MARGIN = 3.0
# Least evidence of a name for which the FIDE ID of a game counts
_LEAST_AGREEMENT = -2.0
_SAME_FIDE_ID = 50.0
_REPEATED = 2  # games with the same ID, before it counts for an abbreviated name
_CANDIDATES_KEPT = 24
_LIKELIEST = 5  # candidates that are shown for an unresolved name
FIDE_ID_STAGE = "fide id"
_RIVALS_KEPT = 4  # candidates of a resolved name, for games that its person cannot have played


class NameUse(NamedTuple):
    """A name with the joint evidence of its games.

    `fide_ids`: number of games with each ID; `events`: keys of the events; `first_year`,
    `last_year`: 0 if no game is dated. `tags`: of all games. `claims`: the lowest titles and Elos;
    empty if a game has no claim that can be compared with a list. `highest`: the highest title and
    the highest Elo of the claims. `is_nickname`: all games were played on the web, and the name is
    not a full name.
    """

    player_id: int
    name: str
    games: int
    fide_ids: Mapping[int, int]
    events: Collection[int]
    first_year: int = 0
    last_year: int = 0
    tags: TagSummary = NO_TAGS
    claims: frozenset[Claim] = frozenset()
    highest: Claim = NO_CLAIM
    is_nickname: bool = False


class WeighedPersons:
    """Pairs of a person and the evidence, in 12 bytes each: unresolved names have up to 24.

    `packed`: see Decision.weighed_persons().
    """

    __slots__ = ("_packed",)

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed) // 12

    def __iter__(self) -> Iterator[tuple[int, float]]:
        packed = memoryview(self._packed)
        end = 4 * len(self)
        return zip(packed[:end].cast("I"), packed[end:].cast("d"), strict=True)

    def __contains__(self, pair: object) -> bool:
        return any(pair == other for other in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeighedPersons) and self._packed == other._packed

    def __hash__(self) -> int:
        return hash(self._packed)


class Identity(NamedTuple):
    """The person to whom a name was resolved.

    `person`: index in Consolidated.persons, None if unresolved. `candidates`: possible persons with
    the evidence for each. `tagged`: the same for persons whose FIDE ID is in games with the name.
    `likeliest`: the best candidates with their probabilities, only one if the name is sure.
    """

    player_id: int
    person: int | None
    stage: str
    score: float
    reason: str
    probability: float = 0.0
    candidates: Collection[tuple[int, float]] = ()
    tagged: tuple[tuple[int, float], ...] = ()
    likeliest: Collection[tuple[int, float]] = ()


class Consolidated(NamedTuple):
    """Persons, and an identity for each name, by player ID; names of nobody have none."""

    persons: Persons
    identities: dict[int, Identity]


_NOTHING = frozenset[int]()  # each new frozenset takes 216 bytes


class NameAttributes(NamedTuple):
    """Attributes of a name apart from its words; objects are shared, since most are equal."""

    number: str
    generation: str
    birth_year: int | None
    is_handle: bool


_shared_attributes = lru_cache(maxsize=1 << 12)(NameAttributes)


class _Node:
    """Unlisted names of one normal form: half a million of them in ten million games.

    To save memory, the words are computed from a name when they are needed.
    """

    __slots__ = ("attributes", "events", "fide_ids", "uses")

    def __init__(self, uses: Sequence[NameUse]) -> None:
        form = _form_of(uses[0])
        self.attributes = _shared_attributes(
            form.number, form.generation, form.birth_year, form.is_handle
        )
        self.uses = tuple(uses)
        self.fide_ids = _NOTHING
        if any(use.fide_ids for use in uses):
            self.fide_ids = frozenset(number for use in uses for number in use.fide_ids)
        self.events = uses[0].events
        if len(uses) > 1:
            self.events = tuple({event for use in uses for event in use.events})

    @property
    def players(self) -> list[int]:
        return [use.player_id for use in self.uses]


class _Rows:
    """Rows of ascending numbers, stored in one array."""

    def __init__(self) -> None:
        self._numbers = array("I")
        self._ends = array("Q", [0])

    def append(self, numbers: Iterable[int]) -> None:
        self._numbers.extend(numbers)
        self._ends.append(len(self._numbers))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, row: int) -> array[int]:
        return self._numbers[self._ends[row] : self._ends[row + 1]]

    def begin(self, row: int) -> int:
        """Return the array index of the first number of a row."""
        return self._ends[row]

    def index(self, row: int, number: int) -> int | None:
        """Return the array index of a number of a row, None if it is missing."""
        end = self._ends[row + 1]
        index = bisect_left(self._numbers, number, self._ends[row], end)
        return index if index < end and self._numbers[index] == number else None


# For each node, the nodes that its name fits.
Fits: TypeAlias = _Rows

# Applies a function to all names; the results do not depend on each other.
LookUp = Callable[
    [Callable[[Sequence[NameUse]], Iterator[Identity]], Sequence[NameUse]], Iterable[Identity]
]


def _at_once(
    find: Callable[[Sequence[NameUse]], Iterator[Identity]], uses: Sequence[NameUse]
) -> Iterable[Identity]:
    return find(uses)


class Consolidation:
    """Resolves names to persons, with a list that may be empty."""

    def __init__(self, listed: NameList, encode: Encoder) -> None:
        self._listed = listed
        self._encode = encode
        self._resolver = Resolver(listed)
        self._by_fide_id = listed.persons.with_fide_ids()

    def run(
        self,
        uses: Iterable[NameUse],
        earlier: Mapping[int, Identity] | None = None,
        met: Container[tuple[int, int]] = frozenset(),
        look_up: LookUp = _at_once,
    ) -> Consolidated:
        """Resolve all names except those that mean no player.

        `earlier`: identities that stay, by player ID; names among `uses` without a person there are
        compared with the other unlisted names. `met`: pairs of player IDs, the lower first, that
        have played each other.
        """
        identities = dict(earlier or {})
        uses = _named_players(uses)
        missing = [use for use in uses if use.player_id not in identities]
        resolved = look_up(self._by_lists, missing)
        identities.update((identity.player_id, identity) for identity in resolved)
        del missing, resolved
        nodes, abbreviated = _unlisted(uses, identities)
        made = self._join(nodes, identities, met)
        del nodes
        nicknames = _nicknames(uses, identities, len(self._listed.persons))
        self._resolve_rest(abbreviated, self._list_of(made, len(made)), identities, nicknames)
        table = PersonTable(made)
        self._spell_alike(table, uses, identities)
        return Consolidated(Persons(self._listed.persons, table), identities)

    def _spell_alike(
        self, made: PersonTable, uses: Iterable[NameUse], identities: Mapping[int, Identity]
    ) -> None:
        """Give unlisted persons whose names differ only in how they are written one spelling."""
        persons, first = self._listed.persons, len(self._listed.persons)
        games: Counter[str] = Counter()
        listed = {identity.person for identity in identities.values()}
        for use in uses:
            number = identities[use.player_id].person
            if number is not None and number >= first:
                games[made.name(number - first)] += use.games
        written = (
            WrittenName(persons.name(number), persons.fide_id(number) or 0)
            for number in listed
            if number is not None and number < first
        )
        spellings = dict(open_spellings(games, written))
        for number in range(len(made)):
            made.rename(number, spellings.get(made.name(number), made.name(number)))

    def by_list(self, uses: Iterable[NameUse]) -> Sequence[Identity]:
        """Resolve names by the list alone, each independently of the others."""
        return list(self._by_lists(_named_players(uses)))

    def _by_lists(self, uses: Sequence[NameUse]) -> Iterator[Identity]:
        decisions = _decisions(self._resolver, uses, by_fide_id=self._by_fide_id)
        return map(self._by_list, uses, decisions)

    def _by_list(self, use: NameUse, decision: Decision) -> Identity:
        """Return who a name means; a FIDE ID in all its games decides between namesakes."""
        tagged: tuple[tuple[int, float], ...] = ()
        if use.fide_ids:
            tagged = self._tagged(use, decision)
            agreed = self._agreeing_id(use, decision)
            if agreed is not None and (agreed != decision.person or use.is_nickname):
                return Identity(
                    use.player_id, agreed, FIDE_ID_STAGE, 1.0, "FIDE ID in the tags", 1.0
                )
        given = self._given(use)
        if given is not None:
            return Identity(use.player_id, given, "exact", 1.0, GIVEN_SPELLING, 1.0, tagged=tagged)
        if use.fide_ids and self._has_unlisted_id(use):
            return Identity(use.player_id, None, "", 0.0, "FIDE ID that is not in the list")
        if use.is_nickname:
            return Identity(use.player_id, None, "", 0.0, NICKNAME, tagged=tagged)
        reason = decision.reason
        if decision.person is None and decision.listed >= _LISTED and reason != NUMBERED_NAME:
            reason = OTHERS_FIT
        return _identity(use, decision, reason, tagged)

    def _given(self, use: NameUse) -> int | None:
        """Return the person to whom a file of the user gives a name as it is written."""
        number = self._listed.given_spellings.get(use.name)
        if number is None or not use.first_year:
            return number
        years = self._listed.persons.years(number)
        return number if can_have_played(years, use.first_year, use.last_year) else None

    def _tagged(self, use: NameUse, decision: Decision) -> tuple[tuple[int, float], ...]:
        """Return the listed persons whose FIDE IDs are in the games, if the name fits them."""
        numbers = map(self._by_fide_id.get, sorted(use.fide_ids))
        is_bare = _is_bare_nickname(use)
        return tuple(
            (number, 0.0 if is_bare else value)
            for number, value in zip(numbers, decision.tagged, strict=True)
            if number is not None and (is_bare or value > _LEAST_AGREEMENT)
        )

    def _agreeing_id(self, use: NameUse, decision: Decision) -> int | None:
        """Return the listed person whose FIDE ID all tagged games have, if the name fits.

        An abbreviated name, or one changed by marriage, needs the ID in more than one game.
        """
        if len(use.fide_ids) != 1:
            return None
        [(fide_id, tagged_games)] = use.fide_ids.items()
        [evidence] = decision.tagged
        person = self._by_fide_id.get(fide_id)
        if person is None or _is_bare_nickname(use):
            return person
        form = name_form(use.name)
        is_repeated = tagged_games >= _REPEATED
        if not isnan(evidence):
            may_be = evidence > _LEAST_AGREEMENT
            return person if may_be and (is_repeated or is_full(form)) else None
        listed = name_form(self._listed.persons[person].name)
        return person if is_repeated and _share_a_name(form, listed) else None

    def _has_unlisted_id(self, use: NameUse) -> bool:
        """Return whether all tagged games of a full name have the same, unlisted FIDE ID."""
        if len(use.fide_ids) != 1 or not is_full(name_form(use.name)):
            return False
        [(fide_id, tagged_games)] = use.fide_ids.items()
        return fide_id not in self._by_fide_id and tagged_games >= _REPEATED

    def _join(
        self,
        nodes: Sequence[_Node],
        identities: dict[int, Identity],
        met: Container[tuple[int, int]],
    ) -> list[Person]:
        """Make persons from unlisted full names, joining names of the same person."""
        local = self._list_of(
            (Person(node.uses[0].name) for node in nodes), len(nodes), is_compared_with_itself=True
        )
        weighed = weigh_each(local, (node.uses[0].name for node in nodes))
        pairs, fits = _pairs(nodes, weighed, log(local.unlisted))
        joined = clusters(len(nodes), pairs, _contradiction(nodes, fits, met))
        made: list[Person] = []
        owners = Counter(
            fide_id
            for cluster in joined
            for fide_id in {n for number in cluster for n in nodes[number].fide_ids}
        )
        for cluster in joined:
            same = [use for number in cluster for use in nodes[number].uses]
            fide_ids = {
                fide_id
                for use in same
                for fide_id in use.fide_ids
                if owners[fide_id] == 1 and fide_id not in self._by_fide_id
            }
            person = _person_of(same, fide_ids)
            number = len(self._listed.persons) + len(made)
            made.append(person)
            for use in same:
                stage, score = _local_stage(use, person)
                tagged = identities[use.player_id].tagged if use.is_nickname else ()
                identities[use.player_id] = Identity(
                    use.player_id, number, stage, score, NOT_LISTED, 1.0, tagged=tagged
                )
        return made

    def _list_of(
        self, persons: Iterable[Person], count: int, *, is_compared_with_itself: bool = False
    ) -> NameList:
        shares = self._listed if len(self._listed.persons) > count else None
        return NameList(
            persons, self._encode, shares=shares, is_compared_with_itself=is_compared_with_itself
        )

    def _resolve_rest(
        self,
        uses: Sequence[NameUse],
        local: NameList,
        identities: dict[int, Identity],
        nicknames: Set[int],
    ) -> None:
        """Resolve abbreviated names by the list and the unlisted persons together.

        `nicknames`: persons who have nicknames only.
        """
        resolver = self._resolver.with_list(local)
        are_excluded = bytearray(len(resolver.persons))
        for number in nicknames:
            are_excluded[number] = True
        decisions = _decisions(resolver, uses, are_excluded=are_excluded)
        for use, decision in zip(uses, decisions, strict=True):
            tagged = identities[use.player_id].tagged
            identities[use.player_id] = _identity(use, decision, decision.reason, tagged)


def _unlisted(
    uses: Iterable[NameUse], identities: Mapping[int, Identity]
) -> tuple[list[_Node], list[NameUse]]:
    """Return the names to compare with each other, and abbreviated names."""
    full: dict[str, list[NameUse]] = defaultdict(list)
    abbreviated: list[NameUse] = []
    for use in uses:
        identity = identities[use.player_id]
        if identity.person is not None or identity.reason in (OTHERS_FIT, NUMBERED_NAME):
            continue
        form = name_form(use.name)
        if is_full(form):
            # Names with equal keys form one node; a nickname is a node of its own.
            parts = (name_key(use.name), form.number, form.generation, str(form.birth_year or ""))
            key = "|".join((*parts, *map(str, sorted(use.fide_ids))))
            full[f"{use.player_id}|" if _is_bare_nickname(use) else key].append(use)
        elif not use.is_nickname:
            abbreviated.append(use)
    return [_Node(full.pop(key)) for key in sorted(full)], abbreviated


def _named_players(uses: Iterable[NameUse]) -> list[NameUse]:
    ordered = sorted(uses, key=attrgetter("name", "player_id"))
    return [use for use in ordered if name_form(use.name).surname]


GIVEN_SPELLING = "in a list of spellings"
NOT_LISTED = "not in the list"
NICKNAME = "only in games played on the web, and not a full name"
_LISTED = 0.5  # probability of any listed person from which a name makes no new person


def _is_bare_nickname(use: NameUse) -> bool:
    """Return whether a name is a nickname without a comma, unlike the player's name."""
    return use.is_nickname and not name_form(use.name).is_ordered


def _form_of(use: NameUse) -> NameForm:
    """Return the form of an unlisted name; a nickname is similar to no other name."""
    form = name_form(use.name)
    return form._replace(is_handle=True) if _is_bare_nickname(use) else form


def _nicknames(uses: Iterable[NameUse], identities: Mapping[int, Identity], first: int) -> set[int]:
    """Return the persons who have nicknames only; `first`: the first unlisted person."""
    numbers: tuple[set[int], set[int]] = set(), set()
    for use in uses:
        person = identities[use.player_id].person
        if person is not None and person >= first:
            numbers[_is_bare_nickname(use)].add(person)
    return numbers[1] - numbers[0]


def _share_a_name(left: NameForm, right: NameForm) -> bool:
    """Return whether a word of one name begins a word of the other; both have three letters."""
    return any(
        len(word) > 2 and (other.startswith(word) or (len(other) > 2 and word.startswith(other)))
        for word in left.words
        for other in right.words
    )


def _decisions(
    resolver: Resolver,
    uses: Sequence[NameUse],
    *,
    by_fide_id: Mapping[int, int] = MappingProxyType({}),
    are_excluded: bytes | bytearray = b"",
) -> Iterator[Decision]:
    return resolver.decide_each(
        (use.name for use in uses),
        (
            GamesOfName(use.fide_ids, use.first_year, use.last_year, use.tags.is_youth, use.claims)
            for use in uses
        ),
        most=_CANDIDATES_KEPT,
        most_of_sure=_RIVALS_KEPT,
        by_fide_id=by_fide_id,
        are_excluded=are_excluded,
    )


def _identity(
    use: NameUse, decision: Decision, reason: str, tagged: tuple[tuple[int, float], ...]
) -> Identity:
    packed = decision.weighed_persons()
    likeliest = decision.likeliest(_LIKELIEST)
    return Identity(
        use.player_id,
        decision.person,
        decision.stage,
        decision.score,
        reason,
        decision.probability,
        WeighedPersons(packed) if packed else (),
        tagged,
        WeighedPersons(likeliest) if likeliest else (),
    )


def _pairs(
    nodes: Sequence[_Node], weighed: Iterable[Sequence[Weighed]], unlisted: float
) -> tuple[list[tuple[float, int, int]], Fits]:
    """Return the pairs of nodes that are probably the same person, with evidence, and all fits.

    To save memory, `weighed` is an iterator.
    """
    pairs: list[tuple[float, int, int]] = []
    fits, partners = _Rows(), _Rows()
    evidence = array("d")  # for each partner
    for number, weights in enumerate(weighed):
        fits.append(sorted(fit.person for fit in weights if fit.evidence > 0))
        others = [fit for fit in weights if fit.person != number]
        enough = sorted(
            (fit.person, fit.evidence - unlisted)
            for fit in others
            if _is_evident(nodes[number], nodes[fit.person], fit, unlisted)
        )
        partners.append(other for other, _ in enough)
        evidence.extend(value for _, value in enough)
        if nodes[number].fide_ids:
            pairs += [
                (_SAME_FIDE_ID, number, fit.person)
                for fit in others
                if fit.evidence > _LEAST_AGREEMENT
                and not nodes[number].fide_ids.isdisjoint(nodes[fit.person].fide_ids)
            ]
    return pairs + _mutual_partners(nodes, fits, partners, evidence), fits


def _mutual_partners(
    nodes: Sequence[_Node], fits: Fits, partners: _Rows, evidence: array[float]
) -> list[tuple[float, int, int]]:
    """Return the pairs of nodes of which each is the unambiguous partner of the other.

    `evidence`: for each partner.
    """
    is_proposed = bytearray(len(evidence))
    for number in range(len(partners)):
        row, begin = partners[number], partners.begin(number)
        by_partner = dict(zip(row, evidence[begin : begin + len(row)], strict=True))
        for index, other in enumerate(row, begin):
            is_proposed[index] = _is_unambiguous(other, by_partner, nodes, fits)
    pairs: list[tuple[float, int, int]] = []
    for number in range(len(partners)):
        for index, other in enumerate(partners[number], partners.begin(number)):
            if number < other and is_proposed[index]:
                back = partners.index(other, number)
                if back is not None and is_proposed[back]:
                    pairs.append((evidence[index], number, other))
    return pairs


def _is_evident(left: _Node, right: _Node, fit: Weighed, unlisted: float) -> bool:
    if (
        left.attributes.number != right.attributes.number
        or left.attributes.is_handle
        or right.attributes.is_handle
    ):
        return False
    if fit.kind == NameDifference.SIMILAR:
        if fit.evidence - unlisted <= _MIN_EVIDENCE_OF_SLIP:
            return False
        score, _ = name_scores(_form_of(left.uses[0]), _form_of(right.uses[0]))
        return score >= LIMITS.min_score
    return fit.evidence - unlisted > _MIN_EVIDENCE


def _is_unambiguous(
    partner: int, partners: Mapping[int, float], nodes: Sequence[_Node], fits: Fits
) -> bool:
    """Return whether no other partner with about as much evidence contradicts a partner."""
    return not any(
        other != partner
        and evidence > partners[partner] - _MARGIN
        and (_are_two_people(nodes[partner], nodes[other]) or not _fit(fits, partner, other))
        for other, evidence in partners.items()
    )


def _fit(fits: Fits, left: int, right: int) -> bool:
    return fits.index(left, right) is not None or fits.index(right, left) is not None


def _contradiction(
    nodes: Sequence[_Node], fits: Fits, met: Container[tuple[int, int]]
) -> Callable[[list[int], list[int]], bool]:
    """Return a function that tells whether members of two clusters contradict each other."""

    def are_apart(left: int, right: int) -> bool:
        pairs = product(nodes[left].players, nodes[right].players)
        return (
            _are_two_people(nodes[left], nodes[right])
            or any((min(pair), max(pair)) in met for pair in pairs)
            or not _fit(fits, left, right)
        )

    return lambda left, right: any(starmap(are_apart, product(left, right)))


def _are_two_people(left: _Node, right: _Node) -> bool:
    """Return whether two nodes are two people: two FIDE IDs, father and son, the same event."""
    if left.fide_ids and right.fide_ids and not left.fide_ids & right.fide_ids:
        return True
    if left.attributes.generation != right.attributes.generation:
        return True
    years = {left.attributes.birth_year, right.attributes.birth_year} - {None}
    if len(years) > 1:
        return True
    # A player has only one name in an event, unless two sources write the name in two ways.
    return not (
        set(left.events).isdisjoint(right.events)
        or are_same_words(left.uses[0].name, right.uses[0].name)
    )


def _person_of(uses: Sequence[NameUse], fide_ids: Set[int]) -> Person:
    """Return the person of unlisted names, with the best spelling; facts are of the most games."""
    best = max(uses, key=lambda use: (use.games, len(use.name), use.name))
    form = name_form(best.name)
    return Person(
        best_spelling({use.name: use.games for use in uses}),
        fide_id=next(iter(fide_ids)) if len(fide_ids) == 1 else None,
        country=form.country,
        birth_year=form.birth_year,
    )


def _local_stage(use: NameUse, person: Person) -> tuple[str, float]:
    left, right = name_form(use.name), name_form(person.name)
    if left == right:
        return "exact", 1.0
    return "variant", name_scores(left, right)[0]
