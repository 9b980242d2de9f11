"""Parse the command line, run the command, choose the exit status.

Imports only the module of the requested command, to save start-up time.
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
import time
from collections.abc import Collection, Sequence

from ocgdedup.cli.command import commands_of
from ocgdedup.cli.parser import build_parser, load_command
from ocgdedup.cli.terminal import RunLog, give_up, prepare_streams, tell, unwritten_output
from ocgdedup.errors import (
    ExitStatus,
    LastingChanges,
    OcgdedupError,
    SeveralPlayersError,
    one_command,
)
from ocgdedup.files.portable import ending_signals, repeat_signal, uninterrupted
from ocgdedup.version import __version__

# Of an option: letters of a beginning, of a word with one typing error ("--site" is not "--size"),
# and of one with two.
_LEAST_LETTERS, _LEAST_GUESSED, _MANY_LETTERS = 3, 5, 9
_SAME_SIGNAL_S = 1.0  # `timeout`, say, sends a signal twice


class _Interruption:
    """The first signal raises KeyboardInterrupt; one after a second or more ends the process."""

    def __init__(self) -> None:
        self.came_s: float | None = None
        self._number = 0
        self._hook = sys.unraisablehook

    def handle(self, number: int) -> None:
        now_s = time.monotonic()
        self._number = number
        if self.came_s is None:
            self.came_s = now_s
            raise KeyboardInterrupt
        if now_s - self.came_s > _SAME_SIGNAL_S:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    @uninterrupted
    def raise_later(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Repeat a signal that came in a callback or destructor, where exceptions are lost."""
        if not isinstance(unraisable.exc_value, KeyboardInterrupt):
            self._hook(unraisable)
            return
        self.came_s = None
        repeat_signal(self._number)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # A short-lived program with few reference cycles: collecting them took 5 % of an import of
    # games, and a tenth of the Python imports.
    gc.disable()
    prepare_streams()
    changes, interruption, hook = LastingChanges(), _Interruption(), sys.unraisablehook
    sys.unraisablehook = interruption.raise_later
    try:
        with changes, ending_signals(interruption.handle):
            try:
                status = _flushed(_run(words, interruption))
            except KeyboardInterrupt:
                status = _flushed(_interrupted(changes))
    except KeyboardInterrupt:  # while handlers were set or restored
        status = _flushed(_interrupted(changes))
    sys.unraisablehook = hook
    gc.freeze()  # otherwise Python looks for cycles at exit
    return status


def _run(words: list[str], interruption: _Interruption) -> int:
    """Run a command line; return its exit status, after an error with a message."""
    try:
        return int(_run_command(words))
    except SystemExit as ending:  # argparse: usage errors, --help, --version
        return int(ending.code or 0)
    except Exception as error:
        if interruption.came_s is not None:  # a library has made another error of it
            raise KeyboardInterrupt from error
        return _status_of(error, words)


def _status_of(error: Exception, words: list[str]) -> int:
    """Print the message for an error; return its exit status."""
    match error:
        case SeveralPlayersError():
            status = _failed(error.args[0])
            for line in error.candidates:
                tell(line)
            return status
        case OcgdedupError():
            return _failed(str(error), error.exit_code)
        case BrokenPipeError():
            # The reader of the pipe has exited (head, less): not an error.
            give_up(sys.stdout)
            return int(ExitStatus.DONE)
        case OSError():
            return _failed(f"{error.filename or 'the system'}: {error.strerror or error}")
        case MemoryError():
            return _failed("out of memory: the command needs more than the system gives it")
        # A compiled module, or that of another package.
        case ImportError(name=str(name)) if name.startswith(
            "ocgdedup._kernels"
        ) or not name.startswith("ocgdedup."):
            return _failed(
                f"{name}: is not installed or not built for this Python; in the source "
                "folder, run: python3 -m pip install -e ."
            )
        case _:
            _report_bug(error, words)
            return int(ExitStatus.BUG)


def _interrupted(changes: LastingChanges) -> int:
    if changes.were_made:
        effect = "what was done before is kept; the same command continues"
    else:
        effect = "nothing was changed; the same command starts again"
    if sys.stderr.isatty():
        tell("")  # after ^C or a progress bar
    tell(f"ocgdedup: interrupted; {effect}")
    # After an interruption within code that a library compiles from text (named tuples), CPython
    # would end the process by SIGINT. Compiling any other text resets that.
    exec("")
    return int(ExitStatus.INTERRUPTED)


