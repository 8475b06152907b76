from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from octavo import AsyncOctavo

from ..scripted import ScriptedServer

Connect = Callable[..., AsyncOctavo]
#: Created once: loading the certificates takes longer than most tests.
SSL = ssl.create_default_context()


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    https: list[httpx.AsyncClient] = []

    def make(server: ScriptedServer, **options: Any) -> AsyncOctavo:
        http = httpx.AsyncClient(verify=SSL)
        https.append(http)
        arguments: dict[str, Any] = {"base_url": server.url, "api_key": "secret", "http_client": http, **options}
        return AsyncOctavo(**arguments)

    yield make
    for http in https:
        await http.aclose()
