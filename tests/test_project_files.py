"""Files that every project has: workflows, issue forms, pre-commit hooks, markers of tests."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from ocgdedup.cli.command import arguments_of, commands_of
from ocgdedup.cli.parser import build_parser

ROOT = Path(__file__).resolve().parents[1]
FORMS = sorted(ROOT.glob(".github/ISSUE_TEMPLATE/*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_workflow_calls_ci_run_on_pushes_and_pull_requests() -> None:
    workflow = read_yaml(".github/workflows/ci.yml")
    assert set(workflow[True]) == {"push", "pull_request"}  # YAML reads `on` as a bool
    commands = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
    assert commands == [".ci/run"]
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_pre_commit_runs_the_linters_of_scripts_test() -> None:
    hooks = [
        hook for repo in read_yaml(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]
    ]
    stages = re.findall(
        r'^stage "([^"]+)" in_sources', (ROOT / "scripts/test").read_text("utf-8"), re.MULTILINE
    )
    assert {hook["name"] for hook in hooks} == {stage.replace(" --check", "") for stage in stages}


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_issue_forms_ask_for_the_version_and_name_real_options(form: Path) -> None:
    text = form.read_text("utf-8")
    content = yaml.safe_load(text)
    assert {"name", "description", "body"} <= set(content)
    fields = {field["id"]: field for field in content["body"] if field["type"] != "markdown"}
    assert form.stem == "feature" or fields["version"]["validations"]["required"]
    commands = commands_of(build_parser())
    for name, options in re.findall(r"`ocgdedup (\w+)([^`]*)`", text):
        known = {
            option for action in arguments_of(commands[name]) for option in action.option_strings
        }
        assert set(re.findall(r"(?<= )-+[a-z]+", options)) <= known


def test_the_extra_dev_has_all_other_extras_of_developers() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert extras["dev"][0] == "ocgdedup[docs,lint,test]"
    assert {"docs", "lint", "test"} <= set(extras)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/contributing.md"])
def test_the_inner_loop_leaves_out_all_declared_markers(page: str) -> None:
    markers = [line.split(":")[0] for line in PROJECT["tool"]["pytest"]["ini_options"]["markers"]]
    (left_out,) = re.findall(r"pytest -n auto -m '([^']+)'", (ROOT / page).read_text("utf-8"))
    assert sorted(re.findall(r"not (\w+)", left_out)) == sorted(markers)
