# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""Sends requests and repeats them."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from .._concurrency import resolve, sleep
from .._errors import NotFoundError, OctavoError, error_from_exception, error_from_response
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
    parse_json,
    read_response,
    timeout_for,
    url_for,
)
from .._retry import may_have_run, retry_wait

T = TypeVar("T")
_log = logging.getLogger("octavo")


class Transport:
    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self.settings = settings
        self.http = http

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
        form = form_arguments(operation.form) if operation.form else {}
        request = self.http.build_request(
            operation.method,
            url_for(self.settings, operation),
            headers=self.authorize(headers),
            content=encode_body(operation),
            timeout=timeout_for(self.settings, operation, options),
            **form,
        )
        try:
            response = self.http.send(request, follow_redirects=False)
        except httpx.RequestError as error:
            raise error_from_exception(error) from error
        finally:
            if operation.form:
                form["files"]["file"][1].close()
        _log.debug("%s %s: %d", operation.method, operation.path, response.status_code)
        return read_response(response)

    def authorize(self, headers: httpx.Headers) -> httpx.Headers:
        """Headers with the current credential. A provider is called for each attempt, so a retry has a fresh token."""
        token = resolve(self.settings.api_key)
        return httpx.Headers({"authorization": f"Bearer {token}", **headers})

    @contextmanager
    def open(
        self, operation: Operation, headers: httpx.Headers, options: CallOptions
    ) -> Generator[httpx.Response, None, None]:
        """A response whose body is not read yet. Raises an OctavoError for an error status and a lost connection."""
        request = self.http.build_request(
            operation.method,
            url_for(self.settings, operation),
            headers=self.authorize(headers),
            content=encode_body(operation),
            timeout=timeout_for(self.settings, operation, options),
        )
        try:
            response = self.http.send(request, stream=True, follow_redirects=False)
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


def error_info(error: OctavoError) -> ResponseInfo:
    return ResponseInfo(error.status or 0, httpx.Headers(error.headers), error.request_id)
