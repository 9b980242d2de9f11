"""What the figures hold for: the machine, and the versions of all that ran."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchlib.model import Stage
from benchlib.running import last_line, require_success, run_process


def machine(about: dict[str, Any], log_folder: Path) -> dict[str, Any]:
    """Describe what the figures hold for."""
    code = "import apsw; print(apsw.sqlite_lib_version())"
    sqlite = require_success((sys.executable, "-c", code), log_folder, (0,)).stdout.strip()
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "cores_usable": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": sqlite,
        "cython": about["cython"],
        "package": about,
        "load_average_before": os.getloadavg(),
    }


def cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def peer_versions(stages: Sequence[Stage], log_folder: Path) -> dict[str, str]:
    versions = {}
    for stage in stages:
        if stage.absent:
            versions[stage.name] = "not installed"
        elif stage.name == "pgn-extract":
            versions[stage.name] = last_line(
                run_process((stage.command[0], "--version"), log_folder)
            )
        elif stage.name == "python-chess":
            versions[stage.name] = importlib.metadata.version("chess")
        elif stage.name == "sgfmill":
            versions[stage.name] = importlib.metadata.version("sgfmill")
        elif stage.name == "scid":
            command = (stage.command[0], stage.command[1])
            versions[stage.name] = last_line(run_process(command, log_folder))
    return versions
