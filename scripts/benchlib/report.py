"""The table, the ratios and the JSON of a run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from benchlib.model import Corpus, Result, Stage
from benchlib.running import SEARCH_SUFFIX, has_search_files

HEADINGS = (
    "stage",
    "CPU s",
    "min",
    "games/s CPU",
    "best",
    "wall s",
    "min",
    "games/s wall",
    "ns/ply",
    "peak MB",
)


def table(results: Sequence[Result], floor_mb: float) -> str:
    """Return the aligned table; a stage that did not run has its reason instead of figures."""
    rows = [cells(result, floor_mb) for result in results if result.runs]
    text = [align(row, widths_of([HEADINGS, *rows])) for row in [HEADINGS, *rows]]
    text += [f"{result.stage.label}: {result.problem}" for result in results if result.problem]
    return "\n".join(text)


def cells(result: Result, floor_mb: float) -> tuple[str, ...]:
    cpu_s, peak_mb = result.summary("cpu_s"), result.summary("peak_rss_mb", max)
    plies = result.runs[0].plies
    return (
        result.stage.label,
        f"{cpu_s:.3f}",
        f"{result.summary('cpu_s', min):.3f}",
        f"{result.games_per_s('cpu_s'):,.0f}",
        f"{result.games_per_s('cpu_s', min):,.0f}",
        f"{result.summary('wall_s'):.3f}",
        f"{result.summary('wall_s', min):.3f}",
        f"{result.games_per_s('wall_s'):,.0f}",
        f"{cpu_s / plies * 1e9:,.1f}" if plies else "-",
        f"<{floor_mb:.0f}" if peak_mb <= floor_mb * 1.02 else f"{peak_mb:.0f}",
    )


def widths_of(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def align(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(row, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in rest)])


# (text, key, A, B): how many times as long A takes as B for one game
COMPARISONS = (
    ("create vs pgn-extract -s -D, CPU", "cpu_s", "pgn-extract-D", "create"),
    ("create --no-index vs pgn-extract -s -D, CPU", "cpu_s", "pgn-extract-D", "create-no-index"),
    ("create vs python-chess, CPU", "cpu_s", "python-chess", "create"),
    ("create --no-index vs python-chess, CPU", "cpu_s", "python-chess", "create-no-index"),
    ("kernel vs sgfmill, CPU", "cpu_s", "sgfmill", "kernel"),
    ("create vs sgfmill, CPU", "cpu_s", "sgfmill", "create"),
    ("create vs Scid import, CPU", "cpu_s", "scid", "create"),
    ("export vs pgn-extract -s, CPU", "cpu_s", "pgn-extract", "export"),
    ("dedup vs pgn-extract -s -D, CPU", "cpu_s", "pgn-extract-D", "dedup"),
    ("dedup, 1 % new, part of a full run, CPU", "cpu_s", "dedup-new", "dedup"),
    ("dedup, nothing new, part of a full run, CPU", "cpu_s", "dedup-again", "dedup"),
    ("create --jobs 2 vs 1, CPU seconds spent", "cpu_s", "create-jobs-2", "create"),
    ("create --jobs 2 vs 1, wall, times as fast", "wall_s", "create", "create-jobs-2"),
    ("dedup --jobs 2 vs 1, CPU seconds spent", "cpu_s", "dedup-jobs-2", "dedup"),
    ("dedup --jobs 2 vs 1, wall, times as fast", "wall_s", "dedup", "dedup-jobs-2"),
)


def ratios(results: Sequence[Result]) -> dict[str, dict[str, float]]:
    """Return each comparison whose two stages were measured."""
    done = {result.stage.name: result for result in results if result.runs}
    return {
        text: {
            "by_median": done[b].games_per_s(key) / done[a].games_per_s(key),
            "by_minimum": done[b].games_per_s(key, min) / done[a].games_per_s(key, min),
        }
        for text, key, a, b in COMPARISONS
        if a in done and b in done
    }


def ratio_table(values: dict[str, dict[str, float]]) -> str:
    rows = [("ratio, for one game", "by median", "by minimum")]
    rows += [
        (text, f"{value['by_median']:.2f}", f"{value['by_minimum']:.2f}")
        for text, value in values.items()
    ]
    return "\n".join(align(row, widths_of(rows)) for row in rows)


def remarks(results: Sequence[Result], corpus: Corpus, about: dict[str, Any]) -> Iterator[str]:
    """Yield what one must know to read the table."""
    yield "CPU is user + system. Columns: median of all rounds, then the minimum; peak: maximum."
    yield "Peak memory is not seen below that of this script: '<' before a figure says so."
    if not about["package"]["sha_ni"]:
        yield "This processor has no SHA instructions: both kernel rows are the portable one."
    for result in results:
        if result.stage.name == "kernel" and result.runs:
            yield "Kernel: only the calls that parse; start-up and reading are left out."
        if result.stage.name in ("python-chess", "sgfmill") and result.runs:
            whole_s = corpus.games / result.games_per_s("cpu_s")
            yield (
                f"{result.stage.name}: {result.runs[0].games:,} games spread over the input, "
                f"imports left out; all {corpus.games:,} games would take {whole_s:,.1f} s CPU."
            )


def report_json(results: Sequence[Result], shared: dict[str, Any]) -> dict[str, Any]:
    return {
        **shared,
        "ratios": ratios(results),
        "stages": {result.stage.name: stage_json(result) for result in results},
    }


def copying(stage: Stage) -> str | None:
    """Return the command that does what run_stage() does before a run."""
    if stage.copied is None:
        return None
    command = shlex.join(("cp", *map(str, stage.copied)))
    if not has_search_files(stage.copied[0]):
        return command
    folders = (f"{path}{SEARCH_SUFFIX}" for path in stage.copied)
    return f"{command} && {shlex.join(('cp', '-r', *folders))}"


def stage_json(result: Result) -> dict[str, Any]:
    stage = result.stage
    return {
        "label": stage.label,
        "before_each_run": copying(stage),
        "command": shlex.join(stage.command),
        "problem": result.problem or None,
        "runs": [asdict(run) for run in result.runs],
    }


def print_report(results: Sequence[Result], corpus: Corpus, shared: dict[str, Any]) -> None:
    about = shared["machine"]
    loads = [f"{about[f'load_average_{when}'][0]:.1f}" for when in ("before", "after")]
    print(
        f"{corpus.games:,} games, {corpus.plies:,} plies, {corpus.size_bytes / 1e6:,.1f} MB; "
        f"{shared['rounds']} rounds after one to warm up; load {' -> '.join(loads)}"
    )
    print(
        f"{about['cpu']}, {about['cores_usable']} cores; Python {about['python']}, "
        f"SQLite {about['sqlite']}, Cython {about['cython']}, "
        f"ocgdedup {about['package']['version']}"
    )
    print(f"\n{table(results, shared['script_peak_rss_mb'])}\n")
    print("\n".join(remarks(results, corpus, about)))
    if values := ratios(results):
        print(f"\n{ratio_table(values)}")
