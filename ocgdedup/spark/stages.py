"""Stages of a run, written as Parquet: each is computed once; a stopped run continues after it."""

from __future__ import annotations

import os
from collections.abc import Callable

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

# Dictionaries and statistics of large values that never repeat are work for nothing.
_OF_BYTES = {
    "compression": "none",
    "parquet.column.statistics.enabled": "false",
    "parquet.enable.dictionary": "false",
}
_DONE = "_SUCCESS"  # Spark writes it when all files of a folder are whole


class Stages:
    """A folder that all workers reach, by path or URL, with a folder for each stage.

    `resume`: take a stage that is there, in place of computing it again.
    """

    def __init__(self, spark: SparkSession, folder: str, *, resume: bool = False) -> None:
        self._spark = spark
        is_path = "://" not in folder and not folder.startswith("file:")
        self._folder = os.path.abspath(folder) if is_path else folder.rstrip("/")
        self._resume = resume

    def path(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def keep(
        self,
        name: str,
        make: Callable[[], DataFrame],
        schema: pyarrow.Schema | None = None,
        *,
        by: str | None = None,
    ) -> DataFrame:
        """Return what a function makes, written to the folder.

        `by`: a column that cuts it into folders; then without rows there are no files to tell the
        `schema`. With a schema the rows hold bytes, which are compressed before.
        """
        if not (self._resume and exists(self._spark, f"{self.path(name)}/{_DONE}")):
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
    """Tell if a file is there, on any file system that Spark knows."""
    jvm, context = spark._jvm, spark._jsc
    assert jvm is not None
    place = jvm.org.apache.hadoop.fs.Path(path)
    return bool(place.getFileSystem(context.hadoopConfiguration()).exists(place))
