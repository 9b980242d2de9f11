"""Public names that were renamed: each works until the next minor release, with a warning.

The names are in deprecated.txt, for the command line, the Python interface, `--json` and the
section "Deprecated names" of docs/reference.md.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ocgdedup.data_files import read_sections


def _read_names() -> dict[str, dict[str, dict[str, str]]]:
    """Return the new names by type of name, owner (a command, class or module) and old name."""
    names: dict[str, dict[str, dict[str, str]]] = {}
    for title, text in read_sections(__file__, "deprecated.txt").items():
        name_type, *owners = title.split()
        words = text.split()
        renamed = dict(zip(words[::2], words[1::2], strict=True))
        names.setdefault(name_type, {}).update(dict.fromkeys(owners, renamed))
    return names


_NAMES = _read_names()
OPTIONS = _NAMES["option"]
VALUES = _NAMES["value"]  # of options
CLASSES = _NAMES["class"]["ocgdedup"]
ATTRIBUTES = _NAMES["attribute"]  # keys of --json too, where it prints such a record
KEYS = _NAMES["json"]
SYNONYMS = _NAMES["synonym"]["ocgdedup"]  # options that never were, and what was meant


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn with the line of the program that called ocgdedup."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith(
        "ocgdedup."
    ):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def renamed_class(name: str) -> str:
    """Return the new name of a class and warn; raise AttributeError if it never was one."""
    if name not in CLASSES:
        raise AttributeError(f"module 'ocgdedup' has no attribute {name!r}")
    warn_caller(f"{name}: deprecated; use {CLASSES[name]}", DeprecationWarning)
    return CLASSES[name]


def add_old_names(*classes: type[Any]) -> None:
    """Add the old attributes to classes."""
    for renamed in classes:
        for old, new in ATTRIBUTES[renamed.__name__].items():
            setattr(renamed, old, _old_attribute(renamed.__name__, old, new))


def _old_attribute(owner: str, old: str, new: str) -> property:
    def read(record: Any) -> Any:
        warn_caller(f"{owner}.{old}: deprecated; use {new}", DeprecationWarning)
        return getattr(record, new)

    return property(read, doc=f"Deprecated: use {new}.")


def accept_old_arguments(record: type[Any]) -> None:
    """Make the constructor of a named tuple accept the old names of its fields."""
    make, names = record.__new__, ATTRIBUTES[record.__name__]

    def make_record(cls: type[Any], *values: Any, **fields: Any) -> Any:
        for old in names.keys() & fields:
            warn_caller(
                f"{record.__name__}({old}=): deprecated; use {names[old]}", DeprecationWarning
            )
            fields[names[old]] = fields.pop(old)
        return make(cls, *values, **fields)

    setattr(record, "__new__", make_record)  # noqa: B010  # mypy knows no other __new__


def with_new_options(command: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return a command line with the new names of old options, and a warning for each."""
    renamed, messages = list(words), []
    names, values = OPTIONS.get(command, {}), VALUES.get(command, {})
    for index, (word, following) in enumerate(pairwise((*words, ""))):
        option, equals, value = word.partition("=")
        if word == "--":
            break
        if option in names:
            renamed[index] = f"{names[option]}{equals}{value}"
            messages.append(f"{option} is deprecated; use {names[option]}")
        old = word if equals else f"{word}={following}"
        if old in values:
            # "--names original" becomes "--names merged".
            renamed[index if equals else index + 1] = (
                values[old] if equals else values[old].partition("=")[2]
            )
            messages.append(f"{old} is deprecated; use {values[old]}")
    return renamed, messages


def with_old_keys(command: str, value: dict[str, Any]) -> dict[str, Any]:
    """Add the old keys of a command's JSON object beside the new ones; return the object."""
    for old, new in KEYS[command].items():
        _add_key(value, new.split("."), old.rpartition(".")[2])
    return value


def _add_key(value: Any, path: list[str], old: str) -> None:
    if isinstance(value, list):
        for part in value:
            _add_key(part, path, old)
    elif isinstance(value, dict) and path[0] in value:
        if path[1:]:
            _add_key(value[path[0]], path[1:], old)
        else:
            value[old] = value[path[0]]


def with_old_fields(record: type[Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record for JSON, the old names after the new ones."""
    names = ATTRIBUTES.get(record.__name__, {})
    return fields | {old: fields[new] for old, new in names.items() if new in fields}
