"""Public names that were renamed: each works until the next minor release, with a warning.

Owns the tables of old names; the command line, the Python interface, `--json` and the section
"Deprecated names" of docs/reference.md are fed from them.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

# Old option by command: the new option.
_SEARCH = {
    "--subsumption-min-shorter": "--truncated-min-shorter",
    "--join-accuracy": "--accuracy",
    "--join-ply-start": "--gate-ply-start",
    "--join-min-compare": "--gate-min-compare",
    "--join-min-ply": "--gate-min-ply",
    "--join-diff-ratio": "--gate-diff-ratio",
    "--join-dynamic": "--gate-dynamic",
}
OPTIONS = {
    "dedup": _SEARCH, "run": _SEARCH, "distributed": _SEARCH,
    "review": {"--joins": "--near-identical"},
}  # fmt: skip
# Old class of `import ocgdedup`: the new name.
CLASSES = {"Stripping": "AnnotationFilter"}
# Old attribute by class: the new one. Such records have both as keys of --json.
ATTRIBUTES = {
    "CheckResult": {"left": "after_repair"},
    "DedupResult": {"removed": "deleted", "suspects": "possible_duplicates"},
    "DuplicateState": {
        "copies": "by_class",
        "suspects_decided": "possible_duplicates_decided",
        "suspects_open": "possible_duplicates_undecided",
    },
    "ExportResult": {"copies": "duplicates", "removed": "deleted"},
    "FileInfo": {
        "cut_games": "games_truncated_at_error", "kind": "format", "removed_games": "deleted_games",
    },
    "Finding": {"what": "description"},
    "FoundGame": {"likeness": "similarity"},
    "GameDatabase": {"suspects": "possible_duplicates"},
    "IngestSummary": {"passed_over": "skipped"},
    "PlayersSummary": {"open_names": "unresolved_names", "took_back_merges": "reverted_merges"},
    "ResetResult": {"put_back": "restored", "suspects": "possible_duplicates"},
    "Resolved": {
        "annotated": "annotations_left", "copies": "duplicates", "noted": "annotations_merged",
    },
    "Selection": {"with_copies": "with_duplicates"},
    "Suspect": {"kind": "duplicate_class", "master": "kept_game"},
}  # fmt: skip
# New key of --json by command, with those of the objects around it: the old key.
KEYS = {
    "check": {"faults.description": "what", "remarks.description": "what"},
    "find": {"duplicate_of": "copy_of", "similarity": "likeness"},
    "info": {
        "duplicates.by_class": "copies",
        "duplicates.possible_duplicates_decided": "suspects_decided",
        "duplicates.possible_duplicates_undecided": "suspects_open",
        **{f"duplicates.options.{new[2:]}": old[2:] for old, new in _SEARCH.items()},
        "format": "kind",
        "games.deleted": "removed",
        "games.truncated_at_error": "cut_at_a_fault",
    },
    "run": {
        "duplicates_by_class": "copies",
        "duplicates_written": "copies_written",
        "elapsed_s.duplicates": "copies",
        "games_truncated_at_error": "games_cut",
        "inputs_skipped": "inputs_passed_over",
        "possible_duplicates": "suspects",
        "texts_rejected": "blocks_rejected",
        "unresolved_names": "open_names",
    },
}


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn with the line of the program that called ocgdedup."""
    level, frame = 1, sys._getframe()
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", "").split(".")[0] == __package__
    ):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def renamed_class(name: str, module: str) -> str:
    """Return the new name of a class and warn; raise AttributeError if it never was one."""
    if name not in CLASSES:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
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
    names = OPTIONS.get(command, {})
    for index, word in enumerate(words):
        option, equals, value = word.partition("=")
        if word == "--":
            break
        if option in names:
            renamed[index] = f"{names[option]}{equals}{value}"
            messages.append(f"{option} is deprecated; use {names[option]}")
    return renamed, messages


def with_old_keys(command: str, value: dict[str, Any]) -> dict[str, Any]:
    """Add the old keys of a command's JSON object beside the new ones; return the object."""
    for path, old in KEYS[command].items():
        _add_key(value, path.split("."), old)
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
