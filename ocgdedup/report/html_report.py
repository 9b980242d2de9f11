"""A report on a database as one HTML file that loads nothing: page, style, script and data.

The parts of the page are files in html/; what is counted comes from pipeline/overview.py.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from html import escape
from typing import BinaryIO

from ocgdedup import __version__
from ocgdedup.matching.evidence import Weights
from ocgdedup.pipeline.overview import Overview
from ocgdedup.pipeline.overview_pairs import SUSPECT
from ocgdedup.report.html_charts import charts_html
from ocgdedup.report.html_data import Thresholds, data_json
from ocgdedup.report.html_pieces import pieces_html

_FOLDER = os.path.join(os.path.dirname(__file__), "html")
_USUAL_WEIGHTS = Weights()
_STATUS_WORDS = {
    "exact": "the same moves",
    "subsumption": "cut-off copies",
    "join": "nearly the same moves",
}
_SCRIPTS = ("base.js", "board.js", "go_board.js", "pairs.js", "pair.js", "tables.js", "start.js")


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
    style = _part("report.css")
    script = '"use strict";\n' + "".join(map(_part, _SCRIPTS))
    made_at = made_at or time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    values = {
        "policy": _policy(style, script),
        "version": escape(__version__),
        "database": escape(os.path.basename(overview.path)),
        "provenance": _provenance(overview, made_at),
        "totals": _totals(overview),
        "account": _account(overview),
        "charts": charts_html(overview),
        "pairs_note": _pairs_note(overview),
        "names_note": _names_note(overview),
        "rejects_note": _rejects_note(overview),
        "pieces": "" if overview.is_go else pieces_html(),
        "style": style,
        "script": script,
        "data": data_json(overview, Thresholds(weights.accept, weights.suspect)),
    }
    # What stands between two signs is a name of the page's, for the page has no "@" of its own;
    # values are not looked at again, whatever they hold.
    pieces = _part("report.html").split("@")
    for number, piece in enumerate(pieces):
        text = values[piece] if number % 2 else piece
        handle.write(text.encode("utf-8", "backslashreplace"))  # lone surrogates: \\udce4
    return len(overview.pairs)


def _part(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as handle:
        return handle.read()


def _policy(style: str, script: str) -> str:
    """Return a policy under which only this style and this script count, and nothing is loaded."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


# --- words ----------------------------------------------------------------------------------------


def _provenance(overview: Overview, made_at: str) -> str:
    searched = overview.flagged_at or "never"
    return (
        f"Database {escape(overview.path)} · duplicates last searched {escape(searched)} · "
        f"report of {escape(made_at)} by ocgdedup {escape(__version__)}"
    )


def _totals(overview: Overview) -> str:
    totals = overview.totals
    tiles = [
        ("games in the database", totals.games),
        ("of them unique", totals.unique),
        ("copies, flagged", totals.copies),
        *_by_status(overview),
        ("groups of copies", totals.groups),
    ]
    if totals.deleted:
        tiles.append(("copies deleted, can be put back", totals.deleted))
    tiles += [
        ("suspects to decide", totals.suspects),
        ("suspects decided", totals.same + totals.different),
        ("masters with merged headers", totals.merged),
        ("persons", totals.persons),
        *_with_fide_id(overview),
        ("files read", totals.sources),
        ("rejects", totals.rejects),
        ("games cut at a fault", totals.cuts),
    ]
    rows = "\n".join(f"<div><dt>{name}</dt><dd>{count:,}</dd></div>" for name, count in tiles)
    return f'<dl class="tiles">{rows}</dl>'


def _with_fide_id(overview: Overview) -> list[tuple[str, int]]:
    count = overview.totals.persons_with_fide_id
    return [("of them with FIDE ID", count)] if count or not overview.is_go else []


def _by_status(overview: Overview) -> list[tuple[str, int]]:
    counts: dict[str, int] = {}
    for row in overview.classes:
        counts[row.status] = counts.get(row.status, 0) + row.there
    return [
        (escape(f"{status}: {_STATUS_WORDS.get(status, 'copies')}"), count)
        for status, count in counts.items()
        if count
    ]


