"""The option that prints what makes a shell complete our command line."""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "fish")


class PrintCompletion(argparse.Action):
    """Print the completion for a shell and leave, as --version does."""

    @classmethod
    def add_to(cls, parser: argparse.ArgumentParser) -> None:
        """Add the option to the parser of the whole command line."""
        parser.add_argument(
            "--print-completion",
            action=cls,
            choices=SHELLS,
            default=argparse.SUPPRESS,
            help="print what lets this shell complete commands, options and names of files; "
            "docs/reference.md says where it belongs",
        )

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        # Here, since shtab takes as long to import as all of the command line.
        from ocgdedup.cli.completion import completion_script

        print(completion_script(parser, str(values)), end="")
        parser.exit()
