"""Duplicates of a selection are stored as numbers, in order across both tables."""

from __future__ import annotations

import random

from ocgdedup.store.selection import DELETED_GAMES, GAMES, Copy, SelectedDuplicates

CLASSES = ("exact", "subsumption", "join", "odd")


def in_order(copies: list[Copy]) -> list[Copy]:
    return sorted(copies, key=lambda copy: (CLASSES.index(copy.status), copy.group, copy.game_id))


def test_both_tables_come_in_one_order() -> None:
    draw = random.Random(1)
    every = [
        Copy(draw.choice(CLASSES), draw.randrange(9), number, draw.choice((GAMES, DELETED_GAMES)))
        for number in range(200)
    ]
    copies = SelectedDuplicates()
    assert (len(copies), list(copies), copies.removed) == (0, [], 0)
    for table in (GAMES, DELETED_GAMES):
        rows = in_order([copy for copy in every if copy.table == table])
        copies.add_table(table, ((copy.game_id, copy.status, copy.group) for copy in rows))
    assert list(copies) == in_order(every)
    assert len(copies) == 200
    assert copies.removed == sum(copy.table == DELETED_GAMES for copy in every)


def test_numbers_alone_are_held_of_a_copy() -> None:
    copies = SelectedDuplicates()
    copies.add_table(GAMES, ((number, CLASSES[number % 3], number % 7) for number in range(999)))
    numbers = copies._tables[GAMES]
    assert [column.typecode for column in numbers] == ["q", "i", "q"]
    assert sum(column.itemsize for column in numbers) == 20
    assert len(copies._statuses) == 3
