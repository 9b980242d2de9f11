"""Malformed files, each with the expected plies and faults of its games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.reading import read

FOLDER = Path(__file__).parent.parent / "corpus" / "malformed"
CASES: list[dict[str, Any]] = json.loads((FOLDER / "cases.json").read_text())


def test_all_files_have_a_case() -> None:
    assert {case["file"] for case in CASES} == {path.name for path in FOLDER.glob("*.pgn")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['file']} {case['case']}")
def test_malformed_file(case: dict[str, Any]) -> None:
    reading = read((FOLDER / case["file"]).read_bytes())
    assert reading.plies == case["plies"]
    if case["plies"]:
        assert reading.marked == ([1] if "marked" in case else [])
        assert not reading.rejects
    else:
        assert [reject.number for reject in reading.rejects] == [1]
