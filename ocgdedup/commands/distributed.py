"""distributed: PGN or SGF files to clean files and tables, on Apache Spark."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import re
import signal
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from ocgdedup.errors import PgnReadError, SparkError, UsageError
from ocgdedup.files import storage
from ocgdedup.files.decompress import scheme_of
from ocgdedup.files.inputs import InputFile, list_shared_inputs, open_shared, unread_messages
from ocgdedup.files.manifest import NAME as MANIFEST
from ocgdedup.files.manifest import ListedFile, write_manifest
from ocgdedup.files.portable import ending_signals
from ocgdedup.game_kind import CHESS, GameKind, kind_of
from ocgdedup.model import ListFiles, Reporter
from ocgdedup.pipeline.search.named_options import NamedOptions
from ocgdedup.sgf.blocks import is_sgf
from ocgdedup.tables.columns import LOSSLESS_GAMES, SOURCES
from ocgdedup.tables.formats import named_format
from ocgdedup.tables.parquet_file import ParquetFile
from ocgdedup.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ocgdedup.spark.chunks import Chunks
    from ocgdedup.spark.messages import Slots
    from ocgdedup.spark.output import Written

_LOGGERS_OF_PY4J = (None, "py4j.clientserver", "py4j.java_gateway")
_RUN = "run.json"  # the note of the run that a folder belongs to
_STAGE_FORMAT = 6  # increased whenever a run cannot use the stages of an older version
_STAGES, _CLEAN, _TABLES = "stages", "clean", "games"
_RESULT_FOLDERS = (_STAGES, _CLEAN, _TABLES, "problems", "duplicates", "possible", "persons")
_GAMES_PER_PART = 100_000
_BYTES_PER_GAME = 400  # of PGN text, to estimate the number of games
_HEAD_BYTES = 1 << 18
# An error in a traceback of Python or Java.
_RAISED = re.compile(r"(?:Caused by)?:? ?([\w.$]+(?:Error|Exception): .*)")
# Java moves few large rows: code generation, long compilation and adaptive plans cost more than
# they save.
_SETTINGS = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(1 << 26),
    "spark.sql.maxConcurrentOutputFileWriters": "16",
    "spark.ui.showConsoleProgress": "false",
    # Python workers allocate large blocks: with glibc, keeping huge pages costs less than new pages
    # each time (a tenth of all CPU time). Other C libraries ignore this.
    "spark.executorEnv.ARROW_DEFAULT_MEMORY_POOL": "system",
    "spark.executorEnv.GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864:"
    "glibc.malloc.mmap_threshold=1000000000:glibc.malloc.trim_threshold=2000000000",
}
_LOCAL_SETTINGS = {  # for a run in one Java process; spark-submit starts its own
    "spark.shuffle.compress": "false",
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.ui.enabled": "false",
}


class DistributedRequest(NamedTuple):
    """A request of the user; `partitions`: None for the number that fits the inputs."""

    inputs: Sequence[str]
    output: str
    master: str | None = None
    partitions: int | None = None
    options: NamedOptions = NamedOptions()
    lists: ListFiles = ListFiles()
    force: bool = False


class DistributedResult(NamedTuple):
    """The result; `duplicates`: counts by class, `files`: names of the files of clean games.

    `names`: spellings of `persons`, of whom `fide_persons` have a FIDE ID; None without lists.
    `list_month`: of the rating list, "YYYY-MM", None if unknown.
    """

    games: int
    problems: int
    groups: int
    duplicates: dict[str, int]
    possible: int
    written: int
    files: Sequence[str]
    names: int | None = None
    persons: int | None = None
    fide_persons: int | None = None
    list_month: str | None = None


def distributed(request: DistributedRequest, reporter: Reporter) -> DistributedResult:
    """Run all stages that are not complete yet.

    Raises UsageError if Spark is not installed, and for a folder with other files in it.
    """
    folder = storage.located(request.output)
    if named_format(folder) is not None:
        raise UsageError(f"{request.output}: is a name of a file; name a folder for the results")
    with _spark_errors(), contextlib.ExitStack() as stack:
        # Started before all checks only if one of them needs it.
        session = cache(lambda: stack.enter_context(_session(request)))

        def list_other(url: str) -> tuple[bool, list[storage.ListedFile]]:
            from ocgdedup.spark.connectors import list_by_spark  # 370 ms

            return list_by_spark(session(), url)

        files = list_shared_inputs(request.inputs, list_other, reporter.warn)
        _check_lists(request, files)
        folders = [
            name if scheme_of(name) is None else storage.located(name) for name in request.inputs
        ]
        for message in unread_messages(folders, request.lists.paths()):
            reporter.warn(message)
        if scheme_of(folder) is not None:
            from ocgdedup.spark.connectors import spark_location  # 370 ms

            spark_location(session(), folder)
        resume = _prepare(folder, _identity(request, files), force=request.force)
        return _run(session(), request, files, folder, resume, reporter)


@contextlib.contextmanager
def _session(request: DistributedRequest) -> Iterator[SparkSession]:
    for name in _LOGGERS_OF_PY4J:
        logging.getLogger(name).addFilter(_is_not_an_interruption)
    received: list[int] = []
    # A Java process interrupted at its start never ends. PySpark sets a handler of its own.
    with ending_signals(received.append):
        spark = _started_session(request)
    try:
        if received:
            signal.raise_signal(received[0])
        yield spark
    except KeyboardInterrupt:
        spark.sparkContext.setLogLevel("OFF")  # Spark reports every interrupted job
        raise
    finally:
        spark.stop()


def _check_lists(request: DistributedRequest, files: Sequence[InputFile]) -> None:
    """Raise UsageError for lists for Go games, RatingListError for an invalid list."""
    lists = request.lists
    if lists.fide is None and lists.month is not None:
        raise UsageError("--list-month: needs the rating list; name it with --fide-xml LIST")
    if not lists.paths():
        return
    _require_chess(_kind_of_first(files))
    from ocgdedup.commands.players import check_lists  # 91 ms

    check_lists(lists)


def _require_chess(kind: GameKind) -> None:
    """Raise UsageError for Go games, whose players are in no list."""
    if not kind.has_fide_list:
        raise UsageError(
            "distributed: player names are looked up for chess games only, and these are Go games; "
            "leave --fide-xml and --aliases out"
        )


def _identity(request: DistributedRequest, files: Sequence[InputFile]) -> str:
    """Return a hash that is equal for runs with the same results."""
    stamps = [
        (storage.located(file.path_as_given), file.stamp.size_bytes, file.stamp.changed_ns)
        for file in files
        if file.stamp is not None
    ]
    lists = [_stamp(path) for path in request.lists.paths()]
    settings = stamps, request.options.named(), request.partitions, lists, request.lists.month
    place = storage.located(request.output)  # stages refer to files by their paths
    content = repr((__version__, _STAGE_FORMAT, settings, place))
    return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()


def _stamp(name: str) -> tuple[str, int, int]:
    """Return the path, size and time of change of a file."""
    path = os.path.abspath(name)
    status = os.stat(path)
    return path, status.st_size, status.st_mtime_ns


def _prepare(folder: str, identity: str, *, force: bool) -> bool:
    """Make the folder; return whether it belongs to the same run, which then continues."""
    names = storage.names_in(folder)
    if names:
        if _RUN not in names:
            raise UsageError(f"{folder}: is a folder with other files in it; name another folder")
        if _read_note(folder).get("identity") == identity:
            return True
        if not force:
            raise UsageError(
                f"{folder}: has results of other inputs or options, or was moved; name another "
                "folder, or start again with --force"
            )
        _write_note(folder, "", None)  # no run continues with what is left, if this one is killed
        for name in _RESULT_FOLDERS:
            storage.delete_folder(f"{folder}/{name}")
    storage.check_output(folder)
    _write_note(folder, identity, None)
    return False


class _RunNote(TypedDict, total=False):
    """The run that the stages of a folder belong to."""

    program: str
    identity: str
    partitions: int | None


def _write_note(folder: str, identity: str, partitions: int | None) -> None:
    """Note the run of a folder; a run that continues has the same number of partitions."""
    note = _RunNote(program=f"ocgdedup {__version__}", identity=identity, partitions=partitions)
    with storage.new_file(f"{folder}/{_RUN}") as handle:
        handle.write(json.dumps(note).encode() + b"\n")


def _read_note(folder: str) -> _RunNote:
    """Return the note of a folder, empty for an invalid file."""
    with storage.open_file(f"{folder}/{_RUN}") as handle:
        try:
            note: _RunNote | list[object] | str | float | None = json.load(handle)
        except ValueError:
            return {}
    return note if isinstance(note, dict) else {}


@contextlib.contextmanager
def _spark_errors() -> Iterator[None]:
    """Turn an error of Spark into SparkError, with the last error of a worker or the first line."""
    try:
        from py4j.protocol import Py4JError  # 15 ms
        from pyspark.errors import PySparkException  # 98 ms
    except ImportError as error:
        raise UsageError(
            "distributed: needs Apache Spark, which is not installed; install it with "
            "\"pip install 'ocgdedup[spark]'\" and a Java of version 17 or later"
        ) from error
    try:
        yield
    except (Py4JError, PySparkException) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raised = [match[1] for match in map(_RAISED.match, lines) if match]
        reason = "; ".join(raised[-1:] or lines[:1])
        raise SparkError(
            f"distributed: Spark failed: {reason}; finished stages are kept: the same command "
            "continues after them"
        ) from error


def _is_not_an_interruption(record: logging.LogRecord) -> bool:
    """Return False for tracebacks that Py4J logs after Ctrl-C."""
    error = record.exc_info[1] if record.exc_info else None
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is None


def _started_session(request: DistributedRequest) -> SparkSession:
    import pyspark.sql  # 93 ms

    builder = pyspark.sql.SparkSession.builder.appName("ocgdedup")
    if request.master is not None:
        builder = builder.master(request.master)
    is_local = request.master is None or request.master.startswith("local")
    for name, value in (_SETTINGS | (_LOCAL_SETTINGS if is_local else {})).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def _run(
    spark: SparkSession,
    request: DistributedRequest,
    files: Sequence[InputFile],
    folder: str,
    resume: bool,
    reporter: Reporter,
) -> DistributedResult:
    from ocgdedup.spark import search_chunks  # 370 ms
    from ocgdedup.spark.chunks import problems_of_chunks  # 400 ms
    from ocgdedup.spark.groups import DUPLICATES, POSSIBLE, rows_of_results  # 330 ms
    from ocgdedup.spark.messages import Slots  # 320 ms
    from ocgdedup.spark.output import Outputs, write_chunks  # 310 ms
    from ocgdedup.spark.persons import NamedGames, broadcast_persons, with_players  # 330 ms
    from ocgdedup.spark.pgn import read_chunks  # 320 ms
    from ocgdedup.spark.stages import Stages  # 350 ms

    stages = Stages(spark, f"{folder}/{_STAGES}", resume=resume)
    outputs = Stages(spark, folder, resume=resume)
    note = _read_note(folder)
    size = sum(file.size_bytes or 0 for file in files)
    needed = size // (_BYTES_PER_GAME * _GAMES_PER_PART) + 1
    least = 2 * int(spark.sparkContext.defaultParallelism)
    partitions = note.get("partitions") or request.partitions or max(needed, least)
    _write_note(folder, note["identity"], partitions)
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    reporter.start("reading", None, None)
    paths = [file.path_as_given for file in files]
    chunks = read_chunks(spark, paths, work_dir=stages.path("read"), resume=resume)
    kind = chunks.kind
    problems = outputs.stage("problems", lambda _: problems_of_chunks(chunks))
    reporter.finish()
    slots = Slots.of(spark, partitions, stages)
    persons = named = None
    if request.lists.paths():
        _require_chess(kind)
        persons = outputs.stage("persons", lambda _: _resolved(request, chunks, slots, reporter))
        reporter.start("games of players", None, None)
        broadcast = broadcast_persons(persons)
        named = NamedGames(with_players(chunks, broadcast, stages), broadcast)
        reporter.finish()
    reporter.start("duplicates: search", None, None)
    search_stages = Stages(spark, stages.path("search"), resume=resume)
    searched = chunks if named is None else named.chunks
    searched_parts = search_chunks(searched, search_stages, slots, request.options, kind)
    duplicates = outputs.stage("duplicates", lambda _: rows_of_results(searched_parts, DUPLICATES))
    possible = outputs.stage("possible", lambda _: rows_of_results(searched_parts, POSSIBLE))
    reporter.finish()
    reporter.start("writing", None, None)
    tables = f"{folder}/{_TABLES}"
    folders = Outputs(f"{tables}/games", f"{folder}/{_CLEAN}", kind)
    written = write_chunks(chunks, searched_parts, folders, slots, named)
    _write_manifest(tables, chunks, written, kind)
    reporter.finish()
    counts = {row[0]: row[1] for row in duplicates.groupBy("DuplicateStatus").count().collect()}
    groups = counts.pop(None, 0)
    return DistributedResult(
        sum(chunk.games for chunk in chunks.summaries),
        problems.count(),
        groups,
        dict(sorted(counts.items())),
        possible.count(),
        sum(file.games for file in written),
        [file.text for file in written],
        *(_counts(persons) if persons is not None else ()),
    )


def _resolved(
    request: DistributedRequest, chunks: Chunks, slots: Slots, reporter: Reporter
) -> DataFrame:
    """Resolve the players of all games; warn about the list if needed."""
    from ocgdedup.commands.players import warn_of_list  # 73 ms
    from ocgdedup.spark.players import read_lists, resolve  # 350 ms

    read = read_lists(request.lists, reporter)
    if read.imported is not None:
        warn_of_list(request.lists, read.imported, reporter)
    reporter.start("players", None, None)
    return resolve(chunks, read, slots)


def _counts(persons: DataFrame) -> tuple[int, int, int, str | None]:
    """Return the numbers of spellings, players and players with a FIDE ID, and the list's month."""
    resolved = persons.where("PersonID IS NOT NULL")
    names = resolved.select("Name").distinct().count()
    players = resolved.select("PersonID", "FideID").distinct()
    listed = players.where("FideID IS NOT NULL")
    row = resolved.select("ListMonth").first()
    month = row.ListMonth if row is not None else None
    return names, players.count(), listed.count(), month


