"""printpgn: games by ID as PGN or SGF text, or pairs of games side by side."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence

from ocgdedup.errors import UsageError, unknown_games
from ocgdedup.pipeline.export.emit import pgn_of_games
from ocgdedup.pipeline.export.text_form import TextForm
from ocgdedup.pipeline.search.pairs import ShownPair, ids_of_group, pairs_of
from ocgdedup.store.database import open_database, store_errors
from ocgdedup.store.possible_duplicates import decided_pairs, listed_possible_duplicates


def printpgn(path: str, game_ids: Sequence[int], names: str | None = None) -> bytes:
    """Return the games in the order of the IDs, each after a line "% game ID".

    PGN readers skip lines that begin with "%", SGF readers all text before a game. Raises
    UsageError for unknown IDs. `names`: of NAMES, None for the default.
    """
    form = TextForm().with_names(names)
    with open_database(path) as database, store_errors(path, "cannot be read"):
        texts = list(pgn_of_games(database, game_ids, form))
    unknown = [i for i, text in zip(game_ids, texts, strict=True) if text is None]
    if unknown:
        raise unknown_games(path, *unknown)
    return b"".join(
        b"%% game %d\n%b" % (game_id, text)
        for game_id, text in zip(game_ids, texts, strict=True)
        if text is not None
    )


@contextlib.contextmanager
def opened_pairs(
    path: str, ids: Collection[tuple[int, int]] | None, group: int | None
) -> Iterator[Iterator[ShownPair]]:
    """Open a database and yield these pairs, those of a group, or undecided possible duplicates.

    Raises UsageError for unknown IDs, before the first pair.
    """
    with open_database(path) as database, store_errors(path, "cannot be read"):
        if ids is not None:
            yield pairs_of(database, ids)
        elif group is not None:
            yield pairs_of(database, ids_of_group(database, group))
        else:
            undecided = (
                row for row in listed_possible_duplicates(database.connection) if not row.decision
            )
            yield pairs_of(database, [(row.first, row.second) for row in undecided])


def compared_games(path: str, first: int, second: int) -> tuple[ShownPair, list[str]]:
    """Return two games and the evidence on them in words.

    Raises UsageError for equal or unknown IDs.
    """
    if first == second:
        raise UsageError(f"{path}: --diff needs two different games, not {first} twice")
    with open_database(path) as database, store_errors(path, "cannot be read"):
        (pair,) = pairs_of(database, [(first, second)])
        from ocgdedup.pipeline.search.judge import Judge  # 16 ms
        from ocgdedup.pipeline.search.named_options import last_options  # 20 ms

        connection = database.connection
        # The user may name games that were too short for the last search.
        search = last_options(connection).search()._replace(min_plies=0)
        judge = Judge(connection, search, (first, second), decided_pairs(connection))
        return pair, judge.in_words(first, second)
