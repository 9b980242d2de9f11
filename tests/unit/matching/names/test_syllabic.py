"""Which given names are Chinese or Korean syllables."""

from __future__ import annotations

import pytest

from ocgdedup.matching.names.name_form import name_form
from tests.reference.syllabic_names import SyllabicName, syllabic_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zhou, Yi Fan", SyllabicName("yifan", 0, True)),
        ("Zhou, Yi-fan", SyllabicName("yifan", 0, True)),
        ("Zhou, Yifan", SyllabicName("yifan", 0, True)),
        ("Ou Yang, Xiaoming", SyllabicName("xiaoming", 0, True)),
        ("Chen, Yu Kun Austin", SyllabicName("yukun", 1, True)),
        ("Wang, Alex Yuxuan", SyllabicName("yuxuan", 1, False)),
        ("Lee, Se-dol", SyllabicName("sedol", 0, True)),
        ("Choi, Hyojin", SyllabicName("hyojin", 0, True)),
        ("Zhou, Y F", None),  # initials
        ("Zhou, Yi F", None),
        ("Zhou", None),
        ("Wang, Susan", None),  # in the table of given names
        ("Kim, Sergey", None),
        ("Smith, Yi Fan", None),  # no Chinese surname
        ("Nguyen, Anh Tu", None),
        ("Tal, Mikhail", None),
    ],
)
def test_syllables(name: str, expected: SyllabicName | None) -> None:
    form = name_form(name)
    assert syllabic_name(form.surname, form.given) == expected


@pytest.mark.parametrize(
    ("name", "surname", "given"),
    [
        ("Zhang, Wei De", ("zhang",), ("wei", "de")),
        ("Wang, Wen Bin", ("wang",), ("wen", "bin")),
        ("Nguyen, Anh Van", ("nguyen",), ("anh", "van")),
        ("Zhang, Wei de", ("de", "zhang"), ("wei",)),
        ("Haas, Jan De", ("de", "haas"), ("jan",)),
    ],
)
def test_capitalised_particles_beside_an_asian_surname_are_given_names(
    name: str, surname: tuple[str, ...], given: tuple[str, ...]
) -> None:
    form = name_form(name)
    assert (form.surname, form.given) == (surname, given)
