"""What a search remembers: the files of the last search, and those for the next one.

Owns when they are opened and published. A database knows its files by a token, which a command
that searches writes in its transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from ocgdedup.pipeline.search.search_files import NewSearchFiles, SearchFiles


class SearchMemory:
    """The files of one command, as a context; publish() is called after the commit."""

    def __init__(self, database: str, token: str | None) -> None:
        """`token`: of the last search, None if nothing may be taken from its files."""
        self._database = database
        self._last_token, self._token = token, secrets.token_hex(8)
        self._new: NewSearchFiles | None = None

    def __enter__(self) -> SearchMemory:
        return self

    def __exit__(self, *_: object) -> None:
        self.give_up()

    def last(self) -> SearchFiles | None:
        """Open the files of the last search; None if there are none that can be used.

        A second search of one command takes nothing from files, since it has changed the database.
        """
        if self._last_token is None or self._new is not None:
            return None
        return SearchFiles.open(self._database, self._last_token)

    def begin(self, last: SearchFiles | None) -> NewSearchFiles:
        """Open new files, which add to those of the last search, or replace them if None."""
        self.give_up()
        self._last_token = None
        self._new = NewSearchFiles(self._database, last)
        return self._new

    def give_up(self) -> None:
        """Delete the new files unless they are published."""
        if self._new is not None:
            self._new.__exit__()
            self._new = None

    def write_counts(self, counts: Mapping[str, bytes | None]) -> None:
        """Write counts of names and groups; keep those of the last search that are None."""
        assert self._new is not None
        for name, content in counts.items():
            if content is None:
                self._new.keep(name)
            else:
                self._new.write_packed(name, content)

    @property
    def token(self) -> str | None:
        """The token of the new files, or of the last ones if they stay; None without files."""
        if self._new is None:
            return self._last_token
        return self._token if self._new.is_open else None

    def publish(self) -> None:
        """Make the new files those of the last search."""
        if self._new is not None:
            self._new.commit(self._token)
