"""The best value of a header field among records of one Go game; field_choice.py is for chess.

Owns when the value of another record replaces the kept game's value. Any two collections write the
rounds, events and names of Go games in different words, so a longer text is not better. The kept
game's value stays, unless another value contains it, or two other records agree on another value.

Each function takes the records, the kept game first, and returns one value, or [] if no record has
a value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import dropwhile
from operator import attrgetter
from typing import NamedTuple

from ocgdedup._kernels.names import DIFFERENT, NAMESAKE, relation
from ocgdedup._kernels.search import dates_agree, is_date
from ocgdedup.matching.field_choice import best_values
from ocgdedup.matching.header_score import EMPTY_TEXTS, is_named
from ocgdedup.matching.name_choice import Vote, words_match
from ocgdedup.matching.names.go_name import GoName, go_name
from ocgdedup.matching.names.go_spelling import may_be_one, plain_go_name, spelling
from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.model import GameHeader

_AGREEING_OTHERS = 2  # records with an equal value that outvote one record

_WORD = re.compile(r"\d+(?:[.:/]\d+)*\w*|[^\W_]+")  # "1.5h" and "3/19" are one word
_APOSTROPHE = re.compile(r"['`\u2018\u2019]")
_PART_OF_FINAL = re.compile(r"\b(semi|quarter)[\W_]+(?=final)")  # one word: it is not a "final"
_A_FINAL = re.compile(r"finals?$")

_Words = tuple[str, ...]
_IsFuller = Callable[[_Words, _Words], bool]
BestOf = Callable[[Sequence[GameHeader]], Sequence[str]]


class _Text(NamedTuple):
    """A value, and its words in plain small letters."""

    value: str
    words: _Words


def best_go_dates(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the kept game's date, or a more exact one that may be the same day.

    A date that contradicts it needs the agreement of two other records, and is never less exact.
    """
    dated = [record for record in records if is_date(record.date)]
    kept_date = records[0].date
    if kept_date is None or not is_date(kept_date):
        return [max(best_values("Date", dated))] if dated else []  # of equally good dates the later
    # A day in the month of the kept game supports its date; a month does not outvote its day.
    dates = [str(r.date) for r in dated if str(r.date).count("?") <= kept_date.count("?")]
    votes = [kept_date if dates_agree(date, kept_date) else date for date in dates]
    best = _vote_winner(kept_date, votes)
    return [max(best_values("Date", [r for r in dated if dates_agree(str(r.date), best)]))]


def best_go_results(records: Sequence[GameHeader]) -> Sequence[str]:
    """Return the kept game's result, unless it has none or two others agree on another one."""
    kept_result = records[0].result
    if kept_result in (None, "*"):
        return best_values("Result", records)
    votes = [str(record.result) for record in records if record.result not in (None, "*")]
    return [_vote_winner(str(kept_result), votes)]


def _vote_winner(kept_value: str, votes: Iterable[str]) -> str:
    """Return the value that outvotes the kept game's value, else the kept game's."""
    counts = Counter(votes)
    best = max(counts, key=lambda value: counts[value])
    return best if counts[best] >= max(_AGREEING_OTHERS, counts[kept_value] + 1) else kept_value


# --- players ----------------------------------------------------------------------------------


def are_go_strangers(left: Vote, right: Vote) -> bool:
    """Return whether two names are of different people; False for names in two scripts."""
    name, other = left[0], right[0]
    if not name or not other or not (is_named(name) and is_named(other)):
        return False
    plain, other_plain = plain_go_name(name), plain_go_name(other)
    if plain == other_plain or plain.isascii() != other_plain.isascii():
        return False
    if _is_contained_in(go_name(name), go_name(other)) or _is_contained_in(
        go_name(other), go_name(name)
    ):
        return False
    if relation(plain, other_plain) not in (DIFFERENT, NAMESAKE):
        return False
    return not may_be_one(spelling(name), spelling(other))


def may_be_one_in_go(name: str, other: str) -> bool:
    """Return whether two names may be of one player, also shortened or in two writing systems."""
    left, right = spelling(name), spelling(other)
    if left.key == right.key or may_be_one(left, right):
        return True
    short, full = go_name(name), go_name(other)
    return _is_contained_in(short, full) or _is_contained_in(full, short)


