"""Duplicates whose players are written in different scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

import ocgdedup
from tests.support.databases import value
from tests.support.pgn_text import OPERA, game

pytestmark = pytest.mark.filterwarnings("ignore")


def duplicates(folder: Path, *players: tuple[str, str]) -> int:
    """Return the number of duplicates in two records of a game, one of them truncated."""
    texts = [
        game(moves, Event=event, White=white, Black=black, Date="2011.05.03", Round="3")
        for moves, event, (white, black) in zip(
            (OPERA, OPERA[: OPERA.index("10.")] + "*"), ("Open", "Club"), players, strict=True
        )
    ]
    (folder / "a.pgn").write_text("".join(texts), "utf-8")
    ocgdedup.create(folder / "a.db3", [folder / "a.pgn"])
    ocgdedup.dedup(folder / "a.db3")
    return int(
        value(folder / "a.db3", "SELECT count(*) FROM DuplicateFlags WHERE DuplicateStatus NOTNULL")
    )


@pytest.mark.parametrize(
    "players",
    [
        (("이세돌", "박영훈"), ("Lee, Sedol", "Park, Young-Hoon")),
        (("Yi Sedol", "Park Young-Hoon"), ("이세돌", "박영훈")),
        (("丁立人", "侯逸凡"), ("Ding, Liren", "Hou, Yifan")),
        (("Карпов, Анатолий", "Іванчук, Василь"), ("Karpov, A", "Ivanchuk, Vasyl")),
        (("Müller, Jörg", "Ødegård, Bjørn"), ("Mueller,J", "Odegaard, Bjoern")),
    ],
)
def test_scripts_of_one_player(tmp_path: Path, players: tuple[tuple[str, str], ...]) -> None:
    assert duplicates(tmp_path, *players) == 1


@pytest.mark.parametrize(
    "players",
    [
        (("이세돌", "박영훈"), ("이세둘", "박용운")),
        (("이세돌", "박영훈"), ("Lee, Changho", "Kim, Younghun")),
        (("王伟", "李超"), ("王玮", "李朝")),
        (("Карпов, Анатолий", "Иванчук, Василий"), ("Каспаров, Гарри", "Иванов, Пётр")),
    ],
)
def test_other_players(tmp_path: Path, players: tuple[tuple[str, str], ...]) -> None:
    assert duplicates(tmp_path, *players) == 0
