"""Resolution: laws, the margin, and who is never found by name alone."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.matching.names.likelihood import LIMITS
from ocgdedup.matching.names.resolve import STAGES, GamesOfName, Resolver
from ocgdedup.model import Person
from tests.reference.prominence import prominence
from tests.support.persons import crowd, known_persons, list_of, meant, world

fixed = settings(max_examples=150)


@cache
def resolver() -> Resolver:
    return Resolver(world())


WORDS = sorted(
    {word for person in known_persons() for word in person.name.replace(",", "").split()}
)
WORDS += ["A", "B.", "jr", "2", "GM", "?", "Müller", "세돌", "Иван"]
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
names = st.one_of(words, st.builds("{}, {}".format, words, words))


@pytest.mark.parametrize("name", ["?", "NN", "N.N.", "Unknown", "", "???", "?, ?", "Anonymous"])
def test_nobody_is_nobody(name):
    listed = Resolver(list_of([name, "Unknown, Nicholas", "Nn, Anna"]))
    resolution = listed.resolve(name)
    assert resolution.person is None
    assert resolution.reason == "stands for nobody"


@fixed
@given(names)
def test_resolution_of_any_name(name):
    resolution = resolver().resolve(name)
    assert resolution == resolver().resolve(name)
    assert 0 <= resolution.score <= 1
    assert sum(candidate.probability for candidate in resolution.candidates) <= 1 + 1e-9
    assert (resolution.person is None) == bool(resolution.reason)
    if resolution.person is not None:
        best = resolution.candidates[0]
        assert (resolution.person, resolution.stage, resolution.score) == (
            best.person,
            best.stage,
            best.score,
        )
        assert resolution.stage in STAGES.values()
        assert best.probability >= 0.5


@fixed
@given(st.text())
def test_any_text_can_be_resolved(text):
    assert resolver().resolve(text).person is None or text.strip()


@pytest.mark.parametrize("word", ["Γ" * 40, "王" * 30, "x" * 200])
def test_a_long_word_is_nobody(word):
    assert meant(f"{word}, Anna", by=resolver()) is None


def test_listed_names_of_few_letters_match_nobody():
    for short in ("Ho, Ng", "Ho, N", "Li, Xu", "U, Ko"):
        assert meant(short, by=Resolver(list_of([Person(short, title="GM", rating=2700)]))) is None
    assert meant("Li, Xue", by=Resolver(list_of([Person("Li, Xue")]))) == "Li, Xue"


def test_known_persons_mean_themselves():
    # Ho, Ng is too short.
    meanings = {p.name: meant(p.name, by=resolver()) for p in known_persons() if p.name != "Ho, Ng"}
    assert {name: person for name, person in meanings.items() if person != name} == {}


def test_no_listed_name_means_another():
    meanings = {person.name: meant(person.name, by=resolver()) for person in crowd()[:1000]}
    assert all(person in (name, None) for name, person in meanings.items())
    assert sum(person is not None for person in meanings.values()) > 900


def test_two_of_one_name_stay_open():
    twins = [Person("Brandauer, Kunibert", fide_id=1), Person("Brandauer, Kunibert", fide_id=2)]
    assert meant("Brandauer, Kunibert", by=Resolver(list_of(twins))) is None


def test_a_birth_year_or_a_country_tells_two_of_one_name():
    twins = [
        Person("Brandauer, Kunibert", birth_year=1950, country="AUT"),
        Person("Brandauer, Kunibert", birth_year=1990, country="SUI"),
    ]
    resolver = Resolver(list_of(twins))
    assert resolver.resolve("Brandauer, Kunibert 1990").person == 1
    assert resolver.resolve("Brandauer, Kunibert (1950)").person == 0
    assert resolver.resolve("Brandauer, Kunibert SUI").person == 1


def test_the_listed_son_is_not_his_father():
    resolver = Resolver(list_of(["Brandauer, Kunibert jr", "Brandauer, Kunibert sr"]))
    assert meant("Brandauer, Kunibert (jun.)", by=resolver) == "Brandauer, Kunibert jr"
    assert meant("Brandauer sen., Kunibert", by=resolver) == "Brandauer, Kunibert sr"
    assert meant("Brandauer, Kunibert", by=resolver) is None


def test_only_the_father_is_listed():
    resolver = Resolver(list_of(["Brandauer, Kunibert sr"]))
    assert meant("Brandauer, Kunibert jr", by=resolver) is None


def test_father_and_son_are_not_one_though_the_list_says_neither():
    resolver = Resolver(list_of(["Brandauer, Kunibert"]))
    both = [meant(f"Brandauer, Kunibert {which}", by=resolver) for which in ("jr", "sr")]
    assert both.count("Brandauer, Kunibert") <= 1


def test_the_order_of_the_list_does_not_matter():
    turned = Resolver(list_of([*reversed(crowd()), *reversed(known_persons())], with_crowd=False))
    for name in ("Schirow, A", "Kramnik, V", "Lemos, N", "Polgar, S", "Chekhov, V", "Horvath, P"):
        assert meant(name, by=turned) == meant(name, by=resolver())


def test_persons_are_numbered_through_all_lists():
    both = Resolver(list_of(["Shirov, Alexei"]), list_of(["Kramnik, Vladimir"]))
    assert meant("Kramnik, Vladimir", by=both) == "Kramnik, Vladimir"
    assert both.resolve("Kramnik, Vladimir").person == 1 + len(crowd())


def chinese_list() -> Resolver:
    return Resolver(
        list_of([
            Person("Zhou, Yifan", country="CHN"),
            Person("Zhou, Yang-Fan", title="IM", country="ENG", rating=2427),
            Person("Yu, Kunze", country="CHN", rating=1700),
            Person("Yu, Kun Austin", country="MAS", rating=2100),
            Person("Wei, Yi", title="GM", country="CHN", rating=2755),
            Person("Wei, Yixuan", country="CHN"),
            Person("Xu, Wenbin", country="CHN"),
            Person("Xu, Wenhao", title="IM", country="CHN", rating=2400),
            Person("Hao, Weide", country="CHN"),
            Person("Choi, Hyojin", country="KOR"),
            Person("Choi, Hyo", country="KOR", rating=1966),
            Person("Choi, Jaeyun", country="KOR"),
            Person("Choi, JaeYoung", title="IM", country="KOR", rating=2300),
        ])
    )  # fmt: skip


@pytest.mark.parametrize(("name", "listed"), [
    ("Zhou, Yi Fan", "Zhou, Yifan"),
    ("Zhou, Yi-Fan", "Zhou, Yifan"),
    ("Yi Fan Zhou", "Zhou, Yifan"),
    ("Zhou, Yangfan", "Zhou, Yang-Fan"),
    ("Yu, Kun Ze", "Yu, Kunze"),
    ("Yu Kun-ze", "Yu, Kunze"),
    ("Wei, Yi Xuan", "Wei, Yixuan"),
    ("Wei, Yi", "Wei, Yi"),
    ("Xu, Wen Bin", "Xu, Wenbin"),
    ("Hao, Wei De", "Hao, Weide"),
    ("Choi, Hyo Jin", "Choi, Hyojin"),
    ("Hyo-Jin Choi", "Choi, Hyojin"),
    ("Choi, Jae Yun", "Choi, Jaeyun"),
])  # fmt: skip
def test_spaces_between_syllables_do_not_change_a_name(name, listed):
    assert meant(name, by=chinese_list()) == listed


@pytest.mark.parametrize("name", ["Wei, Yi Fei", "Zhou, Yang", "Zhou, Jin Fan", "Choi, Hyo Min"])
def test_another_syllable_is_another_name(name):
    assert meant(name, by=chinese_list()) is None


def test_a_western_name_beside_syllables_may_be_left_out():
    assert meant("Yu, Kun", by=chinese_list()) == "Yu, Kun Austin"


def test_a_name_in_the_list_is_not_a_similar_surname():
    resolver = Resolver(
        list_of([
            Person("Shin, Jungmin", country="KOR"),
            Person("Shinn, Jungmin", title="IM", country="KOR", rating=2400),
        ])
    )  # fmt: skip
    for name in ("Shin, Jung Min", "Shin, Jungmin", "Jung-Min Shin"):
        assert meant(name, by=resolver) == "Shin, Jungmin"


def test_a_prominent_player_may_be_abbreviated():
    resolver = Resolver(
        list_of([
            Person("Brandauer, Kunibert", title="GM", rating=2650),
            Person("Brandauer, Karl", rating=1500),
            Person("Wallauer, Kunibert", rating=1600),
            Person("Wallauer, Karl", rating=1500),
        ])
    )  # fmt: skip
    assert meant("Brandauer, K", by=resolver) == "Brandauer, Kunibert"
    assert meant("Wallauer, K", by=resolver) is None
    for other in ("Brandauer, C", "Brandaur, K", "Brandauer"):
        assert meant(other, by=resolver) is None


def test_no_list_no_person():
    assert Resolver().resolve("Shirov, Alexei").person is None
    assert Resolver(list_of([], with_crowd=False)).resolve("Shirov, Alexei").candidates == ()


def test_stronger_and_titled_players_are_more_prominent():
    assert prominence(Person("A", rating=2700)) > prominence(Person("A", rating=2200))
    assert prominence(Person("A", title="GM")) > prominence(Person("A", title="FM"))
    assert prominence(Person("A", title="GM")) > prominence(Person("A"))
    assert prominence(Person("A", rating=2700, is_active=False)) < prominence(
        Person("A", rating=2700)
    )


def test_likeness_alone_is_never_nearly_sure():
    """Somebody of that name may not be listed; what else speaks for him counts."""
    kramnik = next(person for person in known_persons() if person.name == "Kramnik, Vladimir")
    similar = 0
    for name in (
        "Krramnik, Vladimir",
        "Krammik, Vladimir",
        "Kramnyk, Vladymir",
        "Kramink, Vladimir",
    ):
        alone = resolver().resolve(name)
        if alone.stage != "similarity" or alone.person is None:
            continue
        similar += 1
        assert alone.candidates[0].probability == LIMITS.most_by_similarity < 0.9
        by_id = resolver().resolve(name, games=GamesOfName({kramnik.fide_id}))
        by_country = resolver().resolve(f"{name} (RUS)")
        for supported in (by_id, by_country):
            assert supported.person == alone.person
            assert supported.candidates[0].probability > 0.95
    assert similar
