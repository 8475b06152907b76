# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""The event stream of a job, over as many connections as it takes."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator

from .._concurrency import sleep
from .._errors import OctavoError
from .._model import build
from .._options import CallOptions
from .._request import Operation, headers_for, segment
from .._retry import retry_wait
from .._sse import Message, MessageParser
from ..models import Event, Job
from .transport import Transport

_RECONNECT = 0.5
_LONGEST_RECONNECT = 30.0
#: Three of the pings that the server sends while nothing happens.
_SHORTEST_DEFAULT_SILENCE = 45.0
#: A connection that lasted this long counts as successful, even without events.
_GOOD_CONNECTION = 10.0
_FINAL_EVENTS = frozenset(("job.succeeded", "job.partially_succeeded", "job.failed", "job.cancelled"))


def follow_events(
    transport: Transport,
    job_id: str,
    last: int,
    timeout: float | None,
    max_retries: int | None,
    deadline: float | None = None,
) -> Iterator[Event]:
    settings = transport.settings
    retries = settings.max_retries if max_retries is None else max_retries
    silence = timeout or max(settings.timeout, _SHORTEST_DEFAULT_SILENCE)
    has_ended = is_over = False
    reconnect = _RECONNECT
    failures = 0
    while True:
        parser = MessageParser()
        first, begin = last, time.monotonic()
        failure: OctavoError | None = None
        try:
            limit = silence if deadline is None else max(0.1, min(silence, deadline - time.monotonic()))
            for text in read_events(transport, job_id, last, limit):
                for message in parser.push(text):
                    seq = _seq(message)
                    if seq is None or seq <= last:
                        continue
                    last = seq
                    event = _event(message)
                    has_ended = event.type in _FINAL_EVENTS
                    yield event
                if _is_past(deadline):
                    return
        except OctavoError as error:
            failure = error
        if _is_past(deadline):
            return
        # A job that was queued again has events after a final one, so only the end of the stream ends the loop.
        if has_ended:
            return
        if parser.retry is not None:
            reconnect = min(parser.retry, _LONGEST_RECONNECT)
        if failure is None:
            # A stream without a final event reached its limit of ten minutes, or the job ended before it was opened.
            if is_over:
                return
            failures = 0
            is_over = _is_terminal(transport, job_id, retries)
            if not is_over:
                sleep(reconnect * (1 + random.random() / 4))
            continue
        failures = 1 if last > first or time.monotonic() - begin >= _GOOD_CONNECTION else failures + 1
        wait = retry_wait(failure, failures, retries)
        if wait is None:
            raise failure
        sleep(wait if parser.retry is None else max(wait, reconnect))


def read_events(transport: Transport, job_id: str, last: int, silence: float) -> Iterator[str]:
    """The text of one connection, after the event with this number."""
    operation = Operation("GET", f"/jobs/{segment(job_id)}/events")
    options: CallOptions = {"timeout": silence}
    headers = headers_for(transport.settings, operation, options)
    headers["accept"] = "text/event-stream"
    if last > 0:
        headers["last-event-id"] = str(last)
    with transport.open(operation, headers, options) as response:
        for text in response.iter_text():
            yield text


def _is_terminal(transport: Transport, job_id: str, max_retries: int) -> bool:
    operation = Operation("GET", f"/jobs/{segment(job_id)}")
    job = transport.send(operation, Job, {"max_retries": max_retries})
    return job.is_terminal


def _is_past(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def _seq(message: Message) -> int | None:
    return int(message.id) if message.id.isascii() and message.id.isdecimal() else None


def _event(message: Message) -> Event:
    try:
        return build(Event, json.loads(message.data))
    except ValueError as error:
        raise OctavoError(f"Event {message.id} of the stream is not JSON.", code="unexpected_answer") from error
