"""Hook of MkDocs: pages from outside docs/, and links that hold on the site and among the sources.

A document links to files beside it. On the site, README.md is the first page, other documents from
outside docs/ are pages of docs/, and files of code have no page: their links become plain text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
# Documents outside docs/ and their pages.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "schema/README.md": "schema.md",
}
DOCUMENTS = {page: document for document, page in PAGES.items()}
LINK = re.compile(r"\[([^]]*)\]\(([^)\s]+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside docs/."""
    for document, page in PAGES.items():
        text = (ROOT / document).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Return the text of a page with links to other pages instead of documents."""
    return with_links_of_site(markdown, page.file.src_uri, set(files.src_uris))


def with_links_of_site(markdown: str, page: str, pages: set[str]) -> str:
    """Return the text of a page of the site, made from the text of its document."""
    folder = posixpath.dirname(DOCUMENTS.get(page, f"docs/{page}"))

    def link_of_site(match: re.Match[str]) -> str:
        text, link = match.groups()
        path, hash_sign, heading = link.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match[0]
        target = posixpath.normpath(posixpath.join(folder, path))
        target = PAGES.get(target, target.removeprefix("docs/"))
        # A name of a missing page below docs/ stays, so that MkDocs reports it.
        if target not in pages and (ROOT / folder / path).exists():
            return text
        link = posixpath.relpath(target, posixpath.dirname(page) or ".")
        return f"[{text}]({link}{hash_sign}{heading})"

    return LINK.sub(link_of_site, markdown)
