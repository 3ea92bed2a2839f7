"""Loopback ports: the wanted one if it is free, else one that is."""

from __future__ import annotations

import socket
from collections.abc import Mapping

LOOPBACK = "127.0.0.1"


def port_is_free(port: int, *, host: str = LOOPBACK) -> bool:
    """Whether a server could listen on ``port`` now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def choose_ports(wanted: Mapping[str, int], *, host: str = LOOPBACK) -> dict[str, int]:
    """One distinct free port per name: the wanted one where it is free, else one that the kernel picks.

    The picked ones are held open together until all are chosen, so that no two names get the same.
    """
    chosen: dict[str, int] = {}
    held: list[socket.socket] = []
    try:
        for name, port in wanted.items():
            if port and port not in chosen.values() and port_is_free(port, host=host):
                chosen[name] = port
        for name in wanted:
            if name in chosen:
                continue
            while True:
                listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
                held.append(listener)
                listener.bind((host, 0))
                port = int(listener.getsockname()[1])
                if port not in chosen.values():
                    chosen[name] = port
                    break
    finally:
        for listener in held:
            listener.close()
    return {name: chosen[name] for name in wanted}
