"""Options of a search by their names on the command line, and those of the last search.

An option that the user does not name has its value of the last search of the database.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, get_type_hints

import apsw

from ocgdedup.errors import IntegrityError
from ocgdedup.matching.evidence import ACCURACIES, Gates
from ocgdedup.model import ALL_ANNOTATIONS, ANNOTATIONS, BEST_HEADER
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.groups import ResolveOptions
from ocgdedup.store.names import read_state, write_state
from ocgdedup.store.search_state import OPTIONS_STATE

_DEFAULT_ACCURACY = "normal"
# By name of an option: the field of Gates that it sets.
_GATES = {
    "gate_ply_start": "start_ply",
    "gate_min_compare": "min_measured",
    "gate_diff_ratio": "max_length_share",
    "gate_min_ply": "min_plies",
    "gate_dynamic": "dynamic",
    "monge_elkan": "monge_elkan",
}
# By name of an option: its name in databases.
_STORED = {
    "truncated_min_shorter": "subsumption_min_shorter",
    "accuracy": "join_accuracy",
    **{name: name.replace("gate", "join") for name in _GATES},
}
_MOST = (1 << 31) - 1
_CHOICES = {"accuracy": tuple(ACCURACIES), "keep_annotations": ANNOTATIONS}
# If the first option is named, the second one of the last search does not apply.
_OPPOSITES = (
    ("no_merge", "merge_variations"),
    ("no_merge", "keep_annotations"),
    ("merge_variations", "no_merge"),
    ("keep_annotations", "no_merge"),
)


class NamedOptions(NamedTuple):
    """Options of a search by their names on the command line; None: not named."""

    plycount: int | None = None
    truncated_min_shorter: int | None = None
    accuracy: str | None = None
    gate_ply_start: int | None = None
    gate_min_compare: int | None = None
    gate_diff_ratio: float | None = None
    gate_min_ply: int | None = None
    gate_dynamic: bool | None = None
    monge_elkan: float | None = None
    keep: str | None = None
    no_merge: bool | None = None
    merge_variations: bool | None = None
    keep_annotations: str | None = None

    @classmethod
    def of_resolve(cls, options: ResolveOptions) -> NamedOptions:
        """Return named options with the values of resolve options."""
        return cls(
            keep=options.keep,
            no_merge=not options.merge,
            merge_variations=options.merge_variations,
            keep_annotations=options.keep_annotations if options.merge else None,
        )

    def named(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if value is not None}

    def over(self, last: NamedOptions) -> NamedOptions:
        """Return these options, completed by those of the last search."""
        before = last.named()
        for name, opposite in _OPPOSITES:
            if getattr(self, name):
                before.pop(opposite, None)
        return NamedOptions(**{**before, **self.named()})

    def search(self) -> SearchOptions:
        """Return the options of a search; gates that the user named are conditions."""
        named = self.named()
        changed = {field: named[name] for name, field in _GATES.items() if name in named}
        gates = None
        if changed or self.accuracy is not None:
            gates = Gates._make(ACCURACIES[self.accuracy or _DEFAULT_ACCURACY])
            gates = gates._replace(**changed)
        return SearchOptions(
            min_plies=self.plycount or 0, named=gates, min_shorter=self.truncated_min_shorter or 0
        )

    def resolve(self) -> ResolveOptions:
        return ResolveOptions(
            self.keep or BEST_HEADER,
            not self.no_merge,
            bool(self.merge_variations),
            self.keep_annotations or ALL_ANNOTATIONS,
        )

    def in_words(self) -> str:
        """Return the named options as on the command line, "defaults" for none."""
        words = []
        for name, value in self.named().items():
            option = f"--{name.replace('_', '-')}"
            if value is not False:
                words.append(option if value is True else f"{option} {value}")
        return " ".join(words) or "defaults"


def last_options(connection: apsw.Connection) -> NamedOptions:
    return noted_options(connection) or NamedOptions()


def noted_options(connection: apsw.Connection) -> NamedOptions | None:
    """Return the options of the last search, None if none are stored.

    Raises IntegrityError if the stored text cannot be read.
    """
    text = read_state(connection, OPTIONS_STATE)
    if text is None:
        return None
    try:
        names = {stored: name for name, stored in _STORED.items()}
        options = NamedOptions(
            **{names.get(key, key): part for key, part in json.loads(text).items()}
        )
        _check_values(options)
        return options
    except (AttributeError, ValueError, TypeError, RecursionError) as error:
        raise IntegrityError(
            f"the options of the last search cannot be read: {text[:80]!r}; name the options, with "
            "--defaults"
        ) from error


def _check_values(options: NamedOptions) -> None:
    """Raise ValueError for a value that the command line does not accept."""
    types = get_type_hints(NamedOptions)
    for name, value in options.named().items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_valid = is_number if types[name] == float | None else isinstance(value, types[name])
        if not is_valid or (is_number and not 0 <= value <= _MOST):
            raise ValueError(f"{name}: {value!r}")
    allowed = _CHOICES
    if options.keep is not None:
        from ocgdedup.matching.kept_game import KEPT_GAME_CRITERIA  # 15 ms

        allowed = {**_CHOICES, "keep": KEPT_GAME_CRITERIA}
    for name, choices in allowed.items():
        if getattr(options, name) not in (None, *choices):
            raise ValueError(f"{name}: {getattr(options, name)!r}")


def note_options(connection: apsw.Connection, options: NamedOptions) -> None:
    """Store the options of a search for the next search."""
    text = json.dumps({_STORED.get(name, name): value for name, value in options.named().items()})
    if text != read_state(connection, OPTIONS_STATE):
        write_state(connection, OPTIONS_STATE, text)


def options_over_last(
    connection: apsw.Connection, named: NamedOptions, defaults: bool
) -> NamedOptions:
    """Return the named options, completed by those of the last search unless `defaults`."""
    return named if defaults else named.over(last_options(connection))
