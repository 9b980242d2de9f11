"""An empty list for the kernel that parses names."""

from __future__ import annotations

from ocgdedup._kernels.names import ListedNames
from ocgdedup.matching.names.given_names import given_names
from ocgdedup.matching.names.likelihood import WEIGHTS
from ocgdedup.matching.names.syllabic import languages_of_given, languages_of_surnames
from tests.support.persons import spelling_codes


def listed_names() -> ListedNames:
    languages = languages_of_surnames(), languages_of_given
    return ListedNames(given_names(), WEIGHTS._asdict(), spelling_codes, languages)
