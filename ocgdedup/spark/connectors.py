"""File systems of Spark: for its stages, and for inputs at URLs that pyarrow does not open.

Spark has a connector of Hadoop for each. Its Python workers cannot call them, so Spark itself reads
such files whole and hands their bytes to the workers.
"""

from __future__ import annotations

from collections.abc import Sequence

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from ocgdedup.errors import PgnReadError, UsageError
from ocgdedup.files.decompress import scheme_of
from ocgdedup.files.storage import ListedFile, located

_MOST_BYTES = (1 << 31) - 1  # of a value in Spark
_PACKAGES = {
    "s3a": "org.apache.hadoop:hadoop-aws", "abfss": "org.apache.hadoop:hadoop-azure",
    "gs": "com.google.cloud.bigdataoss:gcs-connector",
}  # fmt: skip


def spark_location(spark: SparkSession, path: str) -> str:
    """Return a path or URL as Spark opens it; s3: becomes s3a: if Spark has only this.

    Raises UsageError if Spark has no connector for it.
    """
    path = located(path)
    scheme = scheme_of(path)
    if scheme is None or _has_connector(spark, scheme):
        return path
    if scheme == "s3" and _has_connector(spark, "s3a"):
        return path.replace("s3", "s3a", 1)
    package = _PACKAGES.get("s3a" if scheme == "s3" else scheme, "its package")
    raise UsageError(
        f"{path}: Spark has no connector for {scheme}://; start it with one, such as "
        f"spark.jars.packages={package}:VERSION, or name a folder that all workers mount"
    )


def _has_connector(spark: SparkSession, scheme: str) -> bool:
    jvm, context = spark._jvm, spark._jsc
    assert jvm is not None
    configuration = context.hadoopConfiguration()
    try:
        jvm.org.apache.hadoop.fs.FileSystem.getFileSystemClass(scheme, configuration)
    except Py4JJavaError:
        return False
    return True


def list_by_spark(spark: SparkSession, url: str) -> tuple[bool, list[ListedFile]]:
    """Return what storage.list_url() returns, for a URL that Spark opens.

    Raises PgnReadError without such a file or folder, UsageError for a file of 2 GB or more.
    """
    url = spark_location(spark, url)
    try:
        files = _read(spark, [url]).selectExpr("path", "length", "unix_micros(modificationTime)")
        listed = sorted(ListedFile(row[0], row[1], row[2] * 1000) for row in files.collect())
    except AnalysisException as error:
        raise PgnReadError(f"{url}: cannot be read: {str(error).splitlines()[0]}") from error
    for file in listed:
        if file.size_bytes > _MOST_BYTES:
            raise UsageError(
                f"{file.url}: Spark's connector for {scheme_of(url)}:// hands over files of up to "
                "2 GB; cut the file, or copy it to a store that pyarrow opens (s3, gs, abfss)"
            )
    return [file.url for file in listed] != [url], listed


def contents(spark: SparkSession, urls: Sequence[str]) -> DataFrame:
    """Return the path and the content of files; small files share a task."""
    return _read(spark, urls).select("path", "content")


def _read(spark: SparkSession, urls: Sequence[str]) -> DataFrame:
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    return reader.load(list(urls))
