"""The command review: show pairs, ask about each, and save each answer at once."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ocgdedup.cli import terminal
from ocgdedup.cli.command import Command
from ocgdedup.cli.keys import Keys
from ocgdedup.cli.options.shared import add_flags
from ocgdedup.errors import ExitStatus, UsageError
from ocgdedup.wording import counted

if TYPE_CHECKING:
    from ocgdedup.commands.review import Review
    from ocgdedup.pipeline.search.pairs import ShownPair

_WIDTH = 80  # where there is no terminal
_QUESTION_LINES = 2  # with the empty line after an answer
_LEAST_LINES = 10
_SAME, _DIFFERENT = "same", "different"
_KEYS = {
    "s": "same", "d": "different", "o": "other", "k": "skip", "b": "back", "u": "undecided",
    "m": "more", "q": "quit", "?": "help",
}  # fmt: skip
_HELP = """\
  s  same game: the rules choose which game is kept, usually the left one
  o  same game, keep the other one: the right one
  d  different games: both are kept
  k  skip this pair for now
  u  undecided: undo your decision on this pair
  b  back to the previous pair
  m  more: all fields, moves and evidence
  q  quit; your decisions are already written
  ?  this help
"""


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("database")
    job = command.add_mutually_exclusive_group()
    add_flags(job, "--near-identical")
    job.add_argument("--pair", nargs=2, type=int)
    job.add_argument("--group", type=int)
    add_flags(job, "--list")
    job.add_argument("--decide")
    add_flags(job, "--web")
    add_flags(command, "--json")
    command.add_argument("--port", type=int)
    add_flags(command, "--all", "--apply")


def run_command(options: argparse.Namespace) -> ExitStatus:
    """Run the task that the options choose; raise UsageError if they exclude each other."""
    _check_options(options)
    if options.list:
        return _list(options)
    if options.web:
        count = _review_in_browser(options)
    else:
        count = _decide_all(options) if options.decide is not None else _review(options)
    return apply_decisions(options, count)


def apply_decisions(options: argparse.Namespace, count: int) -> ExitStatus:
    """Run dedup if the user wants it, or say that it applies the decisions."""
    if options.apply:
        from ocgdedup.cli.dedup import COMMAND as DEDUP  # 9 ms

        parser = argparse.ArgumentParser()
        DEDUP.add_options(parser)
        quiet = ["-q"] if options.quiet else []
        return DEDUP.run(parser.parse_args([*quiet, "--", options.database]))
    if count and not options.quiet:
        terminal.tell(
            f"to apply your decisions, run: ocgdedup dedup {shlex.quote(options.database)}"
        )
    return ExitStatus.DONE


def _check_options(options: argparse.Namespace) -> None:
    if options.list and options.apply:
        raise UsageError("review: --apply does not go with --list; leave it out")
    if options.all and (options.list or options.web or options.decide is not None):
        raise UsageError(
            "review: --all does not go with --list, --web or --decide; leave out one of them"
        )
    if options.json and not options.list:
        raise UsageError("review: --json goes with --list only; leave it out, or add --list")
    if options.port is not None and not options.web:
        raise UsageError("review: --port goes with --web only; leave it out, or add --web")


def _list(options: argparse.Namespace) -> ExitStatus:
    from ocgdedup.commands.review import listed_pairs  # 48 ms
    from ocgdedup.reports.decision_files import list_lines  # 59 ms

    rows = listed_pairs(options.database)
    if options.json:
        terminal.write_result(terminal.json_text(list(rows)))
    else:
        terminal.write_lines(list_lines(rows))
    return ExitStatus.DONE


def _decide_all(options: argparse.Namespace) -> int:
    from ocgdedup.commands.review import decide_all  # 54 ms
    from ocgdedup.reports.decision_files import read_decisions  # 57 ms

    given = read_decisions(options.decide)
    changed = decide_all(options.database, given, terminal.choose_reporter(options))
    if not options.quiet:
        terminal.show(f"decisions: {len(given):,}, new or changed: {changed:,}")
    return changed


def _review_in_browser(options: argparse.Namespace) -> int:
    """Serve the page until the user stops it; return how many decisions were changed."""
    import webbrowser  # takes 6 ms

    from ocgdedup.commands.review import read_pairs  # 56 ms
    from ocgdedup.web.review_server import new_server  # 160 ms

    reporter = terminal.choose_reporter(options)
    server = new_server(read_pairs(options.database, reporter), options.port or 0)
    if not server.pairs.count:
        terminal.show(
            f"{options.database}: no duplicates and no possible duplicates; "
            f"to search for them, run 'ocgdedup dedup {shlex.quote(options.database)}'"
        )
        return 0
    before = server.pairs.decisions()
    terminal.tell(f"review: {server.address}")
    terminal.tell("each decision is written at once; press Ctrl+C here to stop")
    server.run(reporter, webbrowser.open if terminal.has_display() else None)
    changed = len({row[:2] for row in before ^ server.pairs.decisions()})
    if not options.quiet:
        terminal.show(f"decided: {counted(changed, 'pair')}")
    return changed


def _review(options: argparse.Namespace) -> int:
    """Review the pairs; return how many were decided."""
    from ocgdedup.commands.review import ReviewRequest, opened_review  # 44 ms

    request = ReviewRequest(
        options.database, options.pair, options.group, options.near_identical, options.all
    )
    with opened_review(request, terminal.choose_reporter(options)) as review:
        dialogue = _Dialogue(review)
        dialogue.run()
        if not options.quiet:
            terminal.write_table([_closing_line(dialogue, options)])
    return len(dialogue.answered)


def _closing_line(dialogue: _Dialogue, options: argparse.Namespace) -> str:
    pairs = len(dialogue.review.pairs)
    if pairs:
        open_pairs = pairs - dialogue.review.decided()
        return f"decided: {len(dialogue.answered):,}, undecided: {open_pairs:,} of {pairs:,}"
    if options.near_identical or options.group is not None:
        return "no duplicates to decide about"
    if options.all:
        return "no possible duplicates; to search for them, run 'ocgdedup dedup'"
    return "no possible duplicates to decide about; --all shows earlier decisions"


class _Dialogue:
    """The questions of a review; `answered`: the pairs decided so far, by number."""

    def __init__(self, review: Review) -> None:
        self.review = review
        self.answered: set[int] = set()
        self._keys = Keys()
        self._is_terminal = sys.stdout is not None and sys.stdout.isatty()
        import shutil  # takes 5 ms

        size = shutil.get_terminal_size()
        self._width = size.columns if self._is_terminal else _WIDTH
        self._height = size.lines
        self._is_coloured = self._is_terminal and not (
            os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        )

    def run(self) -> None:
        """Ask about each pair until the user quits."""
        number, count = 0, len(self.review.pairs)
        while count:
            if number == count:
                if self._answer("That was the last pair. b back, any other key quits:") != "back":
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
        """Show a pair and carry out the user's answer; return the answer."""
        pair, evidence = self.review.shown(number)
        if self._is_terminal:
            self._show_screen(number, pair, evidence)
        else:
            terminal.write_result(self._whole(number, pair, evidence))
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
                self._say(f"\n{word!r} is not a key; press ? for help.\n" if word else "\n")
            elif self._do(number, word, pair):
                return word

    def _title(self, number: int) -> str:
        return f"{number + 1} of {len(self.review.pairs)}, {self.review.decided()} decided"

    def _show_screen(self, number: int, pair: ShownPair, evidence: Sequence[str]) -> None:
        """Show as much as fits above the question; the key m shows the rest."""
        from ocgdedup.reports.pair_evidence import screen_lines  # 35 ms
        from ocgdedup.reports.side_by_side import decision_words  # 37 ms

        decision = decision_words(pair)
        if decision and not (pair.state and pair.state.decision):
            decision = f"this pair is {decision}"
        lines = screen_lines(
            pair,
            evidence,
            title=self._title(number) + (f"; {decision}" if decision else ""),
            width=self._width,
            is_coloured=self._is_coloured,
        )
        height = max(self._height - _QUESTION_LINES, _LEAST_LINES)
        if len(lines) > height:
            more = counted(len(lines) - height + 1, "more line")
            lines = [*lines[: height - 1], f"... {more}: press m"]
        terminal.write_result("\n".join(lines) + "\n")

    def _whole(self, number: int, pair: ShownPair, evidence: Sequence[str]) -> str:
        from ocgdedup.reports.pair_evidence import evidence_text  # 38 ms

        return evidence_text(
            pair,
            evidence,
            title=self._title(number),
            width=self._width,
            is_coloured=self._is_coloured,
        )

    def _page(self, text: str) -> None:
        """Show a text screen by screen; any key continues, q skips the rest."""
        lines = text.splitlines(keepends=True)
        height = max(self._height - 1, _LEAST_LINES) if self._is_terminal else len(lines)
        for start in range(0, len(lines), height):
            terminal.write_result("".join(lines[start : start + height]))
            if start + height < len(lines):
                if self._answer("any key for more, q to leave it:") in ("quit", None):
                    return
                self._say("\n")

    def _question(self, pair: ShownPair) -> str:
        undecided = ", u undecided" if pair.state and pair.state.decision else ""
        more = ", m more" if self._is_terminal else ""
        return (
            f"s same, d different, o other (keep {pair.right.game_id}), k skip, b back"
            f"{undecided}{more}, q quit, ?:"
        )

    def _do(self, number: int, word: str, pair: ShownPair) -> bool:
        """Save the answer if it is a decision; return whether the question is answered."""
        if word in ("skip", "back", "quit"):
            self._say("\n")
            return True
        if word == "other" and pair.right.is_deleted:
            self._say(
                f"\nGame {pair.right.game_id} is deleted and cannot be the kept game; 'ocgdedup "
                "restore' restores deleted games.\n"
            )
            return False
        decision, kept, effect = {
            "other": (_SAME, pair.right.game_id, f"same game, game {pair.right.game_id} is kept"),
            "undecided": (None, None, "undecided"),
            _SAME: (_SAME, None, "same game"),
            _DIFFERENT: (_DIFFERENT, None, "different games"),
        }[word]
        from ocgdedup.commands.review import ContradictionError  # 53 ms

        try:
            self.review.decide(number, decision, kept)
        except ContradictionError as error:
            self._say(f"\n{error}\n")
            return False
        self._say(f"\n-> {effect}\n\n")
        (self.answered.discard if word == "undecided" else self.answered.add)(number)
        return True

    def _answer(self, question: str) -> str | None:
        """Ask; return the word for a key, unknown input as it is, None at the end of the input."""
        answer = self._keys.read(lambda: self._say(question))
        if answer is None:
            self._say("\n")
            return None
        return _KEYS.get(answer, answer)

    @staticmethod
    def _say(text: str) -> None:
        """Print a question or hint, but not on standard output, which has the pairs."""
        terminal.ask(text if text.endswith("\n") else f"{text} ")


COMMAND = Command("review", _add_options, run_command)
