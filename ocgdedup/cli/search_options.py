"""The search options that the user gave, for dedup, run and distributed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ocgdedup.errors import UsageError

if TYPE_CHECKING:
    from ocgdedup.pipeline.search.named_options import NamedOptions


def named_options(options: argparse.Namespace) -> NamedOptions:
    """Return the options that the user gave; raise UsageError if two contradict each other."""
    for name in ("merge_variations", "keep_annotations"):
        if options.no_merge and getattr(options, name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{options.command}: {option} does not go with --no-merge; leave out one"
            )
    from ocgdedup.pipeline.search.named_options import NamedOptions

    # A flag that is not given is False.
    values = {name: getattr(options, name) for name in NamedOptions._fields}
    return NamedOptions(**{name: value for name, value in values.items() if value is not False})
