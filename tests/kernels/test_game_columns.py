"""Kernels that take rows of games by place: another order than the declared one is an error."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest

from ocgdedup._kernels import pgn_read, pgn_write
from ocgdedup.pipeline.export import emit_pgn
from ocgdedup.store import row_writer


@pytest.mark.parametrize(("kernel", "module"), [(pgn_read, row_writer), (pgn_write, emit_pgn)])
def test_columns_in_another_order_are_refused(
    kernel: ModuleType, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *others = kernel.COLUMNS
    monkeypatch.setattr(kernel, "COLUMNS", (second, first, *others))
    with pytest.raises(ImportError, match=f"the kernel {kernel.__name__.split('.')[-1]} "):
        importlib.reload(module)
