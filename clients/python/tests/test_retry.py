from __future__ import annotations

import time
from email.utils import formatdate

import httpx
import pytest

from octavo import ConnectionError, OctavoError
from octavo._retry import retry_after, retry_wait

LOST = ConnectionError("Lost.", code="connection_failed")


def failed(status: int, code: str = "some_code", **headers: str) -> OctavoError:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return OctavoError("Failed.", code=code, response=httpx.Response(status, headers=named))


def test_waits_grow_up_to_a_limit() -> None:
    waits = [retry_wait(LOST, attempt, 10) or 0 for attempt in range(1, 9)]

    assert all(0.25 * 2**i <= waits[i] <= 0.5 * 2**i for i in range(5))
    assert max(waits) <= 8
    assert retry_wait(LOST, 6, 5) is None


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_temporary_failures_are_repeated(status: int) -> None:
    assert retry_wait(failed(status), 1, 5) is not None


def test_other_failures_are_not_repeated() -> None:
    assert retry_wait(failed(404), 1, 5) is None
    assert retry_wait(failed(409), 1, 5) is None
    assert retry_wait(failed(409, "idempotency_in_progress"), 1, 5) is not None


def test_the_server_says_how_long_to_wait() -> None:
    assert 2 <= (retry_wait(failed(429, retry_after="2"), 1, 5) or 0) <= 2.5
    assert retry_wait(failed(429, retry_after="61"), 1, 5) is None
    assert 25 <= (retry_after({"retry-after": formatdate(time.time() + 30, usegmt=True)}) or 0) <= 31
    assert retry_after({"retry-after": "soon"}) is None
