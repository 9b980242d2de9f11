"""scripts/kernel_columns.py: what the kernels know of the columns of Games."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from ocgdedup import game_columns

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
write_columns = runpy.run_path(str(SCRIPTS / "kernel_columns.py"))["write_columns"]
SOURCE = Path(game_columns.__file__)
NEW_TAG = "\nBoard text tag=Board\n    a tag\n"


def with_new_tag(folder: Path, optional: str) -> Path:
    text = SOURCE.read_text(encoding="utf-8")
    source = folder / "columns.py"
    source.write_text(text.replace('("ECO", "TimeControl")', optional), encoding="utf-8")
    columns = SOURCE.with_suffix(".txt").read_text(encoding="utf-8")
    (folder / "game_columns.txt").write_text(columns + NEW_TAG, encoding="utf-8")
    return source


def test_new_tag_is_recognised_and_has_columns(tmp_path: Path) -> None:
    target = tmp_path / "tables" / "columns.pxd"
    write_columns(target, with_new_tag(tmp_path, '("ECO", "Board", "TimeControl")'))
    made = target.read_text(encoding="utf-8")
    number = made[made.index("TAG_EVENT") :].split().index("TAG_BOARD")
    assert f'ocg_is_name(p, "board", 5)) return {number};' in made
    assert f'{{"Board", {number}, {len(game_columns.LOADED_COLUMNS)}, ' in made
    assert {"INSERTED_BOARD", "PRINTED_BOARD"} < {*made.split()}


def test_text_tag_without_an_index_among_written_tags_is_refused(tmp_path: Path) -> None:
    source = with_new_tag(tmp_path, '("ECO", "TimeControl")')
    with pytest.raises(ValueError, match="OPTIONAL_TAGS"):
        write_columns(tmp_path / "columns.pxd", source)
