"""Odd inputs, each once read wrongly: plies, results, faults, rejects, comments, NAGs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.reading import read

_CASES = json.loads(
    (Path(__file__).parents[1] / "corpus" / "odd_inputs.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: repr(case["text"])[-40:])
def test_odd_input(case: dict[str, Any]) -> None:
    reading = read(case["text"].encode(case["encoding"]))
    assert [[game["PlyCount"], game["Result"]] for game in reading.games] == case["games"]
    assert [fault.reason for fault in reading.faults] == case["faults"]
    assert len(reading.rejects) == case["rejects"]
    assert [[ply, text] for _, ply, text, _ in reading.comments] == case["comments"]
    assert [[row[1], row[3]] for row in reading.annotations if row[3]] == case["nags"]
