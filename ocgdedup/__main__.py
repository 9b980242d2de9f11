"""Run the command line as ``python -m ocgdedup``."""

from ocgdedup.cli.main import run

if __name__ == "__main__":
    raise SystemExit(run())
