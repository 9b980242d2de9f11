"""A local stand-in for S3."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest

from ocgdedup.files import storage

BUCKET = "games"


class ObjectStore(NamedTuple):
    """A bucket, and the variables by which programs find it."""

    client: Any
    environment: dict[str, str]

    def put(self, key: str, content: bytes) -> str:
        self.client.put_object(Bucket=BUCKET, Key=key, Body=content)
        return f"s3://{BUCKET}/{key}"

    def get(self, key: str) -> bytes:
        content: bytes = self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        return content

    def keys(self, prefix: str) -> list[str]:
        """Return all keys below a folder, without its name and the marks of folders."""
        found = self.client.list_objects_v2(Bucket=BUCKET, Prefix=f"{prefix}/")
        keys = [one["Key"].removeprefix(f"{prefix}/") for one in found.get("Contents", [])]
        return [key for key in keys if key and not key.endswith("/")]


@contextlib.contextmanager
def object_store() -> Iterator[ObjectStore]:
    """Start the stand-in, with an empty bucket; this process and its children find it."""
    server_module = pytest.importorskip("moto.server", reason="S3 needs moto[s3] and flask")
    import boto3

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            storage._file_system.cache_clear()
            # The stand-in keeps the objects of earlier ones in this process.
            reset = Request(f"{environment['AWS_ENDPOINT_URL']}/moto-api/reset", method="POST")
            urlopen(reset, timeout=60).close()
            client = boto3.client("s3")
            client.create_bucket(Bucket=BUCKET)
            yield ObjectStore(client, environment)
    finally:
        storage._file_system.cache_clear()
        server.stop()
