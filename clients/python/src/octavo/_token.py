"""Functions that return the credential of the next attempt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

#: Returns an API key or an access token.
TokenProvider = Callable[[], str]
AsyncTokenProvider = Callable[[], str | Awaitable[str]]
