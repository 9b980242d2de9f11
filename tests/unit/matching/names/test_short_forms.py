"""Aliases of listed players: who has one, how it is written, how probable it is."""

from __future__ import annotations

import pytest

from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.resolve import Resolver
from ocgdedup.matching.names.short_forms import (
    LEAST_OF_ALIAS,
    alias_text,
    listed_aliases,
    short_form,
)
from ocgdedup.model import Person
from tests.reference.alias_rows import ListedAlias, unique_short_forms
from tests.support.persons import crowd, list_of


def aliases(*names: str | Person) -> dict[str, str]:
    """Return the aliases of some listed persons, by their listed names."""
    result = list_of(names, with_crowd=False)
    mine = {person: result.persons.name(person) for person in range(len(names))}
    return {mine[row.person]: row.alias for row in unique_short_forms(result) if row.person in mine}


def probability(alias: str, *names: str | Person) -> float:
    [result] = [row for row in unique_short_forms(list_of(names)) if row.alias == alias]
    return result.probability


# --- who has one -------------------------------------------------------------------------------


def test_a_short_form_of_one_player() -> None:
    names = ("Carlsen, Magnus", "Zyxberg, Jan")
    assert aliases(*names) == {"Carlsen, Magnus": "Carlsen, M", "Zyxberg, Jan": "Zyxberg, J"}


@pytest.mark.parametrize(
    "others",
    [
        ["Zyxberg, Joris"],
        ["Zyxberg, J"],
        ["ZYXBERG, JORIS"],
        ["Zyxberg , Joris"],
        ["Zýxberg, Joris"],
        ["Zyx-berg, J", "Zyxberg, J."],
        ["Zyxberg, Jan"],  # a namesake
    ],
)
def test_a_short_form_of_several_players_is_nobodys(others: list[str]) -> None:
    result = aliases("Zyxberg, Jan", *others)
    assert "Zyxberg, Jan" not in result
    assert "Zyxberg, J" not in result.values()


@pytest.mark.parametrize(
    "other", ["Zyxberg, Jan Pieter", "Van Zyxberg, Jan", "Zyxberg Qorr, Jan", "Zyxberg, Ivan"]
)
def test_another_short_form_does_not_matter(other: str) -> None:
    assert aliases("Zyxberg, Jan", other)["Zyxberg, Jan"] == "Zyxberg, J"
    assert len(aliases("Zyxberg, Jan", other)) == 2


@pytest.mark.parametrize(
    "name", ["Zyxberg", "Jan Zyxberg", "Zyxberg,", "NN", "Unknown, N", "", "伊, 세돌"]
)
def test_names_without_a_short_form(name: str) -> None:
    assert aliases(name) == {}


def test_a_short_form_that_stands_for_nobody() -> None:
    """ "Black, N" is an unknown player."""
    assert aliases("Black, Nick", "Black, Nina Zoe") == {"Black, Nina Zoe": "Black, NZ"}


# --- how it is written ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("Carlsen, Magnus", "Carlsen, M"),
        ("Van der Berg, Jan Pieter", "Van der Berg, JP"),
        ("van der Berg, Jan-Pieter", "van der Berg, JP"),
        ("Berg, Jan Pieter van der", "van der Berg, JP"),
        ("Wit, Jan de", "de Wit, J"),
        ("Spassky, Boris V.", "Spassky, BV"),
        ("CARLSEN, MAGNUS", "Carlsen, M"),
        ("O'Neil, Sean", "O'Neil, S"),
        ("Smith-Jones, Ann", "Smith-Jones, A"),
        ("Müller, Karsten", "Müller, K"),
        ("Łukasz, Øystein", "Łukasz, O"),
        ("Карлсен, Магнус", "Karlsen, M"),
        ("이세돌", "I, S D"),
        ("Beadle, John R", "Beadle, J R"),  # JR is junior
        ("Garcia, Eva Sofia Pia", "Garcia, E S P"),  # ESP is Spain
        ("Garcia, Geza Mihaly", "Garcia, GM"),
        ("Jayasinghe, Jon Max Alan Karl", "Jayasinghe, J M A K"),
        ("K, Musa Mowla", "K, M M"),
        ("Horvath, Peter jr", "Horvath, P"),
        ("Kovacs, Attila (1975)", "Kovacs, A"),
        ("GM Zyxberg, Jan", "Zyxberg, J"),
    ],
)
def test_how_an_alias_is_written(name: str, alias: str) -> None:
    assert aliases(name) == {name: alias}
    written = short_form(name_form(alias))
    assert written == short_form(name_form(name)) != None  # noqa: E711
    assert alias_text(name, name_form(name)) == alias


