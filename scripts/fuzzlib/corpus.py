"""The stored inputs: tests/corpus, where those of a target are in fuzz/TARGET."""

from __future__ import annotations

import hashlib
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[2] / "tests" / "corpus"
FUZZ_CORPUS = CORPUS / "fuzz"
HEAD_BYTES = 100_000  # of a file


def corpus_texts(pattern: str, folder: Path = CORPUS) -> list[bytes]:
    """Return the heads of all files of a pattern, in a fixed order."""
    return read_heads(sorted(folder.rglob(pattern)))


def stored_inputs(target: str) -> list[Path]:
    """Return the files that are kept for one target."""
    folder = FUZZ_CORPUS / target
    return sorted(path for path in folder.glob("*") if path.is_file()) if folder.exists() else []


def read_heads(paths: list[Path]) -> list[bytes]:
    heads = []
    for path in paths:
        with path.open("rb") as stream:
            heads.append(stream.read(HEAD_BYTES))
    return [head for head in heads if head]


def save(folder: Path, kind: str, text: bytes) -> Path:
    """Keep an input under a name that says why; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    words = "".join(sign if sign.isalnum() else "-" for sign in kind.lower())[:32].strip("-")
    path = folder / f"{words}-{hashlib.sha256(text).hexdigest()[:8]}"
    path.write_bytes(text)
    return path
