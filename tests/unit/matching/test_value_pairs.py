"""Values that belong together come from one record, or from records that agree."""

from __future__ import annotations

import json
from datetime import date as calendar_date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.search import are_of_one_name
from ocgdedup.matching.header_merge import FieldChange, count_worse_fields, merge_headers
from ocgdedup.model import GameHeader, Reason
from tests.reference.headers import field_choice
from tests.reference.headers import header_merge as reference
from tests.support.headers import header, merged_into

_OPTIONAL = st.none() | st.just("?")
_EVENTS = _OPTIONAL | st.sampled_from(
    (
        "Linares", "Linares 11th", "It (cat.17)", "Troll Masters", "087.Linares", "Open",
        "Troll Masters Gausdal", "ch-NOR", "Linares ESP", "Hastings 9192", "Hastings Premier",
    )
)  # fmt: skip
_SITES = _OPTIONAL | st.sampled_from(
    ("Linares", "Linares ESP", "Gausdal", "Gausdal NOR", "Hastings", "Oslo NOR", "Troll Masters")
)
_DATES = _OPTIONAL | st.sampled_from(
    (
        "1991.12.30", "1992.01.02", "1992.??.??", "1992.01.??", "1992.06.??", "1993.03.10",
        "1993.03.11", "1993.??.??", "199?.??.??", "????.??.??", "1993.03.??",
    )
)  # fmt: skip
_ROUNDS = _OPTIONAL | st.sampled_from(("1", "2", "2.1", "3", "3.4", "03", "-"))
_TAGS = st.fixed_dictionaries(
    {},
    optional={
        "EventDate": st.sampled_from(("1992.??.??", "1993.03.09", "1993.??.??")),
        "EventType": st.sampled_from(("tourn", "swiss")),
        "UTCDate": st.sampled_from(("1993.03.10", "1993.03.09", "2023.12.29", "1992.??.??")),
        "UTCTime": st.sampled_from(("10:00:00", "23:59:00")),
    },
)


@st.composite
def groups(draw: st.DrawFn) -> list[GameHeader]:
    """Records that may be of several events."""
    count = draw(st.integers(2, 4))
    return [
        header(
            game_id, event=draw(_EVENTS), site=draw(_SITES), date=draw(_DATES),
            round=draw(_ROUNDS), tags=draw(_TAGS) or None, plies=draw(st.sampled_from((40, 60))),
            white="Karpov, Anatoly", black="Kasparov, Garry",
        )
        for game_id in range(1, count + 1)
    ]  # fmt: skip


def tags_of(record: GameHeader) -> dict[str, str]:
    return json.loads(record.extra_tags or "{}")


@settings(max_examples=800, deadline=None)
@given(groups())
def test_each_pair_of_fields_is_in_a_record(records: list[GameHeader]) -> None:
    after = merged_into(records[0], merge_headers(records[0], records).values)
    if after.date_quality in (11, 21):
        return  # the month is that of EventDate
    for first, second in (("Date", "Round"), ("Event", "Site"), ("Date", "Event")):
        assert any(
            field_choice.agree(first, second, record, after)
            and field_choice.agree(second, first, record, after)
            for record in records
        )


@settings(max_examples=800, deadline=None)
@given(groups())
def test_each_pair_of_tags_is_in_a_record(records: list[GameHeader]) -> None:
    kept = records[0]
    after = merged_into(kept, merge_headers(kept, records).values)
    tags = tags_of(after)
    for tag in ("EventDate", "EventType"):
        if tag in tags:
            assert any(
                field_choice.agree("Event", "Site", record, after)
                and may_be_one(tags_of(record).get(tag), tags[tag])
                for record in records
            )
    times = [(tags_of(record).get("UTCDate"), tags_of(record).get("UTCTime")) for record in records]
    if "UTCDate" in tags and "UTCTime" in tags:
        assert (tags["UTCDate"], tags["UTCTime"]) in times
    of_kept = tags_of(kept).get("UTCDate"), kept.date
    if "UTCDate" in tags and "?" not in f"{tags['UTCDate']}{after.date or '?'}":
        days = [calendar_date(*map(int, d.split("."))) for d in (tags["UTCDate"], str(after.date))]
        is_near = abs((days[0] - days[1]).days) <= 1
        assert is_near or (tags["UTCDate"], after.date) == of_kept


