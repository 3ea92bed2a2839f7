"""The audit chain heads of the shards this Writer holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from memplane.application.write.retrying import send_until_known
from memplane.domain.audit_chain import AuditRow, ChainHead, append
from memplane.domain.errors import MemplaneError
from memplane.domain.ids import TenantId
from memplane.ports.audit_log import AuditLog

Chain = tuple[TenantId, int]


class AuditChains:
    """Links rows to their chains and stores them. Not concurrent: the commit stage alone appends."""

    def __init__(self, log: AuditLog) -> None:
        self._log = log
        self._heads: dict[Chain, ChainHead] = {}

    def forget_shard(self, shard: int) -> None:
        """Drops what is known of a shard's chains: a new lease starts from the stored heads."""
        for chain in [chain for chain in self._heads if chain[1] == shard]:
            del self._heads[chain]

    async def link(self, rows: Sequence[AuditRow]) -> list[AuditRow]:
        """Gives ``rows`` their places, in order, without storing them."""
        linked: list[AuditRow] = []
        for chain, members in groupby(sorted(rows, key=_chain_of), key=_chain_of):
            head = self._heads.get(chain) or await self._stored_head(chain)
            placed, _ = append(head, members)
            linked.extend(placed)
        return linked

    async def store(self, rows: Sequence[AuditRow]) -> None:
        """Stores linked rows and moves the heads behind them. After a failure the heads are read anew."""
        try:
            await send_until_known(lambda: self._log.append(rows=rows))
        except MemplaneError:
            for row in rows:
                self._heads.pop(_chain_of(row), None)
            raise
        for row in rows:
            head = self._heads.get(_chain_of(row))
            if head is None or row.seq > head.seq:
                self._heads[_chain_of(row)] = ChainHead(seq=row.seq, hash=row.hash)

    async def _stored_head(self, chain: Chain) -> ChainHead:
        tenant_id, shard = chain
        return await send_until_known(lambda: self._log.head(tenant_id=tenant_id, shard=shard))


def _chain_of(row: AuditRow) -> Chain:
    return row.tenant_id, row.shard
