"""The players of single games."""

from __future__ import annotations

from ocgdedup.pipeline.players.by_game import GamePlayers


def test_players_of_games() -> None:
    result = GamePlayers()
    rows = [(-3, 1, 7, None, 0.0), (4, 0, 7, 0, 0.5), (4, 1, 8, 5, 1.0), (2**62, 1, 9, 5, 0.97)]
    for game_id, side, player, person, probability in rows:
        result.add(game_id, side, player, (person, probability))
    assert list(result) == rows
    assert len(result) == len(rows)