def may_be_one(value: str | None, other: str) -> bool:
    if value is None or value == other:
        return True
    return "." in value and all(a == b or "?" in (a, b) for a, b in zip(value, other, strict=True))


@settings(max_examples=800, deadline=None)
@given(groups())
def test_pairs_are_chosen_as_by_the_reference(records: list[GameHeader]) -> None:
    assert merge_headers(records[0], records) == reference.merge_headers(records[0], records)
    assert count_worse_fields(records) == reference.count_worse_fields(records)


@settings(max_examples=400, deadline=None)
@given(groups())
def test_merging_again_keeps_the_pairs(records: list[GameHeader]) -> None:
    kept, *others = records
    after = merged_into(kept, merge_headers(kept, records).values)
    again = merged_into(after, merge_headers(after, [after, *others]).values)
    for first, second in field_choice.PAIRS:
        assert field_choice.is_pair([*records, after], {"Date": again, "Event": again,
                                    "Site": again, "Round": again}, first, second)  # fmt: skip


@given(_EVENTS | st.text("aB1. ,5th", max_size=8), _EVENTS | st.text("aB1. ,5th", max_size=8))
def test_names_agree_as_in_the_reference(left: str | None, right: str | None) -> None:
    one, two = header(1, event=left), header(2, event=right)
    expected = field_choice.agree("Event", "Site", one, two)
    assert are_of_one_name(left or "", right or "") == expected
    assert are_of_one_name(right or "", left or "") == expected


def values(kept: GameHeader, *others: GameHeader) -> dict:
    return merge_headers(kept, [kept, *others]).values


def record(game_id: int, event: str, site: str, date: str, rnd: str | None = None, **tags: str):
    return header(game_id, event=event, site=site, date=date, round=rnd, tags=tags or None)


def test_event_and_site_of_two_tournaments_are_not_mixed() -> None:
    kept = record(1, "Credit Suisse", "Biel SUI", "1997.07.20", "3")
    other = record(2, "Montreux Masters Cup", "Montreux", "1997.??.??", "3")
    assert "Event" not in values(kept, other)
    kept = record(1, "Moskou olm", "Moskou olm", "1994.12.??")
    other = record(2, "Moscow ol (Men)", "Moscow", "1994.??.??", "4")
    assert values(kept, other) == {"Event": "Moscow ol (Men)", "Site": "Moscow", "Round": "4"}


def test_a_less_precise_site_agrees() -> None:
    kept = record(1, "Winter Masters", "Seattle", "1999.02.03")
    other = record(2, "Ballard Cup", "Seattle WA", "1999.02.??")
    assert values(kept, other) == {"Site": "Seattle WA"}
    assert values(kept, other._replace(site="Tacoma WA")) == {}


def test_a_round_comes_with_its_day() -> None:
    kept = record(1, "Linares", "Linares ESP", "1993.03.10", "7")
    others = [record(n, "Linares", "Linares ESP", "1993.03.??", "8") for n in (2, 3)]
    assert values(kept, *others) == {"Round": "8"}  # may be the same day
    others = [record(n, "Linares", "Linares ESP", "1993.02.??", "8") for n in (2, 3)]
    assert values(kept, *others) == {}


def test_event_of_another_year_is_not_merged() -> None:
    kept = record(1, "Open", "Hastings ENG", "1995.12.30")
    other = record(2, "Hastings Premier 9192", "Hastings ENG", "1992.01.??")
    assert values(kept, other) == {}
    other = record(2, "Hastings Premier 9596", "Hastings ENG", "1996.01.??")
    assert values(kept, other) == {"Event": "Hastings Premier 9596"}


