"""What a build makes from the parser: manuals and completions, for share/ of a prefix."""

from __future__ import annotations

from pathlib import Path

from ocgdedup.cli.completion import completion_script
from ocgdedup.cli.parser import SHELLS, build_parser, summaries

from .man_pages import man_pages

# Where bash-completion, zsh and fish look for the completion of a command.
COMPLETIONS = {
    "bash": ("bash-completion/completions", "ocgdedup"),
    "zsh": ("zsh/site-functions", "_ocgdedup"),
    "fish": ("fish/vendor_completions.d", "ocgdedup.fish"),
}


def write_installed_files(folder: Path) -> list[tuple[str, list[str]]]:
    """Write them all into a folder; return setuptools' data_files, where each of them goes."""
    written: dict[str, list[str]] = {}
    for place, text in installed_files().items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.setdefault(f"share/{path.parent.relative_to(folder)}", []).append(str(path))
    return list(written.items())


def installed_files() -> dict[str, str]:
    """Return their texts by their paths below share/."""
    files = {f"man/man1/{name}": text for name, text in man_pages(build_parser).items()}
    for shell in SHELLS:
        place, name = COMPLETIONS[shell]
        files[f"{place}/{name}"] = completion_script(build_parser(), summaries(), shell)
    return files
