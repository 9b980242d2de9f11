"""Find and resolve duplicate chess games: PGN in, SQLite database out.

The Python interface is that of api.py. It is loaded at its first use, since the command line does
not need it.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # importing `typing` would double the time until Ctrl-C works
if TYPE_CHECKING:
    from typing import Any

    from ocgdedup.api import (
        CheckResult,
        CreateResult,
        DedupResult,
        ExportResult,
        FileInfo,
        FoundGame,
        GameDatabase,
        MoveArrays,
        OcgdedupWarning,
        PlayersResult,
        ResolveOptions,
        RunResult,
        Selection,
        Stripping,
        TextForm,
        check,
        create,
        dedup,
        explain,
        export,
        find,
        info,
        open,
        players,
        report,
        review,
        run,
        undo,
    )

__version__ = "0.1.0"

__all__ = [
    "CheckResult", "CreateResult", "DedupResult", "ExportResult", "FileInfo", "FoundGame",
    "GameDatabase", "MoveArrays", "OcgdedupWarning", "PlayersResult", "ResolveOptions", "RunResult",
    "Selection", "Stripping", "TextForm", "check", "create", "dedup", "explain", "export", "find",
    "info", "open", "players", "report", "review", "run", "undo",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__:
        # Not an ordinary import: lower layers import this module for its version, and would count
        # as importing the interface, too.
        return getattr(importlib.import_module("ocgdedup.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