@pytest.mark.parametrize(
    ("named", "generic"),
    [
        ("Bosna C", "It (cat.10)"), ("Groningen", "Open"), ("Biel rapid", "5th Rapid"),
        ("Kiev", "052.Kiev"), ("Vienna", "103.Vienna (E.V)"), ("Interpolis", "Rated blitz game"),
        ("Rubinstein mem", "VII Memorial"), ("Турнир", "GM tournament"), ("Lugano", "GM Sch"),
    ],
)  # fmt: skip
def test_a_text_that_names_less_replaces_no_event(named: str, generic: str) -> None:
    site = named.split()[0]
    kept, other = (record(n, text, site, "1996.05.??") for n, text in ((1, named), (2, generic)))
    assert "Event" not in values(kept, other, other._replace(game_id=3))
    assert values(other, kept._replace(game_id=3))["Event"] == named


# --- tags -----------------------------------------------------------------------------------------


def test_a_day_of_another_event_is_not_merged() -> None:
    kept = record(1, "Bosna A", "Wijk aan Zee NED", "2004.01.10")
    other = record(2, "Essent", "Wijk aan Zee NED", "2004.01.10", EventDate="2004.01.02")
    assert "ExtraTags" not in values(kept, other)
    assert "ExtraTags" in values(kept, other._replace(event="Bosna"))


def test_a_day_goes_with_its_event() -> None:
    kept = record(1, "Open", "Oslo NOR", "2004.01.10", EventDate="2003.11.02", a="1")
    other = record(2, "Oslo Winter Cup", "Oslo NOR", "2004.01.10", EventDate="2004.01.02")
    merge = merge_headers(kept, [kept, other])
    assert json.loads(str(merge.values["ExtraTags"])) == {"a": "1", "EventDate": "2004.01.02"}
    assert FieldChange("EventDate", "2003.11.02", "2004.01.02", 2) in merge.changes


def test_a_utc_day_never_contradicts_the_merged_date() -> None:
    study = record(1, "?", "?", "?", UTCDate="2023.12.29", UTCTime="11:11:11", Annotator="x")
    played = record(2, "Team match", "Riga", "1983.10.12", "3")
    merge = merge_headers(study, [study, played])
    assert json.loads(str(merge.values["ExtraTags"])) == {"Annotator": "x"}
    for tag, text in (("UTCDate", "2023.12.29"), ("UTCTime", "11:11:11")):
        assert FieldChange(tag, text, "?", 2, Reason.MISSING) in merge.changes
    tags = merge_headers(played, [played, study]).values["ExtraTags"]
    assert json.loads(str(tags)) == {"Annotator": "x"}


@pytest.mark.parametrize(
    ("day", "fits"),
    [
        ("2024.03.01", True), ("2024.02.29", True), ("2024.03.02", True), ("2024.03.03", False),
        ("2024.??.??", True), ("2023.??.??", False), ("2024.03.32", False),
    ],
)  # fmt: skip
def test_a_utc_day_may_differ_by_a_time_zone(day: str, *, fits: bool) -> None:
    kept = record(1, "Cup", "Oslo", "2024.03.01")
    other = record(2, "Cup", "Oslo", "2024.03.01", UTCDate=day)
    assert ("ExtraTags" in values(kept, other)) == fits


def test_a_time_comes_with_its_day() -> None:
    kept = record(1, "Cup", "Oslo", "2024.03.01", UTCDate="2024.03.01", EndDate="2024.03.01")
    other = record(
        2, "Cup", "Oslo", "2024.03.01", UTCDate="2024.02.29", UTCTime="23:10:00",
        EndDate="2024.03.01", EndTime="01:00:00",
    )  # fmt: skip
    tags = json.loads(str(values(kept, other)["ExtraTags"]))
    assert tags == {**tags_of(kept), "EndTime": "01:00:00"}
