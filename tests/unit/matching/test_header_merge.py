"""Headers merged field by field: chosen values, reported changes, laws."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.errors import IntegrityError
from ocgdedup.game_kind import GAME_KINDS, GO
from ocgdedup.matching import field_choice
from ocgdedup.matching.header_merge import FieldChange, count_worse_fields, merge_headers
from ocgdedup.model import Reason
from tests.reference.headers import header_merge as reference
from tests.support.counted_calls import count_calls
from tests.support.headers import groups_of_headers, header, merged_into, some_headers

fixed = settings(max_examples=400)

FULL = {
    "event": "Linares 11th",
    "site": "Linares ESP",
    "date": "1993.03.10",
    "date_quality": 33,
    "round": "10",
    "white": "Kasparov, Garry",
    "black": "Karpov, Anatoly",
    "white_elo": 2805,
    "black_elo": 2725,
    "result": "1-0",
    "time_control": "40/7200",
    "eco": "E97",
    "plies": 80,
}


def full(game_id=1, **fields):
    return header(game_id, **(FULL | fields))


def merged(master, *others, **facts):
    return merge_headers(master, [master, *others], **facts)


def values(master, *others, **facts):
    return merged(master, *others, **facts).values


def test_equal_headers_change_nothing():
    assert merged(full(), full(2), full(3)) == ({}, [])


def test_a_record_worse_in_all_fields_changes_nothing():
    assert merged(full(), header(2, plies=80), full(3, white="Kasparov,G", event="Lin")) == ({}, [])


def test_an_empty_kept_game_gets_all_values():
    empty = header(1, plies=80)
    merge = merged(empty, full(2))
    assert merged_into(empty, merge.values) == full(1)
    assert merge.changes[:3] == [
        FieldChange("Event", "?", "Linares 11th", 2),
        FieldChange("Site", "?", "Linares ESP", 2),
        FieldChange("Date", "????.??.??", "1993.03.10", 2),
    ]
    assert {change.tag for change in merge.changes} == {
        "Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "Result",
        "TimeControl", "ECO",
    }  # fmt: skip


CHAPTER = "https://lichess.org/study/76AirB4Y/C1NcczQl"


@pytest.mark.parametrize(
    "study",
    [
        {"event": "Great games: Round 3 of 1993", "site": CHAPTER},
        {"event": "Great games", "site": CHAPTER},
        {
            "event": "Great games: 7",
            "site": None,
            "tags": {"StudyName": "Great games", "ChapterName": "7", "ChapterURL": CHAPTER},
        },
    ],
)
def test_the_name_of_a_study_is_no_event(study):
    other = full(2, event="Linares", site="Linares", plies=80)
    kept = merged(full(1, **study), other, full(3, **study))
    assert kept.values["Event"] == "Linares"
    assert not {"Event", "Site"} & values(other, full(1, **study), full(3, **study)).keys()
    assert "Event" not in values(full(1, event=None), full(2, **study))
    assert "Event" not in values(full(1, **study), full(2, event=None))  # the text stays


def test_a_study_may_name_the_event():
    tags = {"StudyName": "My games", "ChapterName": "7", "ChapterURL": CHAPTER}
    assert values(full(1, event=None), full(2, tags=tags))["Event"] == "Linares 11th"


def test_the_master_may_be_left_out_of_the_members():
    master, other = header(1, plies=80), full(2)
    assert merge_headers(master, [other]) == merge_headers(master, [master, other])


def test_each_field_comes_from_the_record_that_has_it_best():
    master = full(1, white="Kasparov,G", eco=None)
    merge = merged(master, full(2, white="Kasparov, Garry", eco=None), full(3, white="NN"))
    assert merge.values == {"White": "Kasparov, Garry", "ECO": "E97"}
    assert merge.changes == [
        FieldChange("White", "Kasparov,G", "Kasparov, Garry", 2, Reason.EXACT),
        FieldChange("ECO", "?", "E97", 3),
    ]


def test_numbers_are_reported_as_texts():
    merge = merged(full(white_elo=None), full(2))
    assert merge.values == {"WhiteElo": 2805}
    assert merge.changes == [FieldChange("WhiteElo", "?", "2805", 2)]


# --- what ties --------------------------------------------------------------------------------


def test_of_equal_values_the_masters_own_stays():
    assert values(full(eco="E97"), full(2, eco="E98")) == {}
    assert values(full(white_elo=2700), full(2)) == {}
    assert values(full(result="0-1"), full(2)) == {}


def test_of_equal_dates_the_later_one_is_taken():
    assert values(full(date="1993.03.10"), full(2, date="1993.03.11"))["Date"] == "1993.03.11"
    assert values(full(date="1993.03.11"), full(2, date="1993.03.10")) == {}


def test_the_record_with_fewer_worse_fields_is_trusted():
    careless = {"white": "Kasparov,G", "eco": "E98", "date": "1993.03.11"}
    assert values(full(), full(2, **careless)) == {}
    assert values(full(**careless), full(2)) == {
        "White": "Kasparov, Garry",
        "Date": "1993.03.10",
        "DateQuality": 33,
        "ECO": "E97",
    }


def test_count_worse_fields():
    headers = [full(1), full(2, white="NN", event="Lin"), full(3, eco="E98", white="Kasparov,G")]
    assert count_worse_fields(headers) == [0, 2, 2]
    assert count_worse_fields([full(1), full(2, date="1993.03.11")]) == [0, 0]


def test_among_equally_trusted_records_the_better_header_goes_first():
    master = full(1, eco=None)
    others = [full(2, eco="E98", time_control=None, plies=70), full(3, eco="E97", site="Linar")]
    assert values(master, *others)["ECO"] == "E97"


# --- dates ------------------------------------------------------------------------------------


def test_date_quality_is_merged_with_the_date():
    merge = merged(full(date="1993.??.??", date_quality=13), full(2, date_quality=32))
    assert merge.values == {"Date": "1993.03.10", "DateQuality": 32}
    assert [change.tag for change in merge.changes] == ["Date"]


@pytest.mark.parametrize(
    ("date", "event_date", "expected"),
    [
        ("1993.??.??", "1993.02.23", ("1993.02.??", 21)),
        ("????.??.??", "1993.02.23", ("1993.02.??", 21)),
        (None, "1993.02.??", ("1993.02.??", 21)),
        ("????.??.??", "1993.??.??", ("1993.??.??", 11)),
        ("1993.??.10", "1993.02.23", None),
        ("1993.03.??", "1993.02.23", None),
        ("1992.??.??", "1993.02.23", None),
        ("1993.??.??", "1993.??.??", None),
        ("1993.03.10", "1993.02.23", None),
    ],
)
def test_month_and_year_of_the_event(date, event_date, expected):
    known = full(2, date=date, tags={"EventDate": event_date})
    for master, other in [(full(1, date=date), known), (known, full(1, date=date))]:
        row = values(master, other)
        assert (row.get("Date"), row.get("DateQuality")) == (expected or (None, None))
    # Equal headers too.
    assert values(known, known._replace(game_id=3)).get("Date") == (expected or [None])[0]


def test_a_date_in_no_form_is_no_date():
    odd = full(1, date="1993?", tags={"EventDate": "1993.02.23"})
    assert values(odd, full(2, date=None))["Date"] == "1993.02.??"


def test_the_month_of_an_event_says_more_than_the_year():
    year, month = ({"EventDate": date} for date in ("1993.??.??", "1993.02.23"))
    records = [full(2, tags=year, date=None), full(3, tags=month, date=None)]
    assert values(full(date=None), *records)["Date"] == "1993.02.??"


def test_the_month_of_the_event_is_reported_once():
    known = full(2, date="1993.??.??", tags={"EventDate": "1993.02.23"})
    dates = [c for c in merged(full(date=None), known).changes if c.tag == "Date"]
    assert dates == [FieldChange("Date", "?", "1993.02.??", 2)]


# --- players ----------------------------------------------------------------------------------


def test_the_person_is_merged_with_the_name():
    master = full(1, white="Kasparov,G", white_person_id=3, core_hash=5)
    other = full(2, white_person_id=4, core_hash=6)
    assert values(master, other) == {
        "White": "Kasparov, Garry",
        "WhitePersonID": 4,
        "CoreHash": 6,
    }


def test_a_person_who_is_known_of_the_same_name():
    assert values(full(1), full(2, black_person_id=3))["BlackPersonID"] == 3
    assert values(full(1, black_person_id=3), full(2, black_person_id=2))["BlackPersonID"] == 2
    assert values(full(1, black_person_id=2), full(2, black_person_id=3)) == {}
    assert values(full(1, black_person_id=3), full(2, black_person_id=4)) == {}


def test_a_person_who_is_not_known_of_the_better_name():
    master = full(1, white="NN", white_person_id=3)
    assert values(master, full(2)) == {"White": "Kasparov, Garry", "WhitePersonID": None}


def test_no_hash_if_no_record_has_that_of_both_players():
    master = full(1, white="Kasparov,G", core_hash=5, black="Karpov, Anatoly")
    other = full(2, black="A Karpov", core_hash=6)
    assert values(master, other) == {"White": "Kasparov, Garry"}


def test_the_hash_of_the_same_persons_under_other_names():
    master = full(1, white="Kasparov,G", core_hash=5)
    named = full(2, white_person_id=3)
    spelt = full(3, white="Kasparov,G", white_person_id=3, core_hash=7)
    row = values(master, named, spelt)
    assert row == {"White": "Kasparov, Garry", "WhitePersonID": 3, "CoreHash": 7}
    # Without a person the name itself makes the hash.
    other_black = full(3, black="Karpov,A", white_person_id=3, core_hash=7)
    assert "CoreHash" not in values(master, named, other_black)


def test_swapped_colours_are_corrected():
    master = full(1, white="Kasparov,G", white_elo=None, white_person_id=None)
    other = full(
        2,
        white="Karpov, A",
        black="Kasparov, Garry",
        white_elo=2725,
        black_elo=2805,
        black_person_id=1,
        tags={"WhiteFideId": "4100026", "BlackTitle": "GM", "Opening": "KID"},
    )
    merge = merged(master, other, swapped={2})
    tags = {"BlackFideId": "4100026", "WhiteTitle": "GM", "Opening": "KID"}
    assert json.loads(merge.values.pop("ExtraTags")) == tags
    assert merge.values == {"White": "Kasparov, Garry", "WhiteElo": 2805, "WhitePersonID": 1}


def test_colours_are_exchanged_where_the_search_says_so():
    """With surnames alone, two sisters who play each other would swap Elo and title."""
    master = full(1, white="Polgar, Judit", black="Polgar, Zsuzsa", white_elo=None, black_elo=None)
    other = full(2, white="Polgar,Zs", black="Polgar,J", white_elo=2550, black_elo=2600)
    other = other._replace(extra_tags='{"WhiteTitle":"WGM"}')
    row = values(master, other, swapped=[2])
    assert (row["WhiteElo"], row["BlackElo"]) == (2600, 2550)
    assert json.loads(row["ExtraTags"]) == {"BlackTitle": "WGM"}


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (("Kasparov, Garry", None), ("Karpov, Anatoly", "Kasparov, Garry")),
        (("Kasparov, Garry", "?"), ("Karpov, Anatoly", "Kasparov,G")),
        ((None, "Lee Changho"), ("Lee Changho", "Cho Hunhyun")),
    ],
)
@pytest.mark.parametrize("kind", GAME_KINDS)
def test_nobody_becomes_his_own_opponent(own, other, kind):
    """The search cannot detect swapped colours if one of four names is missing."""
    tags = {"WhiteTitle": "GM", "BlackTitle": "GM", "WR": "9p", "BR": "3p", "Opening": "KID"}
    master = header(1, white=own[0], black=own[1])
    record = header(
        2, white=other[0], black=other[1], white_elo=2700, black_elo=2600, event="Linares",
        extra_tags=json.dumps(tags),
    )  # fmt: skip
    row = values(master, record, kind=kind)
    assert row == {"Event": "Linares", "ExtraTags": '{"Opening":"KID"}'}


def test_two_of_one_name_may_play_each_other():
    tags = '{"WhiteTitle":"GM"}'
    for own, other, opponent in (
        ("Polgar,J", "Polgar, Judit", "Polgar"),
        ("Wang,Y", "Wang, Yi", "Wang, Yu"),
    ):
        master = header(1, white=own, black=opponent)
        record = header(2, white=other, black=opponent, white_elo=2600, extra_tags=tags)
        assert values(master, record) == {"White": other, "WhiteElo": 2600, "ExtraTags": tags}


def test_a_record_with_both_names_right_counts_beside_one_that_is_mixed_up():
    master = header(1, black="Kato Masao")
    mixed_up = header(2, white="Kato Masao", black="Cho Chikun")
    right = header(3, white="Cho Chikun", black="Kato Masao", extra_tags='{"WR":"9p","BR":"8p"}')
    row = values(master, mixed_up, right, kind=GO)
    assert row == {"White": "Cho Chikun", "ExtraTags": '{"WR":"9p","BR":"8p"}'}


@pytest.mark.parametrize("kind", GAME_KINDS)
def test_an_outvoted_player_takes_his_own_tags_along(kind):
    own = {"WhiteTitle": "GM", "WhiteFideId": "4100018", "WR": "9p", "WT": "USSR", "Opening": "KID"}
    master = header(1, white="Kasparov, Garry", white_elo=2800, extra_tags=json.dumps(own))
    others = [header(n, white="Nobody, Hans", extra_tags='{"WR":"3p"}') for n in (2, 3)]
    merge = merged(master, *others, kind=kind)
    tags = {"Opening": "KID", "WR": "3p"}
    assert json.loads(merge.values.pop("ExtraTags")) == tags
    assert merge.values == {"White": "Nobody, Hans", "WhiteElo": None}
    reported = {change.tag: change[1:3] for change in merge.changes}
    assert reported["WhiteElo"] == ("2800", "?")
    assert reported["WhiteTitle"] == ("GM", "?")
    assert reported["WR"] == ("9p", "3p")


def test_a_textual_elo_goes_with_the_outvoted_player_and_is_reported_once():
    master = header(1, white="Kasparov, Garry", extra_tags='{"WhiteElo":"high"}')
    others = [header(n, white="Nobody, Hans", white_elo=2300) for n in (2, 3)]
    merge = merged(master, *others)
    assert merge.values == {"White": "Nobody, Hans", "WhiteElo": 2300, "ExtraTags": None}
    assert [change.tag for change in merge.changes] == ["White", "WhiteElo"]


def test_a_short_name_may_be_the_same_person():
    record = header(2, white="Cho Chikun", extra_tags='{"WR":"9p"}')
    for own in ("Cho", "Cho C.", "Chikun"):
        row = values(header(1, white=own), record, kind=GO)
        assert row["ExtraTags"] == '{"WR":"9p"}'
    names = ["Cho Chikun", "Cho C.", "Kobayashi Koichi", "Kobayashi Koichi"]
    records = [header(n, black=name) for n, name in enumerate(names)]
    assert merge_headers(records[0], records, kind=GO).values == {}


def test_a_day_of_the_masters_year_speaks_for_it():
    dates = ["1996.??.??", "1996.05.06", "1997.01.01", "1997.01.01"]
    records = [header(n, date=date) for n, date in enumerate(dates)]
    assert merge_headers(records[0], records, kind=GO).values["Date"] == "1996.05.06"


def test_values_of_another_go_player_stay_with_him():
    master = header(1, white="Lee Changho", black="Kobayashi Koichi")
    for other in ("Takemiya Masaki", "Kobayashi Satoru"):
        tags = json.dumps({"BR": "9d", "BT": "Nihon Ki-in", "WR": "9p", "RU": "Japanese"})
        record = header(2, white="Yi Ch'ang-ho", black=other, extra_tags=tags)
        row = values(master, record, kind=GO)
        assert row == {"ExtraTags": '{"WR":"9p","RU":"Japanese"}'}


def test_an_abbreviated_name_counts_for_the_go_player_it_may_be():
    names = ["Sato Ichiro", "Sato I.", "Tanaka Kenji", "Tanaka Kenji"]
    records = [header(n, black=name) for n, name in enumerate(names)]
    assert merge_headers(records[0], records, kind=GO).values == {}
    assert merge_headers(records[0], records[::2] + records[3:], kind=GO).values == {
        "Black": "Tanaka Kenji"
    }


def test_handicap_goes_with_the_stones():
    record = header(2, extra_tags='{"HA":"2","KM":"0.5"}')
    assert values(header(1), record, kind=GO) == {"ExtraTags": '{"HA":"2","KM":"0.5"}'}
    row = values(header(1), record, kind=GO, other_starts={2})
    assert row == {"ExtraTags": '{"KM":"0.5"}'}


def test_nobody_gets_the_name_of_another_person():
    """The other header is fuller in each field."""
    master = full(1, white="Polgar,J", white_elo=None, event="Lin", round=None)
    other = full(2, white="Karjakin, Sergey Alexandrovich", tags={"WhiteTitle": "GM", "KM": "1"})
    merge = merged(master, other)
    assert merge.values == {"Event": FULL["event"], "Round": "10", "ExtraTags": '{"KM":"1"}'}


def test_two_agreeing_records_outvote_one_name_but_not_two():
    own, other = {"white": "Polgar,J", "white_elo": None}, {"white": "Karjakin, Sergey"}
    outvoted = values(full(1, **own), full(2, **other), full(3, **other))
    assert outvoted == {"White": "Karjakin, Sergey", "WhiteElo": 2805}
    third = full(3, **other | {"white": "Ivanchuk, Vassily"})
    assert values(full(1, **own), full(2, **other), third) == {}
    even = (full(3, **own), full(4, **other))
    assert values(full(1, **own), full(2, **other), *even) == {}


def test_one_person_of_fides_list_may_change_his_name():
    master = full(1, white="Romanko,M", white_person_id=1)
    row = values(master, full(2, white="Guseva, Marina", white_person_id=1))
    assert row == {"White": "Guseva, Marina"}


@pytest.mark.parametrize(
    ("own", "fuller"),
    [
        ("NN", "Karjakin, Sergey"),
        ("Hussein,HA", "Al-Ali, Hussein Ali Hussein"),
        ("G.,A", "Akash, G"),
        ("Kaspa", "Kasparov, Garry"),
        ("Korchnoi,V", "Kortschnoj, Viktor"),
    ],
)
def test_names_that_may_be_one_persons_are_merged(own, fuller):
    assert values(full(1, white=own), full(2, white=fuller)) == {"White": fuller}


# Of Go: what takes the place of what, and what does not.
_GO_TEXTS = [
    ("round", "5", "Game 5", True),
    ("round", "5", "Final, Game 5", True),
    ("round", "3", "Semi-final", True),
    ("round", "Game 2", "2", False),
    ("round", "Quarter-final", "3", False),
    ("round", "1", "Round 2", False),
    ("round", "1", "Round 1, Game 2", False),
    ("round", "5", "Teaching games", False),
    ("round", "Final", "Semi-final", False),
    ("round", "Final", "Semi final", False),
    ("round", "Final", "Final, Game 1", True),
    ("round", "Game 1", "Round 1, Game 2", False),
    ("round", "A group final", "Final", False),
    ("event", "5th Honinbo", "5th Honinbo League", True),
    ("event", "Summer Go", "2016 Summer Go", True),
    ("event", "Golden Panda Cup", "Heisei Panda Match, sponsored", False),
    ("event", "Honinbo", "Women's Honinbo", False),
    ("event", "5th Honinbo", "6th Honinbo League", False),
    ("event", "5th Honinbo League", "5th Honinbo", False),
    ("site", "Osaka", "Kansai Ki-in, Osaka", True),
    ("site", "Osaka", "Nihon Ki-in, Tokyo", False),
    ("site", "Hiroshima City", "Hiroshima, Japan", False),
    ("time_control", "1.5h", "1.5h (1move/30s)", True),
    ("time_control", "9h", "6h each", False),
    ("time_control", "5h", "1.5h each", False),
    ("white", "Sakaguchi Sentoku II", "Sakaguchi Sentoku", False),
    ("white", "Sakaguchi Sentoku", "Sakaguchi Sentoku II", True),
    ("white", "Yasui Sanchi IX", "Yasui Sanchi", False),
    ("white", "Shuwa", "Honinbo Shuwa", True),
    ("white", "Kato Masao", "Kato Masao 9 dan", False),
    ("white", "Lee Changho", "Lee Changho 9 p", False),
    ("white", "Lee Changho", "Lee Changho (winner)", False),
    ("white", "Lee Changho", "Lee Changho, Kisei", False),
    ("white", "李昌镐", "李昌镐 九段", False),
    ("white", "Choi", "Choi Kyubyung", True),
    ("white", "Qi Zengju", "Guo Tisheng", False),
    ("white", "Yoo Changhyuk", "Yu Ch'ang-hyeok", False),
    ("white", None, "Guo Tisheng", True),
    ("round", None, "3", True),
    ("date", "2003.10.16", "2003.10.15", False),
    ("date", "1964.07.07", "1964.07.08", False),
    ("date", "1951.03.??", "1951.03.05", True),
    ("date", "1951.03.05", "1951.03.??", False),
    ("date", "1846.??.??", "1856.05.06", False),
    ("result", "1-0", "0-1", False),
    ("result", "*", "0-1", True),
]


@pytest.mark.parametrize(("field", "own", "other", "is_taken"), _GO_TEXTS)
def test_values_merged_into_a_go_game(field, own, other, is_taken):
    """The duplicate has the fuller header, which counts in chess."""
    master = header(1, **{field: own})
    copy = header(2, **({"event": "Cup", "site": "Seoul", "round": "7"} | {field: other}))
    after = merged_into(master, merge_headers(master, [copy], kind=GO).values)
    assert getattr(after, field) == (other if is_taken else own)


@pytest.mark.parametrize(
    ("field", "own", "other"),
    [
        ("event", "Golden Panda Cup", "Heisei Panda Match"),
        ("white", "Qi Zengju", "Guo Tisheng"),
        ("round", "Quarter-final", "Round 3"),
        ("time_control", "9h", "6h"),
        ("date", "2003.10.16", "2003.10.15"),
        ("result", "1-0", "0-1"),
    ],
)
def test_two_agreeing_records_outvote_a_kept_go_game(field, own, other):
    def taken(*others):
        members = [header(n, **{field: text}) for n, text in enumerate([own, *others])]
        merge = merge_headers(members[0], members, kind=GO)
        return getattr(merged_into(members[0], merge.values), field)

    assert taken(other, other) == other
    assert taken(other, other, own) == own


def test_two_less_precise_records_do_not_outvote_a_kept_go_game():
    members = [header(n, event=text) for n, text in enumerate(["5th Oza Final", *["5th Oza"] * 2])]
    assert merge_headers(members[0], members, kind=GO).values == {}


def test_a_kept_go_game_without_a_round_gets_the_fullest_common_value():
    members = [header(n, round=text) for n, text in enumerate([None, "Game 2", "2", "2"])]
    assert merge_headers(members[0], members, kind=GO).values == {"Round": "Game 2"}


def test_exchanged_colours_are_no_worse_names():
    straight = full(1, white_elo=None, black_elo=None)
    swapped = straight._replace(game_id=2, white=straight.black, black=straight.white)
    assert count_worse_fields([swapped, straight]) == [0, 0]


def test_namesakes_have_no_exchanged_colours():
    master = full(1, white="Polgar,J", black="Polgar,Zs")
    other = full(2, white="Polgar, Judit", black="Polgar, Zsuzsa")
    assert values(master, other) == {"White": "Polgar, Judit", "Black": "Polgar, Zsuzsa"}


# --- other tags -------------------------------------------------------------------------------


def tags_after(master_tags, *others, **fields):
    records = [full(number, tags=tags, **fields) for number, tags in enumerate(others, 2)]
    merge = merged(full(1, tags=master_tags, eco="E98"), *records)
    text = merge.values.get("ExtraTags", "unchanged")
    return json.loads(text) if text not in (None, "unchanged") else text


def test_tags_that_the_master_lacks_are_added():
    own, other = {"Opening": "KID", "b": "1"}, {"opening": "Sicilian", "Annotator": "Böök"}
    merge = merged(full(1, tags=own), full(2, tags=other))
    assert merge.values == {"ExtraTags": '{"Opening":"KID","b":"1","Annotator":"Böök"}'}
    assert merge.changes == [FieldChange("Annotator", "?", "Böök", 2)]
    assert tags_after(None, other) == other
    assert tags_after(own, None) == "unchanged"


def test_tags_come_from_the_better_header_first():
    worse = full(2, tags={"Opening": "KID"}, eco=None)
    better = full(3, tags={"Opening": "Indian"})
    assert merged(full(1), worse, better).changes == [FieldChange("Opening", "?", "Indian", 3)]


@pytest.mark.parametrize(
    "tag",
    [
        "PlyCount", "Source", "SourceTitle", "OriginalDate", "OriginalResult", "OriginalFEN",
        "MovetextResult", "SetUp", "FEN", "WhiteElo", "BlackElo", "White_2",
    ],
)  # fmt: skip
def test_tags_of_a_record_are_not_added(tag):
    assert tags_after({"a": "1"}, {tag: "2"}) == "unchanged"


@pytest.mark.parametrize("empty", ["", "?", "????.??.??"])
def test_empty_tags_are_removed(empty):
    assert tags_after({"a": "1", "b": empty}, None) == {"a": "1"}
    assert tags_after({"b": empty}, None) is None
    assert tags_after({"a": "1"}, {"b": empty}) == "unchanged"
    assert tags_after({"b": empty}, {"b": "2"}) == {"b": "2"}


def test_a_dash_means_that_there_is_no_value():
    assert tags_after({"WhiteTitle": "-"}, {"WhiteTitle": "GM"}) == "unchanged"
    assert tags_after(None, {"WhiteTitle": "-"}) == "unchanged"


def test_tags_of_an_unknown_player_are_not_merged():
    tags = {"WhiteFideId": "4100018", "BlackFideId": "4100026"}
    assert tags_after(None, tags, white="NN") == {"BlackFideId": "4100026"}
    assert tags_after(None, tags, black=None) == {"WhiteFideId": "4100018"}


def test_an_elo_that_is_no_number_makes_way_for_one():
    master = full(1, white_elo=None, tags={"WhiteElo": "2805?", "a": "1"})
    assert values(master, full(2)) == {"WhiteElo": 2805, "ExtraTags": '{"a":"1"}'}


# --- laws -------------------------------------------------------------------------------------


@pytest.mark.slow
@fixed
@given(groups_of_headers(), st.randoms(use_true_random=False))
def test_order_of_the_members_does_not_matter(headers, draw):
    merge = merge_headers(headers[0], headers)
    counts = dict(zip(headers, count_worse_fields(headers), strict=True))
    draw.shuffle(shuffled := list(headers))
    assert merge_headers(headers[0], shuffled) == merge
    assert count_worse_fields(shuffled) == [counts[record] for record in shuffled]


@pytest.mark.slow
@fixed
@given(groups_of_headers())
def test_merging_again_changes_nothing(headers):
    master, *others = headers
    after = merged_into(master, merge_headers(master, headers).values)
    again = merge_headers(after, [after, *others]).values
    assert again == {}


_FIELDS = {
    "Event": "event", "Site": "site", "Round": "round", "White": "white", "Black": "black",
    "WhiteElo": "white_elo", "BlackElo": "black_elo", "Result": "result",
    "TimeControl": "time_control", "ECO": "eco", "BlackPersonID": "black_person_id",
    "CoreHash": "core_hash",
}  # fmt: skip


@pytest.mark.slow
@fixed
@given(groups_of_headers())
def test_each_value_is_that_of_a_member(headers):
    merge = merge_headers(headers[0], headers)
    for column, value in merge.values.items():
        if column in _FIELDS:
            assert value in {getattr(header, _FIELDS[column]) for header in headers}
    by_id = {header.game_id: header for header in headers}
    for change in merge.changes:
        text = str(by_id[change.from_game_id])
        assert change.after in text or (change.tag == "Date" and change.after[:7] in text)


@pytest.mark.slow
@fixed
@given(groups_of_headers())
def test_each_change_is_reported_once(headers):
    master = headers[0]
    merge = merge_headers(master, headers)
    tags = [change.tag for change in merge.changes]
    assert len(tags) == len(set(tags))
    reported = merge.values.keys() - {"ExtraTags", "DateQuality", "CoreHash"}
    assert {tag for tag in reported if not tag.endswith("PersonID")} <= set(tags)
    assert all(change.before != change.after for change in merge.changes)
    assert merge.values == {} or merged_into(master, merge.values) != master


@fixed
@given(some_headers, st.integers(1, 4))
def test_equal_headers_of_many_records_change_nothing(record, count):
    copies = [record._replace(game_id=number) for number in range(1, count + 1)]
    merge = merge_headers(copies[0], copies).values
    assert merge.keys() <= {"Date", "DateQuality", "ExtraTags"}


def test_a_tag_that_is_no_text_is_taken_as_json():
    row = values(full(extra_tags='{"a":"x"}'), full(2, extra_tags='{"b":{"c":[1]},"d":2}'))
    assert json.loads(row["ExtraTags"]) == {"a": "x", "b": '{"c": [1]}', "d": "2"}


@pytest.mark.parametrize("tags", ["[1]", "{bad"])
def test_tags_that_are_no_object_are_named(tags):
    with pytest.raises(IntegrityError, match="game 2: its ExtraTags are not a JSON object"):
        merged(full(extra_tags='{"a":"x"}'), full(2, extra_tags=tags))


def test_marks_of_exported_duplicates_are_no_values():
    """After importing a file of duplicates, its marks of another database are ignored."""
    copy = full(
        2,
        event="[exact copy of 8] Linares 11th",
        site="[join copy of 8] Linares ESP",
        extra_tags='{"DuplicateStatus":"exact","DuplicateGroup":"8","DUPSTATUS":"x","Opening":"y"}',
    )
    assert values(full(), copy) == {"ExtraTags": '{"Opening":"y"}'}
    assert values(header(1, plies=80), copy)["Event"] == "Linares 11th"
    only_mark = full(2, event="[exact copy of 8]", site=None)
    assert values(full(event=None, site=None), only_mark) == {}


# --- groups of many records ---------------------------------------------------------------------

_LETTERS = "bdgklmnprst"


def word(number):
    """Return a word that is unique to a number and shares its start with few others."""
    return "".join(_LETTERS[number // 11**place % 11] for place in range(5)).capitalize()


def day(number):
    return f"{1800 + number // 336}.{number // 28 % 12 + 1:02}.{number % 28 + 1:02}"


_FIELDS_OF_MANY = {
    "events": lambda i: {"event": f"{word(i)} {word(7 * i)}"},
    "longer and longer events": lambda i: {"event": "Open " + "a" * (i % 500)},
    "sites": lambda i: {"site": f"{word(i)} {word(7 * i)}"},
    "events named by a place": lambda i: {"event": word(i), "site": f"{word(i)} {word(7 * i)}"},
    "rounds": lambda i: {"round": f"{i}.{i}"},
    "dates": lambda i: {"date": day(i)},
    "months": lambda i: {"date": day(28 * i)[:7] + ".??"},
    "names": lambda i: {"white": f"{word(i)}, {word(7 * i)}"},
    "given names": lambda i: {"white": f"Karpov, A{word(i).lower()}"},
    "names on both sides": lambda i: {"white": f"{word(i)}, A", "black": f"{word(i)}, A"},
    "names of people with FIDE IDs": lambda i: {"white": word(i), "white_fide_id": i},
    "Elos": lambda i: {"white_elo": 100 + i % 3900},
    "tags": lambda i: {"tags": {word(i): "value"}},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", _FIELDS_OF_MANY)
@pytest.mark.parametrize("master", [full(10**6), header(10**6, plies=80)], ids=["full", "empty"])
def test_work_grows_with_the_number_of_records(master, kind):
    def calls(count):
        field_choice.is_event_like.cache_clear()
        field_choice.names_event.cache_clear()
        others = [full(i, **_FIELDS_OF_MANY[kind](i)) for i in range(1, count)]
        return count_calls(lambda: merge_headers(master, [master, *others]))

    assert calls(2000) <= 2.3 * calls(1000)


def test_many_records_need_no_deep_recursion():
    others = [full(i, site="Linares" if i % 2 else "Linares ESP") for i in range(2, 70_000)]
    master = full(site="Linares")
    assert values(master, *others) == {"Site": "Linares ESP"}


_PEOPLE = st.sampled_from(
    ("Kasparov, Garry", "Kasparov,G", "Karpov, Anatoly", "Karpov, A", "Topalov, V", "?", None)
)


@pytest.mark.slow
@settings(max_examples=400)
@given(
    groups_of_headers(), st.one_of(st.none(), st.lists(_PEOPLE, min_size=4, max_size=4))
)  # fmt: skip
def test_headers_are_merged_as_by_the_reference(headers, people):
    if people and len(headers) > 1:
        headers[0] = headers[0]._replace(white=people[0], black=people[1])
        headers[1] = headers[1]._replace(white=people[2], black=people[3])
    assert merge_headers(headers[0], headers) == reference.merge_headers(headers[0], headers)
    assert count_worse_fields(headers) == reference.count_worse_fields(headers)
