"""Connected components of pairs, by large stars and small stars.

Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, Connected Components in MapReduce and Beyond
(SoCC 2014): each step hangs neighbours on the least of them, until every component is one star.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import numpy
import pyarrow
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ocgdedup._kernels import search_parts
from ocgdedup.spark.messages import map_batches, record_batch
from ocgdedup.spark.stages import Stages

_MOST_ROUNDS = 64  # 2 log2 of the games would do for any collection
_COMPONENTS = pyarrow.schema([("id", pyarrow.int64()), ("component", pyarrow.int64())])
FEW_PAIRS = 20_000_000  # that one worker takes in half a gigabyte


def components(pairs: DataFrame, stages: Stages, few: int = FEW_PAIRS) -> DataFrame:
    """Return (id, component) of all that pairs `first`, `second` link; a component is its least id.

    Up to `few` pairs one worker takes them all: rounds of the whole cluster would take longer.
    """
    if pairs.count() <= few:
        return map_batches(pairs.repartition(1), _of_few, _COMPONENTS)
    return _by_stars(pairs, stages)


def _of_few(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    columns = [[numpy.asarray(batch[name]) for name in ("first", "second")] for batch in batches]
    if not columns:
        return
    first, second = (numpy.concatenate(some) for some in zip(*columns, strict=True))
    ids = numpy.unique(numpy.concatenate((first, second)))
    root_places = search_parts.components(
        numpy.searchsorted(ids, first), numpy.searchsorted(ids, second), len(ids)
    )
    roots = ids[numpy.asarray(root_places)]
    yield record_batch(_COMPONENTS, {"id": pyarrow.array(ids), "component": pyarrow.array(roots)})


def _by_stars(pairs: DataFrame, stages: Stages) -> DataFrame:
    edges = pairs.select(
        F.greatest("first", "second").alias("u"), F.least("first", "second").alias("v")
    ).distinct()
    state = (-1, 0)
    for number in range(_MOST_ROUNDS):
        edges = stages.keep(f"components-{number}", partial(_round, edges))
        last, state = state, _state(edges)
        if state == last:
            break
    else:
        raise RuntimeError("components did not end: please report this")
    roots = edges.select(F.col("v").alias("id")).distinct().withColumn("component", F.col("id"))
    return edges.select(F.col("u").alias("id"), F.col("v").alias("component")).union(roots)


def _round(edges: DataFrame) -> DataFrame:
    return _small_star(_large_star(edges))


def _large_star(edges: DataFrame) -> DataFrame:
    """Hang the neighbours above each game on the least game of its neighbourhood."""
    both = edges.union(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.least(F.col("u"), F.min("v")).alias("least"))
    return (
        both.join(least, "u").where(F.col("v") > F.col("u"))
        .select(F.col("v").alias("u"), F.col("least").alias("v"))
        .distinct()
    )  # fmt: skip


def _small_star(edges: DataFrame) -> DataFrame:
    """Hang each game, and its neighbours below, on the least of these."""
    least = edges.groupBy("u").agg(F.min("v").alias("least"))
    below = edges.join(least, "u").where(F.col("v") != F.col("least"))
    hung = below.select(F.col("v").alias("u"), F.col("least").alias("v"))
    return hung.union(least.select("u", F.col("least").alias("v"))).distinct()


def _state(edges: DataFrame) -> tuple[int, int]:
    """Return what is another for other edges, but for one case in 2**63."""
    row = edges.agg(F.count("*"), F.sum(F.xxhash64("u", "v").cast("decimal(38,0)"))).first()
    return (0, 0) if row is None else (int(row[0]), int(row[1] or 0))
