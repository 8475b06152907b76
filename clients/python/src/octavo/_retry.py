"""When to repeat a call, and how long to wait before."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from ._errors import ConnectionError, OctavoError

#: With five retries the waits add up to at least 7.75 s, longer than a rolling restart or a database failover.
DEFAULT_MAX_RETRIES = 5
_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 8.0
#: A longer wait would surprise the caller; the exception has the `Retry-After` header instead.
_LONGEST_RETRY_AFTER = 60.0
_RETRIED_STATUSES = (429, 500, 502, 503, 504)


def is_retryable(error: OctavoError) -> bool:
    """Every call can be repeated safely: all methods except POST are idempotent, and a POST keeps its key."""
    if isinstance(error, ConnectionError) or error.code == "idempotency_in_progress":
        return True
    return error.status in _RETRIED_STATUSES


def may_have_run(error: OctavoError) -> bool:
    """Whether the server may have done the work. 429 and 503 are sent before the work begins."""
    return error.status is None or error.status in (500, 502, 504)


def retry_after(headers: Mapping[str, str] | None) -> float | None:
    """Seconds to wait. The server sends a number; a proxy may send a date."""
    value = None if headers is None else headers.get("retry-after")
    if not value:
        return None
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def retry_wait(error: OctavoError, attempt: int, max_retries: int) -> float | None:
    """Seconds to wait before the next attempt; None means no more attempts. `attempt` counts from 1."""
    if attempt > max_retries or not is_retryable(error):
        return None
    requested = retry_after(error.headers)
    if requested is not None:
        return None if requested > _LONGEST_RETRY_AFTER else requested * (1 + random.random() / 4)
    backoff: float = min(_LONGEST_BACKOFF, _FIRST_WAIT * 2 ** (attempt - 1))
    return backoff * (0.5 + random.random() / 2)
