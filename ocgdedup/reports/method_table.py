"""The table of duplicates by six keys, as plain text."""

from __future__ import annotations

from collections.abc import Sequence

from ocgdedup.pipeline.search.key_groups import MethodResult

_HEADER = (
    "method", "reported", "true", "rejected", "groups", "pairs", "true pairs", "s", "CPU s",
)  # fmt: skip


def method_table(results: Sequence[MethodResult]) -> str:
    """Return one line for each method under a header, the numbers to the right."""
    rows = [_HEADER, *map(_cells, results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        f"{row[0]:{widths[0]}}"
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        + "\n"
        for row in rows
    )


def _cells(result: MethodResult) -> tuple[str, ...]:
    counts = (
        result.reported, result.true, result.rejected, result.groups,
        result.reported_pairs, result.true_pairs,
    )  # fmt: skip
    times_s = (result.elapsed_s, result.cpu_s)
    return (result.method, *map(str, counts), *(f"{time_s:.3f}" for time_s in times_s))
