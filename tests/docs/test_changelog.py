"""towncrier makes the next section of CHANGELOG.md from every fragment in docs/changelog.d."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "changelog.d"
TYPES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]["fragment"]
FRAGMENTS = sorted(path for path in FOLDER.iterdir() if path.name != "template.md.jinja")


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda path: path.name)
def test_fragments_are_lists_with_a_topic_and_a_type(fragment: Path) -> None:
    name = re.fullmatch(r"[a-z0-9-]+\.([a-z]+)\.md", fragment.name)
    assert name, "name it TOPIC.TYPE.md"
    assert name[1] in TYPES
    lines = fragment.read_text("utf-8").splitlines()
    assert lines[0].startswith("* ")
    assert all(re.match(r"(\* |  )\S", line) for line in lines)


def test_the_draft_has_each_fragment() -> None:
    pytest.importorskip("towncrier", reason="no towncrier; pip install '.[docs]'")
    done = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "99.1.2"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"^## 99\.1\.2 \(\d{4}-\d\d-\d\d\)$", done.stdout, re.MULTILINE)
    for fragment in FRAGMENTS:
        assert fragment.read_text("utf-8") in done.stdout


def test_the_changelog_has_each_release_once_and_a_place_for_the_next() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert text.count("\n<!-- releases -->\n") == 1
    releases = re.findall(r"^## (.+) \(\d{4}-\d\d-\d\d\)$", text, re.MULTILINE)
    assert releases
    assert len(releases) == len(set(releases)) == text.count("\n## ")
