"""Kernels that take rows of games by place: another order than the declared one is an error."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

from ocgdedup._kernels import chess
from ocgdedup.pipeline.export import emit_pgn
from ocgdedup.store import games


@pytest.mark.parametrize(
    ("columns", "module"), [("INSERTED_COLUMNS", games), ("PRINTED_COLUMNS", emit_pgn)]
)
def test_columns_in_another_order_are_refused(
    columns: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *others = getattr(chess, columns)
    monkeypatch.setattr(chess, columns, (second, first, *others))
    with pytest.raises(ImportError, match=r"^the chess kernel "):
        importlib.reload(module)
