"""Names taken apart: surname and given words, titles and federations off, nobody is nobody."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.matching.names.name_form import (
    is_full,
    is_unknown,
    name_form,
    name_key,
    other_forms,
)
from ocgdedup.matching.names.name_words import (
    CHESS_TITLES,
    FEDERATIONS,
    PARTICLES,
    TITLES,
    UNKNOWN_NAMES,
)

SURNAMES = ("anna", "boris", "van", "der", "j", "kramnik", "petrosian")
GIVEN = ("anna", "boris", "clara", "v", "w")

fixed = settings(max_examples=400)
# Text like names: digits, dots, capitals in the middle, other scripts.
name_like = st.text(st.sampled_from("aAbBíßÜǅ ,.'-_()19²٣?İμЖж세王\u0301\x00"), max_size=20)

# Names put together from what the parser treats in a way of its own.
_PIECES = (
    "Ab Cde f J NN GM gm GER Do de van Jr II IV St. Comp Player 12 1987 (12) (Anna) (GM) ( ) "
    "XiJun Li2 é Щ 李 \ufdfa , . ' _ -"
)
name_pieces = st.lists(
    st.sampled_from(_PIECES.split()),
    max_size=12,
).flatmap(lambda pieces: st.sampled_from(("", " ")).map(lambda blank: blank.join(pieces)))


@pytest.mark.slow
@fixed
@given(name_pieces)
def test_a_form_has_a_surname_if_it_has_words(name: str) -> None:
    for form in (name_form(name), *other_forms(name)):
        assert form.surname or not form.given
        assert all(word and word == word.lower() for word in form.words)
        assert form.is_ordered or not form.given


@pytest.mark.parametrize("name", ["(12), Ab, Thanh Do", "(5), A, Do", "(12), Jan de"])
def test_a_number_alone_before_the_comma_is_no_surname(name: str) -> None:
    form = name_form(name)
    assert not form.is_ordered
    assert form.surname[0] in ("ab", "a", "jan")


@pytest.mark.parametrize("letters", [197, 198, 199, 200])
def test_a_name_that_grows_in_plain_letters_is_cut_between_characters(letters: int) -> None:
    name = "x" * (200 - letters) + "\ufdfa" * letters  # 18 letters each, of two bytes or one
    assert len(name_form(name).words) > 10


@pytest.mark.parametrize(
    ("name", "surname", "given"),
    [
        ("Kramnik, Vladimir", "kramnik", "vladimir"),
        ("Kramnik,V", "kramnik", "v"),
        ("KRAMNIK, VLADIMIR", "kramnik", "vladimir"),
        (" Kramnik , Vladimir ", "kramnik", "vladimir"),
        ("GM Kramnik, Vladimir", "kramnik", "vladimir"),
        ("Kramnik, Vladimir (GM)", "kramnik", "vladimir"),
        ("Tarrasch, Dr. Siegbert", "tarrasch", "siegbert"),
        ("Garcia Palermo, Carlos", "garcia palermo", "carlos"),
        ("Vachier-Lagrave, Maxime", "vachier lagrave", "maxime"),
        ("O'Kelly, Alberic", "okelly", "alberic"),
        ("Van der Berg, JP", "van der berg", "j p"),
        ("Van der Berg, J.P.", "van der berg", "j p"),
        ("Berg, Jan van der", "van der berg", "jan"),
        ("Santos, Ana dos", "dos santos", "ana"),
        ("Bobby Fischer", "bobby fischer", ""),
        ("XiJunfeng", "xi junfeng", ""),
        ("Jiráček, Éric", "jiracek", "eric"),
        ("O`Kelly, Alberic", "okelly", "alberic"),
        ("Liu, Yan Di", "liu", "yan di"),  # not Di Liu, Yan
        ("Silva, Ana Sofia Da", "da silva", "ana sofia"),
        ("Papadis, Kostas St", "papadis", "kostas st"),
        ("Garcia, JR", "garcia", "j r"),
        ("Garcia, JR.", "garcia", "j r"),
        ("Garcia, LM.", "garcia", "l m"),
        ("Garcia, LM CUB", "garcia", "l m"),
        ("GARCIA, JP", "garcia", "j p"),
        ("Garcia, rev Luis", "garcia", "luis"),
        ("Dr, Anna Maria", "dr", "anna maria"),
        ("Deep Junior", "deep junior", ""),
        ("DrMate", "dr mate", ""),
        ("Sarin PR", "sarin p r", ""),
        ("GMP Sarin", "gmp sarin", ""),
        ("Каспаров, Гарри", "kasparov", "garri"),
    ],
)
def test_words(name, surname, given):
    form = name_form(name)
    assert (" ".join(form.surname), " ".join(form.given)) == (surname, given)
    assert form.is_ordered == bool(given)


@pytest.mark.parametrize(
    ("name", "generation"),
    [
        ("Horvath, Peter jr", "2"),
        ("Horvath, Peter, Jr.", "2"),
        ("Horvath jr., Peter", "2"),
        ("Horvath, Peter II", "2"),
        ("Horvath, Peter sr.", "1"),
        ("Horvath, Peter (sen.)", "1"),
        ("Horvath, Peter (sen)", "1"),
        ("Horvath, Peter sen", ""),
        ("Horvath, Peter III", "3"),
        ("Horvath Filho, Peter", "2"),
        ("Horvath, Peter st.", "1"),
        ("Horvath, Peter Ii", ""),
        ("Horvath, JR", ""),
        ("Horvath, II", ""),
        ("St. Clair, Peter", ""),
        ("Deep Junior", ""),
        ("Horvath, Peter", ""),
        ("Junior, Carlos", ""),  # a surname, as long as no name goes before
    ],
)
def test_generation(name, generation):
    assert name_form(name).generation == generation


def test_what_stands_beside_the_words():
    form = name_form("Petrosian, Tigran (ARM) 1984")
    assert (form.country, form.birth_year) == ("ARM", 1984)
    assert form.words == ("petrosian", "tigran")
    assert name_form("Ivanov, Sergey 2") != name_form("Ivanov, Sergey 3")
    assert name_form("Ivanov, Sergey 2").words == ("ivanov", "sergey")


@pytest.mark.parametrize(
    ("name", "is_handle"),
    [("Deep Blue (Computer)", True), ("Comp CM", True), ("Li Chao2", True), ("Li Jie (2)", False),
     ("Li Jie 1976", False), ("Li, Chao2", False)],
)  # fmt: skip
def test_programs_and_nicknames_are_handles(name, is_handle):
    assert name_form(name).is_handle is is_handle


def test_the_kernel_has_the_words_of_name_words():
    for code in FEDERATIONS:
        form = name_form(f"Horvath, Peter {code}")
        assert (form.country, form.words) == (code, ("horvath", "peter"))
    for title in TITLES | CHESS_TITLES:
        assert name_form(f"Horvath, Peter {title}.").words == ("horvath", "peter")
    for particle in PARTICLES - {"y", "e"}:
        assert name_form(f"Horvath, Peter {particle}").surname == (particle, "horvath")
    for nobody in UNKNOWN_NAMES:
        assert is_unknown(nobody)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("player123x", "player124x"),
        ("pawnstorm77", "pawnstorm78"),
        ("Stockfish 12", "Stockfish 13"),
        ("Stockfish 12", "Stockfish"),
        ("Fritz12", "Fritz 13"),
    ],
)
def test_numbered_nicknames_keep_their_number(left, right):
    assert name_key(left) != name_key(right)


@pytest.mark.parametrize(
    "name",
    ["", " ", "?", "???", "?, ?", "-", ".", "NN", "N.N.", "N. N.", "nn", "Unknown", "unknown?",
     "N/A", "Anonymous", "(no name)", "Unknown, Unknown", "NN, NN", "Unknown Player"],
)  # fmt: skip
def test_nobody(name):
    assert is_unknown(name)
    assert name_form(name).words == ()


@pytest.mark.parametrize(
    "name", ["Nn, Anna", "Player, Gary", "White, John", "Na, Hyun", "No, Un", "X"]
)
def test_somebody(name):
    assert not is_unknown(name)
    assert name_form(name).words


@pytest.mark.parametrize("name", ["Kumar, CM", "Singh, SM"])
def test_initials_alone_are_no_title(name):
    assert len(name_form(name).given) == 2


def test_umlauts_have_two_readings():
    assert name_form("Müller, Jörg").words == ("muller", "jorg")
    assert [form.words for form in other_forms("Müller, Jörg")] == [("mueller", "joerg")]
    assert other_forms("Mueller, Joerg") == []


@pytest.mark.slow
@fixed
@given(st.one_of(st.text(), name_like))
def test_any_text_has_a_form(text):
    form = name_form(text)
    assert all(word and word == word.strip() for word in form.words)
    assert not (form.words and is_unknown(text))
    assert form.surname or not form.given
    assert isinstance(other_forms(text), list)


def slow_key(name):
    """Return the key of a name from its form."""
    if len(name) > 200:
        return name
    form = name_form(name)
    if is_unknown(name):
        return "?"
    words = [" ".join(form.surname), " ".join(form.given)]
    return ", ".join(words) if form.is_ordered else words[0]


@pytest.mark.slow
@fixed
@given(st.one_of(st.text(), name_like, name_pieces))
def test_key_has_the_words_of_the_form(name):
    assert name_key(name) == slow_key(name)


@pytest.mark.parametrize(
    ("name", "key"),
    [("ADAMS, MICHAEL", "adams, michael"), ("Michael  Adams", "michael adams"), ("Tal,", "tal, "),
     ("Müller, J.P.", "muller, j p"), ("Haas, Jan de", "de haas, jan"), ("", "?"), ("?", "?"),
     ("N.N.", "?"), ("GM", ""), ("GM Karpov, Anatoly (RUS)", "karpov, anatoly"), ("王", "王"),
     ("1 a " * 50, " ".join(["1 a"] * 50)), ("X" * 201, "X" * 201), ("é" * 201, "é" * 201)],
)  # fmt: skip
def test_key(name, key):
    assert name_key(name) == slow_key(name) == key


def test_endless_digits_and_letters_have_a_form():
    assert name_form("1" * 200).words == ()
    assert name_form("x" * 200).words == ("x" * 200,)


@pytest.mark.parametrize("letters", ["x", "a ", "1", "Ж ", "a, ", "ö"])
def test_a_name_of_more_than_200_characters_has_no_words(letters):
    name = letters * 250
    assert name_form(name[:200]).words or letters == "1"
    assert name_form(name[:201]).words == ()
    assert other_forms(name) == []


@pytest.mark.slow
@fixed
@given(st.lists(st.sampled_from(SURNAMES), min_size=1, max_size=4),
       st.lists(st.sampled_from(GIVEN), min_size=1, max_size=3))  # fmt: skip
def test_form_of_a_key_has_the_same_words(surname, given):
    text = f"{' '.join(surname)}, {' '.join(given)}"
    form = name_form(text)
    assert name_form(name_key(text)) == form


@pytest.mark.parametrize(
    ("name", "full"),
    [("Tal, Mikhail", True), ("Tal, M", False), ("Tal", False), ("Mikhail Tal", True),
     ("M Tal", False), ("Tal,", False), ("Stockfish 12", True)],
)  # fmt: skip
def test_is_full(name, full):
    assert is_full(name_form(name)) is full
