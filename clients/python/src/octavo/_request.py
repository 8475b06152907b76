"""Requests and responses without input and output: URLs, headers, bodies."""

from __future__ import annotations

import json
import math
import os
import re
import uuid
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

import httpx
from pydantic_core import to_jsonable_python

from ._errors import error_from_response
from ._files import FileReader
from ._options import NOT_GIVEN, CallOptions, check_options
from ._version import VERSION

T = TypeVar("T")

DEFAULT_TIMEOUT = 60.0
#: The server holds no response longer than this.
LONGEST_WAIT_SECONDS = 50


@dataclass(frozen=True)
class Settings:
    base_url: str
    #: An API key, or a function that returns an access token.
    credential: str | Callable[[str | None], Any]
    timeout: float
    max_retries: int
    wait_seconds: float


@dataclass(frozen=True)
class Form:
    """A `multipart/form-data` body with one file."""

    file: FileReader
    fields: Mapping[str, object]


@dataclass(frozen=True)
class Operation:
    method: str
    #: Below `/api/v1`, such as `/documents`.
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = NOT_GIVEN
    form: Form | None = None


@dataclass(frozen=True)
class ResponseInfo:
    status: int
    headers: httpx.Headers
    #: Identifies the request in the server's logs.
    request_id: str | None


@dataclass(frozen=True)
class Response(Generic[T]):
    """The result of a call, with the status and the headers of its response."""

    data: T
    response: ResponseInfo


@dataclass
class Capture:
    info: ResponseInfo | None = None


_capture: ContextVar[Capture | None] = ContextVar("octavo_response", default=None)


@contextmanager
def capture_response() -> Any:
    capture = Capture()
    token = _capture.set(capture)
    try:
        yield capture
    finally:
        _capture.reset(token)


def find_url(base_url: str | None) -> str:
    url = base_url or os.environ.get("OCTAVO_URL")
    if not url:
        raise ValueError("No server. Pass base_url, or set OCTAVO_URL.")
    if not url.lower().startswith(("http://", "https://")):
        raise ValueError(f"The server must be a URL such as https://octavo.example.com, not '{url}'.")
    return url.rstrip("/").removesuffix("/api/v1")


def find_credential(
    api_key: str | None, token: Callable[[str | None], Any] | None
) -> str | Callable[[str | None], Any]:
    if api_key and token:
        raise ValueError("Pass either api_key or token.")
    credential = token or api_key or os.environ.get("OCTAVO_API_KEY")
    if not credential:
        raise ValueError("No API key. Pass api_key or token, or set OCTAVO_API_KEY.")
    if not isinstance(credential, str):
        return credential
    # A key that was read from a file often ends with a line break.
    key = credential.strip()
    if not is_sendable(key):
        raise ValueError("The API key has characters that a key cannot have. Check that it is complete.")
    return key


def is_sendable(token: object) -> bool:
    """Whether a header can hold the token. httpx would refuse it with an exception that shows it."""
    return isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]+", token) is not None


def segment(name: str) -> str:
    """One id as a path segment. An empty id or dots would address another resource."""
    if name in ("", ".", ".."):
        raise ValueError(f"'{name}' is not an id.")
    return quote(name, safe="")


def _query_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def url_for(settings: Settings, operation: Operation) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in operation.query.items():
        if value is NOT_GIVEN:
            continue
        if isinstance(value, Mapping):
            pairs.extend((f"{name}[{key}]", _query_text(entry)) for key, entry in value.items())
        elif isinstance(value, (list, tuple, set, frozenset)):
            pairs.append((name, ",".join(_query_text(entry) for entry in value)))
        else:
            pairs.append((name, _query_text(value)))
    query = f"?{urlencode(pairs)}" if pairs else ""
    return f"{settings.base_url}/api/v1{operation.path}{query}"


def wait_seconds_for(settings: Settings, operation: Operation, options: CallOptions) -> int:
    """The client's default is for POST only: a GET returns the current state unless the call says otherwise."""
    if operation.method not in ("POST", "GET"):
        return 0
    seconds = options.get("wait_seconds", settings.wait_seconds if operation.method == "POST" else 0)
    return min(math.ceil(seconds), LONGEST_WAIT_SECONDS) if seconds > 0 else 0


def headers_for(settings: Settings, operation: Operation, options: CallOptions) -> httpx.Headers:
    """Every header except `Authorization`, because a token can change between two attempts."""
    check_options(options)
    headers = httpx.Headers({"accept": "application/json", "user-agent": f"octavo-python/{VERSION}"})
    if operation.body is not NOT_GIVEN:
        headers["content-type"] = "application/merge-patch+json" if operation.method == "PATCH" else "application/json"
    if operation.method == "POST":
        headers["idempotency-key"] = options.get("idempotency_key") or uuid.uuid4().hex
    wait = wait_seconds_for(settings, operation, options)
    if wait > 0:
        headers["prefer"] = f"wait={wait}"
    if "if_match" in options:
        headers["if-match"] = options["if_match"]
    if "if_none_match" in options:
        headers["if-none-match"] = options["if_none_match"]
    headers.update(options.get("headers") or {})
    return headers


def timeout_for(settings: Settings, operation: Operation, options: CallOptions) -> httpx.Timeout:
    seconds = options.get("timeout", settings.timeout)
    return httpx.Timeout(seconds, read=seconds + wait_seconds_for(settings, operation, options))


def encode_body(operation: Operation) -> bytes | None:
    if operation.body is NOT_GIVEN:
        return None
    return json.dumps(to_jsonable_python(operation.body), ensure_ascii=False, allow_nan=False).encode()


def form_arguments(form: Form) -> dict[str, Any]:
    """Arguments for httpx; text is sent as it is, everything else as JSON."""
    fields = {
        name: value if isinstance(value, str) else _form_text(value)
        for name, value in form.fields.items()
        if value is not None
    }
    return {"data": fields, "files": {"file": (form.file.file_name, form.file.open(), form.file.media_type)}}


def _form_text(value: object) -> str:
    jsonable = to_jsonable_python(value)
    return jsonable if isinstance(jsonable, str) else json.dumps(jsonable, ensure_ascii=False)


def parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def info_for(response: httpx.Response) -> ResponseInfo:
    info = ResponseInfo(response.status_code, response.headers, response.headers.get("request-id"))
    capture = _capture.get()
    if capture is not None:
        capture.info = info
    return info


def read_response(response: httpx.Response) -> Response[Any]:
    """The decoded JSON of a response; raises an OctavoError for a status that is not a success."""
    text = response.text
    data = parse_json(text) if text else None
    info = info_for(response)
    if not response.is_success or (text and data is None):
        raise error_from_response(response, data)
    return Response(data, info)
