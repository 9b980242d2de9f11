"""Run the command line: the program ``ocgdedup``, and ``python -m ocgdedup``."""

# `signal` takes milliseconds to import; Ctrl-C would show a traceback during that time.
import _signal as signal  # type: ignore[import-not-found]


def run() -> int:
    """Run the command line of this process; return its exit status."""
    # During the imports, Ctrl-C ends the process without a traceback, since there is nothing to
    # clean up. The command then sets its own handlers.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ocgdedup.cli import main  # 11 ms

    return main.run()


if __name__ == "__main__":
    raise SystemExit(run())
