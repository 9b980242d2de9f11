"""docs/api.md: what it shows is what Python prints."""

from __future__ import annotations

import doctest
import shutil
import warnings
from pathlib import Path

import pytest

import ocgdedup

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "api.md"


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "scripts" / "demo_games", tmp_path / "scripts" / "demo_games")
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("ignore", ocgdedup.OcgdedupWarning)
    done = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert done.attempted > 10
    assert done.failed == 0
