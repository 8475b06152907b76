# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""Waiting for work to end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from .._concurrency import sleep
from .._errors import TimeoutError
from .._model import build
from .._options import CallOptions
from .._request import LONGEST_WAIT_SECONDS, Operation
from .._retry import retry_after
from .transport import Transport


class _Outcome(Protocol):
    is_terminal: bool


T = TypeVar("T")
OutcomeT = TypeVar("OutcomeT", bound=_Outcome)
_DEFAULT_PAUSE = 1.0


def wait_until(
    transport: Transport,
    path: str,
    result: type[T],
    is_settled: Callable[[T], bool],
    timeout: float | None = None,
    max_retries: int | None = None,
    start: float | None = None,
) -> T:
    """Gets a resource until it is settled. The server holds each response, so few requests are needed.

    The timeout counts from `start`, or from now.
    """
    deadline = None if timeout is None else (time.monotonic() if start is None else start) + timeout
    while True:
        begin = time.monotonic()
        wait = LONGEST_WAIT_SECONDS if deadline is None else min(LONGEST_WAIT_SECONDS, deadline - begin)
        if wait <= 0:
            raise TimeoutError(f"The work did not end within {timeout} seconds.", code="timed_out")
        options: CallOptions = {"wait_seconds": wait}
        if max_retries is not None:
            options["max_retries"] = max_retries
        response = transport.run(Operation("GET", path), options)
        found = build(result, response.data)
        if is_settled(found):
            return found
        # A server that does not hold the response would otherwise get requests without a pause.
        if time.monotonic() - begin < wait - 1:
            pause = retry_after(response.response.headers)
            pause = _DEFAULT_PAUSE if pause is None else pause
            sleep(pause if deadline is None else max(0.0, min(pause, deadline - time.monotonic())))


def wait_for_outcome(
    transport: Transport, path: str, created: OutcomeT, timeout: float | None
) -> OutcomeT:
    """Returns a result when it has ended, whatever its `status`."""
    if created.is_terminal:
        return created
    return wait_until(transport, path, type(created), lambda found: found.is_terminal, timeout=timeout)
