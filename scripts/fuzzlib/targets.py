"""All that is fuzzed, by name."""

from __future__ import annotations

from fuzzlib import fide_laws, move_laws, pgn_laws, search_laws, sgf_laws
from fuzzlib.model import Target

TARGETS: dict[str, Target] = {
    module.TARGET.name: module.TARGET
    for module in (pgn_laws, sgf_laws, fide_laws, move_laws, search_laws)
}
