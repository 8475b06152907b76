"""Exceptions of the client: one class for each family of statuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from ._fixes import FIXES
from ._model import build
from .models import ErrorDetail


class OctavoError(Exception):
    """A call that failed."""

    #: Branch on this. `connection_failed`, `timed_out` and `unexpected_answer` come from the client.
    code: str
    message: str
    #: One entry for each invalid field.
    details: Sequence[ErrorDetail]
    #: None if there was no response, like the following attributes.
    status: int | None
    request_id: str | None
    doc_url: str | None
    headers: Mapping[str, str] | None
    #: Advice for this code, if the client knows it.
    fix: str | None

    def __init__(
        self,
        message: str,
        *,
        code: str,
        details: Sequence[ErrorDetail] = (),
        response: httpx.Response | None = None,
        request_id: str | None = None,
        doc_url: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details
        self.status = None if response is None else response.status_code
        self.headers = None if response is None else response.headers
        self.request_id = request_id or (None if response is None else response.headers.get("request-id"))
        self.doc_url = doc_url
        self.fix = FIXES.get(code)

    def __str__(self) -> str:
        fields = "".join(f" {detail.field}: {detail.message}" for detail in self.details)
        request = f" ({self.request_id})" if self.request_id else ""
        return f"{self.code}: {self.message}{fields}{request}"


class NotModified(OctavoError):
    """304: the resource still has the ETag in `if_none_match`."""


class AuthenticationError(OctavoError):
    """401"""


class PermissionError(OctavoError):
    """403"""


class NotFoundError(OctavoError):
    """404 and 410"""


class ConflictError(OctavoError):
    """409 and 412"""


class ValidationError(OctavoError):
    """400 and 422: `details` names every field."""


class RateLimitError(OctavoError):
    """429"""


class ServerError(OctavoError):
    """500 and above"""


class ConnectionError(OctavoError):
    """The server was not reached, or the connection broke."""


class TimeoutError(ConnectionError):
    """The server did not respond in time, or the work did not end in time."""


_CLASSES: Mapping[int, type[OctavoError]] = {
    304: NotModified,
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: ConflictError,
    422: ValidationError,
    429: RateLimitError,
}


def error_from_response(response: httpx.Response, body: Any) -> OctavoError:
    """The exception for a response. Proxies send other bodies, so the body can be anything."""
    status = response.status_code
    error_class = _CLASSES.get(status, ServerError if status >= 500 else OctavoError)
    if status == 304:
        return error_class("The resource has not changed.", code="not_modified", response=response)
    if isinstance(body, dict) and isinstance(body.get("code"), str) and isinstance(body.get("message"), str):
        return error_class(
            body["message"],
            code=body["code"],
            details=[build(ErrorDetail, detail) for detail in body.get("details") or []],
            response=response,
            request_id=body.get("request_id"),
            doc_url=body.get("doc_url"),
        )
    message = f"The server responded {status} with a body that is not in Octavo's format."
    return error_class(message, code="unexpected_answer", response=response)


def error_from_exception(error: httpx.RequestError) -> ConnectionError:
    if isinstance(error, httpx.TimeoutException):
        return TimeoutError("The server did not respond in time.", code="timed_out")
    return ConnectionError(f"The server was not reached, or the connection broke: {error!r}", code="connection_failed")