def _kind_of_first(files: Sequence[InputFile]) -> GameKind:
    """Return the kind of games that the first text seems to hold."""
    path = files[0].path_as_given
    with contextlib.suppress(PgnReadError):
        for stream in open_shared(path) if storage.can_open(path) else ():
            return kind_of(is_sgf(stream.name, stream.read(_HEAD_BYTES)))
    return CHESS


def _write_manifest(
    folder: str, chunks: Chunks, written: Sequence[Written], kind: GameKind
) -> None:
    """Write the table of sources and the manifest, so that `create` can read the folder."""
    name = f"{SOURCES.name}.parquet"
    offsets = chunks.offsets.values()
    texts = sorted(
        {text for offset in offsets for text in enumerate(offset.names, offset.source_id)}
    )
    with storage.new_file(f"{folder}/{name}") as handle:
        table = ParquetFile(handle, SOURCES)
        ids, names = zip(*texts, strict=True) if texts else ((), ())
        nothing = [None] * len(texts)
        table.write([ids, names, nothing, nothing, nothing])
        table.finish()
        size = handle.tell()
    files = [
        ListedFile(LOSSLESS_GAMES.name, f"games/{file.table}", file.rows, file.bytes, None)
        for file in written
    ]
    files.append(ListedFile(SOURCES.name, name, len(texts), size, None))
    with storage.new_file(f"{folder}/{MANIFEST}") as handle:
        write_manifest(handle, kind.name, files)
