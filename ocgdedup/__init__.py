"""Find and resolve duplicate chess games: PGN in, SQLite database out.

The Python interface is that of api.py. It is loaded at its first use, since the command line does
not need it.
"""

from __future__ import annotations

from ocgdedup.version import __version__ as __version__

TYPE_CHECKING = False  # as type checkers know it; `typing` would double the time until Ctrl-C works
if TYPE_CHECKING:
    from typing import Any

    from ocgdedup.api import (
        AnnotationFilter,
        CheckResult,
        CompareResult,
        CreateResult,
        DedupResult,
        EditResult,
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
        TextForm,
        TidiedTag,
        check,
        compare,
        create,
        dedup,
        edit,
        explain,
        export,
        find,
        history,
        info,
        open,
        players,
        redo,
        report,
        review,
        run,
        tidy,
        undo,
    )

__all__ = [
    "AnnotationFilter", "ChangedGames", "CheckResult", "CompareResult", "CreateResult",
    "DedupResult", "EditResult", "ExportResult", "FileInfo", "FoundGame", "GameDatabase",
    "MoveArrays", "OcgdedupWarning", "PlayersResult", "ResolveOptions", "RunResult", "Selection",
    "TextForm", "TidiedTag", "check", "compare", "create", "decide", "dedup", "delete", "edit",
    "explain", "export", "find", "history", "info", "open", "players", "redo", "report", "restore",
    "review", "run", "tidy", "undo",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__ or name[:1].isupper():  # the interface knows deprecated classes too
        from ocgdedup import api  # 230 ms

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
