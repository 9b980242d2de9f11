"""Read the package's data files: words, columns, help, SQL.

Imports no other module of the package: the build of the kernels reads tables before the package can
be imported.
"""

from __future__ import annotations

import os


def read_data(module_file: str, *names: str) -> str:
    """Return the text of a file; `names`: its path from the folder of the module `module_file`."""
    # Not importlib.resources: its import takes 15 ms, a fifth of a `dedup` of 10,000 games.
    with open(os.path.join(os.path.dirname(module_file), *names), encoding="utf-8") as handle:
        return handle.read()


def read_lines(module_file: str, name: str) -> list[str]:
    """Return the lines of a table without empty lines and comments ("#")."""
    return [line for line in read_data(module_file, name).splitlines() if line and line[0] != "#"]


def read_sections(module_file: str, name: str) -> dict[str, str]:
    """Return the text of each section of a table, by the title in brackets above it."""
    sections: dict[str, list[str]] = {}
    title = ""
    for line in read_lines(module_file, name):
        if line[0] == "[":
            title = line[1:-1]
        else:
            sections.setdefault(title, []).append(line)
    return {title: "\n".join(lines) for title, lines in sections.items()}
