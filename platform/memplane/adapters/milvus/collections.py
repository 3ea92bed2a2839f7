"""Making, loading and removing collections. Every step may be repeated, also by several processes at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pymilvus import MilvusClient
from pymilvus.exceptions import MilvusException

from memplane.adapters.milvus.errors import is_not_found, is_not_loaded
from memplane.adapters.milvus.schema import INDEXES, PARTITIONS, collection_schema, dimension_of
from memplane.domain.errors import CorruptDataError

T = TypeVar("T")


def ensure(client: MilvusClient, collection: str, dim: int, *, timeout_s: float) -> None:
    """Creates, indexes and loads, each unless done. Raises: CorruptDataError if the dimension differs."""
    found = dimension(client, collection, timeout_s=timeout_s)
    if found is None:
        _create(client, collection, dim, timeout_s=timeout_s)
        found = dimension(client, collection, timeout_s=timeout_s)
    if found != dim:
        raise CorruptDataError(
            f"collection {collection!r} holds vectors of dimension {found}, the generation has {dim}",
            data={"component": "milvus", "collection": collection},
        )
    # A process that died between these steps left the later ones undone.
    for field_name in INDEXES.keys() - _indexed(client, collection, timeout_s=timeout_s):
        _index(client, collection, field_name, timeout_s=timeout_s)
    client.load_collection(collection, timeout=timeout_s)


def drop(client: MilvusClient, collection: str, *, timeout_s: float) -> None:
    """Removes a collection, or finds it gone."""
    try:
        client.drop_collection(collection, timeout=timeout_s)
    except MilvusException as error:
        if not is_not_found(error):
            raise


def dimension(client: MilvusClient, collection: str, *, timeout_s: float) -> int | None:
    """The dimension of a collection's vectors; ``None`` if there is no such collection."""
    try:
        return dimension_of(client.describe_collection(collection, timeout=timeout_s))
    except MilvusException as error:
        if is_not_found(error):
            return None
        raise


def when_loaded(client: MilvusClient, collection: str, action: Callable[[], T], *, timeout_s: float) -> T:
    """Runs ``action``; if the collection turns out not to be loaded (Milvus Lite after a restart), loads it and runs
    it again.
    """
    try:
        return action()
    except MilvusException as error:
        if not is_not_loaded(error):
            raise
    client.load_collection(collection, timeout=timeout_s)
    return action()


def _create(client: MilvusClient, collection: str, dim: int, *, timeout_s: float) -> None:
    try:
        client.create_collection(
            collection,
            schema=collection_schema(dim),
            num_partitions=PARTITIONS,
            consistency_level="Bounded",
            timeout=timeout_s,
        )
    except MilvusException:
        # Another process may have been first; then its work is found and checked like any other.
        if dimension(client, collection, timeout_s=timeout_s) is None:
            raise


def _indexed(client: MilvusClient, collection: str, *, timeout_s: float) -> set[str]:
    return set(client.list_indexes(collection, timeout=timeout_s))


def _index(client: MilvusClient, collection: str, field_name: str, *, timeout_s: float) -> None:
    params = client.prepare_index_params()
    params.add_index(field_name=field_name, index_name=field_name, **INDEXES[field_name])
    try:
        client.create_index(collection, params, timeout=timeout_s, sync=False)
    except MilvusException:
        if field_name not in _indexed(client, collection, timeout_s=timeout_s):
            raise
