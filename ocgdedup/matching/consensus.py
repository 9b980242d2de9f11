"""Header values that the rest of the database contradicts.

If a group has a rare and a frequent spelling of the same name, the rare one is a slip. Owns these
rules; round_days.py has the rules for days of rounds. The kernel's HeaderCounts counts names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Protocol

from ocgdedup._kernels.names import MOST_LETTERS, word_edits
from ocgdedup.matching.field_choice import is_event_like, names_event, plain_alphanumerics
from ocgdedup.matching.header_score import EMPTY_TEXTS, is_named
from ocgdedup.matching.name_choice import NameCounts, is_contained_in
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.round_days import RoundDays, outweighed_days
from ocgdedup.model import GameHeader
from ocgdedup.thresholds import ABOVE_RARE, ABOVE_VERY_RARE, EVENT, FEW_GAMES, PLAYER, SITE

NAME_COLUMNS = (("Event", EVENT), ("Site", SITE), ("White", PLAYER), ("Black", PLAYER))
_FIELDS = (
    ("Event", EVENT, attrgetter("event"), None),
    ("Site", SITE, attrgetter("site"), None),
    ("White", PLAYER, attrgetter("white"), attrgetter("white_fide_id")),
    ("Black", PLAYER, attrgetter("black"), attrgetter("black_fide_id")),
)
_date_of = attrgetter("date")

_MOST_VALUES = 64  # of a field that are compared with each other; real groups have fewer
_EDITS_OF_SLIP = 2
_FEWEST_LETTERS = 5  # of a name that may be a slip; Wang, Yu and Wang, Yue are two players
_COUNTRY = re.compile(" [A-Z]{3}")
# Additions of collections to the name of a town: "026.London IT (E.V.)".
_DECORATION = re.compile(r"^\s*(?:0\d+|\d{3,})\s*[.)]\s*|\([^)]*\)?|\[[^\]]*\]?")
_DIGITS = re.compile(r"\d+")


class Database(RoundDays, NameCounts, Protocol):
    """Counts over all records of a database, with their headers as they were read."""

    def frequency_rank(self, name_type: int, name: str, other: str) -> int:
        """Return how much more frequent a name is than another one of its type (EVENT, ...).

        Negative if it is rarer, 0 if neither is clearly more frequent.
        """

    def games_at(self, event: int, site: str) -> int:
        """Return how many records of an event (numbered as by round_of()) have a site."""


def outweighed(records: Sequence[GameHeader], database: Database) -> Mapping[str, Collection[str]]:
    """Return by tag the values that lose to values of other records of the same played game.

    The tags: Event, Site, Date, White, Black.
    """
    losing: dict[str, Collection[str]] = {}
    for tag, name_type, name_of, fide_id_of in _FIELDS:
        names = list(map(name_of, records))
        if names.count(names[0]) < len(names):
            fide_ids = None if fide_id_of is None else list(map(fide_id_of, records))
            if losers := _outweighed_names(records, name_type, names, fide_ids, database):
                losing[tag] = losers
    dates = list(map(_date_of, records))
    if dates.count(dates[0]) < len(dates) and (days := outweighed_days(records, database)):
        losing["Date"] = days
    return losing


def _outweighed_names(
    records: Sequence[GameHeader],
    name_type: int,
    names: Sequence[str | None],
    fide_ids: Sequence[int | None] | None,
    database: Database,
) -> Collection[str]:
    """Return the names of one field that lose; `names`, `fide_ids`: of each record."""
    texts = [name for name in {*names} if name is not None and name not in EMPTY_TEXTS]
    if len(texts) > _MOST_VALUES:
        return ()
    sites = tuple(sorted({r.site for r in records if r.site})) if name_type == EVENT else ()
    outweighed = set()
    for pair in combinations(texts, 2):
        rank = database.frequency_rank(name_type, *pair)
        if rank == 0:
            continue
        name, rare = pair if rank > 0 else pair[::-1]
        if fide_ids is not None:
            rare_ids = _fide_ids(rare, names, fide_ids)
            if rare_ids and rare_ids != _fide_ids(name, names, fide_ids):
                continue  # the rare name has a FIDE ID that the other name does not have
        rank = abs(rank)
        if (name_type, rank) == (SITE, 1) and _is_site_of_event(records, name, rare, database):
            rank = ABOVE_RARE
        if outweighs(name_type, name, rare, rank, sites):
            outweighed.add(rare)
    return outweighed


def _is_site_of_event(
    records: Sequence[GameHeader], site: str, rare: str, database: Database
) -> bool:
    """Return whether other games of the events have a site, and none has the `rare` one."""
    event_of = {record.game_id: database.round_of(record.game_id).event for record in records}
    games, rare_games = (
        sum(database.games_at(event, text) for event in set(event_of.values()))
        - sum(
            record.site == text and database.games_at(event_of[record.game_id], text) > 0
            for record in records
        )
        for text in (site, rare)
    )
    return games >= FEW_GAMES and rare_games == 0


def _fide_ids(
    text: str, names: Iterable[str | None], fide_ids: Iterable[int | None]
) -> Collection[int]:
    """Return the FIDE IDs of the records with a name."""
    records = zip(names, fide_ids, strict=True)
    return {fide_id for name, fide_id in records if fide_id and name == text}


@lru_cache(maxsize=1 << 14)  # the same spellings are compared many times
def outweighs(name_type: int, name: str, rare: str, rank: int, sites: tuple[str, ...] = ()) -> bool:
    """Return whether a name replaces a much rarer one.

    `rank`: see frequency_rank(). `sites`: sites of the records if the names are events: the name of
    a site does not replace an event.
    """
    if rare in EMPTY_TEXTS or name in EMPTY_TEXTS:
        return False
    if name_type == PLAYER:
        return is_named(name) and is_named(rare) and _is_slip_of(rare, name)
    plain, plain_rare = plain_alphanumerics(name), plain_alphanumerics(rare)
    if not plain or not plain_rare or plain.startswith(plain_rare):
        return False
    if any(plain_alphanumerics(site).startswith(plain) for site in sites):
        return False
    if name_type == EVENT and not names_event(name) and names_event(rare):
        return False
    if plain_rare.startswith(plain):
        # Few records have this country with the town, or no other game of the event has it.
        is_country = name_type == SITE and _COUNTRY.fullmatch(rare[len(name) :]) is not None
        return is_country and rank >= ABOVE_RARE
    if name_type == EVENT and rank >= ABOVE_VERY_RARE and " " in rare and not is_event_like(rare):
        return True  # the nickname of a game: "The golden coins game"
    are_long = min(len(plain_rare), len(plain)) >= _FEWEST_LETTERS
    have_one_number = _DIGITS.findall(plain_rare) == _DIGITS.findall(plain)
    is_slip = are_long and have_one_number and _is_within_edits(plain_rare, plain)
    return is_slip or _is_decorated(name, rare)


def _is_slip_of(name: str, other: str) -> bool:
    """Return whether a player's name is within few letters of another name, perhaps by a slip.

    A shorter form of the other name is not a slip: "Kasparov,G" and "Kasparov, Garry". A name with
    another initial or number may be another player's.
    """
    form, other_form = name_form(name), name_form(other)
    words, other_words = "".join(sorted(form.words)), "".join(sorted(other_form.words))
    letters, other_letters = plain_alphanumerics(name), plain_alphanumerics(other)
    if min(len(words), len(other_words)) < _FEWEST_LETTERS:
        return False
    if words == other_words or letters == other_letters:
        return False
    initials, other_initials = ({word[0] for word in f.given} for f in (form, other_form))
    if initials and other_initials and initials.isdisjoint(other_initials):
        return False
    if _DIGITS.findall(name) != _DIGITS.findall(other):
        return False
    if is_contained_in(form, other_form) or is_contained_in(other_form, form):
        return False
    return _is_within_edits(words, other_words) or _is_within_edits(letters, other_letters)


def _is_within_edits(left: str, right: str) -> bool:
    if left.isascii() and right.isascii() and max(len(left), len(right)) <= MOST_LETTERS:
        return word_edits(left.encode(), right.encode(), _EDITS_OF_SLIP) <= _EDITS_OF_SLIP
    from rapidfuzz.distance import OSA  # 9 ms

    return OSA.distance(left, right, score_cutoff=_EDITS_OF_SLIP) <= _EDITS_OF_SLIP


def _is_decorated(name: str, other: str) -> bool:
    """Return whether `other` is the name with additions of a collection."""
    bare = _DECORATION.sub("", other)
    if bare == other or _DECORATION.sub("", name) != name:
        return False
    letters, other_letters = plain_alphanumerics(name), plain_alphanumerics(bare)
    return bool(other_letters) and (
        other_letters.startswith(letters) or _is_within_edits(other_letters, letters)
    )
