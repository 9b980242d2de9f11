"""What the name of a file says: which files of a folder and members of an archive are read.

Owns the endings that are looked for, and what is said of an archive that holds none of them.
"""

from __future__ import annotations

from ocgdedup.errors import PgnReadError
from ocgdedup.pgn.decompress import EXTENSIONS

_TEXT_SUFFIXES = tuple(
    f".{kind}{extension}" for kind in ("pgn", "sgf") for extension in ("", *EXTENSIONS)
)
_ARCHIVE_SUFFIXES = (*(f".tar{extension}" for extension in ("", *EXTENSIONS)), ".tgz", ".zip")
INPUT_SUFFIXES = (*_TEXT_SUFFIXES, *_ARCHIVE_SUFFIXES)
_PASSED_SUFFIXES = (*_ARCHIVE_SUFFIXES, ".7z", ".rar")
_SHOWN_ARCHIVES = 5


class MemberNames:
    """The names of an archive's members: PGN and SGF are read, archives passed but not in silence.

    `archive`: its name; `kind`: what users call it, "zip file".
    """

    def __init__(self, archive: str, kind: str) -> None:
        self._archive = archive
        self._kind = kind
        self._has_text = False
        self._passed: list[str] = []  # the first ones
        self._more = 0

    def admit(self, member: str) -> bool:
        """Tell if a member is to be read; hidden ones are not (macOS adds __MACOSX/._name.pgn)."""
        if member.rpartition("/")[2].startswith("."):
            return False
        name = member.lower()
        is_text = name.endswith(_TEXT_SUFFIXES)
        self._has_text |= is_text
        if name.endswith(_PASSED_SUFFIXES):
            if len(self._passed) < _SHOWN_ARCHIVES:
                self._passed.append(member)
            else:
                self._more += 1
        return is_text

    def close(self) -> None:
        """Raise PgnReadError if some member was an archive itself, or none was PGN or SGF."""
        if self._passed:
            shown = ", ".join(self._passed)
            more = f" and {self._more} more" if self._more else ""
            raise PgnReadError(
                f"{self._archive}: holds archives, which were not read: {shown}{more}; "
                "unpack it and name the archives in it"
            )
        if not self._has_text:
            raise PgnReadError(
                f"{self._archive}: no member of this {self._kind} ends in .pgn or .sgf; "
                "unpack it and give the files"
            )
