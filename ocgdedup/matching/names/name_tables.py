"""Reads the tables of names beside it: text files in sections.

A section begins with its title in brackets; lines that begin with "#" are comments.
"""

from __future__ import annotations

import os


def read_table(name: str) -> dict[str, str]:
    """Return the text of each section of a table, by its title, without comments."""
    path = os.path.join(os.path.dirname(__file__), f"{name}.txt")
    with open(path, encoding="utf-8") as handle:
        _, *sections = f"\n{handle.read()}".split("\n[")
    texts: dict[str, str] = {}
    for section in sections:
        title, *lines = section.splitlines()
        kept = [line for line in lines if line and line[0] != "#"]
        texts[title.removesuffix("]")] = "\n".join(kept)
    return texts
