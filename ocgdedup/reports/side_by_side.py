"""Two games side by side as plain text: differences are marked as by `diff -y`.

The sign between the columns is "|" where both differ, "<" or ">" where only that side has text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from ocgdedup.game_kind import CHESS
from ocgdedup.pipeline.search.pairs import ShownGame, ShownPair
from ocgdedup.reports.compared_moves import ComparedMoves, Layout, mark_of
from ocgdedup.reports.terminal_text import printable
from ocgdedup.sgf.root_values import shown_result
from ocgdedup.wording import class_words, decided_text

MIN_WIDTH = 46
_NARROW = 60  # below it, long labels are cut
_GUTTER = 3
_MIN_LABEL, _MAX_LABEL = len("possible"), len("MovetextResult")
_MAX_TAG_LINES = 4
_OF_GO = {"TimeControl": "TM"}
_BOLD, _YELLOW, _PLAIN = "\x1b[1m", "\x1b[33m", "\x1b[0m"


def pair_text(
    pair: ShownPair, *, title: str = "", width: int = 80, is_coloured: bool = False
) -> str:
    """Return one pair as lines of at most `width` columns (MIN_WIDTH at least).

    `title` is written into the first line. Each letter counts as one column. `is_coloured`: colour
    lines that differ, for terminals.
    """
    width = max(width, MIN_WIDTH)
    layout = _layout(pair, width)
    left, right = _tags(pair.left), _tags(pair.right)
    lines = [
        _title_line(title, width),
        *_heading(pair, layout),
        "-" * width,
        # In the order of the left game, then those that only the right has.
        *(
            line
            for name in {**left, **right}
            for line in _two_columns(name, left.get(name), right.get(name), layout)
        ),
        "-" * width,
        *ComparedMoves(pair, layout).lines(),
    ]
    if is_coloured:
        lines = [_coloured(line, layout) for line in lines]
    return "\n".join(lines) + "\n"


def folded_lines(
    pair: ShownPair, *, title: str = "", width: int = 80, is_coloured: bool = False
) -> list[str]:
    """Return a pair in few lines: equal fields in one line, and the next moves of both games."""
    layout = _layout(pair, width)
    values, others = _tags(pair.left), _tags(pair.right)
    names = list({**values, **others})
    differing = [name for name in names if name in values and name in others]
    rows = [
        line
        for name in differing
        if values[name] != others[name]
        for line in _two_columns(name, values[name], others[name], layout)
    ]
    if is_coloured:
        rows = [_coloured(line, layout) for line in rows]
    equal = {name: values[name] for name in differing if values[name] == others[name] != "?"}
    is_group = _is_group(pair)
    texts = [
        _short_text(game, is_group=is_group)[: layout.column] for game in (pair.left, pair.right)
    ]
    return [
        _title_line(title, width),
        layout.row("game", texts[0], " ", texts[1]),
        *rows,
        *_field_line("left", {name: values[name] for name in names if name not in others}, layout),
        *_field_line("right", {name: others[name] for name in names if name not in values}, layout),
        *_field_line("both", equal, layout),
        *ComparedMoves(pair, layout).short_lines(),
    ]


def _field_line(label: str, fields: Mapping[str, str], layout: Layout) -> list[str]:
    """Return a line of fields, cut at its end; none without fields."""
    text = "; ".join(f"{name} {printable(value)}" for name, value in fields.items())
    return layout.across(label, textwrap.shorten(text, 2 * layout.column)) if text else []


def _layout(pair: ShownPair, width: int) -> Layout:
    names = [name for game in (pair.left, pair.right) for name in _tags(game)]
    longest = _MIN_LABEL if width < _NARROW else _MAX_LABEL
    label = min(max([_MIN_LABEL, *map(len, names)]), longest)
    return Layout(label, (width - label - 2 - _GUTTER) // 2, width)


def _title_line(title: str, width: int) -> str:
    return (f"== {title} " if title else "")[:width].ljust(width, "=")


def decision_words(pair: ShownPair) -> str:
    """Return the user's decision about a possible duplicate; "" for another pair."""
    state = pair.state
    if state is None:
        return ""
    if state.decision:
        return decided_text(state.decision, state.kept_game, state.note)
    return "" if _is_group(pair) else "undecided, both games are kept"


def _is_group(pair: ShownPair) -> bool:
    """Return whether both games are records of one duplicate group."""
    return pair.left.group is not None and pair.left.group == pair.right.group


