"""Every command that writes, with the starting point that it needs."""

from __future__ import annotations

from typing import NamedTuple

from torturelib.starting_points import GAME_FILES, LISTS, OLD_VERSIONS, RUN_OUTPUTS


class Writing(NamedTuple):
    """One command line that changes files."""

    name: str
    start: str
    words: tuple[str, ...]
    repeats: bool = False
    """Run again after it is done, it may do something more: take back another run, say."""


def line(name: str, start: str, text: str, *, repeats: bool = False) -> Writing:
    words: list[str] = []
    for word in text.split():
        words.extend(SHORT.get(word, (word,)))
    return Writing(name, start, tuple(words), repeats)


SHORT = {"GAMES": GAME_FILES, "LISTS": LISTS, "OUTPUTS": RUN_OUTPUTS}

WRITING = (
    line("create", "inputs", "create g.db3 GAMES more.pgn"),
    line("create-reports", "inputs", "create g.db3 GAMES --rejects j.pgn --report f.tsv"),
    line("create-lists", "inputs", "create g.db3 GAMES LISTS --signatures"),
    line("create-go", "inputs", "create go.db3 club.sgf web.sgf"),
    line("create-force", "flagged", "create g.db3 more.pgn --force"),
    line("append", "loaded", "create g.db3 more.pgn --append"),
    line("append-reports", "flagged", "create g.db3 more.pgn --append --rejects j --report f.tsv"),
    line("append-listed", "listed", "create g.db3 more.pgn --append LISTS"),
    line("append-signed", "signed", "create g.db3 more.pgn --append"),
    line("append-go", "go", "create go.db3 web.sgf --append"),
    line("players", "loaded", "players g.db3", repeats=True),
    line(
        "players-lists", "flagged", "players g.db3 LISTS --report names.csv --force", repeats=True
    ),
    line("players-no-fill", "listed", "players g.db3 --no-fill", repeats=True),
    line("players-undo", "listed", "players g.db3 --undo", repeats=True),
    line("dedup", "loaded", "dedup g.db3", repeats=True),
    line("dedup-reset", "flagged", "dedup g.db3 --reset", repeats=True),
    line("dedup-lists", "loaded", "dedup g.db3 LISTS", repeats=True),
    line("dedup-html", "loaded", "dedup g.db3 --report r.html --force", repeats=True),
    line("dedup-csv", "exported", "dedup g.db3 --full --report r.csv --force", repeats=True),
    line("dedup-json", "flagged", "dedup g.db3 --full --report r.json --force", repeats=True),
    line("dedup-delete", "loaded", "dedup g.db3 --delete --merge-variations", repeats=True),
    line("dedup-delete-flagged", "flagged", "dedup g.db3 --delete", repeats=True),
    line("dedup-purge", "deleted", "dedup g.db3 --purge", repeats=True),
    line("dedup-delete-purge", "signed", "dedup g.db3 --delete --purge", repeats=True),
    line("dedup-undo", "deleted", "dedup g.db3 --undo", repeats=True),
    line("dedup-restore", "deleted", "dedup g.db3 --restore", repeats=True),
    line("dedup-full", "flagged", "dedup g.db3 --full --keep first --no-merge", repeats=True),
    line("dedup-upgrade", "ocgdb", "dedup o.db3 --upgrade", repeats=True),
    line("review-decide", "decided", "review g.db3 --decide decisions.csv", repeats=True),
    line("review-apply", "decided", "review g.db3 --decide decisions.csv --apply", repeats=True),
    line("signatures", "flagged", "signatures g.db3", repeats=True),
    line("check-repair", "damaged", "check g.db3 --repair", repeats=True),
    line("export", "flagged", "export g.db3 -o o.pgn"),
    line("export-force", "exported", "export g.db3 -o o.pgn --force"),
    line("export-packed", "flagged", "export g.db3 -o o.pgn.gz --duplicates c.pgn"),
    line("export-split", "flagged", "export g.db3 -o part.pgn --split 10"),
    line("export-split-force", "exported", "export g.db3 -o part.pgn --split 9 --force"),
    line("export-tables", "flagged", "export g.db3 -o tables --format csv"),
    line("export-tables-force", "exported", "export g.db3 -o tables --format csv --force"),
    line("export-jsonl", "flagged", "export g.db3 -o games.jsonl --force"),
    line("run", "inputs", "run GAMES OUTPUTS"),
    line("run-more", "produced", "run GAMES more.pgn OUTPUTS"),
    line("run-again", "produced", "run OUTPUTS"),
    line("run-lists", "produced", "run GAMES OUTPUTS LISTS"),
    *(
        line(f"migrate-{version}", f"old-{version}", "dedup g.db3", repeats=True)
        for version in OLD_VERSIONS
    ),
    line("migrate-append", "old-4", "create g.db3 web_download.pgn --append"),
)
