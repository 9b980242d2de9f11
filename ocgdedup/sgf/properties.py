r"""Properties of SGF going out: names and values of text.

FF[4], "Text": "Following chars have to be escaped, when used in Text: "]", "\" and ":" (only if
used in compose data type)". Composed values are kept as they stood, see stored_text.py.
"""

from __future__ import annotations

from functools import lru_cache

_NAMELESS = "TAG"


def value_text(text: str) -> str:
    """Return a value in its brackets, with what must be escaped escaped."""
    if "\\" in text:
        text = text.replace("\\", "\\\\")
    if "]" in text:
        text = text.replace("]", "\\]")
    return f"[{text}]"


@lru_cache(maxsize=1024)
def property_name(tag: str) -> str:
    """Return the name that FF[4] allows for a tag: capitals alone.

    A second tag of one name, kept as "KM_2", has the name of the first.
    """
    if tag.isalpha() and tag.isascii() and tag.isupper():
        return tag
    return "".join(letter for letter in tag.upper() if "A" <= letter <= "Z") or _NAMELESS
