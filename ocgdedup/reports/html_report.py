"""A report on a database as one HTML file that loads nothing: page, style, script and data.

The parts of the page are files in html/; what is counted comes from pipeline/search/overview.py.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import time
from html import escape
from typing import BinaryIO

import chess
import chess.svg

from ocgdedup.data_files import read_data
from ocgdedup.game_kind import CHESS
from ocgdedup.matching.evidence import Weights
from ocgdedup.pipeline.search.overview import Overview
from ocgdedup.reports.html_charts import charts_html
from ocgdedup.reports.html_data import Thresholds, data_json
from ocgdedup.version import __version__
from ocgdedup.wording import POSSIBLE_DUPLICATE, WHOLE_CLASS_WORDS, counted

_BOX = chess.svg.SQUARE_SIZE


def pieces_html() -> str:
    """Return an SVG element that shows nothing and holds a symbol for each piece.

    Their names are "piece-white-king" and so on.
    """
    symbols = "".join(
        f'<symbol id="piece-{chess.COLOR_NAMES[color]}-{chess.piece_name(kind)}" '
        f'viewBox="0 0 {_BOX} {_BOX}">{_drawing(chess.Piece(kind, color))}</symbol>\n'
        for color in chess.COLORS
        for kind in chess.PIECE_TYPES
    )
    return f'<svg class="symbols" aria-hidden="true">\n{symbols}</svg>\n'


def _drawing(piece: chess.Piece) -> str:
    """Return the piece without style attributes, which the policy of the page forbids."""

    def attributes(style: re.Match[str]) -> str:
        pairs = (part.split(":", 1) for part in style[1].split(";") if part.strip())
        return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)

    drawing = re.sub(r' (?:id|class)="[^"]*"', "", chess.svg.PIECES[piece.symbol()])
    return re.sub(r' style="([^"]*)"', attributes, drawing)


_Section = tuple[str, str, str]
_USUAL_WEIGHTS = Weights()
_STATUS_WORDS = {status: f"{name} duplicates" for status, name in WHOLE_CLASS_WORDS.items()}
_SCRIPTS = (
    "base.js", "board.js", "go_board.js", "replay.js", "moves.js", "pairs.js", "pair.js",
    "decide.js", "tables.js", "start.js",
)  # fmt: skip


_REPORT_FOOTER = (
    f"Written by ocgdedup {escape(__version__)}. This one file is the whole report; it loads "
    "nothing."
)
_REVIEW_FOOTER = (
    f"ocgdedup {escape(__version__)} shows this page on this computer only. Press Ctrl+C in the "
    "terminal to stop it."
)


def write_html_report(
    handle: BinaryIO,
    overview: Overview,
    *,
    weights: Weights = _USUAL_WEIGHTS,
    made_at: str | None = None,
) -> int:
    """Write the report; return how many pairs it lists.

    `weights`: those of the search, for the limits that the page names. `made_at`: the time to
    write into it; None: now, in UTC.
    """
    handle.write(_page(overview, weights, made_at or _now()))
    return len(overview.pairs)


def review_page(overview: Overview, weights: Weights = _USUAL_WEIGHTS) -> bytes:
    """Return the page of `review --web`: pairs first, and decisions go to the server at once."""
    return _page(overview, weights, _now(), is_review=True)


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())


def _page(overview: Overview, weights: Weights, made_at: str, *, is_review: bool = False) -> bytes:
    """Return the page of a report to keep, or of the review that a local server shows."""
    style = read_data(__file__, "html", "report.css")
    script = '"use strict";\n' + "".join(read_data(__file__, "html", name) for name in _SCRIPTS)
    thresholds = Thresholds(weights.accept, weights.possible_match)
    before, after = _sections(overview, thresholds, is_review=is_review)
    pairs = ("pairs", "Pairs", "")
    values = {
        "policy": _policy(style, script, is_review=is_review),
        "version": escape(__version__),
        "title": "Review of" if is_review else "Duplicates in",
        "footer": _REVIEW_FOOTER if is_review else _REPORT_FOOTER,
        "database": escape(os.path.basename(overview.path)),
        "provenance": f"Database {escape(overview.path)} · "
        f"last search {escape(_time(overview.flagged_at))} · "
        f"written {escape(made_at)} by ocgdedup {escape(__version__)}",
        "links": "\n".join(
            f'<a href="#{key}">{title.partition(",")[0]}</a>'
            for key, title, _ in (*before, pairs, *after)
        ),
        "before": "\n".join(map(_section, before)),
        "after": "\n".join(map(_section, after)),
        "pairs_note": "" if is_review else _pairs_note(overview),
        "pairs_order": _pairs_note(overview) if is_review else "",
        "pieces": pieces_html() if overview.kind is CHESS else "",
        "style": style,
        "script": script,
        "data": data_json(overview, thresholds, is_review=is_review),
    }
    # The page has no "@" except around the name of a value; an "@" in a value has no effect.
    pieces = read_data(__file__, "html", "report.html").split("@")
    text = "".join(values[piece] if index % 2 else piece for index, piece in enumerate(pieces))
    return text.encode("utf-8", "backslashreplace")  # lone surrogates: \\udce4


def _sections(
    overview: Overview, thresholds: Thresholds, *, is_review: bool
) -> tuple[list[_Section], list[_Section]]:
    """Return the sections before the pairs, and those after them: ID, title, HTML."""
    charts = f'<div class="charts">{charts_html(overview, thresholds)}</div>'
    totals = ("totals", "Totals", _totals(overview) + _account(overview))
    first = [totals, ("charts", "Charts", charts)]
    tables = "".join(map(_scripted, ("names-table", "unresolved-table")))
    names = _names_note(overview) + _unresolved_note(overview) + tables
    rejects = _rejects_note(overview) + "".join(map(_scripted, ("rejects-table", "cuts-table")))
    last = [
        ("names", "Names of players", names),
        ("rejects", "Rejected text, and games read up to an error", rejects),
    ]
    return ([], [*first, *last]) if is_review else (first, last)


def _section(section: _Section) -> str:
    key, title, html = section
    return (
        f'<section id="{key}" aria-labelledby="{key}-title">\n'
        f'<h2 id="{key}-title">{title}</h2>\n{html}\n</section>'
    )


def _scripted(key: str) -> str:
    """Return the element that the script fills with a table."""
    return f'<div class="scripted" id="{key}" hidden></div>'


def _policy(style: str, script: str, *, is_review: bool) -> str:
    """Return a policy that allows only this style and this script, and loads nothing else."""
    sends = "connect-src 'self'; " if is_review else ""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"{sends}base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


# --- words ----------------------------------------------------------------------------------------


def _time(stored: str | None) -> str:
    """Return a stored time, 2026-01-02T03:04:05Z, in the form in which the page writes times."""
    if stored is None:
        return "never"
    day, _, clock = stored.partition("T")
    return f"{day} {clock[:5]} UTC" if clock.endswith("Z") else stored


def _totals(overview: Overview) -> str:
    totals = overview.totals
    tiles = [
        ("games in the database", totals.games),
        ("unique games", totals.unique),
        ("duplicates, flagged", totals.duplicates),
        *_by_status(overview),
        ("duplicate groups", totals.groups),
    ]
    if totals.deleted:
        tiles.append(("duplicates deleted, can be restored", totals.deleted))
    tiles += [
        ("possible duplicates to decide", totals.possible_duplicates),
        ("possible duplicates decided", totals.same + totals.different),
        ("kept games with merged headers", totals.with_merged_header),
        ("kept games with merged annotations", totals.with_merged_notes),
        ("players", totals.persons),
        ("names with games of unknown players", totals.unresolved_names),
    ]
    if totals.persons_with_fide_id or overview.kind.has_fide_list:
        tiles.append(("players with a FIDE ID", totals.persons_with_fide_id))
    tiles += [
        ("input files", totals.sources),
        ("rejected texts", totals.rejects),
        ("games read up to an error", totals.cuts),
    ]
    rows = "\n".join(f"<div><dt>{name}</dt><dd>{count:,}</dd></div>" for name, count in tiles)
    return f'<dl class="tiles">{rows}</dl>'


def _by_status(overview: Overview) -> list[tuple[str, int]]:
    counts: dict[str, int] = {}
    for row in overview.classes:
        counts[row.status] = counts.get(row.status, 0) + row.present
    words = {status: escape(_STATUS_WORDS.get(status, status)) for status in counts}
    return [(words[status], count) for status, count in counts.items() if count]


def _account(overview: Overview) -> str:
    """Return a paragraph about what the search changed and how to undo it."""
    totals = overview.totals
    lines = [
        "<strong>What was done.</strong> Each duplicate has a flag that names the kept game of its "
        "group.",
        f"{counted(totals.with_merged_header, 'kept game')} got better fields from duplicates; a "
        "tag that changed shows its former value struck through."
        if totals.with_merged_header
        else "No header was changed.",
    ]
    if totals.with_merged_notes:
        lines.append(
            f"{counted(totals.with_merged_notes, 'kept game')} got annotations from duplicates."
        )
    if totals.deleted:
        lines.append(
            f"{totals.deleted:,} duplicates were deleted before this report; "
            "<code>ocgdedup restore</code> restores them."
        )
    else:
        lines.append("No game had been deleted when this report was written.")
    lines.append(
        "<code>ocgdedup dedup --undo</code> undoes the last run. Possible duplicates are pairs "
        "that are likely, but not certain, to be one game: both are kept until you decide."
    )
    stale = (
        '<p class="notice">Games, names or headers have changed since the last search: run '
        "<code>ocgdedup dedup</code> again for an up-to-date report.</p>"
    )
    return f"{stale if overview.is_stale else ''}<p>{' '.join(lines)}</p>"


def _pairs_note(overview: Overview) -> str:
    listed = len(overview.pairs)
    if not listed:
        return "<p>There are no duplicates and no possible duplicates.</p>"
    totals = overview.totals
    words = [
        "Possible duplicates come first, the most likely on top; then near-identical, truncated "
        "and exact duplicates, in each class the least certain on top, by the score of the "
        "duplicate with its kept game."
    ]
    possible = sum(pair.status == POSSIBLE_DUPLICATE for pair in overview.pairs)
    all_possible = totals.possible_duplicates + totals.same + totals.different
    duplicates = sum(row.present + row.deleted for row in overview.classes)
    if possible + duplicates > listed:
        words.append(
            f"The first {listed:,} of {possible + duplicates:,} pairs are listed; "
            "<code>--report FILE.csv</code> lists all."
        )
    if all_possible > possible:
        words.append(f"Possible duplicates not listed: {all_possible - possible:,}.")
    words.append(_detail_words(overview))
    return f'<p class="muted">{" ".join(filter(None, words))}</p>'


def _detail_words(overview: Overview) -> str:
    """Return how many pairs of each class have moves, unless all have."""
    counts: dict[str, list[int]] = {}
    for pair in overview.pairs:
        count = counts.setdefault(pair.status, [0, 0])
        count[0] += pair.detail is not None
        count[1] += 1
    parts = [
        f"{detailed:,} of {every:,} {escape(_STATUS_WORDS.get(kind, 'possible duplicates'))}"
        for kind, (detailed, every) in counts.items()
        if detailed < every
    ]
    if not parts:
        return "All pairs have moves and evidence."
    return f"Moves and evidence are shown for the first {', '.join(parts)}."


def _names_note(overview: Overview) -> str:
    if not overview.totals.persons:
        return (
            "<p>No names have been resolved in this database; to resolve them, run "
            "<code>ocgdedup players</code>.</p>"
        )
    more = ""
    if len(overview.names) >= overview.limits.rows:
        more = (
            f" The first {len(overview.names):,} rows are listed, by player; "
            "<code>ocgdedup players --report FILE.csv</code> lists all."
        )
    return (
        f"<p>{overview.totals.names:,} spellings of {overview.totals.persons:,} players. Names in "
        f"the games are never changed in place.{more}</p>"
    )


def _unresolved_note(overview: Overview) -> str:
    count, listed = overview.totals.unresolved_names, len(overview.unresolved_names)
    if not count:
        return ""
    more = ""
    if count > listed:
        more = (
            f" The first {listed:,} are listed, those with the most games; "
            "<code>ocgdedup players --unresolved</code> lists all."
        )
    have = "1 name has" if count == 1 else f"{count:,} names have"
    return (
        f"<p>{have} games of unknown players: the evidence is not enough to say who played. "
        "The second table lists the players who may be meant, and what would decide; "
        f"<code>ocgdedup players --same</code> records your decision.{more}</p>"
    )


def _rejects_note(overview: Overview) -> str:
    totals = overview.totals
    if not totals.rejects and not totals.cuts:
        return "<p>No text was rejected, and each game was read to its end.</p>"
    more = ""
    if max(totals.rejects, totals.cuts) > overview.limits.rows:
        more = (
            f" The first {overview.limits.rows:,} of each are listed; the tables Rejects and "
            "Faults list all."
        )
    return (
        f"<p>Rejected texts: {totals.rejects:,}; <code>create</code> wrote them to the reject "
        f"file. Games read up to an error: {totals.cuts:,}; the rest of their text is in the "
        f"table Faults.{more}</p>"
    )
