"""Given names: the laws of the table, the laws of the comparison, and names one knows."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.names import slavic_skeleton
from ocgdedup.matching.names.given_names import given_names
from ocgdedup.matching.names.name_words import read_table
from tests.reference.given_names import Relation

spelling_key, sex_of = given_names().key, given_names().sex_of
TABLE = read_table("given_names")

MALE_GROUPS = [line.split() for line in TABLE["male spellings"].splitlines()]
FEMALE_GROUPS = [line.split() for line in TABLE["female spellings"].splitlines()]
GROUPS = MALE_GROUPS + FEMALE_GROUPS
SHARED = frozenset(TABLE["shared names"].split())
FORM_LINES = (*TABLE["male forms"].splitlines(), *TABLE["female forms"].splitlines())


def relation(left: str, right: str) -> Relation:
    return Relation(given_names().relation(left, right))


def form_words(forms: str) -> set[str]:
    return set(forms.replace(":", "").split())


MEN = {
    *TABLE["male spellings"].split(),
    *TABLE["male names"].split(),
    *form_words(TABLE["male forms"]),
}
WOMEN = {
    *TABLE["female spellings"].split(),
    *TABLE["female names"].split(),
    *form_words(TABLE["female forms"]),
}
KNOWN = sorted(MEN | WOMEN | SHARED)

fixed = settings(max_examples=300)
random_words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12)
words = st.one_of(st.sampled_from(KNOWN), random_words, st.sampled_from(KNOWN).map(lambda w: w[:4]))


# --- the table --------------------------------------------------------------------------------


def test_words_are_lower_case_ascii() -> None:
    assert [w for w in KNOWN if not (w.isascii() and w.isalpha() and w.islower())] == []


def test_a_word_has_one_spelling_group() -> None:
    once = [w for group in GROUPS for w in group]
    once += TABLE["male names"].split() + TABLE["female names"].split()
    assert [word for word, times in Counter(once).items() if times > 1] == []


def test_groups_are_many_and_have_two_words_or_more() -> None:
    assert len(GROUPS) > 1000
    assert [group for group in GROUPS if len(group) < 2] == []
    assert [line for line in FORM_LINES if len(line.split()) < 2] == []


def test_men_and_women_share_only_the_shared_names() -> None:
    assert sorted((MEN & WOMEN) - SHARED) == []


def test_names_of_one_line_of_forms_are_of_one_sex() -> None:
    for forms, other in ((TABLE["male forms"], WOMEN - MEN), (TABLE["female forms"], MEN - WOMEN)):
        assert sorted(form_words(forms) & other - SHARED) == []


def test_forms_of_a_line_are_not_spellings_of_each_other() -> None:
    """A form that is a spelling of the same name would say nothing."""
    for line in FORM_LINES:
        head, colon, rest = line.partition(":")
        keys = [spelling_key(word) for word in rest.split()]
        if colon:
            assert spelling_key(head) not in keys, line
        else:
            keys = [spelling_key(word) for word in head.split()]
            assert len(set(keys)) == len(keys), line


@pytest.mark.parametrize("line", TABLE["female of male"].splitlines())
def test_women_forms_are_of_the_other_sex(line: str) -> None:
    man, *women = line.replace(":", "").split()
    for woman in set(women) - SHARED:
        assert relation(man, woman) is Relation.OPPOSITE_SEX


# --- laws -------------------------------------------------------------------------------------


@fixed
@given(words, words)
def test_order_of_the_two_does_not_matter(left: str, right: str) -> None:
    assert relation(left, right) is relation(right, left)


@fixed
@given(words)
def test_a_word_is_equal_to_itself(word: str) -> None:
    assert relation(word, word) is Relation.EQUAL


@fixed
@given(words, words)
def test_only_equal_words_are_equal(left: str, right: str) -> None:
    assert (relation(left, right) is Relation.EQUAL) == (left == right)


@fixed
@given(words)
def test_a_key_is_its_own_key_and_a_spelling(word: str) -> None:
    key = spelling_key(word)
    assert spelling_key(key) == key
    assert relation(word, key) <= Relation.SPELLING


@fixed
@given(words, words)
def test_two_of_one_key_are_spellings(left: str, right: str) -> None:
    if spelling_key(left) == spelling_key(right):
        assert relation(left, right) <= Relation.SPELLING


@fixed
@given(words, words)
def test_a_man_and_a_woman_are_never_one_name(left: str, right: str) -> None:
    if {sex_of(left), sex_of(right)} == {"M", "F"} and min(len(left), len(right)) > 2:
        assert relation(left, right) > Relation.SPELLING
        assert relation(left, right) is not Relation.COGNATE


@fixed
@given(words)
def test_a_first_letter_is_an_initial(word: str) -> None:
    if len(word) > 1:
        assert relation(word[0], word) is Relation.INITIAL
        assert relation(word[0] + ".", word) is Relation.INITIAL


@fixed
@given(random_words)
def test_skeletons_do_not_mind_doubled_letters(word: str) -> None:
    once = slavic_skeleton(word)
    assert once == slavic_skeleton(word + word[-1]) or word[-1] in "eoacszh"


def test_every_pair_of_a_spelling_group_is_a_spelling() -> None:
    for group in GROUPS:
        for word in group[1:]:
            assert relation(group[0], word) is Relation.SPELLING


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spellings",
    [
        "aleksandr alexander alexandr aleksander alexandre aliaksandr oleksandr",
        "alexei alexey aleksei aleksey alexej oleksii oleksiy",
        "sergei sergey sergej serhii siarhei",
        "yuri yury iouri jurij juri yurii",
        "evgeny evgeni evgenij yevgeny evgueni jewgeni",
        "dmitry dmitri dimitri dmitrij dmytro dzmitry",
        "viktor victor wiktor",
        "mohamed muhammad mohammed mohamad",
        "juergen jurgen",
        "ekaterina yekaterina kateryna",
        "praveen pravin",
    ],
)
def test_spellings(spellings: str) -> None:
    first, *others = spellings.split()
    for other in others:
        assert relation(first, other) is Relation.SPELLING
        assert spelling_key(first) == spelling_key(other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("milosh", "milos"),
        ("kartikeyan", "karthikeyan"),
        ("zbygnew", "zbygnev"),
        ("tsvetomir", "tzvetomir"),
        ("dzhambulat", "jambulat"),
        ("javlonbek", "yavlonbek"),
    ],
)
def test_words_of_no_table_with_one_skeleton_are_spellings(left: str, right: str) -> None:
    assert relation(left, right) is Relation.SPELLING


def test_one_syllable_has_no_skeleton() -> None:
    assert relation("zheng", "zeng") is not Relation.SPELLING
    assert relation("qing", "king") is not Relation.SPELLING


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("y", "evgeny"),
        ("e", "yevgeny"),
        ("j", "yuri"),
        ("w", "vladimir"),
        ("v", "wassily"),
        ("k", "carl"),
        ("v", "wojciech"),
        ("al", "alexander"),
        ("alex.", "alexander"),
        ("alex", "alexander"),
        ("vlad", "vladimir"),
        ("jan.", "janina"),
        ("christ", "christopher"),
        ("viswa", "viswanathan"),
        ("y", "j"),
    ],
)
def test_initials_and_beginnings(left: str, right: str) -> None:
    assert relation(left, right) is Relation.INITIAL


@pytest.mark.parametrize(
    "forms",
    [
        "michael mike mick misha miguel mihaly",
        "alexander sasha alejandro sandor",
        "john hans ivan juan jack",
        "robert bob bobby",
        "william bill willem guillermo",
        "jose pepe giuseppe",
        "francisco paco francesc",
        "nicolas nick nikolai",
        "ekaterina katya katharina",
        "viswanathan vishy",
        "garry harry",
        "mikhail misha michael",
        "alexandra sasha sandra",
    ],
)
def test_cognates_and_short_forms(forms: str) -> None:
    first, *others = forms.split()
    for other in others:
        assert relation(first, other) is Relation.COGNATE


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("alexnder", "alexander"),
        ("hikaru", "hikari"),
        ("veselnin", "veselin"),
        ("magnsu", "magnus"),
        ("amgnus", "magnus"),
        ("rameshbabu", "rameshbuba"),
    ],
)
def test_slips_of_the_pen(left: str, right: str) -> None:
    assert relation(left, right) is Relation.CLOSE


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("maria", "marina"),
        ("nikola", "nikita"),
        ("hasan", "husein"),
        ("roland", "ronald"),
        ("vladimir", "vladislav"),
        ("john", "jonathan"),
        ("elena", "elina"),
        ("lisa", "elsa"),
        ("alexei", "alexander"),
        ("juergen", "joerg"),
        ("anna", "hannah"),
        ("ali", "adi"),
        ("magnus", "hikaru"),
        ("agnus", "magnus"),
        ("karl", "karlheinz"),
        ("rameshbabu", "rameshkubi"),
        ("hikaru", "hikora"),
    ],
)
def test_different_names(left: str, right: str) -> None:
    assert relation(left, right) is Relation.DIFFERENT


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("alexander", "alexandra"),
        ("aleksandr", "alexandra"),
        ("valentin", "valentina"),
        ("evgeny", "yevgenia"),
        ("jan", "janina"),
        ("peter", "petra"),
        ("marino", "marina"),
        ("stoyan", "stoyana"),
        ("dmitri", "dmitra"),
        ("krasnoslav", "krasnoslava"),
        ("zdravko", "zdravka"),
        ("sergeevich", "sergeevna"),
    ],
)
def test_the_other_sex(left: str, right: str) -> None:
    assert relation(left, right) is Relation.OPPOSITE_SEX


def test_short_forms_of_both_sexes_go_with_both() -> None:
    for short in ("sasha", "zhenya"):
        assert sex_of(short) == ""
    assert relation("sasha", "aleksandr") is relation("sasha", "aleksandra") is Relation.COGNATE
    assert relation("zhenya", "evgeny") is relation("zhenya", "evgenia") is Relation.COGNATE


def test_known_names_are_no_slips_but_unknown_ones_are() -> None:
    assert relation("marina", "maria") is Relation.DIFFERENT
    assert relation("marinq", "marina") is Relation.CLOSE


@pytest.mark.parametrize(
    ("word", "sex"),
    [
        ("magnus", "M"),
        ("nikita", "M"),
        ("ilya", "M"),
        ("luka", "M"),
        ("jean", "M"),
        ("judit", "F"),
        ("ingrid", "F"),
        ("mariam", "F"),
        ("andrea", ""),
        ("nikola", ""),
        ("alex", ""),
        ("qwertz", ""),
        ("ivanovich", "M"),
        ("ivanovna", "F"),
    ],
)
def test_sex(word: str, sex: str) -> None:
    assert sex_of(word) == sex


@pytest.mark.parametrize(
    ("left", "right"),
    [("sergey", "sergej"), ("mikhail", "mihail"), ("aleksei", "alexey"), ("yevgeni", "evgeny")],
)
def test_skeletons(left: str, right: str) -> None:
    assert slavic_skeleton(left) == slavic_skeleton(right)


def test_unknown_words_are_their_own_key() -> None:
    assert spelling_key("qwertz") == "qwertz"


def test_an_empty_word_is_no_name() -> None:
    assert relation("", "magnus") is Relation.DIFFERENT
    assert relation(".", "magnus") is Relation.DIFFERENT
