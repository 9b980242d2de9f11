"""Aliases of a list by a kernel: against plain Python; what is inserted."""

from __future__ import annotations

from array import array
from itertools import product
from math import exp
from string import ascii_lowercase

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup._kernels import names as name_kernel
from ocgdedup._kernels.names import are_together
from ocgdedup.errors import SqliteError
from ocgdedup.matching.names.likelihood import SHORT_FORM_COSTS
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.short_forms import alias_text, listed_aliases
from ocgdedup.model import Person
from ocgdedup.store.games import load_kernel
from tests.reference.alias_rows import ListedAlias, alias_rows, shown_initials
from tests.reference.prominence import prominence
from tests.support.persons import spelling_codes

SURNAMES = st.sampled_from(
    ["Berg", "BERG", "berg", "Van der Berg", "O'Neil", "Smith-Jones", "St. Clair", "Müller", "Øen",
     "Black", "Guest", "Karlsén", "Dr Qorr", "Qorr II", "Q", " Berg ", "Be rg", "伊", "Qo\tr"]
)  # fmt: skip
GIVEN = st.sampled_from(
    ["Jan", "Rolf", "Dirk", "Ivo", "Éva", "Sofia", "Pia", "N", "jr", "Max-Olaf", "J.", "伊", "van"]
)
NAMES = st.one_of(
    st.builds(lambda surname, given: f"{surname},{' '.join(given)}", SURNAMES,
              st.lists(GIVEN, max_size=5)),
    st.sampled_from(["Jan Berg", "", "?", "Карлсен, Магнус", "이세돌", ", Jan", "x" * 230 + ", J"]),
)  # fmt: skip
INSERT = "INSERT INTO FideAliases VALUES (?, ?, ?)"
STATEMENTS = INSERT, INSERT + ", (?, ?, ?)" * 3


def list_of(names: list[str]) -> NameList:
    return NameList(map(Person, names), spelling_codes)


@settings(max_examples=400)
@given(st.lists(NAMES, max_size=12), st.lists(st.tuples(st.integers(0, 11), NAMES), max_size=3))
@example(["Müller, Jan", "Mueller, Joe", "Berg, Jan"], [])
@example(["Berg, Ivo", "Qorr, Jan"], [(1, "Qorr, Rolf"), (1, "Qorr, Sofia"), (0, "Berg, Pia")])
def test_rows_equal_the_reference(names, spellings):
    listed = list_of(names)
    for person, spelling in spellings:
        if person < len(names):
            listed.add_spelling(person, spelling)
    chances = listed.own_short_forms(listed.prominence(), SHORT_FORM_COSTS)
    expected = list(alias_rows(listed, chances))
    assert list(map(ListedAlias._make, listed_aliases(listed, 0).rows_of_persons())) == expected
    limit = max((row.probability for row in expected), default=0.5)
    assert listed_aliases(listed, limit).rows_of_persons() == [
        row for row in expected if row.probability >= limit
    ]


def test_initials_equal_the_reference():
    for letters in product(["", *ascii_lowercase], ascii_lowercase, ["", *ascii_lowercase]):
        initials = "".join(letters)
        assert are_together(initials) == (" " not in shown_initials(initials)) or len(initials) < 2
    assert not are_together("abcd")
    assert not are_together("jr")
    assert not are_together("esp")
    assert are_together("gm")


def test_prominence_is_that_of_the_resolver():
    persons = [
        Person("Berg, Jan"), Person("Müller, Jan", rating=2790, title="GM"),
        Person("Qorr, Jan", rating=1500, title="IM", is_active=False), Person("X, Y", rating=2300),
    ]  # fmt: skip
    listed = NameList(persons, spelling_codes)
    assert len(listed.person_of) > len(persons)
    expected = [exp(prominence(persons[person])) for person in listed.person_of]
    assert list(listed.prominence()) == expected


# --- rows in the database ----------------------------------------------------------------------


def database() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE FideAliases (ID INTEGER PRIMARY KEY, Alias TEXT, P REAL)")
    load_kernel(connection, name_kernel)
    return connection


def stored(connection):
    return connection.execute("SELECT * FROM FideAliases ORDER BY ID").fetchall()


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 40])
def test_rows_of_persons_with_a_fide_id_are_inserted(count):
    names = [
        f"{'Jé' if i % 3 else 'Zyx'}{chr(97 + i % 26)}{chr(97 + i // 26)}q, Jan"
        for i in range(count)
    ]
    rows = listed_aliases(list_of(names), 0)
    assert len(rows) == count
    fide_ids = array("Q", [0 if i % 7 == 6 else 100 + i for i in range(count)])
    connection = database()
    rows.insert(connection, STATEMENTS, fide_ids)
    assert stored(connection) == [
        (fide_ids[person], alias, chance)
        for alias, person, chance in rows.rows_of_persons()
        if fide_ids[person]
    ]


def test_errors_of_sqlite_are_raised():
    rows = listed_aliases(list_of(["Berg, Jan", "Qorr, Jan"]), 0)
    connection = database()
    with pytest.raises(SqliteError, match="UNIQUE"):
        rows.insert(connection, STATEMENTS, array("Q", [1, 1]))
    assert len(stored(connection)) == 1


def test_other_arguments_are_refused():
    listed = list_of(["Berg, Jan", "Qorr, Jan"])
    rows = listed_aliases(listed, 0)
    with pytest.raises(ValueError, match="no FIDE ID of person 1"):
        rows.insert(database(), STATEMENTS, array("Q", [1]))
    two = "INSERT INTO FideAliases (ID, Alias) VALUES (?, ?)"
    with pytest.raises(ValueError, match="2 parameters for 3 columns"):
        rows.insert(database(), (two, two), array("Q", [1, 2]))
    with pytest.raises(ValueError, match="2 players and 1 probabilities for 2 entries"):
        listed.aliases(array("d", [1]), alias_text, 0)


def test_errors_of_the_writer_are_raised():
    def fails(name, form):
        raise KeyError(name)

    with pytest.raises(KeyError, match="BERG"):
        list_of(["BERG, Jan"]).aliases(array("d", [1]), fails, 0)
