# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

from __future__ import annotations

import ssl
from collections.abc import Iterator, Callable
from typing import Any

import httpx
import pytest

from octavo import Octavo

from ..scripted import ScriptedServer

Connect = Callable[..., Octavo]
#: Created once: loading the certificates takes longer than most tests.
SSL = ssl.create_default_context()


@pytest.fixture
def connect() -> Iterator[Connect]:
    https: list[httpx.Client] = []

    def make(server: ScriptedServer, **options: Any) -> Octavo:
        http = httpx.Client(verify=SSL)
        https.append(http)
        arguments: dict[str, Any] = {"base_url": server.url, "api_key": "secret", "http_client": http, **options}
        return Octavo(**arguments)

    yield make
    for http in https:
        http.close()
