"""An empty list for the kernel that parses names."""

from __future__ import annotations

from ocgdedup._kernels.names import ListedNames
from ocgdedup.matching.names.given_names import given_names
from ocgdedup.matching.names.likelihood import WEIGHTS
from ocgdedup.matching.names.syllabic import syllable_table
from tests.support.persons import spelling_codes


def listed_names() -> ListedNames:
    return ListedNames(given_names(), WEIGHTS._asdict(), spelling_codes, syllable_table())