def _is_contained_in(name: GoName, full: GoName) -> bool:
    """Return whether the full name has all words of a name; an initial matches a longer word."""
    words = sorted(name.words, key=len, reverse=True)
    return bool(words) and words_match([(word, len(word) == 1) for word in words], full.words)


# --- texts ------------------------------------------------------------------------------------


def _parts(name: GoName) -> Iterator[str]:
    yield from name.words
    yield name.number
    for member in name.members:
        yield from _parts(member)


def _best_text(
    values: Sequence[str | None], is_fuller: _IsFuller, words_of: Callable[[str], _Words]
) -> Sequence[str]:
    """Return the fullest form of the first text, or of the text that outvotes it.

    `is_fuller(words, other)`: whether the other words are a fuller form.
    """
    texts = [_Text(text, words_of(text)) for text in values if text and text not in EMPTY_TEXTS]
    if not texts:
        return []
    counts = Counter(text.words for text in texts)
    # If the kept game has no text, the most frequent one; on a tie that of the better header.
    best = texts[0] if values[0] == texts[0].value else max(texts, key=lambda t: counts[t.words])
    for text in texts:
        is_outvoted = counts[text.words] >= max(_AGREEING_OTHERS, counts[best.words] + 1)
        if is_outvoted and not is_fuller(text.words, best.words):
            best = text
    fuller = [text for text in texts if is_fuller(best.words, text.words)]
    best = max(fuller, key=lambda t: (counts[t.words], len(t.words)), default=best)
    return [best.value]


def _words(text: str) -> _Words:
    plain = _APOSTROPHE.sub("", plain_letters(text)).lower()
    return tuple(_WORD.findall(_PART_OF_FINAL.sub(r"\1", plain)))


def _has_all(words: _Words, other: _Words) -> bool:
    """Return whether the other words include all words and more."""
    return len(other) > len(words) > 0 and not Counter(words) - Counter(other)


def _begins(words: _Words, other: _Words) -> bool:
    return len(other) > len(words) > 0 and other[: len(words)] == words


def _is_longer_event(words: _Words, other: _Words) -> bool:
    """Return whether the other event has more words at the end, or numbers at the beginning.

    "Women's Honinbo" is another tournament than "Honinbo".
    """
    left, right = (tuple(dropwhile(lambda word: word[0].isdigit(), w)) for w in (words, other))
    return _has_all(words, other) and right[: len(left)] == left


def _is_fuller_round(words: _Words, other: _Words) -> bool:
    """Return whether the other round has more words; a final is fuller than a bare number."""
    is_number = len(words) == 1 and words[0].isdigit()
    numbers = [word for word in other if word[0].isdigit()]
    if is_number and not numbers:
        return any(map(_A_FINAL.search, other))
    if is_number and numbers != [*words]:
        return False  # "Round 1, Game 2" has a "1" and a "2"
    starts = range(len(other) - len(words) + 1)
    return _has_all(words, other) and any(other[i : i + len(words)] == words for i in starts)


def _text_of(field: str, is_fuller: _IsFuller) -> BestOf:
    """Return a function that chooses the best text of a field."""
    value_of = attrgetter(field)
    return lambda records: _best_text(list(map(value_of, records)), is_fuller, _words)


def _name_of(field: str) -> BestOf:
    """Return a function that chooses the best name of a field, whatever the ranks and titles."""
    value_of = attrgetter(field)

    def words_of(text: str) -> _Words:
        # "II" is the word "2".
        return _words(" ".join(_parts(go_name(text)))) or _words(text)

    def best(records: Sequence[GameHeader]) -> Sequence[str]:
        names = [name if is_named(name) else None for name in map(value_of, records)]
        return _best_text(names, _has_all, words_of)

    return best


# The function for each field, by tag. A fuller round: "Game 5" instead of "5".
BEST: dict[str, BestOf] = {
    "Event": _text_of("event", _is_longer_event),
    "Site": _text_of("site", _has_all),
    "Date": best_go_dates,
    "Round": _text_of("round", _is_fuller_round),
    "White": _name_of("white"),
    "Black": _name_of("black"),
    "Result": best_go_results,
    "TimeControl": _text_of("time_control", _begins),
}
