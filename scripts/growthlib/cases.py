"""The worst cases: what is made of which size, and the commands that are run on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from growthlib import texts

ALL = "create check dedup report signatures find export csv run"


class Case(NamedTuple):
    """An input of size n, and commands that are run on it one after the other.

    `at_once`: a small input whose size says nothing of the work: commands may use a second.
    `games`: as many games of one size, which bounds the memory of each command.
    """

    name: str
    make: Callable[[Path, int], None]
    n: int
    commands: str
    suffix: str = ".pgn"
    at_once: bool = False
    games: int = 0


HUGE = "create check dedup export csv"

CASES = (
    Case("equal games, other names", texts.equal_names_differ, 8_000, "create dedup players"),
    Case("equal games, other Sites", texts.equal_sites_differ, 16_000, "create dedup report"),
    Case("equal games, other Events", texts.equal_events_differ, 16_000, "create dedup report"),
    Case("equal games, two Sites", texts.equal_two_sites, 33_000, ALL),
    Case("games without tags", texts.without_tags, 100_000, ALL),
    Case("names that sound alike", texts.players_alike, 12_000, "create players dedup"),
    Case("rating list that sounds alike", texts.rating_list, 20_000, "resolve", ".xml"),
    Case("letters of one name", texts.long_name, 1_000_000, "create players dedup check export"),
    Case("equal first 60 plies", texts.one_opening, 50_000, ALL),
    Case("quick draws of one pair", texts.quick_draws, 25_000, "create dedup report check"),
    Case("games of one move", texts.one_move_games, 500_000, ALL),
    Case("nested variations", texts.nested_variations, 2_500, HUGE),
    Case("letters of one tag", texts.long_tag, 4_000_000, HUGE, games=1),
    Case("tags of one game", texts.many_tags, 50_000, HUGE, games=1),
    Case("letters of one comment", texts.long_comment, 4_000_000, HUGE, games=1),
    Case("line comments", texts.line_comments, 1_000_000, HUGE, games=3),
    Case("comments in Latin-1", texts.latin_comments, 1_000_000, HUGE, games=3),
    Case("NAGs", texts.nags, 1_000_000, HUGE, games=3),
    Case("empty parentheses", texts.parentheses, 1_000_000, HUGE, games=3),
    Case("parallel variations", texts.parallel_variations, 500_000, HUGE, games=3),
    Case("plies of one game", texts.long_game, 200_000, "create check dedup find export csv"),
    Case("texts that are rejected", texts.rejected_text, 100_000, "create check"),
    Case("nodes of one SGF", texts.sgf_nodes, 100_000, "create check dedup export", ".sgf"),
    Case("nested variations of one SGF", texts.sgf_branches, 50_000, "create check export", ".sgf"),
    Case("tar member of 2^30 and 2^60 bytes", texts.claiming_tar, 30, "create", ".tar", True),
)  # fmt: skip

COMMANDS = {
    "create": ("create", "{db}", "{input}"),
    "check": ("check", "{db}"),
    "dedup": ("dedup", "{db}"),
    "report": ("dedup", "{db}", "--full", "--report", "report.html"),
    "players": ("players", "{db}"),
    "resolve": ("players", "--fide-xml", "{input}", "--resolve", "{names}", "-o", "found.tsv"),
    "signatures": ("signatures", "{db}"),
    "find": ("find", "{db}", "--position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
    "export": ("export", "{db}", "-o", "export{suffix}"),
    "csv": ("export", "{db}", "--format", "csv", "-o", "games.csv"),
    "run": ("run", "{input}", "-o", "run{suffix}"),
}
