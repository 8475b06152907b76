# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""Stories on a real server: clients/python/stories.test.ts starts it and sets OCTAVO_URL and OCTAVO_API_KEY."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

import octavo
from octavo import Octavo, _model

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
def client() -> Iterator[Octavo]:
    with Octavo(wait_seconds=10) as connected:
        yield connected


def create_lease(client: Octavo, **members: Any) -> octavo.models.Document:
    return client.documents.create_and_wait(
        title="Lease", source={"type": "pages", "pages": [{"text": text} for text in PAGES]}, **members
    )


def test_a_project_and_its_documents(client: Octavo) -> None:
    project = client.projects.create(name="Leases", metadata={"city": "Lyndon"})
    lease = create_lease(client, project_id=project.id, metadata={"kind": "lease"})

    listed = [document.id for document in client.documents.list(project_id=project.id)]
    found = [
        document.id for document in client.documents.list(metadata={"kind": "lease"}, project_id=[project.id])
    ]
    texts = [page.text for page in client.pages.list(lease.id, limit=1)]
    chunks = [chunk.text for chunk in client.chunks.list(lease.id)]

    assert (lease.status, lease.page_count) == ("ready", 2)
    assert listed == found == [lease.id]
    assert texts == PAGES
    assert "Rent is due" in "".join(chunks)
    assert PAGES[1] in client.documents.contents(lease.id, format="text")


def test_a_document_is_changed_with_its_etag_and_removed(client: Octavo) -> None:
    created = client.with_response(client.documents.create, title="Letter")
    letter, etag = created.data, created.response.headers["etag"]
    soon = datetime.now(UTC) + timedelta(days=7)

    with pytest.raises(octavo.NotModified):
        client.documents.get(letter.id, if_none_match=etag)
    changed = client.documents.update(
        letter.id, title="Letter, signed", expires_at=soon, metadata={"a": "1"}, if_match=etag
    )
    with pytest.raises(octavo.ConflictError) as conflict:
        client.documents.update(letter.id, title="Letter", if_match=etag)
    client.documents.remove(letter.id)
    with pytest.raises(octavo.NotFoundError):
        client.documents.get(letter.id)

    assert (created.response.status, changed.title) == (201, "Letter, signed")
    assert changed.expires_at is not None
    assert abs(changed.expires_at - soon) < timedelta(milliseconds=2)
    assert conflict.value.code == "precondition_failed"


def test_partial_documents(client: Octavo) -> None:
    created = client.documents.create(title="Note")

    found = client.documents.get(created.id, fields=["title", "created_at"])

    assert (found.title, found.created_at) == ("Note", created.created_at)
    with pytest.raises(AttributeError):
        _ = found.status


def test_the_same_request_is_carried_out_once(client: Octavo) -> None:
    key = uuid.uuid4().hex
    first = client.documents.create(title="Once", idempotency_key=key)
    again = client.documents.create(title="Once", idempotency_key=key)
    with pytest.raises(octavo.OctavoError) as other:
        client.documents.create(title="Twice", idempotency_key=key)
    client.documents.remove(first.id)

    assert first.id == again.id
    assert other.value.status == 422


def test_a_file_is_read_and_its_progress_reported(client: Octavo, tmp_path: Path) -> None:
    path = tmp_path / "lease.txt"
    path.write_text("\f".join(PAGES))
    reported: list[octavo.models.JobProgress] = []

    document = client.documents.create_and_wait(path, on_progress=reported.append)

    assert (document.title, document.status, document.media_type) == ("lease.txt", "ready", "text/plain")
    assert document.file_id is not None
    assert client.files.read(document.file_id) == path.read_bytes()
    assert client.files.download(document.file_id, tmp_path / "copy") == path.stat().st_size
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()
    assert (client.files.get(document.file_id)).file_name == "lease.txt"
    assert (client.files.contents(document.file_id)).url.startswith("http")


