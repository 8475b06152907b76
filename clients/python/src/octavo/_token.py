"""Credentials."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

#: Returns an access token. The argument is the token that the server refused, or None. Called before every request.
TokenProvider = Callable[[str | None], str]
AsyncTokenProvider = Callable[[str | None], str | Awaitable[str]]
