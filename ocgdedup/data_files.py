"""Texts and tables that the package ships beside its modules: words, columns, help, SQL.

Imports nothing of the package, since a build of the kernels reads tables before it can be imported.
"""

from __future__ import annotations

import os


def read_data(module_file: str, *names: str) -> str:
    """Return a text in the folder of a module; `module_file`: its __file__, `names`: the path."""
    # Not importlib.resources: its import takes 15 ms, a fifth of a whole `dedup` of 10,000 games.
    with open(os.path.join(os.path.dirname(module_file), *names), encoding="utf-8") as handle:
        return handle.read()


def read_lines(module_file: str, name: str) -> list[str]:
    """Return the lines of a table without comments, which begin with "#", and empty lines."""
    return [line for line in read_data(module_file, name).splitlines() if line and line[0] != "#"]


def read_sections(module_file: str, name: str) -> dict[str, str]:
    """Return the lines of each section of a table by its title, which is in brackets above it."""
    sections: dict[str, list[str]] = {}
    title = ""
    for line in read_lines(module_file, name):
        if line[0] == "[":
            title = line[1:-1]
        else:
            sections.setdefault(title, []).append(line)
    return {title: "\n".join(lines) for title, lines in sections.items()}
