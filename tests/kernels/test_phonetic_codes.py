"""Phonetic codes: the kernel against abydos, whose rules it uses."""

from __future__ import annotations

import threading
from array import array

import pytest
from abydos.phonetic import BeiderMorse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.names import Rules
from ocgdedup.matching.names import phonetic
from tests.reference.phonetic import (
    BEIDER_MORSE,
    BEIDER_MORSE_CODES,
    DAITCH_MOKOTOFF,
    hash_code,
    hashes_of,
)
from tests.reference.phonetic import codes as codes_of_name
from tests.support.phonetic import codes_of

ABYDOS = BeiderMorse()

NAMES = """
Carlsen Anand Kramnik Kasparov Karpov Fischer Spassky Petrosian Tal Smyslov Botvinnik Euwe
Alekhine Capablanca Lasker Steinitz Morphy Anderssen Chigorin Tarrasch Nimzowitsch Réti
Rubinstein Tartakower Schlechter Janowski Maróczy Korchnoi Bronstein Keres Geller Larsen
Portisch Hübner Timman Short Adams Nakamura Caruana Aronian Topalov Shirov Ivanchuk Gelfand
Nepomniachtchi Karjakin Mamedyarov Vachier Lagrave Ding Wei Rapport Leko Polgár Judit Svidler
Đurić Gligorić Ljubojević Śliwa Najdorf Źak Łukasz Çelik Şahin Ağrest Ñuñez Grünfeld Sämisch
Weiß Ångström Øgaard Vlastimil Hořt Ftáčnik Ujtumen Bareev Zviagintsev Khalifman Dreev
Алехин Каспаров Щербаков Ботвинник Καρπόφ Παπαδόπουλος כהן לסקר الخوارزمي Иванчук Юсупов
"""
FAMOUS = NAMES.split()

# Names of several words, odd signs, letters that no rule knows.
ODD = [
    "",
    " ",
    "-",
    "'",
    "d'",
    "d'Angelo",
    "d'd'd'x",
    "O'Kelly de Galway",
    "van der Wiel",
    "Von Bardeleben",
    "dos Santos-Silva",
    "della Morte",
    "Vachier-Lagrave",
    "  Le  Quang\tLiem\n",
    "x(y|z)[512]",
    "a[0]",
    "1",
    "İstanbul",
    "ΣΊΣΥΦΟΣ",
    "王皓",
    "e\u0301clair",
    "ﬁsh",
    "a\0b",
    "\ud800a",
    "STRASSE",
]

ALPHABET = "abcdefghijklmnopqrstuvwxyz" * 4 + "äöüßéèêëáàâãåíîóôõúůýçčćñńňřšśşţťžźżłđďğģķļņăąęěőű'"


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMOUS)
def test_famous_names_have_the_codes_of_abydos(name: str) -> None:
    assert " ".join(codes_of_name(name)) == ABYDOS.encode(name)


@pytest.mark.parametrize("name", ODD, ids=ascii)
def test_odd_names_have_the_codes_of_abydos(name: str) -> None:
    assert " ".join(codes_of_name(name)) == ABYDOS.encode(name)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.text(ALPHABET, max_size=9))
@example("gerzsch")
@example("ovaova")
@example("uxaxux")
def test_any_word_has_the_codes_of_abydos(word: str) -> None:
    assert " ".join(codes_of_name(word)) == ABYDOS.encode(word)


@settings(max_examples=100)
@given(st.text(max_size=6))
def test_any_text_has_the_codes_of_abydos(text: str) -> None:
    assert " ".join(codes_of_name(text)) == ABYDOS.encode(text)


def test_longest_prefix_is_taken_off() -> None:
    """Here abydos depends on the order of a set, which changes from run to run."""
    apart = codes_of_name("rosa"), codes_of_name("de larosa")
    assert codes_of_name("de la Rosa")[: len(apart[0])] == apart[0]
    # With the prefix: "de la" + "rosa", of which "de " is taken off again.
    assert codes_of_name("de la Rosa")[len(apart[0]) :] == apart[1]


def test_only_the_first_64_letters_count() -> None:
    long = "b" * 63 + "r"
    assert codes_of_name(long + "a" * 1000) == codes_of_name(long)
    assert codes_of_name("b" * 63 + "k") != codes_of_name(long)


@pytest.mark.parametrize(
    "word", ["aeiou" * 13, "gerrie" * 11, "schwarzenegger" * 5, "x" * 64, "auj" * 500]
)
def test_words_with_very_many_codes_are_bounded(word: str) -> None:
    """All codes would not fit into memory; the kept ones are deterministic."""
    codes = codes_of_name(word)
    assert 10_000 < len(codes) <= 32_768
    assert len(set(codes)) == len(codes)
    assert codes == codes_of_name(word)


