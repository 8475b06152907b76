"""Answers: streaming."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, Unpack

from .._answers import AnswerCompleted, AnswerCreated, AnswerDelta, AnswerEvent
from .._concurrency import async_sleep
from .._errors import OctavoError
from .._model import build
from .._options import CallOptions
from .._request import Operation, headers_for, segment
from .._retry import is_retryable, retry_wait
from .._sse import Message, MessageParser
from .._uploads import AnswerRequest, split_options
from ..models import Answer
from .resources import AsyncAnswersResource
from .waiting import async_wait_until


class AsyncAnswers(AsyncAnswersResource):
    async def stream(self, **request: Unpack[AnswerRequest]) -> AsyncIterator[AnswerEvent]:
        """Asks a question and yields the answer as it is written. Needs `searches:write` and `documents:read`.

        The first event is `created`, the last one is `completed` with the verified answer. The texts of
        `delta` between them are an unverified draft; the built-in engine sends none. If the connection breaks,
        the client waits for the answer and yields `completed`.
        """
        options, body = split_options(request)
        operation = Operation("POST", "/answers", body=body)
        # Created once, so that all attempts have the same Idempotency-Key.
        headers = headers_for(self._transport.settings, operation, options)
        headers["accept"] = "text/event-stream"
        max_retries = options.get("max_retries", self._transport.settings.max_retries)
        answer: Answer | None = None
        attempt = 0
        while answer is None:
            attempt += 1
            wait: float | None = 0.0
            try:
                async for event in self._connect(operation, headers, options):
                    yield event
                    if event.type == "completed":
                        return
                    if event.type == "created":
                        answer = event.answer
            except OctavoError as error:
                # After the first event, the answer exists and is read below.
                wait = retry_wait(error, attempt, max_retries) if answer is None else None
                if wait is None and (answer is None or not is_retryable(error)):
                    raise
            if answer is None:
                if wait == 0.0 and attempt > max_retries:
                    raise OctavoError("The stream ended without an answer.", code="unexpected_answer")
                await async_sleep(wait or 0.0)
        path = f"/answers/{segment(answer.id)}"
        final = await async_wait_until(
            self._transport, path, Answer, lambda found: found.is_terminal, max_retries=max_retries
        )
        yield AnswerCompleted(final)

    async def _connect(self, operation: Operation, headers: Any, options: CallOptions) -> AsyncIterator[AnswerEvent]:
        parser = MessageParser()
        async with self._transport.open(operation, headers, options) as response:
            # A repeated request may get the stored response, which is not a stream.
            if not response.headers.get("content-type", "").startswith("text/event-stream"):
                await response.aread()
                yield AnswerCreated(build(Answer, response.json()))
                return
            async for text in response.aiter_text():
                for message in parser.push(text):
                    event = _event(message)
                    if event is not None:
                        yield event


def _event(message: Message) -> AnswerEvent | None:
    """None for an event that this version of the client does not know."""
    if message.event not in ("answer.created", "answer.delta", "answer.completed"):
        return None
    try:
        data = json.loads(message.data)
    except ValueError as error:
        raise OctavoError("An event of the stream is not JSON.", code="unexpected_answer") from error
    if message.event == "answer.delta":
        return AnswerDelta(str(data.get("text", "")))
    answer = build(Answer, data)
    return AnswerCreated(answer) if message.event == "answer.created" else AnswerCompleted(answer)
