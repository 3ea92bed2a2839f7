"""Supervision of the local platform's processes.

Owns: starting them in order, readiness, logs, restarts, the state file, and ending exactly what was started. Knows
nothing of what the processes do: it gets `ProcessSpec` and `TaskSpec` values and runs them.
"""

from memplane.adapters.local.supervisor.errors import AlreadyRunningError, StepFailedError
from memplane.adapters.local.supervisor.identity import ProcessIdentity, is_alive, leftovers, stop_processes
from memplane.adapters.local.supervisor.lock import DirectoryLock
from memplane.adapters.local.supervisor.logs import RotatingLog, tail_lines
from memplane.adapters.local.supervisor.memory import process_memory
from memplane.adapters.local.supervisor.network_ports import choose_ports, port_is_free
from memplane.adapters.local.supervisor.spec import Backoff, Plan, ProcessSpec, Stage, TaskSpec
from memplane.adapters.local.supervisor.state import ProcessRecord, RunState, StateFile
from memplane.adapters.local.supervisor.supervisor import Supervisor

__all__ = [
    "AlreadyRunningError",
    "Backoff",
    "DirectoryLock",
    "Plan",
    "ProcessIdentity",
    "ProcessRecord",
    "ProcessSpec",
    "RotatingLog",
    "RunState",
    "Stage",
    "StateFile",
    "StepFailedError",
    "Supervisor",
    "TaskSpec",
    "choose_ports",
    "is_alive",
    "leftovers",
    "port_is_free",
    "process_memory",
    "stop_processes",
    "tail_lines",
]
