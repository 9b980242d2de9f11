"""The chess pieces of the HTML report: those of python-chess, once each, drawn by reference."""

from __future__ import annotations

import re

import chess
import chess.svg

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
    """Return the piece without style attributes, which the page's policy does not let through."""
    drawing = re.sub(r' (?:id|class)="[^"]*"', "", chess.svg.PIECES[piece.symbol()])
    return re.sub(r' style="([^"]*)"', lambda found: _attributes(found[1]), drawing)


def _attributes(style: str) -> str:
    pairs = (part.split(":", 1) for part in style.split(";") if part.strip())
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)
