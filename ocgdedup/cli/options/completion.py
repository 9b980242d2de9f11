"""The option that prints the completion for a shell."""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "fish")


class PrintCompletion(argparse.Action):
    """Print the completion for a shell and exit, as --version does."""

    @classmethod
    def add_to(cls, parser: argparse.ArgumentParser) -> None:
        """Add the option to the parser of the whole command line."""
        parser.add_argument(
            "--print-completion",
            action=cls,
            choices=SHELLS,
            default=argparse.SUPPRESS,
            help="print the shell completion for commands, options and file names (how to "
            "install it: docs/reference.md)",
        )

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        # Not at the top: importing shtab takes as long as the whole command line.
        from ocgdedup.cli.completion import completion_script

        print(completion_script(parser, str(values)), end="")
        parser.exit()
