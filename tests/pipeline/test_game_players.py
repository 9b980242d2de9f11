"""The players of single games, and lookup by game and side."""

from __future__ import annotations

from ocgdedup.pipeline.players.by_game import GamePlayers, PersonsOfGames


def test_players_of_games() -> None:
    result = GamePlayers()
    rows = [(-3, 1, 7, None, 0.0), (4, 0, 7, 0, 0.5), (4, 1, 8, 5, 1.0), (2**62, 1, 9, 5, 0.97)]
    for game_id, side, player, person, probability in rows:
        result.add(game_id, side, player, (person, probability))
    assert list(result) == rows
    assert len(result) == len(rows)
    places = PersonsOfGames(result, {0: 10, 5: 11})
    assert dict(places) == {(-3, 1): None, (4, 0): 10, (4, 1): 11, (2**62, 1): 11}
    assert (4, 2) not in places
    assert (5, 0) not in places
    assert len(places) == len(rows)
