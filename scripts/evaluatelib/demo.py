"""What becomes of the games in scripts/demo_games: the signature that a test pins."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted((ROOT / "scripts" / "demo_games").glob("*.pgn"))
LABELS = ROOT / "tests" / "corpus" / "demo_games" / "labels.tsv"

_RECORDS = """
    SELECT Sources.Name, Games.SourceNumber, Kept.Name, Master.SourceNumber, Games.DuplicateStatus,
        White.Name, Black.Name, Games.Date, Games.Round, Games.Result, Events.Name,
        Sites.Name, Games.ID
    FROM FlaggedGames AS Games
    JOIN Games AS Master ON Master.ID = coalesce(Games.DuplicateGroup, Games.ID)
    JOIN Sources ON Sources.ID = Games.SourceID JOIN Sources AS Kept ON Kept.ID = Master.SourceID
    JOIN Players AS White ON White.ID = Games.WhiteID
    JOIN Players AS Black ON Black.ID = Games.BlackID
    LEFT JOIN Events ON Events.ID = Games.EventID LEFT JOIN Sites ON Sites.ID = Games.SiteID
    ORDER BY Games.ID
"""
_REASONS = "SELECT Tag, Reason FROM MergedTags WHERE GameID = ? ORDER BY 1"


def signature(database: Path) -> Iterator[str]:
    """Yield a line for each record of a searched database of these games.

    Tabs stand between the played game, the record, its class, the record that is kept, and, of a
    kept record, its header and why its values were merged.
    """
    labels = read_labels()
    with closing(sqlite3.connect(database)) as connection:
        for row in connection.execute(_RECORDS).fetchall():
            source, number, kept_source, kept_number, status, *header, game_id = row
            record, kept = (Path(source).name, number), (Path(kept_source).name, kept_number)
            reasons = [
                f"{tag}: {reason}" for tag, reason in connection.execute(_REASONS, (game_id,))
            ]
            values = [] if status else [*(value or "?" for value in header), "; ".join(reasons)]
            name, kept_name = (f"{game[0]} {game[1]}" for game in (record, kept))
            yield "\t".join([labels[record], name, status or "kept", kept_name, *values]).rstrip()


def read_labels() -> dict[tuple[str, int], str]:
    """Return which played game each record is of."""
    with open(LABELS, newline="", encoding="utf-8") as handle:
        rows = csv.DictReader(handle, delimiter="\t")
        return {(row["source"], int(row["number"])): row["game"] for row in rows}
