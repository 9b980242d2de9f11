"""Repair names that were UTF-8, were read as Windows-1252 or Latin-1, and were written as UTF-8.

Must not know tags, games or files.
"""

from __future__ import annotations

import re
from functools import lru_cache

# A first byte of UTF-8 (C2 to F4) as Latin-1 shows it, then a continuation byte (80 to BF) as
# Latin-1 or Windows-1252 shows it. Correct text nearly always has an ASCII character there, so the
# library is rarely loaded. The kernel searches bytes for the same (kernels/text/utf8.pxd).
_MAYBE_GARBLED = re.compile(
    "[\u00c2-\u00f4]"
    "[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014"
    "\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]"
)


def repaired_name(text: str) -> str:
    """Return the original of a garbled name; return any other name unchanged."""
    return _repaired(text) if _MAYBE_GARBLED.search(text) else text


@lru_cache(maxsize=4096)
def _repaired(text: str) -> str:
    from ftfy import fix_encoding  # 52 ms

    # Not fix_text(), which changes quotes, widths and entities too.
    fixed: str = fix_encoding(text)
    return text if fixed == text else fixed.strip() or text
