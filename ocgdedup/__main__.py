"""Run the command line: the program ``ocgdedup``, and ``python -m ocgdedup``."""

# `signal` takes milliseconds to import, in which Ctrl-C would end with a traceback.
import _signal as signal  # type: ignore[import-not-found]


def run() -> int:
    """Run the command line of this process; return its exit status."""
    # Nothing needs to be cleaned up yet: Ctrl-C during the imports ends the process without a
    # traceback, as other signals do. The command then sets handlers of its own.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ocgdedup.cli import main  # 11 ms

    return main.run()


if __name__ == "__main__":
    raise SystemExit(run())
