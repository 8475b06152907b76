"""Stories on a real server: clients/python/stories.test.ts starts it and sets OCTAVO_URL and OCTAVO_API_KEY."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

import octavo
from octavo import AsyncOctavo, _model

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif("OCTAVO_URL" not in os.environ, reason="needs a server"),
]

PAGES = [
    "The lease of the house in Elm Street begins on the first of March. The tenant is Ada Byron.",
    "Rent is 1,200 a month. Rent is due on the third day of each month, in advance and without deduction.",
]
LARGE = 64 * 1024 * 1024 + 1


@pytest.fixture(autouse=True)
def _strict(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Every response must match the generated models, unless a story asks for a part of one."""

    def refuse(annotation: Any, data: Any) -> Any:
        raise AssertionError(f"{data} is not a {annotation}")

    if "partial" not in request.node.name:
        monkeypatch.setattr(_model, "_build_leniently", refuse)


@pytest.fixture
async def client() -> AsyncIterator[AsyncOctavo]:
    async with AsyncOctavo(wait_seconds=10) as connected:
        yield connected


async def create_lease(client: AsyncOctavo, **members: Any) -> octavo.models.Document:
    return await client.documents.create_and_wait(
        title="Lease", source={"type": "pages", "pages": [{"text": text} for text in PAGES]}, **members
    )


async def test_a_project_and_its_documents(client: AsyncOctavo) -> None:
    project = await client.projects.create(name="Leases", metadata={"city": "Lyndon"})
    lease = await create_lease(client, project_id=project.id, metadata={"kind": "lease"})

    listed = [document.id async for document in client.documents.list(project_id=project.id)]
    found = [
        document.id async for document in client.documents.list(metadata={"kind": "lease"}, project_id=[project.id])
    ]
    texts = [page.text async for page in client.pages.list(lease.id, limit=1)]
    chunks = [chunk.text async for chunk in client.chunks.list(lease.id)]

    assert (lease.status, lease.page_count) == ("ready", 2)
    assert listed == found == [lease.id]
    assert texts == PAGES
    assert "Rent is due" in "".join(chunks)
    assert PAGES[1] in await client.documents.contents(lease.id, format="text")


async def test_a_document_is_changed_with_its_etag_and_removed(client: AsyncOctavo) -> None:
    created = await client.with_response(client.documents.create, title="Letter")
    letter, etag = created.data, created.response.headers["etag"]
    soon = datetime.now(UTC) + timedelta(days=7)

    with pytest.raises(octavo.NotModified):
        await client.documents.get(letter.id, if_none_match=etag)
    changed = await client.documents.update(
        letter.id, title="Letter, signed", expires_at=soon, metadata={"a": "1"}, if_match=etag
    )
    with pytest.raises(octavo.ConflictError) as conflict:
        await client.documents.update(letter.id, title="Letter", if_match=etag)
    await client.documents.remove(letter.id)
    with pytest.raises(octavo.NotFoundError):
        await client.documents.get(letter.id)

    assert (created.response.status, changed.title) == (201, "Letter, signed")
    assert changed.expires_at is not None
    assert abs(changed.expires_at - soon) < timedelta(milliseconds=2)
    assert conflict.value.code == "precondition_failed"


async def test_partial_documents(client: AsyncOctavo) -> None:
    created = await client.documents.create(title="Note")

    found = await client.documents.get(created.id, fields=["title", "created_at"])

    assert (found.title, found.created_at) == ("Note", created.created_at)
    with pytest.raises(AttributeError):
        _ = found.status


async def test_the_same_request_is_carried_out_once(client: AsyncOctavo) -> None:
    key = uuid.uuid4().hex
    first = await client.documents.create(title="Once", idempotency_key=key)
    again = await client.documents.create(title="Once", idempotency_key=key)
    with pytest.raises(octavo.OctavoError) as other:
        await client.documents.create(title="Twice", idempotency_key=key)
    await client.documents.remove(first.id)

    assert first.id == again.id
    assert other.value.status == 422


async def test_a_file_is_read_and_its_progress_reported(client: AsyncOctavo, tmp_path: Path) -> None:
    path = tmp_path / "lease.txt"
    path.write_text("\f".join(PAGES))
    reported: list[octavo.models.JobProgress] = []

    document = await client.documents.create_and_wait(path, on_progress=reported.append)

    assert (document.title, document.status, document.media_type) == ("lease.txt", "ready", "text/plain")
    assert document.file_id is not None
    assert await client.files.read(document.file_id) == path.read_bytes()
    assert await client.files.download(document.file_id, tmp_path / "copy") == path.stat().st_size
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()
    assert (await client.files.get(document.file_id)).file_name == "lease.txt"
    assert (await client.files.contents(document.file_id)).url.startswith("http")


