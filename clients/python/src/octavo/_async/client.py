"""The client of one server, with one credential."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, Unpack

import httpx

from .._options import NOT_GIVEN, CallOptions, NotGiven
from .._request import (
    DEFAULT_TIMEOUT,
    Operation,
    Response,
    Settings,
    capture_response,
    find_credential,
    find_url,
)
from .._retry import DEFAULT_MAX_RETRIES
from .._token import AsyncTokenProvider
from .answers import AsyncAnswers
from .documents import AsyncDocuments
from .files import AsyncFiles
from .jobs import AsyncJobs
from .resources import AsyncResources
from .transport import AsyncTransport
from .uploads import AsyncUploads

P = ParamSpec("P")
T = TypeVar("T")


class AsyncOctavo(AsyncResources):
    """A client of one server, with one credential.

    `base_url` is the root of the server and defaults to the variable OCTAVO_URL, `api_key` to OCTAVO_API_KEY. Instead of
    a key, `token` is a function that returns an access token. The client calls it before every request, and once more
    with the token that the server refused.
    """

    documents: AsyncDocuments
    jobs: AsyncJobs
    uploads: AsyncUploads
    files: AsyncFiles
    answers: AsyncAnswers

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        token: AsyncTokenProvider | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        wait_seconds: float = 0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        credential = find_credential(api_key, token)
        settings = Settings(find_url(base_url), credential, timeout, max_retries, wait_seconds)
        self._owns_http = http_client is None
        self._connect(AsyncTransport(settings, http_client or httpx.AsyncClient()))

    def _connect(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self._transport = transport
        self.jobs = AsyncJobs(transport)
        self.uploads = AsyncUploads(transport)
        self.files = AsyncFiles(transport)
        self.answers = AsyncAnswers(transport)
        self.documents = AsyncDocuments(transport, self.uploads)

    def with_options(
        self,
        *,
        timeout: float | NotGiven = NOT_GIVEN,
        max_retries: int | NotGiven = NOT_GIVEN,
        wait_seconds: float | NotGiven = NOT_GIVEN,
    ) -> Self:
        """A client with other defaults and the same connections."""
        changes: dict[str, Any] = {"timeout": timeout, "max_retries": max_retries, "wait_seconds": wait_seconds}
        changes = {name: value for name, value in changes.items() if value is not NOT_GIVEN}
        client = copy.copy(self)
        client._owns_http = False
        client._connect(AsyncTransport(dataclasses.replace(self._transport.settings, **changes), self._transport.http))
        return client

    async def with_response(self, method: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> Response[T]:
        """Calls a method of this client and returns its result with the status and the headers of the response.

        `client.with_response(client.documents.get, document_id)`
        """
        with capture_response() as captured:
            data = await method(*args, **kwargs)
        return Response(data, captured.info)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Calls an operation that this version of the client does not know. `path` is below `/api/v1`."""
        operation = Operation(method, path, query=query or {}, body=body)
        return (await self._transport.run(operation, options)).data

    async def close(self) -> None:
        """Closes the connections. A client that you passed as `http_client` stays open."""
        if self._owns_http:
            await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
