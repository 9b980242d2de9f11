"""The documentation site has every page, and links that lead to pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.doclib.documents import documents

pytest.importorskip("mkdocs", reason="no MkDocs; pip install '.[docs]'")

from scripts.doclib.site import PAGES, with_links_of_site

ROOT = Path(__file__).resolve().parents[2]
# On GitHub only: the page of the site is docs/contributing.md.
WITHOUT_PAGE = {"CONTRIBUTING.md"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = ["-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_each_document_has_a_page(site: Path) -> None:
    names = {path.relative_to(ROOT).as_posix() for path in documents(ROOT)} - WITHOUT_PAGE
    pages = {PAGES.get(name, name.removeprefix("docs/")) for name in names}
    built = {path.parent.relative_to(site).as_posix() for path in site.rglob("index.html")}
    assert {re.sub(r"(^|/)index$", "", page[:-3]) or "." for page in pages} <= built
    assert "schema" in built


def test_the_site_has_a_search_index_and_no_fragments(site: Path) -> None:
    assert "Possible duplicates" in (site / "search" / "search_index.json").read_text("utf-8")
    assert not (site / "changelog.d").exists()


def test_the_site_asks_no_other_server(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="?https?://[^>]+', text), page


@pytest.mark.parametrize(
    ("page", "document", "result"),
    [
        ("index.md", "[a](docs/go.md#b)", "[a](go.md#b)"),
        ("index.md", "[a](schema/README.md)", "[a](schema.md)"),
        ("go.md", "[a](../README.md#install)", "[a](index.md#install)"),
        ("go.md", "[a](../scripts/test) [b](#c)", "a [b](#c)"),
        ("how-to/x.md", "[a](../go.md) [b](y.md)", "[a](../go.md) [b](y.md)"),
        ("how-to/x.md", "[a](https://example.org/b.md)", "[a](https://example.org/b.md)"),
        ("schema.md", "[a](../docs/how-to/x.md)", "[a](how-to/x.md)"),
        ("go.md", "[a](missing.md)", "[a](missing.md)"),
    ],
)
def test_links_of_documents_become_links_of_the_site(page: str, document: str, result: str) -> None:
    pages = {"index.md", "schema.md", "go.md", "how-to/x.md", "how-to/y.md"}
    assert with_links_of_site(document, page, pages) == result


@pytest.mark.parametrize("document", documents(ROOT), ids=lambda path: path.name)
def test_nested_blocks_have_four_blanks(document: Path) -> None:
    """GitHub takes two or three, too; the site would end the list there."""
    text = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    nested = re.findall(r"(?:\n\n {1,3}\S|\n {1,3}(?:[*-]|\d+\.) |\n {1,3}```).*", text)
    assert nested == []
