"""Stages of a run, written as Parquet: each is computed once; a stopped run continues after it."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from ocgdedup.spark.connectors import spark_location

# Dictionaries and statistics are useless for large values that never repeat.
_OF_BYTES = {
    "compression": "none",
    "parquet.column.statistics.enabled": "false",
    "parquet.enable.dictionary": "false",
}
_COMPLETE = "_SUCCESS"  # Spark writes this file when a folder is complete


class Stages:
    """A folder that all workers reach, by path or URL, with a subfolder for each stage.

    `resume`: read stages that exist instead of computing them again.
    """

    def __init__(self, spark: SparkSession, folder: str, *, resume: bool = False) -> None:
        self._spark = spark
        self._folder = spark_location(spark, folder)
        self._resume = resume

    def path(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def stage(
        self,
        name: str,
        make: Callable[[], DataFrame],
        schema: pyarrow.Schema | None = None,
        *,
        by: str | None = None,
    ) -> DataFrame:
        """Compute a stage with `make` and write it to its folder, or read it; return its rows.

        `by`: a column by which to partition it. `schema`: of rows that hold compressed bytes;
        `by` needs it, since a stage without rows then has no files that would show it.
        """
        if not (self._resume and exists(self._spark, f"{self.path(name)}/{_COMPLETE}")):
            writer = make().write.mode("overwrite")
            if by is not None:
                writer = writer.partitionBy(by)
            if schema is not None:
                writer = writer.options(**_OF_BYTES)
            writer.parquet(self.path(name))
        reader = self._spark.read
        if schema is not None:
            reader = reader.schema(from_arrow_schema(schema))
        return reader.parquet(self.path(name))


def exists(spark: SparkSession, path: str) -> bool:
    """Return whether a file exists, on any file system of Spark."""
    jvm, context = spark._jvm, spark._jsc
    assert jvm is not None
    hadoop_path = jvm.org.apache.hadoop.fs.Path(path)
    return bool(hadoop_path.getFileSystem(context.hadoopConfiguration()).exists(hadoop_path))
