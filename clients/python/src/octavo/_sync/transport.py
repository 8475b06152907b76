# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""Sends requests and repeats them."""

from __future__ import annotations

import logging
from collections.abc import Generator, Callable
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from .._compatibility import explain_unknown_fields, unknown_fields
from .._concurrency import call, sleep
from .._errors import (
    AuthenticationError,
    NotFoundError,
    OctavoError,
    ValidationError,
    error_from_exception,
    error_from_response,
)
from .._model import build
from .._options import CallOptions
from .._request import (
    Operation,
    Response,
    ResponseInfo,
    Settings,
    encode_body,
    form_arguments,
    headers_for,
    info_for,
    is_sendable,
    parse_json,
    read_response,
    timeout_for,
    url_for,
)
from .._retry import may_have_run, retry_wait

T = TypeVar("T")
_log = logging.getLogger("octavo")
CAPABILITIES = Operation("GET", "/capabilities")


class Transport:
    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self.settings = settings
        self.http = http
        #: Read from the capabilities when it is needed.
        self._server_version: str | None = None

    def send(self, operation: Operation, result: type[T], options: CallOptions) -> T:
        """The response as a model."""
        response = self.run(operation, options)
        return build(result, response.data)

    def run(self, operation: Operation, options: CallOptions) -> Response[Any]:
        """The response as JSON, after as many attempts as the options allow."""
        max_retries = options.get("max_retries", self.settings.max_retries)
        # Created once, so that all attempts have the same Idempotency-Key.
        headers = headers_for(self.settings, operation, options)
        has_maybe_run = False
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._attempt(operation, headers, options)
            except ValidationError as error:
                raise self._explain(error) from None
            except OctavoError as error:
                # A DELETE whose first response was lost finds nothing the second time: it worked.
                if operation.method == "DELETE" and has_maybe_run and isinstance(error, NotFoundError):
                    return Response(None, error_info(error))
                wait = retry_wait(error, attempt, max_retries)
                if wait is None:
                    raise
                has_maybe_run = has_maybe_run or may_have_run(error)
                _log.info(
                    "%s %s failed (%s), next attempt in %.1f s", operation.method, operation.path, error.code, wait
                )
            sleep(wait)

    def _attempt(self, operation: Operation, headers: httpx.Headers, options: CallOptions) -> Response[Any]:
        try:
            response = self._exchange(operation, headers, options, stream=False)
        except httpx.RequestError as error:
            raise error_from_exception(error) from error
        return read_response(response)

    def _exchange(
        self, operation: Operation, headers: httpx.Headers, options: CallOptions, *, stream: bool
    ) -> httpx.Response:
        """Sends one request with the credential. If the server refuses a token, the provider can return another one."""
        credential = self.settings.credential
        token = credential if isinstance(credential, str) else self._call_provider(credential, None)
        response = self._send_with(token, operation, headers, options, stream=stream)
        if response.status_code != 401 or isinstance(credential, str):
            return response
        renewed = self._call_provider(credential, token)
        if renewed == token:
            return response
        response.close()
        return self._send_with(renewed, operation, headers, options, stream=stream)

    def _call_provider(self, provider: Callable[[str | None], Any], refused: str | None) -> str:
        try:
            token = call(provider, refused)
        except Exception as error:
            raise AuthenticationError("The token provider failed.", code="token_failed") from error
        if not is_sendable(token):
            message = "The token provider returned no text, or characters that a token cannot have."
            raise AuthenticationError(message, code="token_failed")
        return str(token)

    def _send_with(
        self, token: str, operation: Operation, headers: httpx.Headers, options: CallOptions, *, stream: bool
    ) -> httpx.Response:
        form = form_arguments(operation.form) if operation.form else {}
        try:
            request = self.http.build_request(
                operation.method,
                url_for(self.settings, operation),
                headers={"authorization": f"Bearer {token}", **headers},
                content=encode_body(operation),
                timeout=timeout_for(self.settings, operation, options),
                **form,
            )
            # The API never redirects, and a redirected POST would arrive as a GET.
            response = self.http.send(request, stream=stream, follow_redirects=False)
        finally:
            if form:
                form["files"]["file"][1].close()
        _log.debug("%s %s: %d", operation.method, operation.path, response.status_code)
        return response

    @contextmanager
    def open(
        self, operation: Operation, headers: httpx.Headers, options: CallOptions
    ) -> Generator[httpx.Response, None, None]:
        """A response whose body is not read yet. Raises an OctavoError for an error status and a lost connection."""
        try:
            response = self._exchange(operation, headers, options, stream=True)
            try:
                if not response.is_success:
                    response.read()
                    raise error_from_response(response, parse_json(response.text))
                info_for(response)
                yield response
            finally:
                response.close()
        except httpx.RequestError as error:
            raise error_from_exception(error) from error

    def download(
        self, operation: Operation, options: CallOptions, take: Callable[[httpx.Response], T]
    ) -> T:
        """What `take` reads from a response that is not JSON. After a temporary failure, all of it is read again."""
        max_retries = options.get("max_retries", self.settings.max_retries)
        headers = headers_for(self.settings, operation, options)
        headers["accept"] = "*/*"
        attempt = 0
        while True:
            attempt += 1
            try:
                with self.open(operation, headers, options) as response:
                    return take(response)
            except OctavoError as error:
                wait = retry_wait(error, attempt, max_retries)
                if wait is None:
                    raise
            sleep(wait)

    def _explain(self, error: ValidationError) -> ValidationError:
        """Says so if the server is older than the client and does not know a field."""
        if not unknown_fields(error):
            return error
        if self._server_version is None:
            try:
                found = self._attempt(CAPABILITIES, headers_for(self.settings, CAPABILITIES, {}), {})
            except OctavoError:
                return error
            self._server_version = str(found.data.get("version", ""))
        return explain_unknown_fields(error, self._server_version)


def error_info(error: OctavoError) -> ResponseInfo:
    return ResponseInfo(error.status or 0, httpx.Headers(error.headers), error.request_id)
