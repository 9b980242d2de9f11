"""The best spelling of a name among those in records of one game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.matching.name_choice import _best_spellings, best_names, likeliest, untidiness
from ocgdedup.matching.names.name_form import name_form

fixed = settings(max_examples=1000)


class Counts:
    """Names with a word, and records of a name: 1 unless given."""

    def __init__(self, counts):
        self.counts = counts

    def count_names_with(self, word):
        return self.counts.get(word, 1)

    def count_records_of(self, name):
        return self.counts.get(name, 1)


def best(*names, fide_ids=None):
    fide_ids = fide_ids or [None] * len(names)
    return sorted(best_names(tuple(zip(names, fide_ids, strict=True))))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Kasparov, Garry", "Kasparov,G"),
        ("Kasparov, Garry", "Kasparov, Garry "),
        ("Kasparov, Garry", "Kasparov,Garry"),
        ("Kasparov, Garry", "Kasparov"),
        ("Kasparov, Garry", "?"),
        ("Kasparov,G", "NN"),
        ("Kasparov, Garry", None),
        ("Kasparov, Garry", "Garry Kasparov"),
        ("Kasparov, Garry", "GM Kasparov, Garry"),
        ("Kasparov, Garry", "KASPAROV, GARRY"),
        ("Kasparov, Garry", "kasparov, garry"),
        ("Kasparov, Garry", "KAsparov, Garry"),
        ("Kasparov, Garry", "Kasparov, Garry1"),
        ("Kasparov, Garry1", "Garry1 Kasparov"),
        ("Molchanov, Alexander2", "Alexander2 Molchanov"),
        ("Silva Lopez, J2", "J Silva Lopez"),
        ("Silva Lopez,J2", "J Silva Lopez"),
        ("Silva, Mi 3", "Mi3 Silva"),
        ("Nguyen, Anh 12", "NGUYEN, ANH"),
        ("Garry Kasparov", "KASPAROV, GARRY"),
        ("Kasparov, Garry Kimovich", "Kasparov, Garry"),
        ("Kasparov, Garry Kimovich", "Kasparov, Garry K"),
        ("Garry Kasparov", "Kasparov,G"),
        ("Garry Kasparov", "G Kasparov"),
        ("Xu, Yi", "X Y"),
        ("Becerra Rivero,J", "J Becerra Rivero"),
        ("Polgar,Ju", "Ju Polgar"),
        ("Silva,Mi3", "Mi3 GM Silva"),
        ("Ni, Hua", "Ni Hua"),
        ("Nguyen, Viet Tuong", "Nguyen Viet Tuong"),
        ("Nataf, Igor-Alexandre", "Nataf,IA"),
        ("Anand,V", "Anan,dV"),
        ("Van der Sterren, Paul", "van der Sterren, P."),
        ("Chigorin, Mikhail", "Tschigorin, Mikhail"),
        ("Alekhine, A", "Alekhine, A?"),
        ("Ivanov, Sergey", "Iwanow, Sergey"),
        ("Stockfish 12", "Stockfish"),
    ],
)
def test_better_of_two_names(better, worse):
    assert best(better, worse) == best(worse, better) == [better]


def test_unknown_players():
    assert best("NN", None, "?") == []


def test_a_slip_does_not_win_over_what_more_say():
    assert best("Kasparov, Garry", "Kasaprov, Garry", "Kasparov,G") == ["Kasparov, Garry"]
    assert best("Kasparov, Garri K", "Kasparov, Garry", "Kasparov, Garry") == ["Kasparov, Garry"]


def test_more_records_win_without_another_advantage():
    assert best("Polgar, Judit", "Poglar, Judit", "Polgar, Judit") == ["Polgar, Judit"]
    names = ["Silva Lopez, J2"] * 4 + ["J Silva Lopez"]
    assert best(*names) == best(*names[::-1]) == ["Silva Lopez, J2"]


@pytest.mark.parametrize(
    ("name", "slip", "others"),
    [
        ("Gutman, Lev", "Gtuman, Lev", {}),
        ("Tokarski, Jan", "Tokraski, Jan", {}),
        ("Kaufeld, Juergen", "Kafueld, Juergen", {}),
        ("Kasparov, Garry", "Kasaprov, Garry", {}),
        ("Petrosian, Tigran", "Petrosian, Tigarn", {}),
        # Letters alone do not tell: other names of the database do.
        ("Carlsen, Magnus", "Carslen, Magnus", {"carlsen": 3}),
        ("Carslen, Magnus", "Carlsen, Magnus", {"carslen": 3}),
        # Neither is a slip: the more frequent name counts.
        ("Kasparov, Garry", "Kasparov, Gary", {"garry": 2, "gary": 9, "Kasparov, Garry": 30}),
        ("Sax, Gyula", "Sax, Guyla", {"gyula": 9, "Sax, Guyla": 9}),
        ("Jonitz, Jens", "Jens, Jonitz", {}),
        ("Fries-Nielsen, Jens", "Fries Nielsen, Jens", {}),
        ("Degraeve, Jean-Marc", "Degraeve, Jean Marc", {}),
    ],
)
def test_a_slip_loses(name, slip, others):
    for names in ((name, slip), (slip, name)):
        assert likeliest(best(*names), Counts(others)) == [name]


def test_namesakes_are_no_spellings_of_one_name():
    names = ["Almasi, Istvan", "Almasi, Zoltan"]
    assert likeliest(names, Counts({"Almasi, Zoltan": 30})) == names


@given(
    st.lists(st.sampled_from(["Gutman, Lev", "Gtuman, Lev", "Gutamn, Lev", "Gutman,L", "L Gutman",
                              "Gutman, Lev2", "Lev Gutman", "GUTMAN, LEV", "Gutmann, Lev"]),
             min_size=1, max_size=8),
    st.randoms(),
)  # fmt: skip
@settings(max_examples=300)
def test_the_order_of_records_does_not_matter(names, random):
    shuffled = random.sample(names, len(names))
    chosen = likeliest(best(*names), Counts({}))
    assert chosen == likeliest(best(*shuffled), Counts({}))
    assert len(chosen) == 1


def test_a_slip_is_as_good_as_the_name_beside_it_alone():
    assert best("Poglar, Judit", "Polgar, Judit") == ["Poglar, Judit", "Polgar, Judit"]


def test_fides_spelling_counts_only_among_transliterations():
    # One is no other way to write the other.
    assert best("Schmid, Lothar", "Smid, Lothar") == ["Schmid, Lothar", "Smid, Lothar"]


def test_the_name_in_fides_list_goes_first():
    assert best("Kasparov,G", "Kasparow, Garry K", fide_ids=[7, None]) == ["Kasparov,G"]
    assert best("Kasparov,G", "Kasparov, Garry", fide_ids=[7, 7]) == ["Kasparov, Garry"]
    assert best("?", "Kasparov, Garry", fide_ids=[7, None]) == ["Kasparov, Garry"]


def test_of_two_players_of_fides_list_the_one_whom_more_records_mean():
    names = ["Kasparov,G", "Kasparov, Garry", "Kasparov,G"]
    assert best(*names[:2], fide_ids=[7, 8]) == ["Kasparov, Garry"]
    assert best(*names[:2], "Kasparov, Garry K", fide_ids=[7, 8, None]) == ["Kasparov, Garry"]
    assert best(*names, fide_ids=[7, 8, 7]) == ["Kasparov,G"]


def test_titles_that_are_names():
    assert untidiness("Med, Jan", name_form("Med, Jan")) == 0
    assert untidiness("Dr. Med, Jan", name_form("Dr. Med, Jan")) > 0


_NAMES = st.sampled_from(
    """Kasparov,G|Kasparov, G|Kasparov, Garry|Kasparov,Garry|Kasparov, Garry K|Kasparov, Gerd
    Kasparov, Jr|Kasparov, Junior|Kasparov, J|Kasparov, Dr|Kasparov, D|Guest, N|Guest, Nick
    Guest, A|White, B|White, Black|White, Bert|Jones, Tom-Bert|Jones, Tom|Jones, T|Jones,T
    Ni, Hua|Ni,Hua|Ni,H|Ni, Hua G|Becerra Rivero,J|Becerra Rivero, Julio|Becerra Rivero, J M
    Smith, Al|Smith, Alan|Smith, Alan Dr|Smith, A D|Smith, A|Smith, Alan D|N, N|N, Nick|?|
    Kasparov, GARRY|GM Kasparov, Garry|Dr Kasparov, Garry|De Firmian,N|De Firmian, Nick E
    O'Kelly, Alberic|Garry Kasparov|Mag, Jan|Mag, J|St, Jan|St, J|Jan, St|Jan, Stefan|Jan, Sr
    Tarrasch, Mag|Tarrasch, M|Tarrasch, Prof|Tarrasch, P|Tarrasch, Med|Tarrasch, II""".replace(
        "\n", "|"
    ).split("|")
).map(str.strip)
_VOTES = st.tuples(_NAMES, st.sampled_from([None, None, None, 7, 8]))


@fixed
@given(st.lists(_VOTES, min_size=1, max_size=4))
def test_the_fast_path_equals_the_slow_path(votes):
    assert sorted(best_names(tuple(votes))) == sorted(_best_spellings(votes))


@pytest.mark.slow
@fixed
@given(st.lists(_VOTES, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_order_of_the_records_does_not_matter(votes, draw):
    result = sorted(best_names(tuple(votes)))
    draw.shuffle(votes)
    assert sorted(best_names(tuple(votes))) == result
    assert set(result) <= {name for name, _ in votes}
