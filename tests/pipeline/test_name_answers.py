"""Answers about single names: order and repeats, resolved and unresolved names, reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from ocgdedup.errors import RatingListError
from ocgdedup.pipeline.players.answers import explain, explain_with_lists, resolve_names
from ocgdedup.store.database import open_database
from tests.support.databases import Collection, Silent, change
from tests.support.persons import fide_id, living, write_list
from tests.support.pgn_text import game


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_list(tmp_path_factory.mktemp("list"), living()))


def resolved(
    names: Iterable[str], fide: str, aliases: str | None = None
) -> list[tuple[str, int | None, str, str, float]]:
    answers = resolve_names(names, fide_path=fide, aliases_path=aliases, reporter=Silent())
    return list(answers)


def explained(name: str, fide: str, aliases: str | None = None) -> list[str]:
    [lines] = explain_with_lists([name], fide_path=fide, aliases_path=aliases, reporter=Silent())
    return lines


def explained_in(path: Path, name: str) -> list[str]:
    database = open_database(str(path))
    try:
        [lines] = explain(database.connection, [name])
    finally:
        database.close()
    return lines


def chosen(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("=>")]


# --- resolve_names ---------------------------------------------------------------------------


def test_order_and_repeats_are_kept(fide: str) -> None:
    names = ["Shirow, Alexej", "?", "Carlsen, Magnus", "", "Shirow, Alexej", "?", "carlsen, magnus"]
    answers = resolved(iter(names * 3), fide)
    assert [row[0] for row in answers] == names * 3
    expected = [
        "Shirov, Alexei",
        "",
        "Carlsen, Magnus",
        "",
        "Shirov, Alexei",
        "",
        "Carlsen, Magnus",
    ]
    assert [row[2] for row in answers] == expected * 3
    assert answers[: len(names)] * 3 == answers


def test_all_of_an_answer(fide: str) -> None:
    number = fide_id("Carlsen, Magnus")
    assert resolved(["Carlsen, Magnus", "Chilov, A", "NN"], fide) == [
        ("Carlsen, Magnus", number, "Carlsen, Magnus", "exact", 1.0),
        ("Chilov, A", None, "", "", 0.0),
        ("NN", None, "", "", 0.0),
    ]


def test_a_person_without_a_fide_id(fide: str) -> None:
    [answer] = resolved(["Mihail Tal"], fide)
    assert answer[1:3] == (None, "Tal, Mikhail")
    assert answer[3] != ""


def test_answers_do_not_depend_on_the_other_names(fide: str) -> None:
    names = ["Chilov, A", "Chilov, Alexandros", "Petrosian, T", "Shirow, Alexej", "Horvath, P"]
    assert [resolved([name], fide)[0] for name in names] == resolved(names, fide)


def test_aliases(fide: str, tmp_path: Path) -> None:
    path = tmp_path / "names.ssp"
    path.write_text("@PLAYER\nKasparov, Garry #RUS\n= Weinstein, Garik Kimovich\n")
    name = "Weinstein, Garik Kimovich"
    assert resolved([name], fide)[0][1] is None
    [answer] = resolved([name], fide, str(path))
    assert answer[1:3] == (fide_id("Kasparov, Garry"), "Kasparov, Garry")


def test_no_names(fide: str) -> None:
    assert resolved([], fide) == []


def test_an_invalid_list(tmp_path: Path) -> None:
    path = tmp_path / "prose.xml"
    path.write_text("This is prose.\n")
    with pytest.raises(RatingListError, match="is not a FIDE list"):
        resolved(["Carlsen, Magnus"], str(path))


# --- explain ---------------------------------------------------------------------------------


def test_answer_for_a_resolved_name(fide: str) -> None:
    lines = explained("Carlsen, Magnus", fide)
    assert lines[:2] == ["Carlsen, Magnus", "  read as: surname carlsen, given magnus"]
    [line] = chosen(lines)
    for fact in ("Carlsen, Magnus", "FIDE ID", "GM", "NOR", "born 1990", "rated 2840", "exact"):
        assert fact in line
    assert str(fide_id("Carlsen, Magnus")) in line
    assert not [line for line in lines if line.startswith("  open")]


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("Kramnik, Vladimir", "short form Kramnik, V: the same player, probability "),
        ("Petrosian, Tigran L", "short form Petrosian, T: "),
        ("Chilov, Andreas", "short form Chilov, A: unresolved (others fit as well)"),
    ],
)
def test_what_a_short_form_means(fide: str, name: str, meaning: str) -> None:
    line = explained(name, fide)[-1]
    assert line.startswith(f"  {meaning}")
    short = line.split("form ")[1].split(":")[0]
    [(_, number, *_)] = resolved([short], fide)
    assert ("the same" in line) == (number == fide_id(name))


@pytest.mark.parametrize(
    ("name", "candidates", "reason"),
    [
        ("Chilov, A", {"Chilov, Alexandros", "Chilov, Andreas"}, "others fit as well"),
        ("Horvath, Peter", {"Horvath, Peter sr", "Horvath, Peter jr"}, "others fit as well"),
        ("Ho, Ng", {"Ho, Ng"}, "fewer than 5 letters"),
        ("Zyxqwvut, Oqpr", set(), "no listed player has such a name"),
        ("?", set(), "stands for nobody"),
        ("Carlsenk, Magnum", {"Carlsen, Magnus"}, ""),
    ],
)
def test_answer_for_an_unresolved_name_has_a_reason(
    fide: str, name: str, candidates: set[str], reason: str
) -> None:
    lines = explained(name, fide)
    assert chosen(lines) == []
    assert candidates <= {line.strip().rpartition(", FIDE ID")[0] for line in lines[2:]}
    assert lines[-1].startswith("  unresolved by the name alone: ")
    assert len(lines[-1]) > len("  unresolved by the name alone: ")
    assert reason in lines[-1]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Magnus Carlsen", "magnus carlsen (order unknown)"),
        ("Carlsen", "carlsen (order unknown)"),
        ("Carlsen,", "surname carlsen, given -"),
        ("Carlsen, Magnus (NOR) 1990", "surname carlsen, given magnus; NOR; 1990"),
        ("Horvath, Peter jr", "surname horvath, given peter; son"),
        ("Horvath, Peter sr", "surname horvath, given peter; father"),
        ("Horvath, Peter III", "surname horvath, given peter; grandson"),
        ("Carlsen, Magnus 2", "surname carlsen, given magnus; number 2"),
        ("NN", "nobody"),
    ],
)
def test_how_a_name_is_read(fide: str, name: str, form: str) -> None:
    assert explained(name, fide)[1] == f"  read as: {form}"


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Anand, V", "Anand, Viswanathan"),
        ("anand,v.", "Anand, Viswanathan"),
        ("Van der Berg, JP", "Van der Berg, Jan Pieter"),
        ("Van der Berg, J. P.", "Van der Berg, Jan Pieter"),
        ("VAN DER BERG, JP", "Van der Berg, Jan Pieter"),
        ("Berg, J. P. van der", "Van der Berg, Jan Pieter"),
    ],
)
def test_whose_alias_a_name_is(fide: str, tmp_path: Path, name: str, listed: str) -> None:
    """By a list and by a database."""
    lines = explained(name, fide)
    [line] = [line for line in lines if "alias" in line]
    who = f"{listed} (FIDE ID {fide_id(listed)})"
    assert re.fullmatch(
        rf"  alias of {re.escape(who)}: no other listed player, probability [01]\.\d{{3}}", line
    )
    collection = Collection(tmp_path, game("*"))
    collection.consolidate(Path(fide))
    assert explained_in(collection.path, name)[: len(lines)] == lines


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Chilov, A", ["  no alias: 2 players have this short form"]),
        ("Van der Berg, J", []),  # perhaps Jan Pieter
        ("Ding, Y", ["  alias of Ding, Yixin (FIDE ID {}): no other listed player, "]),
        ("Zyxqwvut, O", []),
        ("Chilov, Andreas", []),
        ("Ding, Yixin", ["  alias: Ding, Y, probability "]),
        ("Van der Berg, Jan Pieter", ["  alias: Van der Berg, JP, probability "]),
        ("Tal, Mikhail", []),  # is in no list of FIDE
        ("Tal, M", []),
        ("Anand", []),
        ("?", []),
    ],
)
def test_aliases_are_shown(fide: str, name: str, lines: list[str]) -> None:
    alias_lines = [line for line in explained(name, fide) if "alias" in line]
    assert len(alias_lines) == len(lines)
    for line, start in zip(alias_lines, lines, strict=True):
        assert line.startswith(start.format(fide_id("Ding, Yixin")))


def test_the_stored_probability_is_shown(fide: str, tmp_path: Path) -> None:
    collection = Collection(tmp_path, game("*"))
    collection.consolidate(Path(fide))
    change(collection.path, "UPDATE FideAliases SET Probability = 0.123456")
    for name in ("Anand, V", "Anand, Viswanathan"):
        assert any("probability 0.123" in line for line in explained_in(collection.path, name))
    change(collection.path, "DROP TABLE FideAliases")  # as in an older version
    for name in ("Anand, V", "Anand, Viswanathan"):
        assert not any("alias" in line for line in explained_in(collection.path, name))


def test_names_in_order_and_repeated(fide: str) -> None:
    names = ["Chilov, A", "Carlsen, Magnus", "Chilov, A"]
    result = list(
        explain_with_lists(iter(names), fide_path=fide, aliases_path=None, reporter=Silent())
    )
    assert [lines[0] for lines in result] == names
    assert result[0] == result[2]


def test_what_names_stand_for_in_a_database(fide: str, tmp_path: Path) -> None:
    first, second = map(fide_id, ("Chilov, Alexandros", "Chilov, Andreas"))
    text = game("*", White="Magnus Carlsen", Black="Tal, Mikhail", Round="1")
    text += game("*", White="Chilov, A", Black="?", Round="2", WhiteFideId=str(first))
    text += game("*", White="Chilov, A", Black="?", Round="3", WhiteFideId=str(second))
    collection = Collection(tmp_path, text)
    collection.consolidate(Path(fide))
    names = ["Magnus Carlsen", "Tal, Mikhail", "Chilov, A", "?", "Nobody, Here", "Anand, V"]
    database = open_database(str(collection.path))
    try:
        answers = {lines[0]: lines for lines in explain(database.connection, names)}
    finally:
        database.close()
    assert [*answers] == names
    carlsen = fide_id("Carlsen, Magnus")
    here = {name: lines[-1].strip() for name, lines in answers.items()}
    assert here["Magnus Carlsen"].startswith(
        f"in this database: all games by Carlsen, Magnus (FIDE ID {carlsen}); stage: order"
    )
    assert here["Tal, Mikhail"].startswith(
        "in this database: all games by Tal, Mikhail (no FIDE ID); stage: exact"
    )
    assert [line.strip() for line in answers["Chilov, A"][-2:]] == [
        f"in this database: 1 game by Chilov, Alexandros (FIDE ID {first}); stage: games",
        f"in this database: 1 game by Chilov, Andreas (FIDE ID {second}); stage: games",
    ]
    nobody = "in this database: no player found for this name"
    assert (here["?"], here["Nobody, Here"], here["Anand, V"]) == (nobody, nobody, nobody)
    assert answers["Magnus Carlsen"][:-1] == explained("Magnus Carlsen", fide)
