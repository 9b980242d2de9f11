"""A fixture for tests of player names."""

from __future__ import annotations

import pytest

from ocgdedup.pipeline.players import name_lists, persons
from tests.support.persons import encode


@pytest.fixture
def codes_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the phonetic codes of each word only once: this halves the time."""
    for module in (name_lists, persons):
        monkeypatch.setattr(module, "encode", encode)