def test_parts_without_letters_have_only_the_code_of_no_digits() -> None:
    assert codes_of_name("h") == [""]
    empty, *others = codes_of(["", "-", "王", "?"])
    assert len(empty) == 0
    assert [list(hashes) for hashes in others] == [[hash_code("000000", DAITCH_MOKOTOFF)]] * 3
    assert codes_of([]) == []


def test_letters_of_other_scripts_have_codes() -> None:
    (hashes,) = codes_of(["иванов"])
    expected = sorted(hash_code(code, BEIDER_MORSE) for code in ABYDOS.encode("иванов").split())
    assert list(hashes[1:]) == expected[:BEIDER_MORSE_CODES]


@pytest.mark.slow
def test_hashes_are_those_of_the_codes_of_abydos() -> None:
    names = [name.lower() for name in FAMOUS if name.isascii()]
    expected = [hashes_of(name, ABYDOS.encode(name).split()) for name in names]
    assert list(map(list, codes_of(names))) == expected
    assert any(len(ABYDOS.encode(name).split()) > BEIDER_MORSE_CODES for name in names)


def test_threads_share_the_rules() -> None:
    names = [name.lower() for name in FAMOUS if name.isascii()] * 50
    expected = codes_of(names)
    results: list[list[array[int]]] = []

    def run() -> None:
        results.append(codes_of(names))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


# --- Double Metaphone and Daitch-Mokotoff ---------------------------------------------------------

# Letters and groups that rules are about.
GROUPS = [
    "a",
    "e",
    "i",
    "o",
    "u",
    "y",
    "j",
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "q",
    "r",
    "s",
    "t",
    "v",
    "w",
    "x",
    "z",
    "ch",
    "cz",
    "cc",
    "sch",
    "sz",
    "gh",
    "gn",
    "gli",
    "ge",
    "dg",
    "tch",
    "tion",
    "tia",
    "wicz",
    "witz",
    "ll",
    "illo",
    "alle",
    "umb",
    "ph",
    "sc",
    "sh",
    "sio",
    "cia",
    "ck",
    "rs",
    "rz",
    "mn",
    "nm",
    "ie",
    "ier",
    "ais",
    "eau",
    "ewski",
    "owsky",
    "van",
    "mc",
    "jose",
]
any_part = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=64)
likely_part = st.lists(st.sampled_from(GROUPS), min_size=1, max_size=8).map("".join)


def is_bounded(part: str) -> bool:
    """Return whether abydos, which doubles its list at each of these letters, has memory for it."""
    return sum(part.count(letters) for letters in ("c", "j", "rs", "rz")) <= 12


@settings(max_examples=3000)
@given(st.one_of(any_part, likely_part).filter(is_bounded))
@example("jose")
@example("sugar")
@example("caesar")
@example("danger")
@example("orchestra")
@example("focaccia")
@example("succeed")
@example("jjjj")
@example("ecejecej")
@example("eajajajajajaj")
def test_any_part_has_the_codes_of_abydos(part: str) -> None:
    (hashes,) = codes_of([part])
    expected = hashes_of(part, [])
    assert list(hashes[: len(expected)]) == expected
    assert all(code >> 30 == BEIDER_MORSE for code in hashes[len(expected) :])


def test_parts_of_very_many_branches_are_bounded() -> None:
    part = "jchjchrscjchjcjrzchdchjccrsch" * 2
    (hashes,) = codes_of([part])
    branches = [code for code in hashes if code >> 30 == DAITCH_MOKOTOFF]
    assert 300 <= len(branches) <= 1024
    assert branches == sorted(set(branches))


def test_only_64_letters_of_a_part_count() -> None:
    first, second = codes_of(["b" * 63 + "r", "b" * 63 + "rk"])
    assert first == second


# --- the kernel alone, with rules made up here ---------------------------------------------------

NO_CONTEXT = ((), False)
# Letters: a 1, b 2, c 3. Classes: 0 is {a}, 1 all but {b}.
CLASSES = [(1 << 1).to_bytes(32, "little"), ((1 << 256) - 1 ^ 1 << 2).to_bytes(32, "little")]


def made_up(word_rules: list, common: list = [], final: list = []) -> Rules:  # noqa: B006
    """Load rules of two languages, any (1) and another (2); the other has no word rules."""
    return Rules("abc", CLASSES, [((1,), False, True, 2)], [word_rules, [], common, final, []])


def outcome(*texts: bytes | tuple[bytes, int]) -> list[tuple[bytes, int | None]]:
    return [text if isinstance(text, tuple) else (text, None) for text in texts]


