"""Text of any origin made safe for a terminal.

For messages, tables and reports that people read, never for PGN, SGF, JSON or other files.
"""

from __future__ import annotations

# Not printable by Python's rule, yet without effect on a terminal: blanks of all widths, which
# names in East Asian letters have, and the joiners of Persian and Indic letters.
_KEPT = frozenset(
    "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u200c\u200d\u202f\u205f\u3000"
)


def printable(text: str) -> str:
    r"""Escape each character that would act on a terminal, such as ESC as \x1b.

    Escapes control codes (C0, DEL, C1), line and paragraph separators, marks of writing direction,
    lone surrogates (bytes of a file name that are not UTF-8) and unassigned characters.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in _KEPT else c.encode("unicode_escape").decode() for c in text
    )
