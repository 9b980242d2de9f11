"""The campaigns: each module of this package that has a function run_case is one.

`run_case(case: Case) -> str | None` returns None if all went well, else one line that says what
went wrong. The first line of the module's docstring says what the campaign attacks.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

import torturelib
from torturelib.model import Case


@dataclass(frozen=True)
class Campaign:
    name: str
    about: str
    run_case: Callable[[Case], str | None]


def all_campaigns() -> dict[str, Campaign]:
    """Return the campaigns by name, in alphabetical order."""
    campaigns = {}
    for entry in sorted(pkgutil.iter_modules(torturelib.__path__), key=lambda each: each.name):
        module = importlib.import_module(f"torturelib.{entry.name}")
        run_case = getattr(module, "run_case", None)
        if run_case is not None and run_case.__module__ == module.__name__:
            about = (module.__doc__ or "").strip().partition("\n")[0]
            campaigns[entry.name] = Campaign(entry.name, about, run_case)
    return campaigns
