"""kernels/sqlite/sqlite_api.h: its members have the offsets of SQLite's own header."""

import re
from pathlib import Path

import pytest

OURS = Path(__file__).parents[2] / "kernels" / "sqlite" / "sqlite_api.h"
SQLITE = Path("/usr/include/sqlite3ext.h")


def struct_body(text: str, start: str, end: str) -> str:
    without_comments = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return without_comments.split(start, 1)[1].split(end, 1)[0]


def members_of_sqlite() -> list[str]:
    body = struct_body(SQLITE.read_text(), "struct sqlite3_api_routines {", "\n};")
    return [
        result.group(1)
        for member in body.split(";")
        if (result := re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", member))
    ]


def our_members() -> dict[str, int]:
    body = struct_body(OURS.read_text(), "typedef struct ocg_sqlite_api {", "} ocg_sqlite_api;")
    places: dict[str, int] = {}
    at = 0
    for member in filter(str.strip, body.split(";")):
        gap = re.search(r"unused_(\d+)\[(\d+)\]", member)
        if gap:
            assert int(gap.group(1)) == at
            at += int(gap.group(2))
            continue
        result = re.search(r"\(\*(\w+)\)", member)
        assert result, member
        places[result.group(1)] = at
        at += 1
    return places


def test_unused_members_are_named_after_their_index() -> None:
    assert our_members()["bind_blob"] == 2


@pytest.mark.skipif(not SQLITE.exists(), reason="sqlite3ext.h is not installed")
def test_members_have_the_offsets_of_sqlite3ext() -> None:
    names = members_of_sqlite()
    assert {name: names.index(name) for name in our_members()} == our_members()
