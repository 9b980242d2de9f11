"""Make the table of words in names for the kernels, from ocgdedup/matching/names/name_words.py."""

from __future__ import annotations

import runpy
from pathlib import Path

from kernel_constants import write_if_changed

_TEXT = """\
/* Made by scripts/kernel_name_words.py. */
#ifndef OCG_NAME_TABLE_H
#define OCG_NAME_TABLE_H
#include "compiler.h"
#include <string.h>

enum {{
{kinds}
}};
static const struct {{ char text[{room}]; int length, kind; }} OCG_WORDS[] = {{
{words}
}};
enum {{ OCG_WORD_COUNT = sizeof OCG_WORDS / sizeof OCG_WORDS[0] }};
/* By first letter: one more than the place of the first word, and of the next after a word. */
static uint16_t OCG_FIRST_WORD[256], OCG_NEXT_WORD[OCG_WORD_COUNT];
OCG_AT_LOAD(ocg_index_words) {{
    for (int i = OCG_WORD_COUNT - 1; i >= 0; i--) {{
        uint8_t first = (uint8_t)OCG_WORDS[i].text[0];
        OCG_NEXT_WORD[i] = OCG_FIRST_WORD[first];
        OCG_FIRST_WORD[first] = (uint16_t)(i + 1);
    }}
}}

/* Return the kinds of a word in small letters, 0 if it has none. */
static inline int ocg_kind_of_word(const uint8_t *word, int length) {{
    for (int i = length ? OCG_FIRST_WORD[word[0]] : 0; i; i = OCG_NEXT_WORD[i - 1])
        if (OCG_WORDS[i - 1].length == length
                && memcmp(word, OCG_WORDS[i - 1].text, (size_t)length) == 0)
            return OCG_WORDS[i - 1].kind;
    return 0;
}}

#endif
"""


def write_name_words(target: Path, source: Path) -> None:
    """Write the C header with the words of `source` and their kinds."""
    kinds: dict[str, frozenset[str]] = runpy.run_path(str(source))["KINDS"]
    of_word = {
        word: " | ".join(f"OCG_{kind}" for kind in kinds if word in kinds[kind])
        for word in sorted(frozenset().union(*kinds.values()))
    }
    if not all(word.isascii() and word.islower() for word in of_word):
        raise ValueError(f"{source}: words must be of letters from a to z")
    text = _TEXT.format(
        kinds="\n".join(f"    OCG_{kind} = 1 << {bit}," for bit, kind in enumerate(kinds)),
        room=max(map(len, of_word)) + 1,
        words="\n".join(
            f'    {{"{word}", {len(word)}, {kind}}},' for word, kind in of_word.items()
        ),
    )
    write_if_changed(target, text)
