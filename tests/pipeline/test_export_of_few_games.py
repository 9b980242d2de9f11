"""Games are written alike, whether names are looked up for all games or only for those written."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.commands.players import PlayersRequest, consolidate_players
from ocgdedup.model import ListFiles
from ocgdedup.pipeline.export import emit
from ocgdedup.pipeline.export.emit import GameWriter
from ocgdedup.pipeline.export.text_form import TextForm
from ocgdedup.store.database import open_database
from tests.cli.test_players_laws import rating_lists, records
from tests.pipeline.test_partial_results import searched
from tests.support.databases import Silent


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_few_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, fill: bool) -> None:
    rng = random.Random(seed)
    path, source = tmp_path / "games.db3", tmp_path / "games.pgn"
    source.write_text("".join(text for _ in range(30) for text in records(rng)), encoding="utf-8")
    create(CreateRequest(str(path), [str(source)]), Silent())
    lists = ListFiles(fide=str(rating_lists(tmp_path)[seed]))
    consolidate_players(PlayersRequest(str(path), lists, back_fill=fill), Silent())
    searched(path)
    monkeypatch.setattr(emit, "_PART_OF_GAMES", 0)
    with open_database(str(path)) as database:
        for _ in range(20):
            ids = sorted(rng.sample(range(1, 100), rng.choice((1, 2, 10))))
            present = {row[0] for row in database.connection.execute("SELECT ID FROM Games")}
            ids = [game_id for game_id in ids if game_id in present]
            writers = GameWriter(database, TextForm()), GameWriter(database, TextForm(), ids=ids)
            written = [[text for _, text in writer.games_of([ids])] for writer in writers]
            assert written[0] == written[1]
