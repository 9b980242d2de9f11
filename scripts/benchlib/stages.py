"""The stages: what of ocgdedup is measured, and the same work done by other programs."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchlib.model import Stage

LIB = Path(__file__).resolve().parent
PYTHON_CHESS_GAMES = 2_000
SGFMILL_GAMES = 2_000
GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # Debian's, not in every PATH


def ocgdedup(*arguments: str | Path) -> tuple[str, ...]:
    return (sys.executable, "-m", "ocgdedup", *map(str, arguments))


def kernel_probe(files: Sequence[str], *options: str) -> tuple[str, ...]:
    return (sys.executable, str(LIB / "probe_kernel.py"), *options, *files)


def own_stages(files: Sequence[str], work: Path) -> Iterator[Stage]:
    """Yield what is measured of ocgdedup itself."""
    yield Stage("kernel", "kernel alone", kernel_probe(files), is_probe=True)
    yield Stage(
        "kernel-portable",
        "kernel, portable SHA-256",
        kernel_probe(files, "--portable-sha256"),
        is_probe=True,
    )
    yield create_stage("create-no-index", files, work, "--jobs", "1", "--no-index")
    yield create_stage("create", files, work, "--jobs", "1")
    yield create_stage("create-jobs-2", files, work, "--jobs", "2")
    yield from dedup_stages(work)
    yield dedup_stage("dedup-no-index", "dedup, no indexes", base_database(work, "plain"), work)
    yield dedup_stage("dedup-new", "dedup, 1 % of games new", base_database(work, "grown"), work)
    yield dedup_stage("dedup-again", "dedup, nothing new", base_database(work, "searched"), work)
    target = work / "export" / "games.pgn"
    command = ocgdedup("export", base_database(work, "indexed"), "-o", target)
    yield Stage("export", "export", command, output=target)


def create_stage(name: str, files: Sequence[str], work: Path, *options: str) -> Stage:
    database = work / name / "games.db3"
    command = ocgdedup("create", database, *files, *options)
    label = " ".join(("create", *options))
    return Stage(name, label, command, accepted=(0, 1), output=database)


def dedup_stages(work: Path) -> Iterator[Stage]:
    """Yield what is measured of the search for duplicates in a database with indexes."""
    base = base_database(work, "indexed")
    find = "dedup --dry-run: find only"
    yield Stage("find", find, ocgdedup("dedup", base, "--dry-run", "--jobs", "1"))
    yield dedup_stage("dedup", "dedup: find, merge, write", base, work)
    yield dedup_stage("dedup-jobs-2", "dedup --jobs 2", base, work, jobs=2)


def dedup_stage(name: str, label: str, base: Path, work: Path, *, jobs: int = 1) -> Stage:
    database = work / name / "games.db3"
    command = ocgdedup("dedup", database, "--no-players", "--jobs", str(jobs))
    return Stage(name, label, command, copied=(base, database))


def players_stages(fide_list: str | None, work: Path) -> Iterator[Stage]:
    """Yield what is measured of `players`; without a list of FIDE all are skipped."""
    first = ("--fide-xml", fide_list or "LIST")
    for name, label, kind, options in (
        ("players-first", "players, list read for the first time", "indexed", first),
        ("players-listed", "players, list in the database", "listed", ()),
        ("players-new", "players, 1 % of games new", "resolved-grown", ()),
        ("players-again", "players, nothing new", "resolved", ()),
    ):
        database = work / name / "games.db3"
        yield Stage(
            name,
            label,
            ocgdedup("players", database, *options),
            copied=(base_database(work, kind), database),
            missing="" if fide_list else "skipped: name a list of FIDE with --fide-xml",
        )


def base_database(work: Path, kind: str) -> Path:
    return work / "base" / f"{kind}.db3"


def peer_stages(files: Sequence[str], work: Path) -> Iterator[Stage]:
    """Yield the peers, those too that are not installed."""
    pgn_extract = find_program("pgn-extract")
    for name, options in (("pgn-extract-D", ("-s", "-D")), ("pgn-extract", ("-s",))):
        output = work / name / "games.pgn"
        yield Stage(
            name,
            " ".join(("pgn-extract", *options, "-o")),
            (pgn_extract or "pgn-extract", *options, f"-o{output}", *files),
            output=output,
            absent=pgn_extract is None,
        )
    yield Stage(
        "python-chess",
        "python-chess read_game",
        (sys.executable, str(LIB / "probe_python_chess.py"), str(PYTHON_CHESS_GAMES), *files),
        is_probe=True,
        absent=importlib.util.find_spec("chess") is None,
    )
    tkscid = find_program("tkscid")
    target = work / "scid" / "games"
    command = (tkscid or "tkscid", str(LIB / "import_scid.tcl"), str(target), *files)
    output = target.with_suffix(".si4")
    yield Stage("scid", "Scid import", command, output=output, absent=tkscid is None)


def go_stages(files: Sequence[str], work: Path) -> Iterator[Stage]:
    """Yield what is measured on Go records: of ocgdedup, and sgfmill."""
    yield Stage("kernel", "kernel alone", kernel_probe(files), is_probe=True)
    yield create_stage("create-no-index", files, work, "--jobs", "1", "--no-index")
    yield create_stage("create", files, work, "--jobs", "1")
    yield create_stage("create-jobs-2", files, work, "--jobs", "2")
    yield from dedup_stages(work)
    target = work / "export" / "games.sgf"
    command = ocgdedup("export", base_database(work, "indexed"), "-o", target)
    yield Stage("export", "export", command, output=target)
    yield Stage(
        "sgfmill",
        "sgfmill, moves played",
        (sys.executable, str(LIB / "probe_sgfmill.py"), str(SGFMILL_GAMES), *files),
        is_probe=True,
        absent=importlib.util.find_spec("sgfmill") is None,
    )


def find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(GAMES_FOLDERS))


def all_stages(files: Sequence[str], work: Path, fide_list: str | None = None) -> list[Stage]:
    """Return the stages for these files: of Go if the first is SGF, else of chess."""
    if files and files[0].lower().endswith(".sgf"):
        return list(go_stages(files, work))
    return [
        *own_stages(files, work),
        *players_stages(fide_list, work),
        *peer_stages(files, work),
    ]


def stage_names() -> list[str]:
    """Return the names of all stages."""
    stages = [*all_stages((), Path()), *go_stages((), Path())]
    return list(dict.fromkeys(stage.name for stage in stages))
