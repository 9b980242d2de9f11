"""The work of a function as a number of calls, which is the same on each machine."""

from __future__ import annotations

import sys
from collections.abc import Callable


def count_calls(function: Callable[[], object]) -> int:
    """Return the number of Python and C functions called while a function runs.

    A generator counts each time that it is resumed.
    """
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls
