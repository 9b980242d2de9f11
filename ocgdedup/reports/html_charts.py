"""Charts of a report as HTML and SVG, which need no JavaScript; each has its figures as a table.

Widths are attributes of SVG, because the page allows no style attributes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

from ocgdedup.game_kind import CHESS
from ocgdedup.pipeline.search.overview import Bin, Overview, SourcePair
from ocgdedup.reports.html_data import Thresholds
from ocgdedup.store.reports import SourceCounts
from ocgdedup.wording import POSSIBLE_DUPLICATE, WHOLE_CLASS_WORDS

_MOST_SOURCES = 20  # pairs of files with a bar
_FEW_DUPLICATES = 2  # if no pair of files has more, folders are shown instead
_TABLE_ROWS = 500  # of files in the table behind
_SCORE_BIN = 2  # wide
_LAST_SCORE_BIN = 30  # with all higher scores
_MOST_YEARS = 48  # bars; more years are put together
_YEARS_A_BAR = (1, 2, 5, 10, 20, 50, 100, 250)
_AXIS_LABELS = 5
_COLOURS = ("first", "second")  # classes of the style
_BARS_WIDTH = 0.84  # of the distance of two labels
_DASH = "\N{EN DASH}"
_HEAD = 'th scope="col"'


class Heading(NamedTuple):
    """The caption of a chart: its ID in the page, a title and a description."""

    key: str
    title: str
    text: str


class Series(NamedTuple):
    """One row of bars: its name and a height for each label."""

    name: str
    heights: Sequence[float]


class Histogram(NamedTuple):
    """Bars beside each other over a range; `rows` are those of the table, a head first.

    `marks`: positions of vertical lines, in bars from the left.
    """

    labels: Sequence[str]
    series: Sequence[Series]
    unit: str
    rows: Sequence[Sequence[str]]
    marks: Sequence[float] = ()


def charts_html(overview: Overview, thresholds: Thresholds) -> str:
    """Return the charts that are not empty."""
    made = [_classes(overview), _scores(overview, thresholds)]
    made += [_years(overview), _lengths(overview)]
    made += [_qualities(overview), _files(overview.files), _sources(overview.sources)]
    return "\n".join(filter(None, made)) or "<p>There are no duplicates to draw.</p>"


# --- bars in a table ---


def _classes(overview: Overview) -> str:
    names = [WHOLE_CLASS_WORDS.get(row.status, row.status) for row in overview.classes]
    rows = [
        ([f"{name} ({row.reason})" if row.reason else name], row.present + row.deleted)
        for name, row in zip(names, overview.classes, strict=True)
    ]
    text = "How each duplicate differs from its kept game"
    if overview.totals.deleted:
        text += "; deleted duplicates are counted too"
    return _bar_table(Heading("classes", "Duplicates by class", text), ["class"], rows)


def _files(files: Sequence[SourceCounts]) -> str:
    """Return the table of input files; the last row sums up all after the first _TABLE_ROWS."""
    if not any(file.duplicates for file in files):
        return ""
    names = _short_names({file.name for file in files})
    rows = [[names[file.name], *map(_number, _counts_of(file))] for file in files[:_TABLE_ROWS]]
    left = files[_TABLE_ROWS:]
    if left:
        sums = map(sum, zip(*map(_counts_of, left), strict=True))
        rows.append([f"{_number(len(left))} other files", *map(_number, sums)])
    heads = ["file", "games", "new", "duplicates", "truncated", "possible duplicates", "rejected"]
    text = "Games of each input file: new ones, and duplicates of a game that is kept"
    table = _details("Input files", [heads, *rows], is_open=len(rows) <= _MOST_SOURCES)
    return f"{_figure(Heading('files', 'Duplicates by input file', text))}\n{table}</figure>"


def _counts_of(file: SourceCounts) -> tuple[int, ...]:
    return (
        file.games, file.new, file.duplicates, file.truncated, file.possible_duplicates,
        file.rejected,
    )  # fmt: skip


def _sources(pairs: Sequence[SourcePair]) -> str:
    unit = "files"
    if len(pairs) > _MOST_SOURCES and pairs[0].games <= _FEW_DUPLICATES:
        counts: Counter[tuple[str | None, str | None]] = Counter()  # a game a file
        for pair in pairs:
            counts[_folder(pair.kept_game), _folder(pair.duplicate)] += pair.games
        pairs = [SourcePair(*folders, count) for folders, count in counts.most_common()]
        unit = "folders"
    names = _short_names(
        {name for pair in pairs for name in (pair.kept_game, pair.duplicate) if name}
    )
    names[None] = "not known"
    rows = [([names[pair.kept_game], names[pair.duplicate]], pair.games) for pair in pairs]
    text = "Where the kept game and its duplicate came from"
    heading = Heading("sources", f"Duplicates by pair of {unit}", text)
    shown = _bar_table(heading, ["kept game in", "duplicate in"], rows, _MOST_SOURCES)
    if len(rows) <= _MOST_SOURCES:
        return shown
    cells = [[*labels, _number(count)] for labels, count in rows[_MOST_SOURCES:_TABLE_ROWS]]
    left = rows[_TABLE_ROWS:]
    if left:
        rest = sum(count for _, count in left)
        cells.append([f"{_number(len(left))} other pairs", "", _number(rest)])
    table = _details(
        "The other pairs", [["kept game in", "duplicate in", "duplicates"], *cells], texts=2
    )
    return shown.removesuffix("</figure>") + f"{table}</figure>"


def _folder(name: str | None) -> str | None:
    return f"{os.path.dirname(name) or '.'}/" if name else None


def _bar_table(
    heading: Heading,
    heads: Sequence[str],
    rows: Sequence[tuple[Sequence[str], int]],
    most_rows: int | None = None,
) -> str:
    if not rows:
        return ""
    most = max(count for _, count in rows)
    total = sum(count for _, count in rows)
    head = _cells(_HEAD, heads, len(heads))
    numbers = (("number", "duplicates"), ("number share", "share"))
    head += "".join(f'<th scope="col" class="{kind}">{name}</th>' for kind, name in numbers)
    body = "\n".join(_bar_row(labels, count, most, total) for labels, count in rows[:most_rows])
    return (
        f'{_figure(heading)}\n<table><thead><tr>{head}<td class="bar"></td></tr></thead>\n'
        f"<tbody>{body}</tbody></table></figure>"
    )


def _bar_row(labels: Sequence[str], count: int, most: int, total: int) -> str:
    first, *others = (escape(label) for label in labels)
    cells = f'<th scope="row">{first}</th>' + "".join(f"<td>{label}</td>" for label in others)
    width = 100 * count / most
    return (
        f'<tr>{cells}<td class="number">{_number(count)}</td>'
        f'<td class="number share">{_percent(count, total)}</td><td class="bar">'
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="first" width="{width:.2f}" height="10"/></svg></td></tr>'
    )


# --- bars over a range ---


def _years(overview: Overview) -> str:
    dated = [(year, count) for year, count in overview.years if year is not None]
    unknown = sum(count for year, count in overview.years if year is None)
    if not dated:
        return ""
    first, last = dated[0][0], dated[-1][0]
    width = next(width for width in _YEARS_A_BAR if (last - first) // width < _MOST_YEARS)
    first -= first % width
    heights = [0] * ((last - first) // width + 1)
    for year, count in dated:
        heights[(year - first) // width] += count
    labels = [str(first + width * index) for index in range(len(heights))]
    rows = [[str(year), _number(count)] for year, count in dated]
    text = "Duplicates by the year of the kept game"
    if width > 1:
        text += f"; a bar for {width} years, the table has each"
    if unknown:
        rows.append(["not known", _number(unknown)])
        text += f"; the year of {_number(unknown)} is unknown"
    heading = Heading("years", "Duplicates by year of the game", text)
    series = [Series("duplicates", heights)]
    return _histogram(heading, Histogram(labels, series, "", [["year", "duplicates"], *rows]))


def _lengths(overview: Overview) -> str:
    words = overview.kind.plain_units.capitalize()
    text = f"{words} of all records and of the duplicates among them, as shares of each"
    heading = Heading("lengths", "Lengths of games", text)
    return _two_series(
        heading, overview.lengths, (overview.kind.units, "all records", "duplicates")
    )


def _qualities(overview: Overview) -> str:
    most = ", 0 to 88" if overview.kind is CHESS else ""
    text = f"Header scores of kept games{most}: the more complete the header, the higher"
    heading = Heading("quality", "Headers before and after the merge", text)
    return _two_series(heading, overview.qualities, ("header score", "before", "after"))


def _scores(overview: Overview, thresholds: Thresholds) -> str:
    """Draw how many of the listed pairs have which score, with both thresholds."""
    kinds = [(pair.status == POSSIBLE_DUPLICATE, pair.score) for pair in overview.pairs]
    scores = [(is_possible, score) for is_possible, score in kinds if score is not None]
    if not scores:
        return ""
    indexes = [_score_bin(score) for _, score in scores]
    # Both thresholds are in the range, whatever the scores are.
    first = min(*indexes, _score_bin(thresholds.possible))
    last = max(*indexes, _score_bin(thresholds.duplicate) + 1)
    heights = [[0.0] * (last - first + 1), [0.0] * (last - first + 1)]
    for (is_possible, _), index in zip(scores, indexes, strict=True):
        heights[is_possible][index - first] += 1
    labels = [str(_SCORE_BIN * (first + index)) for index in range(last - first + 1)]
    names = ("duplicates", "possible duplicates")
    rows = [
        [label, *(_number(int(series[index])) for series in heights)]
        for index, label in enumerate(labels)
        if any(series[index] for series in heights)
    ]
    limits = (thresholds.possible, thresholds.duplicate)
    text = (
        f"The listed pairs by the sum of their evidence; the dashed lines are the thresholds of "
        f"possible duplicates ({limits[0]:g}) and duplicates ({limits[1]:g})"
    )
    chart = Histogram(
        labels,
        [Series(name, series) for name, series in zip(names, heights, strict=True)],
        "",
        [["score from", *names], *rows],
        [limit / _SCORE_BIN - first for limit in limits],
    )
    return _histogram(Heading("scores", "Scores of the pairs", text), chart)


def _score_bin(score: float) -> int:
    return max(min(floor(score / _SCORE_BIN), _LAST_SCORE_BIN), -_LAST_SCORE_BIN)


def _two_series(heading: Heading, bins: Sequence[Bin], names: tuple[str, str, str]) -> str:
    """Draw two series beside each other as shares of their sums; `names`: of bins and series."""
    totals = sum(row.left for row in bins), sum(row.right for row in bins)
    if not all(totals):
        return ""
    labels = [str(row.first) for row in bins]
    ends = [f"{_DASH}{row.first - 1}" for row in bins[1:]]
    rows = [
        [
            label + end,
            *(_number(row.left), _percent(row.left, totals[0])),
            *(_number(row.right), _percent(row.right, totals[1])),
        ]
        for label, end, row in zip(labels, [*ends, " and more"], bins, strict=True)
    ]
    series = [
        Series(names[1], [100 * row.left / totals[0] for row in bins]),
        Series(names[2], [100 * row.right / totals[1] for row in bins]),
    ]
    head = [names[0], names[1], "share", names[2], "share"]
    return _histogram(heading, Histogram(labels, series, " %", [head, *rows]))


def _histogram(heading: Heading, chart: Histogram) -> str:
    key, bars_count = heading.key, len(chart.labels)
    top = _round_top(max(height for series in chart.series for height in series.heights))
    lines = "".join(
        f'<line class="grid" x2="{bars_count}" y1="{y}" y2="{y}"/>' for y in (0, 50, 100)
    )
    bars = "".join(_bars(chart.series, number, top) for number in range(len(chart.series)))
    marks = "".join(f'<line class="limit" x1="{x:g}" x2="{x:g}" y2="100"/>' for x in chart.marks)
    scale = "".join(f"<span>{top * part:,g}{chart.unit}</span>" for part in (1, 0.5, 0))
    return (
        f'{_figure(heading)}{_legend(chart.series)}\n<div class="plot">'
        f'<div class="scale" aria-hidden="true">{scale}</div>'
        f'<svg role="img" viewBox="0 0 {bars_count} 100" preserveAspectRatio="none" '
        f'aria-labelledby="{key}-name" aria-describedby="{key}-desc">'
        f'<title id="{key}-name">{escape(heading.title)}</title>'
        f'<desc id="{key}-desc">{escape(heading.text)}. The table below has the figures.</desc>'
        f"{lines}{bars}{marks}</svg>"
        f'<div class="axis" aria-hidden="true">{_axis(chart.labels)}</div></div>\n'
        f"{_details('The figures', chart.rows)}</figure>"
    )


def _bars(series: Sequence[Series], number: int, top: float) -> str:
    """Return the bars of one series; a bar and its gap are one wide, the plot 100 high."""
    width = _BARS_WIDTH / len(series)
    start = (1 - _BARS_WIDTH) / 2 + width * number
    return "".join(
        f'<rect class="{_COLOURS[number]}" '
        f'x="{index + start:.3f}" y="{100 - 100 * height / top:.2f}" '
        f'width="{width:.3f}" height="{100 * height / top:.2f}"/>'
        for index, height in enumerate(series[number].heights)
        if height
    )


def _axis(labels: Sequence[str]) -> str:
    """Return a cell for each bar; about _AXIS_LABELS have a label, the lowest value of the bar."""
    step = max(1, round(len(labels) / _AXIS_LABELS))
    cells = []
    for index, label in enumerate(labels):
        is_shown = index % step == 0 and (index == 0 or index <= len(labels) - step / 2)
        cells.append(f"<span>{escape(label) if is_shown else ''}</span>")
    return "".join(cells)


def _legend(series: Sequence[Series]) -> str:
    if len(series) < 2:
        return ""
    items = "".join(
        f'<span><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="{name}" width="1" '
        f'height="1"/></svg>{escape(line.name)}</span>'
        for name, line in zip(_COLOURS, series, strict=True)
    )
    return f'<div class="legend">{items}</div>'


# --- parts ---


def _figure(heading: Heading) -> str:
    """Return the beginning of a figure, with its caption."""
    key, title, text = heading
    return (
        f'<figure id="{key}" aria-labelledby="{key}-title"><figcaption>'
        f'<h3 id="{key}-title">{escape(title)}</h3>'
        f'<span class="muted">{escape(text)}</span></figcaption>'
    )


def _details(
    summary: str, rows: Sequence[Sequence[str]], texts: int = 1, *, is_open: bool = False
) -> str:
    """Return a table that opens on a click; the first `texts` columns are text."""
    head, *others = rows
    return (
        f'<details{" open" * is_open}><summary>{escape(summary)}</summary><div tabindex="0"><table>'
        f"<thead><tr>{_cells(_HEAD, head, texts)}</tr></thead><tbody>"
        + "\n".join(f"<tr>{_cells('td', row, texts)}</tr>" for row in others)
        + "</tbody></table></div></details>"
    )


def _cells(tag: str, values: Iterable[str], texts: int) -> str:
    name = tag.partition(" ")[0]
    kinds = ("", ' class="number"')
    return "".join(
        f"<{tag}{kinds[index >= texts]}>{escape(value)}</{name}>"
        for index, value in enumerate(values)
    )


def _short_names(names: set[str]) -> dict[str | None, str]:
    """Return the names without the folder that they share."""
    folders = {os.path.dirname(name) for name in names}
    try:
        shared = os.path.commonpath(folders) if folders else ""
    except ValueError:  # some absolute, some not
        shared = ""
    start = len(shared.rstrip("/")) + 1 if shared else 0
    return {name: name[start:] or name for name in names}


def _number(value: int) -> str:
    return f"{value:,}"


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.1f} %"


def _round_top(value: float) -> float:
    """Return the end of a scale: a number, not below a value, that is round, as is its half."""
    half = max(value, 2) / 2
    power = 10 ** floor(log10(half))
    steps = ceil(half / power - 1e-9)
    return float(2 * power * next(step for step in (1, 2, 3, 4, 5, 6, 8, 10) if step >= steps))
