"""An empty list for the kernel that parses names."""

from __future__ import annotations

from ocgdedup._kernels.names import ListedNames
from ocgdedup.matching.names.name_list import kernel_rules
from tests.support.persons import spelling_codes


def listed_names() -> ListedNames:
    return ListedNames(kernel_rules(), spelling_codes)
