"""The search for duplicates on Apache Spark: DataFrames in, DataFrames out.

Needs the extra: pip install 'ocgdedup[spark]'. docs/spark.md has examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ocgdedup.game_kind import CHESS, GameKind, kind_of
from ocgdedup.model import ListFiles, SilentReporter
from ocgdedup.pipeline.search.named_options import NamedOptions
from ocgdedup.spark import groups, players, search
from ocgdedup.spark.chunks import SCHEMA as CHUNKS
from ocgdedup.spark.chunks import Chunks, chunks_of_rows, summaries_of
from ocgdedup.spark.messages import SCHEMA, Slots
from ocgdedup.spark.output import write_pgn
from ocgdedup.spark.persons import broadcast_persons, rows_with_players, with_players
from ocgdedup.spark.pgn import read_pgn
from ocgdedup.spark.stages import Stages

__all__ = ["clean_games", "find_duplicates", "read_pgn", "resolve_players", "write_pgn"]


def resolve_players(
    games: DataFrame,
    fide_list: str | None,
    *,
    work_dir: str,
    aliases: str | None = None,
    list_month: str | None = None,
    partitions: int | None = None,
    resume: bool = False,
) -> DataFrame:
    """Resolve the player names of chess games; return a row for each resolved name.

    The results are those of `ocgdedup players`. `fide_list` and `aliases`: files for --fide-xml and
    --aliases, which this process opens; `list_month`: "YYYY-MM", replaces the month of the list.
    `games`, `work_dir`, `partitions`, `resume`: see find_duplicates().

    Columns: Scope ("name"), Name, PersonID, Person (the canonical name), FideID, Title, Country,
    BirthYear, Rating; Stage, Score, Reason and Probability of the resolution; and columns for the
    other functions of this module. A row of Scope "game" gives the player of one side of a game
    (GameID, Side) that the name does not identify; PersonID is NULL if the player is unknown. In
    rows of Scope "spelling", Person is how a name without a player is written; of "id", the name
    beside which a FIDE ID is written.
    """
    spark = games.sparkSession
    stages = Stages(spark, work_dir, resume=resume)
    files = ListFiles(fide_list, aliases, list_month)
    chunks = _chunks_of(games, stages, CHESS)
    slots = _slots(games, partitions, stages)

    def resolved(_: str | None) -> DataFrame:
        return players.resolve(chunks, players.read_lists(files, SilentReporter()), slots)

    return stages.stage("persons", resolved)


def find_duplicates(
    games: DataFrame,
    *,
    work_dir: str,
    persons: DataFrame | None = None,
    decisions: DataFrame | None = None,
    options: NamedOptions | None = None,
    is_go: bool = False,
    partitions: int | None = None,
    resume: bool = False,
) -> tuple[DataFrame, DataFrame]:
    """Find duplicate games; return the records of all groups, and the possible duplicates.

    `games`: the columns of lossless tables (docs/tables.md), with unique IDs; chess games, or Go
    games if `is_go`. The results are those of `ocgdedup dedup` on a database of these games. With
    `persons`, of resolve_players(), they are those after `ocgdedup players`.

    `work_dir`: path or URL of a folder that all workers reach, for the stages; with `resume`,
    stages that exist there are not computed again, which needs the same games and options.
    `decisions`: `left`, `right` (IDs) and `is_same`, of the user. `options`: of the search, by
    their names on the command line. `partitions`: number of parts of the games, each in the memory
    of one worker (default: spark.sql.shuffle.partitions).

    The first DataFrame has ID, DuplicateStatus (NULL: the kept game), DuplicateGroup (ID of the
    kept game), DuplicateReason, HeaderScore, MergedTags, and Merged: the merged values of a kept
    game, NULL without changes. The second has GameID1, GameID2, Class, Score, Evidence.
    """
    stages = Stages(games.sparkSession, work_dir, resume=resume)
    named = options or NamedOptions()
    slots = _slots(games, partitions, stages)
    decided = [] if decisions is None else [tuple(row) for row in decisions.collect()]
    kind = kind_of(is_go)
    chunks = _chunks_of(games, stages, kind)
    if persons is not None:
        chunks = with_players(chunks, broadcast_persons(persons), stages)
    results = search_chunks(chunks, stages, slots, named, kind, decisions=decided)
    duplicates = groups.rows_of_results(results, groups.DUPLICATES)
    return duplicates, groups.rows_of_results(results, groups.POSSIBLE)


def _chunks_of(games: DataFrame, stages: Stages, kind: GameKind) -> Chunks:
    frame = stages.stage("chunks", lambda folder: chunks_of_rows(games, kind, folder), CHUNKS)
    return Chunks(frame, summaries_of(frame), {}, kind)


def _slots(games: DataFrame, partitions: int | None, stages: Stages) -> Slots:
    spark = games.sparkSession
    count = partitions or int(spark.conf.get("spark.sql.shuffle.partitions") or 1)
    return Slots.of(spark, count, stages)


def search_chunks(
    chunks: Chunks,
    stages: Stages,
    slots: Slots,
    options: NamedOptions,
    kind: GameKind,
    *,
    decisions: Sequence[tuple[int, int, bool]] = (),
) -> DataFrame:
    """Run the stages of find_duplicates(); return messages of groups.RESULTS."""
    spark = chunks.frame.sparkSession
    decided = frozenset(game_id for first, second, _ in decisions for game_id in (first, second))
    plan = search.Search(options.search(), kind, decided)
    stage = partial(stages.stage, schema=SCHEMA, by="kind")
    facts = stage("facts", lambda folder: search.facts_of_parts(chunks, plan, slots, folder))
    borders = stage("borders", lambda folder: search.facts_at_borders(facts, plan, slots, folder))
    dropoffs = search.PrefixDropoffs.of(facts, borders)
    pairs = stage("pairs", lambda folder: search.candidate_pairs(facts, dropoffs, slots, folder))
    edges = stage("edges", lambda folder: search.judged(facts, borders, pairs, plan, slots, folder))
    links = edges.where(edges["payload"].isNull()).select("first", "second")
    same = search.same_games(facts, decisions) if decisions else []
    if same:
        links = links.union(spark.createDataFrame(same, "first long, second long"))
    resolution = groups.Resolution(plan, options.resolve(), decisions)
    results = stage(
        "groups",
        lambda folder: groups.grouped(
            facts, borders, edges, links, resolution, slots, stages, folder
        ),
    )
    slots.delete_passing()
    return results


def clean_games(
    games: DataFrame, duplicates: DataFrame, *, persons: DataFrame | None = None
) -> DataFrame:
    """Return games without duplicates; kept games have merged headers and annotations.

    With `persons`, of resolve_players(), FIDE IDs, titles and Elos are back-filled, and the columns
    WhitePersonID and BlackPersonID are added; then find `duplicates` with `persons` too.
    """
    if persons is not None:
        games = rows_with_players(games, broadcast_persons(persons))
    marks = duplicates.select("ID", "DuplicateStatus", "Merged")
    kept = games.join(marks, "ID", "left").where(F.col("DuplicateStatus").isNull())
    merged = set(groups.MERGED_COLUMNS)
    return kept.select(
        *(
            F.when(F.col("Merged").isNotNull(), F.col(f"Merged.{name}"))
            .otherwise(F.col(name))
            .alias(name)
            if name in merged
            else F.col(name)
            for name in games.columns
        )
    )
