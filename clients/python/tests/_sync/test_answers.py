# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

from __future__ import annotations

import json
from typing import Any

import pytest

import octavo

from ..conftest import StartServer
from ..scripted import LATER, Reply, failure, stream
from .conftest import Connect

pytestmark = pytest.mark.anyio


def answer(is_terminal: bool) -> dict[str, Any]:
    return {
        "id": "ans_1",
        "object": "answer",
        "is_terminal": is_terminal,
        "text": "On the third." if is_terminal else None,
    }


def event(kind: str, data: dict[str, Any]) -> str:
    return f"event: answer.{kind}\ndata: {json.dumps(data)}\n\n"


CREATED = event("created", answer(False))
COMPLETED = event("completed", answer(True))
DELTAS = [event("delta", {"text": "On the "}), event("delta", {"text": "third."})]


def test_an_answer_is_streamed(start_server: StartServer, connect: Connect) -> None:
    server = start_server(stream(CREATED, ": ping\n\n", *DELTAS, event("news", {}), COMPLETED, status=201))
    draft = ""
    kinds = []

    for one in connect(server).answers.stream(question="When is the rent due?"):
        kinds.append(one.type)
        if one.type == "delta":
            draft += one.text
        elif one.type == "completed":
            assert one.answer.text == draft

    assert kinds == ["created", "delta", "delta", "completed"]
    assert server.received[0].headers["accept"] == "text/event-stream"
    assert server.received[0].json() == {"question": "When is the rent due?"}


def test_a_broken_stream_ends_with_the_answer(start_server: StartServer, connect: Connect) -> None:
    server = start_server(stream(CREATED, DELTAS[0], status=201, finish="cut"), Reply(200, answer(True)))

    events = [one for one in connect(server).answers.stream(question="When is the rent due?")]

    assert [one.type for one in events] == ["created", "delta", "completed"]
    assert server.received[1].path == "/api/v1/answers/ans_1"
    assert server.received[1].headers["prefer"] == "wait=50"


def test_a_question_is_repeated_with_the_same_key(start_server: StartServer, connect: Connect) -> None:
    server = start_server(LATER, stream(status=201, finish="cut"), Reply(201, answer(False)), Reply(200, answer(True)))

    events = [one for one in connect(server).answers.stream(question="When is the rent due?")]

    assert [one.type for one in events] == ["created", "completed"]
    assert len({received.headers["idempotency-key"] for received in server.received[:3]}) == 1


def test_a_refused_question_is_an_exception(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(422, failure("validation_error")))

    with pytest.raises(octavo.ValidationError):
        for _ in connect(server).answers.stream(question=""):
            pass
