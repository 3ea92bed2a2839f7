"""Changes of control data on their way through a commit: audited like memories, stored whole."""

from __future__ import annotations

from collections.abc import Sequence

from memplane.application.write.ports import WriterPorts
from memplane.application.write.retrying import send_until_known
from memplane.application.write.stamps import Stamp
from memplane.application.write.unit import WriteUnit
from memplane.domain.audit_chain import AuditRow
from memplane.domain.commands import ChangeControl


def control_audit(unit: WriteUnit, stamp: Stamp) -> list[AuditRow]:
    """The audit rows of a unit that changes control data, one for each tenant and key; of another unit none."""
    command = unit.command
    if not isinstance(command, ChangeControl):
        return []
    targets = [tenant.tenant_id for tenant in command.tenants] + [key.key_id for key in command.api_keys]
    return [
        AuditRow(
            tenant_id=unit.tenant_id,
            shard=unit.shard,
            at=stamp.now,
            actor=unit.context.principal.key_id,
            action=command.action,
            target=target,
            reason="",
            trace_id=unit.context.trace_id,
            subject_hmac="",
        )
        for target in targets
    ]


async def write_control(ports: WriterPorts, units: Sequence[WriteUnit]) -> None:
    """Stores the control data of ``units`` and refreshes this process's own view. Raises: StoreUnavailableError."""
    commands = [unit.command for unit in units if isinstance(unit.command, ChangeControl)]
    tenants = [tenant for command in commands for tenant in command.tenants]
    api_keys = [key for command in commands for key in command.api_keys]
    if tenants:
        await send_until_known(lambda: ports.control.put_tenants(tenants=tenants))
    if api_keys:
        await send_until_known(lambda: ports.control.put_api_keys(api_keys=api_keys))
    if commands:
        await ports.view.refresh()
