"""An empty list for the kernel that parses names."""

from __future__ import annotations

from ocgdedup._kernels.names import ListedNames
from ocgdedup.matching.names.name_list import initials_of


def listed_names() -> ListedNames:
    return ListedNames(lambda word: initials_of([word]))
