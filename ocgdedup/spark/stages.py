"""Stages of a run, written as Parquet: each is computed once; a stopped run continues after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from ocgdedup.files import storage
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

    def _mark_incomplete(self, name: str) -> None:
        assert self._spark._jvm is not None
        mark = self._spark._jvm.org.apache.hadoop.fs.Path(f"{self.path(name)}/{_COMPLETE}")
        _file_system(self._spark, self._folder).delete(mark, False)

    def folder_of_passing(self) -> str | None:
        """Return the folder for large messages between two stages; None: Spark moves them.

        They are read once, so workers on several machines send them directly.
        """
        is_local = str(self._spark.sparkContext.master).startswith("local")
        return f"{self._folder}/passing" if is_local and self._is_on_disk else None

    @property
    def _is_on_disk(self) -> bool:
        """Return whether Python workers can write there: only Spark may have keys of a store."""
        return str(_file_system(self._spark, self._folder).getScheme()) == "file"

    def stage(
        self,
        name: str,
        make: Callable[[str | None], DataFrame],
        schema: pyarrow.Schema | None = None,
        *,
        by: str | None = None,
    ) -> DataFrame:
        """Compute a stage with `make` and write it to its folder, or read it; return its rows.

        `make` is called with a folder for large bytes, for map_batches(); None: Spark stores them.
        `by`: a column by which to partition it. `schema`: of rows that hold compressed bytes;
        `by` needs it, since a stage without rows then has no files that would show it.
        """
        if not (self._resume and exists(self._spark, f"{self.path(name)}/{_COMPLETE}")):
            folder = f"{self.path(name)}-bytes" if self._is_on_disk else None
            if folder is not None:
                self._mark_incomplete(name)  # or a killed run leaves a stage without its bytes
                storage.delete_folder(folder)
            writer = make(folder).write.mode("overwrite")
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
    assert spark._jvm is not None
    return bool(_file_system(spark, path).exists(spark._jvm.org.apache.hadoop.fs.Path(path)))


def _file_system(spark: SparkSession, path: str) -> Any:
    """Return Hadoop's file system of a path or URL; for a path, the default one of Spark."""
    jvm, context = spark._jvm, spark._jsc
    assert jvm is not None
    hadoop_path = jvm.org.apache.hadoop.fs.Path(path)
    return hadoop_path.getFileSystem(context.hadoopConfiguration())