async def test_an_upload_in_parts_continues_after_the_first_part(client: AsyncOctavo) -> None:
    file = bytes(LARGE)
    upload = await client.uploads.create(file_name="scan.pdf", media_type="application/pdf", size_bytes=LARGE)
    first = upload.parts[0]
    async with httpx.AsyncClient() as http:
        sent = await http.put(first.put.url, headers=first.put.headers, content=file[: first.size_bytes], timeout=60)
    assert sent.is_success
    reported: list[int] = []

    await client.uploads.send(upload.id, file, on_upload=lambda progress: reported.append(progress.sent_bytes))

    finished = await client.uploads.get(upload.id)
    await client.uploads.remove(upload.id)
    assert (reported[0], reported[-1]) == (first.size_bytes, LARGE)
    assert all(part.is_received for part in finished.parts)


async def test_a_job_is_followed_and_waited_for(client: AsyncOctavo) -> None:
    document = await client.documents.create(title="Lease", source={"type": "text", "text": PAGES[0]}, wait_seconds=0)
    assert document.latest_job_id is not None

    events = [event async for event in client.jobs.follow(document.latest_job_id)]
    job = await client.jobs.wait(document.latest_job_id, timeout=60)
    later = [event async for event in client.jobs.follow(job.id, last_event_id=events[-2].seq or 0)]

    assert events[0].type == "job.queued"
    assert (events[-1].type, job.status) == ("job.succeeded", "succeeded")
    assert [event.seq for event in later] == [events[-1].seq]
    assert [event.type async for event in client.job_events.list(job.id)] == [event.type for event in events]


async def test_questions_and_outcomes(client: AsyncOctavo) -> None:
    project = await client.projects.create(name="Questions")
    lease = await create_lease(client, project_id=project.id)

    search = await client.searches.create(query="rent due", project_id=project.id, limit=3)
    answer = await client.answers.create(question="When is the rent due?", project_id=project.id)
    events = [event async for event in client.answers.stream(question="When is the rent due?", project_id=project.id)]
    summary = await client.summaries.create_and_wait(document_ids=[lease.id], wait_timeout=60)
    classification = await client.classifications.create(
        text=PAGES[1], labels=[{"name": "money", "description": "Amounts and payments"}, {"name": "animals"}]
    )
    embedding = await client.embeddings.create(inputs=["rent", "lease"])
    analysis = await client.analysis.create(lease.id, features=["language", "statistics"], wait_seconds=50)
    report = await client.reports.create_and_wait(project_id=project.id, type="documents", format="csv")

    assert search.results[0].page_number == 2
    assert answer.is_answered
    assert answer.sentences[0].citations[0].page_number == 2
    assert [event.type for event in events] == ["created", "completed"]
    assert summary.sentences[0].citations[0].document_id == lease.id
    assert classification.label is not None
    assert len(embedding.data) == 2
    assert analysis.statistics is not None
    assert (report.status, report.row_count) == ("succeeded", 1)


async def test_a_batch(client: AsyncOctavo) -> None:
    inputs: list[octavo.params.NewDocument] = [{"title": f"Note {i}"} for i in range(3)]

    batch = await client.jobs.create({"type": "documents", "inputs": inputs})
    ended = await client.jobs.wait(batch.id, timeout=60)

    assert (ended.type, ended.status) == ("documents", "succeeded")


async def test_every_list_can_be_read(client: AsyncOctavo) -> None:
    await create_lease(client)
    lists: list[Any] = [
        client.projects,
        client.documents,
        client.uploads,
        client.summaries,
        client.classifications,
        client.embeddings,
        client.searches,
        client.answers,
        client.reports,
        client.jobs,
        client.api_keys,
        client.events,
        client.models,
        client.rate_limits,
    ]

    pages = [await resource.list().first_page() for resource in lists]

    assert all(page.data for page in pages[7:] if page is not pages[8])
    assert (await client.capabilities.get()).object == "capabilities"
    assert "paths" in await client.openapi.get()


async def test_a_key_is_created_rotated_and_revoked(client: AsyncOctavo) -> None:
    key = await client.api_keys.create(name="Reader", scopes=["documents:read"])
    rotated = await client.api_keys.rotate(key.id)
    async with AsyncOctavo(token=lambda _: rotated.secret, max_retries=0) as reader:
        await reader.documents.list().first_page()
        with pytest.raises(octavo.PermissionError) as refused:
            await reader.documents.create(title="No")
        await client.api_keys.remove(key.id)
        with pytest.raises(octavo.AuthenticationError):
            await reader.documents.list().first_page()

    assert refused.value.code == "insufficient_scope"
    assert refused.value.fix is not None


async def test_an_invalid_request_names_its_fields(client: AsyncOctavo) -> None:
    with pytest.raises(octavo.ValidationError) as raised:
        await client.documents.create(title="")

    assert [(detail.field, detail.pointer) for detail in raised.value.details] == [("title", "/title")]