def _run_command(words: list[str]) -> ExitStatus:
    parser = build_parser(words[0] if words else None)
    if not words:
        parser.print_help(sys.stderr)
        return ExitStatus(_failed("name a command"))
    if words[0] == "help":
        words = [*words[1:2], "--help"]  # "help" and "help dedup", as in other programs
    for word in words[: words.index("--") if "--" in words else None]:
        if word.startswith("--") and word.endswith("=--"):
            parser.error(f"{word}: -- is not a value")  # argparse would return a list
    commands = commands_of(parser)
    if not words[0].startswith("-") and words[0] not in commands:
        parser.error(
            f"argument COMMAND: invalid choice: {words[0]!r} (choose from {', '.join(commands)})"
            f"{_did_you_mean(words[0], commands)}"
        )
    options, left = parser.parse_known_args(words)
    warnings: list[str] = []
    if left:
        from ocgdedup.deprecated import with_new_options  # 1 ms

        new_words, warnings = with_new_options(options.command, words)
        options, left = parser.parse_known_args(new_words)
        for warning in warnings if not options.quiet else ():
            tell(f"ocgdedup: warning: {warning}")
    left = _without_late_games(options, left)
    if left:
        choices = commands[options.command]._option_string_actions
        names = (word.partition("=")[0] for word in left)
        hints = [_did_you_mean(name, choices) for name in names if name.startswith("-")]
        commands[options.command].error(f"unrecognized arguments: {' '.join(left)}{''.join(hints)}")
    if options.verbose or options.log_file is not None:
        return _logged(words, options, warnings)
    return _done(options, words)


def _done(options: argparse.Namespace, words: Sequence[str]) -> ExitStatus:
    """Run a command; raise StoreError if an invalid value of its database ended it."""
    try:
        with one_command(["ocgdedup", *words]):
            return load_command(options.command).run(options)
    except Exception as error:
        database = getattr(options, "database", None)
        if database is None or isinstance(error, (OcgdedupError, OSError)):
            raise
        from ocgdedup.store.database import store_errors  # takes 20 ms, needed only now

        with store_errors(database, "cannot be shown"):
            raise


def _without_late_games(options: argparse.Namespace, left: list[str]) -> list[str]:
    """Take IDs of games that follow an option, which argparse leaves; return the other words."""
    if not hasattr(options, "more_games"):
        return left
    options.more_games += [int(word) for word in left if word.isascii() and word.isdigit()]
    return [word for word in left if not (word.isascii() and word.isdigit())]


def _did_you_mean(word: str, choices: Collection[str]) -> str:
    """Return a hint at the choice that means the same as a word, "" if none surely does.

    That is a known synonym, a choice that only the word begins, or one typing error away.
    """
    from ocgdedup.deprecated import SYNONYMS  # 1 ms, needed only after an error

    if (synonym := SYNONYMS.get(word)) in choices:
        return f"; did you mean {synonym}?"
    name = word.strip("-")
    if len(name) < _LEAST_LETTERS or any(
        word in command._option_string_actions for command in commands_of(build_parser()).values()
    ):  # an option of another command is no typing error
        return ""
    near = [choice for choice in choices if choice.startswith(word)]
    if not near and len(name) >= _LEAST_GUESSED:
        from rapidfuzz.distance import OSA  # 2 ms

        most = 1 + (len(name) >= _MANY_LETTERS)
        near = [choice for choice in choices if OSA.distance(word, choice) <= most]
    return f"; did you mean {near[0]}?" if len(near) == 1 else ""


def _logged(words: list[str], options: argparse.Namespace, warnings: list[str]) -> ExitStatus:
    import shlex  # 1 ms

    log = options.log = RunLog(options.log_file, is_verbose=options.verbose)
    try:
        log.note(f"ocgdedup {__version__}: {shlex.join(words)}")
        for warning in warnings:
            log.note(f"warning: {warning}")
        status = _done(options, words)
        log.note(f"exit status {int(status)}")
        return status
    except (Exception, KeyboardInterrupt) as error:
        log.note(f"ended by {type(error).__name__}: {error}")
        raise
    finally:
        log.close()


def _failed(message: str, status: ExitStatus = ExitStatus.FAILED) -> int:
    tell(f"ocgdedup: error: {message}")
    return int(status)


def _report_bug(error: Exception, words: list[str]) -> None:
    """Print the traceback of an unexpected error, and what a bug report needs."""
    import platform  # 3 ms
    import shlex  # 1 ms
    import traceback  # 7 ms

    for line in "".join(traceback.format_exception(error)).splitlines():
        tell(line)
    tell("ocgdedup: error: this is a bug of ocgdedup; please report it, with the lines above and:")
    tell(f"  ocgdedup {__version__}, Python {platform.python_version()}, {platform.platform()}")
    tell(f"  command: {shlex.join(['ocgdedup', *words])}")
    tell("docs/contributing.md says where to, and what helps to find it")


def _flushed(status: int) -> int:
    """Flush standard output; return the exit status after that."""
    # Python flushes at exit too, but a failure would give a traceback and status 120.
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        give_up(sys.stdout)
    except OSError as error:
        give_up(sys.stdout)
        if status in (ExitStatus.DONE, ExitStatus.DONE_WITH_REJECTS):
            status = _failed(str(unwritten_output(error)))
    tell("", end="")  # discard argparse's unwritten output, which would fail again
    return status