def test_aliases_of_a_crowd_are_read_as_what_they_are() -> None:
    names = list_of([])
    result = list(unique_short_forms(names))
    assert len(result) > len(crowd()) / 3
    assert len({row.alias for row in result}) == len(result)
    counted: dict[object, int] = {}
    for person in crowd():
        short = short_form(name_form(person.name))
        counted[short] = counted.get(short, 0) + 1
    assert [short_form(name_form(row.alias)) for row in result] == [
        short
        for short in (short_form(name_form(person.name)) for person in crowd())
        if counted[short] == 1
    ]


# --- how probable it is --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "others",
    [
        [],
        ["Zyxberg, Jana Maria"],
        ["Zyxberg, Yvo"],
        ["Zyxberg Qorr, Jens"],
        ["Van Zyxberg, Jens"],
        ["Qorr Zyxberg, Jens"],
        ["Jens Zyxberg"],
        ["Zyxberg, Bob", "Zyxberg, Anna"],
        ["Zyxberg, Yvo", Person("Zyxberg, Jens Uwe", title="GM", rating=2600)],
    ],
)
@pytest.mark.parametrize("mine", [Person("Zyxberg, Jan"), Person("Zyxberg, Jan", rating=2300)])
def test_it_is_the_probability_by_which_names_are_resolved(
    mine: Person, others: list[str | Person]
) -> None:
    """Where no other surname is similar, the resolver's own."""
    names = list_of([mine, *others])
    [alias] = [row for row in unique_short_forms(names) if row.person == 0]
    result = Resolver(names).resolve(alias.alias)
    [candidate] = [row for row in result.candidates if row.person == 0]
    assert alias.probability == pytest.approx(candidate.probability, rel=1e-6)
    assert 0 < alias.probability < 1


def test_what_an_alias_may_mean_besides() -> None:
    """Each of these may be written so too: the alias is less sure, and stays one."""
    alone = probability("Zyxberg, J", "Zyxberg, Jan")
    for other in (
        "Zyxberg, Jens Uwe", "Zyxberg, Yvo", "Zyxberg Qorr, Jens", "Van Zyxberg, Jens",
        "Jens Zyxberg",
    ):  # fmt: skip
        assert probability("Zyxberg, J", "Zyxberg, Jan", other) < alone
    result = probability("Zyxberg, J", "Zyxberg, Jan", "Qorr, Jens")
    assert result == pytest.approx(alone, abs=1e-3)


def test_prominent_players_are_more_probable() -> None:
    unrated = probability("Zyxberg, J", "Zyxberg, Jan", "Zyxberg, Jens Uwe")
    strong = Person("Zyxberg, Jan", title="GM", rating=2600)
    weak = probability("Zyxberg, J", "Zyxberg, Jan", strong._replace(name="Zyxberg, Jens Uwe"))
    assert weak < 0.5 < unrated < probability("Zyxberg, J", strong, "Zyxberg, Jens Uwe")


def test_only_nearly_certain_short_forms_are_aliases() -> None:
    """A prominent player with another second name is also called so."""
    duda = Person("Zyxberg, Jan", rating=1600)
    famous = Person("Zyxberg, Jan-Kuno", title="GM", rating=2740)
    other = Person("Wyqvist, Karl", rating=2100)
    names = list_of([duda, famous, other])
    uncertain = {row.person for row in unique_short_forms(names) if row.probability < 0.95}
    assert 0 in uncertain
    rows = map(ListedAlias._make, listed_aliases(names).rows_of_persons())
    aliases = {row.person: row for row in rows}
    assert aliases.keys().isdisjoint(uncertain)
    assert aliases[1].alias == "Zyxberg, JK"
    assert aliases[2].alias == "Wyqvist, K"
    assert min(row.probability for row in aliases.values()) >= LEAST_OF_ALIAS


@pytest.mark.slow
def test_common_surnames_are_less_sure() -> None:
    """Somebody who is in no list may have the name."""
    common = max(
        (person.name.split(",")[0] for person in crowd()),
        key=lambda surname: sum(player.name.startswith(f"{surname},") for player in crowd()),
    )
    assert probability(f"{common}, X", f"{common}, Xaver") < probability(
        "Zyxberg, X", "Zyxberg, Xaver"
    )
