"""Write the column indexes and the tags for the kernels from ocgdedup/game_columns.py."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterable
from pathlib import Path

# Tags without a column that decide how a game is read.
_OTHER_TAGS = ("SetUp", "Variant")
_TEXT = '''\
# Made by scripts/kernel_columns.py.
from libc.stdint cimport uint8_t

# Tags that have a column, or that decide how a game is read.
{tags}

# Column indexes of a row that a load inserts, of one that a game is printed from, of a header.
{inserted}

{printed}

{header}

cdef enum:
    TEXT_TAGS = {text_tag_count}       # whose column holds the text of the tag
    OPTIONAL_TAGS = {optional_count}   # of these, the tags that are left out if they are NULL

cdef extern from *:
    """
    typedef struct {{ const char *name; int tag, inserted, printed; }} ocg_text_tag;
    /* The first OPTIONAL_TAGS in the order in which they are written. */
    static const ocg_text_tag OCG_TEXT_TAGS[] = {{
{text_tags}
    }};
    static inline int ocg_is_name(const uint8_t *p, const char *name, size_t length) {{
        for (size_t i = 0; i < length; i++) if ((p[i] | 32) != name[i]) return 0;
        return 1;
    }}
    static inline int ocg_tag_number(const uint8_t *p, size_t length) {{
        switch (length) {{
{cases}
        }}
        return {tag_count};
    }}
    """
    ctypedef struct ocg_text_tag:
        const char *name
        int tag, inserted, printed
    const ocg_text_tag OCG_TEXT_TAGS[TEXT_TAGS]
    int ocg_tag_number(const uint8_t *p, size_t length) nogil


cdef inline tuple inserted_columns():
    return {inserted_columns}


cdef inline tuple printed_columns():
    return {printed_columns}


cdef inline tuple header_columns():
    return {header_columns}
'''


def write_columns(target: Path, source: Path) -> None:
    """Write a .pxd with the columns and tags of `source`, unless it is there as it should be."""
    declared = runpy.run_path(str(source))
    columns = declared["GAME_COLUMNS"]
    inserted, printed, header = (
        declared[f"{kind}_COLUMNS"] for kind in ("INSERTED", "PRINTED", "HEADER")
    )
    tags = [*(column.tag for column in columns if column.tag), *_OTHER_TAGS]
    if not all(tag.isascii() and tag.isalpha() for tag in tags):
        raise ValueError(f"{source}: tags must be of letters from A to Z")
    texts = {c.tag: c.name for c in columns if c.tag and c.kind in ("word", "text")}
    optional = declared["OPTIONAL_TAGS"]
    if {*optional} != {*texts} - {*declared["ROSTER"], "FEN"}:
        raise ValueError(f"{source}: OPTIONAL_TAGS differ from the tags of text with a column")
    text = _TEXT.format(
        tags=_enum("TAG", tags, "TAG_COUNT"),
        tag_count=len(tags),
        inserted=_enum("INSERTED", inserted, "INSERTED_COUNT"),
        printed=_enum("PRINTED", printed, "PRINTED_COUNT"),
        header=_enum("HEADER", header, "HEADER_COUNT"),
        text_tag_count=len(texts),
        optional_count=len(optional),
        text_tags="\n".join(
            f'        {{"{tag}", {tags.index(tag)}, {inserted.index(texts[tag])}, '
            f"{printed.index(texts[tag])}}},"
            for tag in dict.fromkeys((*optional, *texts))
        ),
        cases="\n".join(_cases(tags)),
        inserted_columns=inserted,
        printed_columns=printed,
        header_columns=header,
    )
    # Cython compares times of files.
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _enum(prefix: str, names: Iterable[str], last: str) -> str:
    """Return an enum of names like TimeControl as INSERTED_TIME_CONTROL; `last` is their number."""
    snake = (re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper() for name in names)
    return "\n".join(["cdef enum:", *(f"    {prefix}_{name}" for name in snake), f"    {last}"])


def _cases(tags: list[str]) -> Iterable[str]:
    """Yield the branches of ocg_tag_number(), by the length of the tag."""
    for length in sorted({*map(len, tags)}):
        yield f"        case {length}:"
        for number, tag in enumerate(tags):
            if len(tag) == length:
                yield f'            if (ocg_is_name(p, "{tag.lower()}", {length})) return {number};'
        yield "            break;"
