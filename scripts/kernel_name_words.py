"""Make the tables of words in names for the kernels, from tables in ocgdedup/matching/names/."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path

from kernel_constants import write_if_changed

_HEAD = """\
/* Made by scripts/kernel_name_words.py. */
#ifndef OCG_NAME_TABLE_H
#define OCG_NAME_TABLE_H
#include "compiler.h"
#include <string.h>

enum {{
{kinds}
}};
"""
_TABLE = """\
static const struct {{ char text[{room}]; int length, value; }} {table}[] = {{
{words}
}};
enum {{ {table}_COUNT = sizeof {table} / sizeof {table}[0] }};
/* By first letter: one more than the place of the first word, and of the next after a word. */
static uint16_t {table}_FIRST[256], {table}_NEXT[{table}_COUNT];
OCG_AT_LOAD({function}_index) {{
    for (int i = {table}_COUNT - 1; i >= 0; i--) {{
        uint8_t first = (uint8_t){table}[i].text[0];
        {table}_NEXT[i] = {table}_FIRST[first];
        {table}_FIRST[first] = (uint16_t)(i + 1);
    }}
}}

/* Return the {meaning} of a word in small letters, 0 if it has none. */
static inline int {function}(const uint8_t *word, int length) {{
    for (int i = length ? {table}_FIRST[word[0]] : 0; i; i = {table}_NEXT[i - 1])
        if ({table}[i - 1].length == length
                && memcmp(word, {table}[i - 1].text, (size_t)length) == 0)
            return {table}[i - 1].value;
    return 0;
}}

"""


def write_name_words(target: Path, source: Path) -> None:
    """Write the C header with the words of `source`, their kinds, and groups of surnames."""
    module = runpy.run_path(str(source))
    kinds: dict[str, frozenset[str]] = module["KINDS"]
    of_word = {
        word: " | ".join(f"OCG_{kind}" for kind in kinds if word in kinds[kind])
        for word in sorted(frozenset().union(*kinds.values()))
    }
    groups = _surname_groups(
        *map(str.split, module["read_table"]("korean_names")["surnames"].splitlines()),
        *(pair.split("=") for pair in module["read_table"]("chinese_names")["spellings"].split()),
    )
    text = _HEAD.format(
        kinds="\n".join(f"    OCG_{kind} = 1 << {bit}," for bit, kind in enumerate(kinds))
    )
    text += _c_table("OCG_WORDS", "ocg_kind_of_word", "kinds", of_word)
    text += _c_table("OCG_SURNAMES", "ocg_surname_group", "group", groups)
    write_if_changed(target, text + "#endif\n")


def _surname_groups(*spellings: list[str]) -> dict[str, int]:
    """Return the group of each spelling of a surname; a spelling of two surnames joins them."""
    groups: list[set[str]] = []
    for same in map(set, spellings):
        joined = [group for group in groups if group & same]
        groups = [group for group in groups if group not in joined] + [same.union(*joined)]
    several = sorted(sorted(group) for group in groups if len(group) > 1)
    return {word: number for number, group in enumerate(several, 1) for word in group}


def _c_table(table: str, function: str, meaning: str, values: Mapping[str, object]) -> str:
    """Return a table of words in C with the function that looks up a word."""
    if not all(word.isascii() and word.islower() for word in values):
        raise ValueError(f"{table}: words must be of letters from a to z")
    words = "\n".join(f'    {{"{word}", {len(word)}, {value}}},' for word, value in values.items())
    room = max(map(len, values)) + 1
    return _TABLE.format(table=table, function=function, meaning=meaning, words=words, room=room)
