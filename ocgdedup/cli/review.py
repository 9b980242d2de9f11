"""The command review: shows pairs, asks about each, writes each answer at once."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
import webbrowser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ocgdedup.cli.keys import Keys
from ocgdedup.cli.terminal import (
    ask,
    choose_reporter,
    has_display,
    json_text,
    show,
    tell,
    write_lines,
    write_result,
    write_table,
)
from ocgdedup.errors import ExitStatus, UsageError

if TYPE_CHECKING:
    from ocgdedup.commands.review import Review
    from ocgdedup.pipeline.pairs import ShownGame, ShownPair

_WIDTH = 80  # where there is no terminal
_QUESTION_LINES = 2  # with the empty line behind an answer
_LEAST_LINES = 10
_SAME, _DIFFERENT = "same", "different"
_KEYS = {
    "s": "same", "d": "different", "o": "other", "k": "skip", "b": "back", "u": "undecided",
    "m": "more", "q": "quit", "?": "help",
}  # fmt: skip
_HELP = """\
  s  the same game; the rules choose which record stays, as a rule the left one
  o  the same game, and the other record stays: the right one
  d  different games: both stay
  k  skip: leave it as it is for now
  u  undecided: take back what was decided about this pair
  b  back to the pair before this one
  m  more: all fields, moves and evidence
  q  quit; what was decided is written
  ?  this help
"""


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Do the job that the options ask for; raise UsageError if they do not go together."""
    _check_options(options)
    if options.list:
        return _list(options)
    # A signal to end is taken as Ctrl-C is: the terminal must get its old mode back.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    if options.web:
        count = _review_in_browser(options)
    else:
        count = _decide_all(options) if options.decide is not None else _review(options)
    if options.apply:
        return _apply(options)
    if count and not options.quiet:
        tell(f"to apply them, run: ocgdedup dedup {shlex.quote(options.database)}")
    return ExitStatus.DONE


def _check_options(options: argparse.Namespace) -> None:
    if options.list and options.apply:
        raise UsageError("review: --apply does not go with --list; leave it out")
    if options.all and (options.list or options.web or options.decide is not None):
        raise UsageError("review: --all goes with a dialogue; leave it out")
    if options.json and not options.list:
        raise UsageError("review: --json goes with --list")
    if options.port is not None and not options.web:
        raise UsageError("review: --port needs --web")


