"""Names of events: marks, spellings, and which says more."""

from __future__ import annotations

import pytest

from ocgdedup.matching.event_names import event_key, may_be_one, rank_of_name


@pytest.mark.parametrize(
    ("event", "other"),
    [
        ("World op", "World Open"), ("IND Ch", "ch-IND"), ("2nd IECC", "2. IECC"),
        ("30th Open", "30. Open"),
        ("Hastings 1930/31", "Hastings 3031"), ("Bundesliga 1930-1", "Bundesliga"),
        ("It (cat.12)", "It cat. XII"), ("Chigorin mem 1930", "Chigorin Memorial"),
    ],
)  # fmt: skip
def test_spellings_of_one_name(event: str, other: str) -> None:
    assert event_key(event, 1930) == event_key(other, 1930)
    assert may_be_one(event, other, 1930)


@pytest.mark.parametrize(
    ("event", "other"),
    [
        ("Hanza A", "Hanza B"), ("Hanza A", "Hanza"), ("Hanza", "Hanza rapid"),
        ("Hanza blitz", "Hanza rapid"), ("Tal mem", "Tal mem Women"), ("Wch U16", "Wch U18"),
        ("FS10 IM", "FS11 IM"), ("London", "London2"), ("Hanza Masters", "Hanza Open"),
        ("6th Tal mem", "7th Tal mem"), ("Dutch ch", "Dutch ch final"), ("Dutch ch", "Dutch tch"),
        ("Jyvaskyla op2", "Jyvaskyla op"), ("World Cup", "World Cup playoff"),
    ],
)  # fmt: skip
def test_names_of_two_tournaments(event: str, other: str) -> None:
    assert not may_be_one(event, other, 1999)
    assert not may_be_one(other, event, 1999)


@pytest.mark.parametrize(
    ("event", "town", "rank"),
    [
        ("", "paris", 0), ("It (cat.12)", "paris", 0), ("Open", "paris", 0), ("GM", "paris", 0),
        ("Paris", "paris", 1), ("Berne", "bern", 1), ("Paris op", "paris", 2), ("Hanza", "", 2),
    ],
)  # fmt: skip
def test_ranks(event: str, town: str, rank: int) -> None:
    assert rank_of_name(event, town) == rank