def _account(overview: Overview) -> str:
    """Say what was done, and what was not."""
    totals = overview.totals
    lines = [
        "<strong>What was done.</strong> Each copy carries a flag that names the game that stays, "
        "its master.",
        f"{totals.merged:,} masters got better fields, or annotations, from their copies; a tag "
        "that changed shows its former value struck through."
        if totals.merged
        else "No header was changed.",
    ]
    if totals.deleted:
        lines.append(
            f"{totals.deleted:,} copies were taken out of the games before this report; they are "
            "kept aside, and <code>ocgdedup dedup --restore</code> puts them back."
        )
    else:
        lines.append("No game had been deleted when this was written.")
    lines.append(
        "<code>ocgdedup dedup --undo</code> takes the last run back. Suspects are pairs that may "
        "be one game but need not: both stay until you decide."
    )
    stale = (
        '<p class="notice">Games, names or headers have changed since the last search: run '
        "<code>ocgdedup dedup</code> again for a report that is up to date.</p>"
        if overview.is_stale
        else ""
    )
    return f"{stale}<p>{' '.join(lines)}</p>"


def _pairs_note(overview: Overview) -> str:
    listed = len(overview.pairs)
    if not listed:
        return "<p>There are no copies and no suspects.</p>"
    totals = overview.totals
    words = [
        "Suspects come first, the likeliest on top; then joins, cut-off or partial copies, and "
        "equal ones, in each class the least certain on top, by the sum of the evidence for "
        "master and copy."
    ]
    suspects = sum(pair.kind == SUSPECT for pair in overview.pairs)
    every = totals.suspects + totals.same + totals.different
    copies = sum(row.there + row.deleted for row in overview.classes)
    if suspects + copies > listed:
        words.append(
            f"Of {suspects + copies:,} pairs the first {listed:,} are listed; "
            "<code>--report FILE.csv</code> has them all."
        )
    if every > suspects:
        words.append(f"{every - suspects:,} pairs of suspects are not listed.")
    words.append(_detail_words(overview))
    return f"<p>{' '.join(filter(None, words))}</p>"


def _detail_words(overview: Overview) -> str:
    """Say of which classes not all pairs are shown with their moves."""
    counts: dict[str, list[int]] = {}
    for pair in overview.pairs:
        count = counts.setdefault(pair.kind, [0, 0])
        count[0] += pair.detail is not None
        count[1] += 1
    parts = [
        f"{detailed:,} of {every:,} {'suspects' if kind == SUSPECT else f'of class {escape(kind)}'}"
        for kind, (detailed, every) in counts.items()
        if detailed < every
    ]
    if not parts:
        return "All are shown with moves and evidence."
    return f"Moves and evidence are shown of the first {', '.join(parts)}."


def _names_note(overview: Overview) -> str:
    if not overview.totals.persons:
        return (
            "<p>Names were not looked up in this database; <code>ocgdedup players</code> finds "
            "out who played.</p>"
        )
    more = ""
    if len(overview.names) >= overview.limits.rows:
        more = (
            f" The first {len(overview.names):,} rows are listed, by person; "
            "<code>ocgdedup players --report FILE.csv</code> writes them all."
        )
    return (
        f"<p>{overview.totals.names:,} names stand for {overview.totals.persons:,} persons. Names "
        f"in the games stay as they are; who is meant is noted beside them.{more}</p>"
    )


def _rejects_note(overview: Overview) -> str:
    totals = overview.totals
    if not totals.rejects and not totals.cuts:
        return "<p>All that was read were whole games.</p>"
    more = ""
    if max(totals.rejects, totals.cuts) > overview.limits.rows:
        more = (
            f" The first {overview.limits.rows:,} of each are listed; the tables Rejects and "
            "Faults have them all."
        )
    return (
        f"<p>{totals.rejects:,} blocks of text are no games; create wrote them to the reject "
        f"file. {totals.cuts:,} games were kept up to an error; the rest of their text is kept "
        f"in the table Faults.{more}</p>"
    )
