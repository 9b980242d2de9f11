"""Header values that the rest of the database contradicts.

A rare spelling beside a frequent one of the same name is a slip. Owns these rules; round_days.py
has those for the days of rounds. HeaderCounts (search kernel) counts how often each name occurs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Protocol

from ocgdedup._kernels.names import MOST_LETTERS, word_edits
from ocgdedup.matching.field_choice import is_event_like, plain_alphanumerics
from ocgdedup.matching.header_score import EMPTY_TEXTS, is_named
from ocgdedup.matching.name_choice import says
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.round_days import RoundDays, outweighed_days
from ocgdedup.model import GameHeader, NameForm
from ocgdedup.thresholds import EVENT, FEW_GAMES, OF_RARE, OF_VERY_RARE, PLAYER, SITE

NAME_COLUMNS = (("Event", EVENT), ("Site", SITE), ("White", PLAYER), ("Black", PLAYER))
_FIELDS = (
    ("Event", EVENT, attrgetter("event"), None),
    ("Site", SITE, attrgetter("site"), None),
    ("White", PLAYER, attrgetter("white"), attrgetter("white_fide_id")),
    ("Black", PLAYER, attrgetter("black"), attrgetter("black_fide_id")),
)
_date_of = attrgetter("date")

# Most values of a field that are compared with each other; real groups have fewer.
_MOST_VALUES = 64
_EDITS_OF_SLIP = 2
_FEWEST_LETTERS = 5  # of a name that may be a slip; Wang, Yu and Wang, Yue are two players
_COUNTRY = re.compile(" [A-Z]{3}")
# Additions of collections to the name of a place: "026.London IT (E.V.)".
_DECORATION = re.compile(r"^\s*\d+\s*[.)]\s*|\([^)]*\)?|\[[^\]]*\]?")
_DIGITS = re.compile(r"\d+")


class Database(RoundDays, Protocol):
    """Counts over all records of a database, with their headers as they were read."""

    def standing(self, kind: int, text: str, other: str) -> int:
        """Return how much more frequent a name is than another one of its kind.

        Negative if it is rarer, 0 if neither is clearly more frequent.
        """

    def games_at(self, event: int, site: str) -> int:
        """Return how many records of an event (as round_of() numbers it) have a site."""


def outweighed(records: Sequence[GameHeader], database: Database) -> Mapping[str, Collection[str]]:
    """Return the values that lose to values of other records, by tag.

    `records`: records of one played game. Tags: Event, Site, Date, White, Black.
    """
    losing: dict[str, Collection[str]] = {}
    for tag, kind, name_of, fide_id_of in _FIELDS:
        names = list(map(name_of, records))
        if names.count(names[0]) < len(names):
            fide_ids = None if fide_id_of is None else list(map(fide_id_of, records))
            losers = _outweighed_names(records, kind, names, fide_ids, database)
            if losers:
                losing[tag] = losers
    dates = list(map(_date_of, records))
    if dates.count(dates[0]) < len(dates):
        days = outweighed_days(records, database)
        if days:
            losing["Date"] = days
    return losing


def _outweighed_names(
    records: Sequence[GameHeader],
    kind: int,
    names: Sequence[str | None],
    fide_ids: Sequence[int | None] | None,
    database: Database,
) -> Collection[str]:
    """Return the names of one field that lose; `names`, `fide_ids`: those of the records."""
    known = [text for text in {*names} if text is not None and text not in EMPTY_TEXTS]
    if len(known) > _MOST_VALUES:
        return ()
    sites = tuple(sorted({r.site for r in records if r.site})) if kind == EVENT else ()
    outweighed = set()
    for pair in combinations(known, 2):
        ahead = database.standing(kind, *pair)
        if ahead == 0:
            continue
        text, other = pair if ahead > 0 else pair[::-1]
        if fide_ids is not None:
            own_ids = _fide_ids(other, names, fide_ids)
            if own_ids and own_ids != _fide_ids(text, names, fide_ids):
                continue  # `other` has a FIDE ID that `text` does not have
        ahead = abs(ahead)
        if (kind, ahead) == (SITE, 1) and _is_site_of_event(records, text, other, database):
            ahead = OF_RARE
        if outweighs(kind, text, other, ahead, sites):
            outweighed.add(other)
    return outweighed


def _is_site_of_event(
    records: Sequence[GameHeader], text: str, other: str, database: Database
) -> bool:
    """Tell if other games of the events have site `text`, and none has site `other`."""
    event_of = {record.game_id: database.round_of(record.game_id).event for record in records}
    games, others = (
        sum(database.games_at(event, site) for event in set(event_of.values()))
        - sum(
            record.site == site and database.games_at(event_of[record.game_id], site) > 0
            for record in records
        )
        for site in (text, other)
    )
    return games >= FEW_GAMES and others == 0


def _fide_ids(
    text: str, names: Iterable[str | None], fide_ids: Iterable[int | None]
) -> Collection[int]:
    """Return the FIDE IDs of the records with a name."""
    records = zip(names, fide_ids, strict=True)
    return {fide_id for name, fide_id in records if fide_id and name == text}


@lru_cache(maxsize=1 << 14)  # the same spellings are compared many times
def outweighs(kind: int, text: str, other: str, ahead: int, sites: tuple[str, ...] = ()) -> bool:
    """Tell if name `text` replaces the much rarer name `other`.

    `ahead`: how much more frequent it is, see standing(). `sites`: sites of the records if the
    names are events: a mere place does not replace an event.
    """
    if other in EMPTY_TEXTS or text in EMPTY_TEXTS:
        return False
    if kind == PLAYER:
        return is_named(text) and is_named(other) and _is_slip_of(other, text)
    theirs, own = plain_alphanumerics(text), plain_alphanumerics(other)
    if not theirs or not own or theirs.startswith(own):
        return False
    if any(plain_alphanumerics(site).startswith(theirs) for site in sites):
        return False
    if own.startswith(theirs):
        # Few records have this country with the place, or no other game of the event has it.
        is_country = kind == SITE and _COUNTRY.fullmatch(other[len(text) :]) is not None
        return is_country and ahead >= OF_RARE
    if kind == EVENT and ahead >= OF_VERY_RARE and " " in other and not is_event_like(other):
        return True  # the nickname of a game: "The golden coins game"
    are_long = min(len(own), len(theirs)) >= _FEWEST_LETTERS
    have_one_number = _DIGITS.findall(own) == _DIGITS.findall(theirs)
    are_near = are_long and have_one_number and _is_within_edits(own, theirs)
    return are_near or _is_decorated(text, other)


def _is_slip_of(name: str, other: str) -> bool:
    """Tell if a player's name differs from another by so few letters that it may be a slip.

    A shorter form of the other name is not a slip: "Kasparov,G" beside "Kasparov, Garry". A name
    with another initial or number may be another player's.
    """
    form, other_form = name_form(name), name_form(other)
    words, other_words = "".join(sorted(form.words)), "".join(sorted(other_form.words))
    letters, other_letters = plain_alphanumerics(name), plain_alphanumerics(other)
    if min(len(words), len(other_words)) < _FEWEST_LETTERS:
        return False
    if words == other_words or letters == other_letters:
        return False
    if _DIGITS.findall(name) != _DIGITS.findall(other) or _have_other_initials(form, other_form):
        return False
    if says(form, other_form) or says(other_form, form):
        return False
    return _is_within_edits(words, other_words) or _is_within_edits(letters, other_letters)


def _have_other_initials(form: NameForm, other: NameForm) -> bool:
    initials = {word[0] for word in form.given}
    others = {word[0] for word in other.given}
    return bool(initials and others) and initials.isdisjoint(others)


def _is_within_edits(left: str, right: str) -> bool:
    if left.isascii() and right.isascii() and max(len(left), len(right)) <= MOST_LETTERS:
        return word_edits(left.encode(), right.encode(), _EDITS_OF_SLIP) <= _EDITS_OF_SLIP
    from rapidfuzz.distance import OSA  # 9 ms

    return OSA.distance(left, right, score_cutoff=_EDITS_OF_SLIP) <= _EDITS_OF_SLIP


def _is_decorated(text: str, other: str) -> bool:
    """Tell if `other` is name `text` with additions of a collection."""
    plain = _DECORATION.sub("", other)
    if plain == other or _DECORATION.sub("", text) != text:
        return False
    own, theirs = plain_alphanumerics(plain), plain_alphanumerics(text)
    return bool(own) and (own.startswith(theirs) or _is_within_edits(own, theirs))
