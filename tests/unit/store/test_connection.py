"""An open database whose file is replaced meanwhile."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from ocgdedup.errors import StoreError
from ocgdedup.store.database import create_database, is_in_place, open_database, store_errors
from ocgdedup.store.history import transaction


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.db3"
    create_database(str(path)).close()
    return path


def test_replaced_and_moved_back(path: Path) -> None:
    with closing(open_database(str(path))) as database:
        assert is_in_place(database)
        path.rename(path.with_name("moved.db3"))
        assert not is_in_place(database)
        shutil.copy(path.with_name("moved.db3"), path)
        assert not is_in_place(database)
        path.with_name("moved.db3").rename(path)
        assert is_in_place(database)


def test_a_link_that_leads_to_another_file(path: Path) -> None:
    shutil.copy(path, path.with_name("b.db3"))
    link = path.with_name("link.db3")
    link.symlink_to(path)
    with closing(open_database(str(link))) as database:
        assert is_in_place(database)
        link.unlink()
        link.symlink_to(path.with_name("b.db3"))
        assert not is_in_place(database)


def test_the_message_names_what_happened(path: Path) -> None:
    """SQLite says that the database is read-only."""
    with closing(open_database(str(path), writable=True)) as database:
        shutil.copy(path, path.with_name("b.db3"))
        os.replace(path.with_name("b.db3"), path)
        with (
            pytest.raises(StoreError, match="replaced, moved or deleted meanwhile; run the comm"),
            store_errors(str(path), "nothing was changed"),
            transaction(database.connection),
        ):
            database.connection.execute("INSERT INTO Events (Name) VALUES ('x')")
