from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from .scripted import ScriptedServer, Step

StartServer = Callable[..., ScriptedServer]


@pytest.fixture
def start_server() -> Iterator[StartServer]:
    servers: list[ScriptedServer] = []

    def start(*steps: Step) -> ScriptedServer:
        server = ScriptedServer(steps)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
