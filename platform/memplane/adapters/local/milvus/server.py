"""The gRPC server around Milvus Lite's own servicer: locks around its calls, every collection loaded.

Importing this module imports milvus_lite, which reads its memory limits at that moment.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
from milvus_lite.adapter.grpc.servicer import MilvusServicer
from milvus_lite.db import MilvusLite
from milvus_lite.exceptions import MilvusLiteError
from pymilvus.grpc_gen import milvus_pb2_grpc

from memplane.adapters.local.milvus.auth import TokenInterceptor
from memplane.adapters.local.milvus.locks import CollectionLocks

HOST = "127.0.0.1"
_MAX_MESSAGE_BYTES = 64 * 1024 * 1024

_READS = ("Query", "Search", "HybridSearch", "DescribeCollection", "DescribeIndex", "GetLoadState",
          "GetLoadingProgress", "GetCollectionStatistics", "GetPartitionStatistics", "HasPartition",
          "ShowPartitions")  # fmt: skip
_WRITES = ("Insert", "Upsert", "Delete", "Flush", "CreateIndex", "DropIndex", "CreatePartition", "DropPartition",
           "LoadCollection", "ReleaseCollection")  # fmt: skip
_STRUCTURE = ("CreateCollection", "DropCollection", "RenameCollection", "TruncateCollection", "AlterCollection",
              "CreateAlias", "AlterAlias", "DropAlias", "CreateDatabase", "DropDatabase", "AlterDatabase")  # fmt: skip

Method = Callable[[Any, grpc.ServicerContext], Any]


class LocalMilvus:
    """One open data directory with its server. `start`, then `stop`; not reusable."""

    def __init__(self, data_dir: Path, *, port: int, token: str, workers: int) -> None:
        """Open the directory, load every collection, bind the port (0 takes a free one).

        Raises RuntimeError when another process owns the directory, when it cannot be read, or the port is taken.
        """
        try:
            self._db = MilvusLite(str(data_dir))
        except MilvusLiteError as error:
            raise RuntimeError(f"cannot open the data directory: {type(error).__name__}: {error}") from error
        self._server = grpc.server(
            ThreadPoolExecutor(max_workers=workers, thread_name_prefix="milvus"),
            interceptors=[TokenInterceptor(token)],
            options=[
                ("grpc.max_receive_message_length", _MAX_MESSAGE_BYTES),
                ("grpc.max_send_message_length", _MAX_MESSAGE_BYTES),
                # Without this a second process could bind the same port and take some of the calls.
                ("grpc.so_reuseport", 0),
            ],
        )
        try:
            self.loaded = load_all(self._db)
            milvus_pb2_grpc.add_MilvusServiceServicer_to_server(_servicer(self._db), self._server)
            self.port: int = self._server.add_insecure_port(f"{HOST}:{port}")
        except BaseException:
            self._db.close()
            raise

    def start(self) -> None:
        """Take calls."""
        self._server.start()

    def stop(self, grace_seconds: float) -> None:
        """Refuse new calls, let running ones end, write memtables to disk, release the directory."""
        self._server.stop(grace_seconds).wait()
        self._db.close()


def load_all(db: MilvusLite) -> int:
    """Load every collection of every database, as clients expect them; return how many there are.

    Milvus Lite opens a collection that has an index in state `released`, in which no search works.
    """
    count = 0
    for database in db.list_databases():
        for name in db.list_collections(database_name=database):
            db.get_collection(name, database_name=database).load()
            count += 1
    return count


def _servicer(db: MilvusLite) -> MilvusServicer:
    """Build the servicer with every call on collections under its lock."""
    servicer, locks = MilvusServicer(db), CollectionLocks()

    def names(request: Any, context: grpc.ServicerContext) -> list[tuple[str, str]]:
        # ShowCollections and ListAliases may name no collection: then the lock over the set of collections is enough.
        database = servicer._database_name(request, context)
        given = list(getattr(request, "collection_names", ())) or [getattr(request, "collection_name", "")]
        return [(database, db.resolve_collection_name(name, database_name=database)) for name in given if name]

    def reading(method: Method) -> Method:
        def call(request: Any, context: grpc.ServicerContext) -> Any:
            with locks.reading(lambda: names(request, context)):
                return method(request, context)

        return call

    def writing(method: Method) -> Method:
        def call(request: Any, context: grpc.ServicerContext) -> Any:
            with locks.writing(lambda: names(request, context)):
                return method(request, context)

        return call

    def restructuring(method: Method) -> Method:
        def call(request: Any, context: grpc.ServicerContext) -> Any:
            with locks.restructuring():
                answer = method(request, context)
                if method.__name__ == "RenameCollection":
                    load_all(db)
                return answer

        return call

    for wrap, methods in ((reading, _READS), (writing, _WRITES), (restructuring, _STRUCTURE)):
        for name in methods:
            setattr(servicer, name, wrap(getattr(servicer, name)))
    return servicer
