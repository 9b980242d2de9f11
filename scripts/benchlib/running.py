"""Run stages in turn, each as a process of its own, and see what the system charges to it."""

from __future__ import annotations

import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchlib.model import BenchError, Corpus, Process, Result, Run, Stage

SEARCH_SUFFIX = "-search"  # of the folder beside a database that its last search left


def run_process(command: Sequence[str], log_folder: Path) -> Process:
    """Run a command to its end, with the resources it and its children used."""
    out_path, err_path = log_folder / "stdout", log_folder / "stderr"
    with open(out_path, "wb") as out, open(err_path, "wb") as err:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=child_environment()
        )
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        wall_s = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)  # Popen need not wait for it again
    return Process(
        process.returncode,
        usage.ru_utime,
        usage.ru_stime,
        wall_s,
        megabytes(usage.ru_maxrss),
        out_path.read_text(errors="replace"),
        err_path.read_text(errors="replace"),
    )


def child_environment() -> dict[str, str]:
    """Let the probes find the package that `python3 -m ocgdedup` finds."""
    paths = [os.getcwd(), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def megabytes(maxrss: int) -> float:
    unit_bytes = 1 if sys.platform == "darwin" else 1024
    return maxrss * unit_bytes / 1e6


def own_peak_mb() -> float:
    """Return the peak memory of this process, which Linux counts to each child it starts."""
    return megabytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def last_line(process: Process) -> str:
    lines = (process.stderr or process.stdout).strip().splitlines()
    return lines[-1] if lines else "it printed nothing"


def require_success(command: Sequence[str], log_folder: Path, accepted: Sequence[int]) -> Process:
    process = run_process(command, log_folder)
    if process.exit_code not in accepted:
        raise BenchError(
            f"{shlex.join(command)}: exit code {process.exit_code}: {last_line(process)}"
        )
    return process


def folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def empty_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database and the files that its last search left."""
    shutil.copyfile(source, target)
    if has_search_files(source):
        shutil.copytree(f"{source}{SEARCH_SUFFIX}", f"{target}{SEARCH_SUFFIX}")


def has_search_files(database: Path) -> bool:
    return Path(f"{database}{SEARCH_SUFFIX}").is_dir()


def run_stage(stage: Stage, work: Path, corpus: Corpus) -> Run:
    """Run a stage once, in an empty folder; what it needs there is put there unmeasured."""
    folder = work / stage.name
    empty_folder(folder)
    if stage.copied is not None:
        copy_database(*stage.copied)
    process = require_success(stage.command, work, stage.accepted)
    require_output(stage, process)
    output_bytes = folder_bytes(folder)
    return make_run(
        process, json.loads(process.stdout) if stage.is_probe else {}, corpus, output_bytes
    )


def require_output(stage: Stage, process: Process) -> None:
    # The exit code does not say it: pgn-extract's is 0 always, 1 of `create` has two meanings.
    if stage.output and not (stage.output.is_file() and stage.output.stat().st_size):
        raise BenchError(
            f"{shlex.join(stage.command)}: did not write {stage.output}: {last_line(process)}"
        )


def make_run(process: Process, own: dict[str, Any], corpus: Corpus, output_bytes: int) -> Run:
    return Run(
        cpu_s=own.get("cpu_s", process.user_s + process.system_s),
        wall_s=own.get("wall_s", process.wall_s),
        peak_rss_mb=process.peak_rss_mb,
        games=own.get("games", corpus.games),
        plies=own.get("plies", corpus.plies),
        process_user_s=process.user_s,
        process_system_s=process.system_s,
        process_wall_s=process.wall_s,
        exit_code=process.exit_code,
        output_bytes=output_bytes,
    )


def run_rounds(results: Sequence[Result], rounds: int, work: Path, corpus: Corpus) -> None:
    """Run all stages in turn; round 0 warms up and is not kept. A stage that fails is left out."""
    for number in range(rounds + 1):
        for result in results:
            if result.problem:
                continue
            note(f"round {number} of {rounds}: {result.stage.label}")
            try:
                run = run_stage(result.stage, work, corpus)
            except BenchError as error:
                result.problem = f"failed: {error}"
                continue
            if number:
                result.runs.append(run)


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
