"""The pages for contributors name only files that exist."""

import re
from pathlib import Path

import pytest

import ocgdedup

_ROOT = Path(__file__).parents[2]
_DOCS = _ROOT / "docs"
_PHASES = sorted((_DOCS / "architecture").glob("*.md"))
_PAGES = [_DOCS / "architecture.md", _DOCS / "contributing.md", *_PHASES]
_PACKAGE = Path(ocgdedup.__file__).parent


def _tree() -> set[str]:
    """Return all files of the package, the kernels, scripts and tests, as /-separated paths."""
    files = {f"/ocgdedup/{path.relative_to(_PACKAGE).as_posix()}" for path in _PACKAGE.rglob("*")}
    for folder in ("kernels", "schema", "scripts", "tests"):
        files |= {f"/{path.relative_to(_ROOT).as_posix()}" for path in (_ROOT / folder).rglob("*")}
    return files | {"/pyproject.toml", "/setup.py"}


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.stem)
def test_named_files_exist(page: Path) -> None:
    files = _tree()
    pattern = r"`([\w/.-]+\.(?:pyx|pyi|py|pxd|pxi|txt|json|js|toml|h))`"
    named = re.findall(pattern, page.read_text())
    assert named or page.stem == "decisions"
    missing = {
        name
        for name in named
        if not re.search("COMMAND|NAME", name)
        and not any(file.endswith(f"/{name}") for file in files)
    }
    assert not missing


def test_map_names_each_page() -> None:
    text = (_DOCS / "architecture.md").read_text()
    missing = [page.name for page in _PHASES if f"(architecture/{page.name})" not in text]
    assert not missing
