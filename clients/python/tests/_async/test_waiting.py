from __future__ import annotations

from typing import Any

import pytest

import octavo
from octavo.models import JobProgress

from ..conftest import StartServer
from ..scripted import Reply, failure, sse, stream
from .conftest import Connect

pytestmark = pytest.mark.anyio

RUNNING = Reply(200, {"id": "job_1", "object": "job", "is_terminal": False}, {"retry-after": "0"})
DONE = Reply(200, {"id": "job_1", "object": "job", "is_terminal": True})


def document(status: str, latest_job_id: str | None = "job_1") -> dict[str, Any]:
    return {"id": "doc_1", "object": "document", "status": status, "latest_job_id": latest_job_id}


async def test_a_wait_is_requested_for_post_and_get(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(200, {"id": "doc_1"}))
    client = connect(server)

    await client.documents.create(title="Lease", wait_seconds=10)
    await client.documents.get("doc_1", wait_seconds=1.5)
    await client.documents.get("doc_1", wait_seconds=3600)
    await client.documents.update("doc_1", title="Lease", wait_seconds=10)

    assert [received.headers.get("prefer") for received in server.received] == ["wait=10", "wait=2", "wait=50", None]


async def test_the_default_wait_is_for_post_only(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(200, {"id": "doc_1"}))
    client = connect(server, wait_seconds=5)

    await client.documents.create(title="Lease")
    await client.documents.create(title="Lease", wait_seconds=0)
    await client.documents.get("doc_1")

    assert [received.headers.get("prefer") for received in server.received] == ["wait=5", None, None]


async def test_a_wait_for_a_job_ends_with_the_job(start_server: StartServer, connect: Connect) -> None:
    server = start_server(RUNNING, RUNNING, DONE)

    job = await connect(server).jobs.wait("job_1")

    assert job.is_terminal
    assert [(received.path, received.headers["prefer"]) for received in server.received] == [
        ("/api/v1/jobs/job_1", "wait=50")
    ] * 3


async def test_a_wait_can_be_limited(start_server: StartServer, connect: Connect) -> None:
    server = start_server(RUNNING)

    with pytest.raises(octavo.TimeoutError) as raised:
        await connect(server).jobs.wait("job_1", timeout=0.2)

    assert raised.value.code == "timed_out"
    assert server.received[0].headers["prefer"] == "wait=1"


async def test_a_wait_for_an_unknown_job_fails(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(404, failure("not_found")))

    with pytest.raises(octavo.NotFoundError):
        await connect(server).jobs.wait("job_1")


async def test_a_document_is_created_and_waited_for(start_server: StartServer, connect: Connect) -> None:
    server = start_server(
        Reply(201, document("processing")),
        Reply(200, document("processing"), {"retry-after": "0"}),
        Reply(200, document("ready")),
    )

    created = await connect(server).documents.create_and_wait(title="Lease", idempotency_key="import-7")

    assert created.status == "ready"
    assert [
        (received.method, received.path, received.headers.get("idempotency-key"), received.headers.get("prefer"))
        for received in server.received
    ] == [
        ("POST", "/api/v1/documents", "import-7", None),
        ("GET", "/api/v1/documents/doc_1", None, "wait=50"),
        ("GET", "/api/v1/documents/doc_1", None, "wait=50"),
    ]


async def test_the_progress_of_a_document_is_reported(start_server: StartServer, connect: Connect) -> None:
    progress = {"unit": "pages", "completed": 3, "failed": 0, "total": 7}
    server = start_server(
        Reply(201, document("processing")),
        stream(
            sse(1, "job.queued"),
            sse(2, "job.updated", {"progress": progress}),
            sse(3, "job.updated", {"progress": None}),
            sse(4, "job.failed"),
        ),
        Reply(200, document("failed")),
    )
    reported: list[JobProgress] = []

    created = await connect(server).documents.create_and_wait(title="Lease", on_progress=reported.append)

    assert created.status == "failed"
    assert [(one.unit, one.completed, one.total) for one in reported] == [("pages", 3, 7)]
    assert server.received[1].path == "/api/v1/jobs/job_1/events"


async def test_a_document_without_work_is_returned_at_once(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(201, document("ready", None)))

    await connect(server).documents.create_and_wait(
        title="Lease", on_progress=lambda _: pytest.fail("There is no job.")
    )

    assert len(server.received) == 1


async def test_a_wait_with_progress_is_limited_too(start_server: StartServer, connect: Connect) -> None:
    running = stream(sse(1, "job.running"), *[": ping\n\n"] * 2_000, sse(2, "job.succeeded"))
    server = start_server(Reply(201, document("processing")), running, Reply(200, document("ready")))

    with pytest.raises(octavo.TimeoutError, match=r"within 0\.5 seconds"):
        await connect(server).documents.create_and_wait(title="Lease", on_progress=lambda _: None, wait_timeout=0.5)
