"""Names in other scripts, as the search for duplicates compares them."""

from __future__ import annotations

import pytest

from ocgdedup._kernels.names import COMPATIBLE, DIFFERENT, EQUAL, NAMESAKE, SIMILAR
from ocgdedup.matching.names.name_form import letters_for_search, reading_for_search, relation


@pytest.mark.parametrize(
    ("written", "latin"),
    [
        ("이세돌", ("Lee, Sedol", "Lee Se-Dol", "Yi, Se-tol", "Lee,S", "Ri Sedol", "Sedol Lee")),
        ("이, 세돌", ("Lee, Sedol", "Yi Sedol")),
        ("박영훈", ("Park, Younghun", "Pak, Young Hoon", "Park Yeong-Hun")),
        ("최정", ("Choi, Jung", "Choe, Jung")),
        ("남궁 현", ("Namgung, Hyun", "Namkung, Hyun")),
        ("丁立人", ("Ding, Liren", "Ding Li Ren", "Liren Ding", "DING,L")),
        ("侯逸凡", ("Hou, Yifan", "Hou Yi-fan")),
        ("諸葛 明", ("Zhuge, Ming",)),
        ("曾国伟", ("Zeng, Guowei",)),
        ("Карпов, Анатолий", ("Karpov, Anatoly", "Karpow, Anatolij", "KARPOV,A")),
        ("Іванчук, Василь", ("Ivanchuk, Vasyl", "Ivanchuk,V")),
        ("Müller, Jürgen", ("Muller, Jurgen", "Mueller, Juergen")),
        ("Łuczak, Paweł", ("Luczak, Pawel",)),
        ("Ødegård, Bjørn", ("Odegard, Bjorn", "Odegaard, Bjoern")),
    ],
)
def test_names_compare_like_their_latin_spelling(written: str, latin: tuple[str, ...]) -> None:
    for spelling in latin:
        assert relation(written, spelling) in (EQUAL, COMPATIBLE, SIMILAR), spelling
        assert relation(spelling, written) == relation(written, spelling)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("이세돌", "이세둘"),  # one slip in Latin letters
        ("이세돌", "이창호"),
        ("정수현", "중수현"),  # both may be written Jung
        ("王伟", "王玮"),  # both Wang, Wei
        ("李超", "李朝"),
        ("이세돌", "Lee, Changho"),
        ("박진솔", "Park, Jinyoung"),
        ("丁立人", "Ding, Yixin"),
        ("Карпов, Анатолий", "Каспаров, Гарри"),
        ("Карпов, Анатолий", "Karpov, Vladimir"),
    ],
)
def test_different_people_stay_different(left: str, right: str) -> None:
    assert relation(left, right) in (NAMESAKE, DIFFERENT)
    assert relation(right, left) == relation(left, right)


def test_only_certain_readings_of_characters() -> None:
    for name in ("山田太郎", "王", "王行", "ABC王", "井山裕太", "王国立人明"):
        assert reading_for_search(name) is None
        assert relation(name, name) in (EQUAL, COMPATIBLE)


def test_letters_that_are_not_latin() -> None:
    assert letters_for_search("Карпов, Анатолий") == "Karpov, Anatoly"
    assert letters_for_search("Ōtake") == "Otake"
    assert reading_for_search("Карпов, Анатолий") is None