def test_an_upload_in_parts_continues_after_the_first_part(client: Octavo) -> None:
    file = bytes(LARGE)
    upload = client.uploads.create(file_name="scan.pdf", media_type="application/pdf", size_bytes=LARGE)
    first = upload.parts[0]
    with httpx.Client() as http:
        sent = http.put(first.put.url, headers=first.put.headers, content=file[: first.size_bytes], timeout=60)
    assert sent.is_success
    reported: list[int] = []

    client.uploads.send(upload.id, file, on_upload=lambda progress: reported.append(progress.sent_bytes))

    finished = client.uploads.get(upload.id)
    client.uploads.remove(upload.id)
    assert (reported[0], reported[-1]) == (first.size_bytes, LARGE)
    assert all(part.is_received for part in finished.parts)


def test_a_job_is_followed_and_waited_for(client: Octavo) -> None:
    document = client.documents.create(title="Lease", source={"type": "text", "text": PAGES[0]}, wait_seconds=0)
    assert document.latest_job_id is not None

    events = [event for event in client.jobs.follow(document.latest_job_id)]
    job = client.jobs.wait(document.latest_job_id, timeout=60)
    later = [event for event in client.jobs.follow(job.id, last_event_id=events[-2].seq or 0)]

    assert events[0].type == "job.queued"
    assert (events[-1].type, job.status) == ("job.succeeded", "succeeded")
    assert [event.seq for event in later] == [events[-1].seq]
    assert [event.type for event in client.job_events.list(job.id)] == [event.type for event in events]


def test_questions_and_outcomes(client: Octavo) -> None:
    project = client.projects.create(name="Questions")
    lease = create_lease(client, project_id=project.id)

    search = client.searches.create(query="rent due", project_id=project.id, limit=3)
    answer = client.answers.create(question="When is the rent due?", project_id=project.id)
    events = [event for event in client.answers.stream(question="When is the rent due?", project_id=project.id)]
    summary = client.summaries.create_and_wait(document_ids=[lease.id], wait_timeout=60)
    classification = client.classifications.create(
        text=PAGES[1], labels=[{"name": "money", "description": "Amounts and payments"}, {"name": "animals"}]
    )
    embedding = client.embeddings.create(inputs=["rent", "lease"])
    analysis = client.analysis.create(lease.id, features=["language", "statistics"], wait_seconds=50)
    report = client.reports.create_and_wait(project_id=project.id, type="documents", format="csv")

    assert search.results[0].page_number == 2
    assert answer.is_answered
    assert answer.sentences[0].citations[0].page_number == 2
    assert [event.type for event in events] == ["created", "completed"]
    assert summary.sentences[0].citations[0].document_id == lease.id
    assert classification.label is not None
    assert len(embedding.data) == 2
    assert analysis.statistics is not None
    assert (report.status, report.row_count) == ("succeeded", 1)


def test_a_batch(client: Octavo) -> None:
    inputs: list[octavo.params.NewDocument] = [{"title": f"Note {i}"} for i in range(3)]

    batch = client.jobs.create({"type": "documents", "inputs": inputs})
    ended = client.jobs.wait(batch.id, timeout=60)

    assert (ended.type, ended.status) == ("documents", "succeeded")


def test_every_list_can_be_read(client: Octavo) -> None:
    create_lease(client)
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

    pages = [resource.list().first_page() for resource in lists]

    assert all(page.data for page in pages[7:] if page is not pages[8])
    assert (client.capabilities.get()).object == "capabilities"
    assert "paths" in client.openapi.get()


def test_a_key_is_created_rotated_and_revoked(client: Octavo) -> None:
    key = client.api_keys.create(name="Reader", scopes=["documents:read"])
    rotated = client.api_keys.rotate(key.id)
    with Octavo(token=lambda _: rotated.secret, max_retries=0) as reader:
        reader.documents.list().first_page()
        with pytest.raises(octavo.PermissionError) as refused:
            reader.documents.create(title="No")
        client.api_keys.remove(key.id)
        with pytest.raises(octavo.AuthenticationError):
            reader.documents.list().first_page()

    assert refused.value.code == "insufficient_scope"
    assert refused.value.fix is not None


def test_an_invalid_request_names_its_fields(client: Octavo) -> None:
    with pytest.raises(octavo.ValidationError) as raised:
        client.documents.create(title="")

    assert [(detail.field, detail.pointer) for detail in raised.value.details] == [("title", "/title")]