def _short_text(game: ShownGame, *, is_group: bool) -> str:
    """Return the ID, the class in its group, and the input file without its folder."""
    words = [str(game.game_id)]
    if game.group is not None:
        is_kept = game.group == game.game_id
        word = "kept" if is_kept else class_words(game.status, game.more_plies)
        words.append(word if is_group else f"{word} in group {game.group}".strip())
    words += ["deleted" if game.is_deleted else "", _source(game).rpartition("/")[2]]
    return ", ".join(filter(None, words))


def pairs_text(pairs: Iterable[ShownPair]) -> Iterator[str]:
    """Yield the text of one pair after the other, numbered, with an empty line between two."""
    for number, pair in enumerate(pairs, 1):
        yield "\n" * (number > 1) + pair_text(pair, title=f"pair {number}")


def _coloured(line: str, layout: Layout) -> str:
    if line.startswith("=="):
        return f"{_BOLD}{line}{_PLAIN}"
    end = layout.label + 2 + layout.column
    is_marked = line[end : end + 3].strip() in ("|", "<", ">") and line[end] == " "
    return f"{_YELLOW}{line}{_PLAIN}" if is_marked else line


# --- above the moves ------------------------------------------------------------------------------


def _heading(pair: ShownPair, layout: Layout) -> Iterator[str]:
    left, right = pair.left, pair.right
    is_group = _is_group(pair)
    for label, texts in (
        ("game", (str(left.game_id), str(right.game_id))),
        ("is", (_status_text(left, is_group=is_group), _status_text(right, is_group=is_group))),
        ("source", (_source(left), _source(right))),
        ("has", (_notes(left), _notes(right))),
    ):
        if any(texts):
            yield from _two_columns(label, *texts, layout, is_marked=False)
    state = pair.state
    if state is None:
        return
    kind = class_words(state.duplicate_class, 0 if len(left.texts) == len(right.texts) else None)
    has_score = bool(state.duplicate_class) and state.score is not None
    score = f"score {state.score:.3g}" if has_score else ""
    words = [kind, decision_words(pair), score, state.evidence or ""]
    yield from layout.across("possible", printable("; ".join(filter(None, words))))


def _status_text(game: ShownGame, *, is_group: bool) -> str:
    words = []
    if game.group is not None:
        is_kept = game.group == game.game_id
        status = class_words(game.status, game.more_plies)
        duplicate = f"{status} duplicate of {game.group}".strip()
        kept = "kept game" if is_group else f"kept game of group {game.group}"
        words.append(kept if is_kept else duplicate)
    words.append(game.reason or "")
    words.append("headers merged" if game.has_merged_header else "")
    words.append("annotations merged" if game.has_merged_notes else "")
    words.append("deleted" if game.is_deleted else "")
    return ", ".join(filter(None, words))


def _source(game: ShownGame) -> str:
    if game.source is None:
        return ""
    return game.source if game.number is None else f"{game.source}, game {game.number}"


def _notes(game: ShownGame) -> str:
    kinds = (("comments", game.has_comments), ("variations", game.has_variations))
    return ", ".join(name for name, is_present in kinds if is_present)


def _tags(game: ShownGame) -> dict[str, str]:
    """Return the tags of a game; for Go with Black first, and RE and TM as in SGF."""
    tags = dict(game.tags)
    if game.kind is CHESS:
        return tags
    result = shown_result(tags.get("Result"), tags.pop("RE", None))
    named = {}
    for name, value in tags.items():
        if name == "White":
            named["Black"] = tags["Black"]
        if name == "Result" and result:
            named["RE"] = result
        else:
            named[_OF_GO.get(name, name)] = value
    return named


def _two_columns(
    label: str, left: str | None, right: str | None, layout: Layout, *, is_marked: bool = True
) -> Iterator[str]:
    mark = mark_of(left, right) if is_marked else " "
    columns = (_wrapped(left or "", layout.column), _wrapped(right or "", layout.column))
    for number, (left_text, right_text) in enumerate(zip_longest(*columns, fillvalue="")):
        yield layout.row(
            "" if number else printable(label), left_text, " " if number else mark, right_text
        )


def _wrapped(text: str, width: int) -> list[str]:
    """Break a value into lines, at blanks if it has any; unprintable characters are escaped."""
    if text.isprintable() and len(text) <= width:
        return [text]
    lines = textwrap.wrap(printable(text), width, break_on_hyphens=False) or [""]
    if len(lines) > _MAX_TAG_LINES:
        lines = [*lines[: _MAX_TAG_LINES - 1], f"{lines[_MAX_TAG_LINES - 1][: width - 4]} ..."]
    return lines
