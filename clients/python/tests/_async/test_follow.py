from __future__ import annotations

import pytest

import octavo

from ..conftest import StartServer
from ..scripted import LATER, Reply, failure, sse, stream
from .conftest import Connect

pytestmark = pytest.mark.anyio

DONE = Reply(200, {"id": "job_1", "object": "job", "is_terminal": True})
RUNNING = Reply(200, {"id": "job_1", "object": "job", "is_terminal": False})


async def test_events_are_yielded_in_order_until_the_job_ends(start_server: StartServer, connect: Connect) -> None:
    whole = sse(1, "job.queued") + sse(2, "job.running") + ": ping\n\n" + sse(3, "job.succeeded")
    server = start_server(stream(whole[:70], whole[70:200], whole[200:]))

    found = [(event.seq, event.type) async for event in connect(server).jobs.follow("job_1")]

    assert found == [(1, "job.queued"), (2, "job.running"), (3, "job.succeeded")]
    assert server.received[0].headers["accept"] == "text/event-stream"


async def test_a_broken_stream_continues_after_the_last_event(start_server: StartServer, connect: Connect) -> None:
    server = start_server(
        stream("retry: 1\n\n", sse(1, "job.queued"), sse(2, "job.running")[:20], finish="cut"),
        LATER,
        stream(sse(1, "job.queued"), sse(2, "job.running"), sse(3, "job.succeeded")),
    )

    found = [event.seq async for event in connect(server).jobs.follow("job_1")]

    assert found == [1, 2, 3]
    assert [received.headers.get("last-event-id") for received in server.received] == [None, "1", "1"]


async def test_a_stream_that_the_server_closes_is_opened_again(start_server: StartServer, connect: Connect) -> None:
    server = start_server(
        stream("retry: 1\n\n", sse(1, "job.queued")), RUNNING, stream(sse(2, "job.running"), sse(3, "job.failed"))
    )

    found = [event.seq async for event in connect(server).jobs.follow("job_1")]

    assert found == [1, 2, 3]


async def test_a_job_that_has_ended_has_nothing_more_to_say(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(204), DONE, Reply(204))

    found = [event.seq async for event in connect(server).jobs.follow("job_1", last_event_id=3)]

    assert found == []
    assert server.received[0].headers["last-event-id"] == "3"


async def test_an_unknown_job_cannot_be_followed(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(404, failure("not_found")))

    with pytest.raises(octavo.NotFoundError):
        async for _ in connect(server).jobs.follow("job_1"):
            pass


async def test_failed_connections_are_limited(start_server: StartServer, connect: Connect) -> None:
    server = start_server(LATER)

    with pytest.raises(octavo.ServerError):
        async for _ in connect(server).jobs.follow("job_1", max_retries=2):
            pass

    assert len(server.received) == 3


async def test_a_job_that_was_queued_again_is_followed_on(start_server: StartServer, connect: Connect) -> None:
    server = start_server(stream(sse(1, "job.failed"), sse(2, "job.queued"), sse(3, "job.succeeded")))

    found = [event.seq async for event in connect(server).jobs.follow("job_1")]

    assert found == [1, 2, 3]