def _list(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.review import listed_pairs
    from ocgdedup.reports.decision_files import list_lines

    rows = listed_pairs(options.database)
    if options.json:
        write_result(json_text(list(rows)))
        return ExitStatus.DONE
    write_lines(list_lines(rows))
    return ExitStatus.DONE


def _decide_all(options: argparse.Namespace) -> int:
    from ocgdedup.commands.review import decide_all
    from ocgdedup.reports.decision_files import read_decisions

    given = read_decisions(options.decide)
    reporter = choose_reporter(options)
    changed = decide_all(options.database, given, reporter)
    if not options.quiet:
        show(f"decisions: {len(given)}, of which new: {changed}")
    return changed


def _review_in_browser(options: argparse.Namespace) -> int:
    """Show the page until the user stops it; return how many pairs got another decision."""
    from ocgdedup.commands.review import read_pairs
    from ocgdedup.web.review_server import new_server

    reporter = choose_reporter(options)
    server = new_server(read_pairs(options.database, reporter), options.port or 0)
    if not server.pairs.count:
        show(
            f"{options.database}: no duplicates and no possible duplicates; "
            f"'ocgdedup dedup {shlex.quote(options.database)}' looks for them"
        )
        return 0
    before = server.pairs.decisions()
    tell(f"review: {server.address}")
    tell("each decision is written at once; press Ctrl+C here to stop")
    if has_display():
        webbrowser.open(server.address)
    server.run(reporter)
    changed = len({row[:2] for row in before ^ server.pairs.decisions()})
    if not options.quiet:
        show(f"decided: {changed}")
    return changed


def _apply(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.cli import dedup
    from ocgdedup.cli.parser import build_parser

    quiet = ["-q"] if options.quiet else []
    parsed = build_parser().parse_args(["dedup", *quiet, "--", options.database])
    return dedup.run_command(parsed)


def _review(options: argparse.Namespace) -> int:
    """Go through the pairs; return how many were decided."""
    from ocgdedup.commands.review import ReviewRequest, opened_review

    request = ReviewRequest(
        options.database, options.pair, options.group, options.joins, options.all
    )
    with opened_review(request, choose_reporter(options)) as review:
        dialogue = _Dialogue(review)
        dialogue.run()
        if not options.quiet:
            write_table([_closing_line(dialogue, options)])
    return len(dialogue.answered)


def _closing_line(dialogue: _Dialogue, options: argparse.Namespace) -> str:
    pairs = len(dialogue.review.pairs)
    if pairs:
        open_pairs = pairs - dialogue.review.decided()
        return f"decided: {len(dialogue.answered)}, still open: {open_pairs} of {pairs}"
    if options.joins or options.group is not None:
        return "no copies to decide about"
    if options.all:
        return "no suspects; 'ocgdedup dedup' looks for them"
    return "no suspects to decide about; --all shows those that were decided before"


class _Dialogue:
    """Questions about the pairs of a review; `answered`: the pairs decided in it, by number."""

    def __init__(self, review: Review) -> None:
        self.review = review
        self.answered: set[int] = set()
        self._keys = Keys()
        self._is_terminal = sys.stdout is not None and sys.stdout.isatty()
        size = shutil.get_terminal_size()
        self._width = size.columns if self._is_terminal else _WIDTH
        self._height = size.lines
        self._is_coloured = self._is_terminal and not (
            os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        )

    def run(self) -> None:
        """Ask about one pair after the other, until the user has enough."""
        number, count = 0, len(self.review.pairs)
        while count:
            if number == count:
                if self._answer("That was the last pair. b back, any other key ends:") != "back":
                    return
            else:
                key = self._ask(number)
                if key == "quit":
                    return
                if key != "back":
                    number += 1
                    continue
            if number:
                number -= 1
            else:
                self._say("This is the first pair.\n")

    def _ask(self, number: int) -> str:
        """Show a pair and do what the user says; return his word for it."""
        pair, evidence = self.review.shown(number)
        if self._is_terminal:
            self._show_screen(number, pair, evidence)
        else:
            write_result(self._whole(number, pair, evidence))
        while True:
            word = self._answer(self._question(pair))
            if word is None:
                return "quit"
            if word == "help":
                self._say(f"\n{_HELP}")
            elif word == "more":
                self._say("\n")
                self._page(self._whole(number, pair, evidence))
            elif word not in _KEYS.values():
                self._say(f"\n{word!r} is none of these; ? explains them.\n" if word else "\n")
            elif self._do(number, word, pair):
                return word

    def _title(self, number: int) -> str:
        return f"{number + 1} of {len(self.review.pairs)}, {self.review.decided()} decided"

    def _show_screen(self, number: int, pair: ShownPair, evidence: Sequence[str]) -> None:
        """Show what fits above the question; what does not, the key m shows."""
        from ocgdedup.reports.pair_evidence import screen_lines

        lines = screen_lines(
            pair,
            evidence,
            title=self._title(number),
            width=self._width,
            is_coloured=self._is_coloured,
        )
        room = max(self._height - _QUESTION_LINES, _LEAST_LINES)
        if len(lines) > room:
            lines = [*lines[: room - 1], f"... {len(lines) - room + 1} more lines: m"]
        write_result("\n".join(lines) + "\n")

    def _whole(self, number: int, pair: ShownPair, evidence: Sequence[str]) -> str:
        from ocgdedup.reports.pair_evidence import evidence_text

        return evidence_text(
            pair,
            evidence,
            title=self._title(number),
            width=self._width,
            is_coloured=self._is_coloured,
        )

    def _page(self, text: str) -> None:
        """Show a text a screen at a time; any key goes on, q leaves the rest out."""
        lines = text.splitlines(keepends=True)
        room = max(self._height - 1, _LEAST_LINES) if self._is_terminal else len(lines)
        for start in range(0, len(lines), room):
            write_result("".join(lines[start : start + room]))
            if start + room < len(lines):
                if self._answer("any key for more, q to leave it:") in ("quit", None):
                    return
                self._say("\n")

    def _question(self, pair: ShownPair) -> str:
        undecided = ", u undecided" if pair.suspicion and pair.suspicion.decision else ""
        more = ", m more" if self._is_terminal else ""
        return (
            f"s same, d different, o other ({pair.right.game_id} stays), k skip, b back"
            f"{undecided}{more}, q quit, ?:"
        )

    def _do(self, number: int, word: str, pair: ShownPair) -> bool:
        """Write a decision, if the word is one; tell if the question is settled."""
        if word in ("skip", "back", "quit"):
            self._say("\n")
            return True
        if word == "other" and pair.right.is_removed:
            self._say(f"\n{_deleted_words(pair.right)}\n")
            return False
        if word == "other":
            self.review.decide(number, _SAME, pair.right.game_id)
            self._say(f"\n-> the same game; {pair.right.game_id} stays\n\n")
        elif word == "undecided":
            self.review.decide(number, None)
            self._say("\n-> undecided\n\n")
        else:
            self.review.decide(number, word)
            self._say(f"\n-> {'the same game' if word == _SAME else 'different games'}\n\n")
        (self.answered.discard if word == "undecided" else self.answered.add)(number)
        return True

    def _answer(self, question: str) -> str | None:
        """Ask; return a word of _KEYS, what else was typed, or None at the end of the input."""
        answer = self._keys.read(lambda: self._say(question))
        if answer is None:
            self._say("\n")
            return None
        return _KEYS.get(answer, answer)

    @staticmethod
    def _say(text: str) -> None:
        """Talk to the user: not on standard output, which has the pairs."""
        ask(text if text.endswith("\n") else f"{text} ")


def _deleted_words(game: ShownGame) -> str:
    return (
        f"Game {game.game_id} is deleted and cannot stay; 'ocgdedup dedup --restore' puts deleted "
        "games back."
    )