def test_contexts() -> None:
    rules = made_up(
        [
            (b"\1", ((), True), ((0,), False), outcome(b"S")),  # an a at the start, before an a
            (b"\1", ((1,), False), ((), True), outcome(b"E")),  # at the end, not after a b
            (b"\1", NO_CONTEXT, NO_CONTEXT, outcome(b"x")),
            (b"\2\2", NO_CONTEXT, NO_CONTEXT, outcome(b"d")),
        ]
    )
    codes = {word: rules.codes(word, 1, rules_of=1) for word in ("aaa", "a", "ba", "bba", "zca")}
    assert codes == {"aaa": ["SxE"], "a": ["x"], "ba": ["x"], "bba": ["dx"], "zca": ["E"]}


def test_alternatives_bound_to_languages() -> None:
    rules = Rules(
        "abc",
        CLASSES,
        [],
        [
            [
                (b"\1", NO_CONTEXT, NO_CONTEXT, outcome((b"p", 2), (b"q", 4), b"r")),
                (b"\2", NO_CONTEXT, NO_CONTEXT, outcome((b"s", 4))),
                (b"\2", NO_CONTEXT, NO_CONTEXT, outcome(b"t")),
            ],
            *[[], []],
            [(b"q", NO_CONTEXT, NO_CONTEXT, outcome(b"k", b""))],
            *[[], [], []],
        ],
    )
    assert rules.codes("a", 1, rules_of=1) == ["p", "k", "", "r"]
    assert rules.codes("a", 4, rules_of=1) == ["k", "", "r"]
    assert rules.codes("ab", 1, rules_of=1) == ["ks", "s", "rs"]
    # The only spelling would be of no language: the next rule is tried.
    assert rules.codes("b", 2, rules_of=1) == ["t"]
    # All of several would be: nothing is left, but abydos takes that for a spelling.
    assert rules.codes("ab", 2, rules_of=1) == [""]


def test_guess_keeps_the_languages_that_fit() -> None:
    guesses = [((0,), True, False, 0b1010), ((1, 0), False, True, 0b0110)]
    rules = Rules("abc", CLASSES, guesses, [[]] * 9)
    words = ("", "b", "ba", "a", "caa", "aca", "aaa")
    assert [rules.guess(word) for word in words] == [14, 14, 14, 10, 6, 2, 2]
    assert Rules("a", CLASSES, [((0,), False, False, 0)], [[]] * 5).guess("a") == 1


@pytest.mark.parametrize(
    "rule",
    [
        (b"", NO_CONTEXT, NO_CONTEXT, outcome(b"x")),
        (b"\1" * 9, NO_CONTEXT, NO_CONTEXT, outcome(b"x")),
        (b"\1", NO_CONTEXT, NO_CONTEXT, outcome(b"x" * 9)),
        (b"\1", NO_CONTEXT, NO_CONTEXT, []),
        (b"\1", ((2,), False), NO_CONTEXT, outcome(b"x")),
        (b"\1", NO_CONTEXT, ((-1,), False), outcome(b"x")),
        (b"\1", NO_CONTEXT, ((0, 0, 0, 0), False), outcome(b"x")),
    ],
)
def test_rules_that_do_not_fit_are_refused(rule: tuple) -> None:
    with pytest.raises(ValueError, match=r"rule|letter|context"):
        made_up([rule])


def test_tables_that_do_not_fit_are_refused() -> None:
    rule = (b"\2", NO_CONTEXT, NO_CONTEXT, outcome(b"x"))
    first = (b"\1", NO_CONTEXT, NO_CONTEXT, outcome(b"x"))
    with pytest.raises(ValueError, match="out of order"):
        made_up([rule, first])
    with pytest.raises(ValueError, match="31 bytes"):
        Rules("a", [bytes(31)], [], [[]])
    with pytest.raises(ValueError, match="too many letters"):
        Rules("".join(map(chr, range(256))), [], [], [[]])
    with pytest.raises(ValueError, match="lists"):
        Rules("a", [], [], [[], []])
    with pytest.raises(ValueError, match="has no letters"):
        Rules("a", [], [((), False, False, 0)], [[]])
    with pytest.raises(ValueError, match="unknown letter class: 5"):
        Rules("a", CLASSES, [((5,), False, False, 0)], [[]])


@pytest.mark.parametrize("languages", [0, 4, 7, -1, 2**32])
def test_languages_without_rules_are_refused(languages: int) -> None:
    with pytest.raises(ValueError, match="not a bit set of languages"):
        made_up([]).codes("a", languages, rules_of=1)


@pytest.mark.parametrize("expression", ["a+", "a|b", "a.", "[a-c]", "(ab|c)", "(?:a)", "[]", "a$b"])
def test_contexts_of_another_kind_are_refused(expression: str) -> None:
    letters = {letter: number for number, letter in enumerate("abc", start=1)}
    with pytest.raises(ValueError, match="not understood"):
        phonetic.RuleCompiler(letters).context(expression, letters)
