from __future__ import annotations

import gc
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

import octavo
from octavo import UploadProgress

from ..conftest import StartServer
from ..scripted import LATER, Handler, Received, Reply, cut, failure, stream
from .conftest import Connect

pytestmark = pytest.mark.anyio

FILE = b"The lease begins."
PUT_HEADERS = {"content-type": "application/octet-stream", "x-signed": "yes"}
ARRIVED = Reply(200)


def upload(received: Sequence[int] | None = None, size_bytes: int = len(FILE), status: int = 201) -> Any:
    """A step: an upload with URLs of the same server. `received`: the parts of five bytes that have arrived."""

    def step(handler: Handler) -> None:
        def put(path: str) -> dict[str, Any]:
            return {"url": f"{handler.server.url}{path}", "headers": PUT_HEADERS}

        parts = [
            {
                "number": i + 1,
                "offset": i * 5,
                "size_bytes": min(5, size_bytes - i * 5),
                "is_received": i + 1 in (received or []),
                "put": put(f"/part/{i + 1}"),
            }
            for i in range(0 if received is None else -(-size_bytes // 5))
        ]
        members = {"id": "upl_1", "object": "upload", "size_bytes": size_bytes, "file_name": "document"}
        place = put("/put") if received is None else None
        handler.reply(Reply(status, {**members, "parts": parts, "put": place}))

    return step


def shown(received: Received) -> str:
    return f"{received.method} {received.path} {received.body}"


async def test_a_file_is_sent_with_the_signed_headers_and_without_the_key(
    start_server: StartServer, connect: Connect
) -> None:
    server = start_server(upload(), ARRIVED)
    reported: list[UploadProgress] = []

    created = await connect(server).uploads.create_from_file(
        FILE, file_name="a.txt", metadata={"year": "2027"}, on_upload=reported.append
    )

    assert created.id == "upl_1"
    assert server.received[0].json() == {
        "file_name": "a.txt",
        "media_type": "text/plain",
        "metadata": {"year": "2027"},
        "size_bytes": 17,
    }
    assert shown(server.received[1]) == "PUT /put The lease begins."
    headers = server.received[1].headers
    assert ("authorization" in headers, headers["content-type"], headers["x-signed"]) == (
        False,
        "application/octet-stream",
        "yes",
    )
    assert reported == [UploadProgress(17, 17)]


async def test_only_missing_parts_are_sent(start_server: StartServer, connect: Connect) -> None:
    server = start_server(upload([2], status=200), ARRIVED)
    reported: list[int] = []

    await connect(server).uploads.send("upl_1", FILE, on_upload=lambda progress: reported.append(progress.sent_bytes))

    assert server.received[0].path == "/api/v1/uploads/upl_1"
    assert sorted(shown(received) for received in server.received[1:]) == [
        "PUT /part/1 The l",
        "PUT /part/3 begin",
        "PUT /part/4 s.",
    ]
    assert (reported[0], reported[-1]) == (5, 17)


async def test_parts_are_not_kept_in_memory(start_server: StartServer, connect: Connect) -> None:
    server = start_server(upload(received=[]), ARRIVED)
    gc.collect()
    gc.disable()
    try:
        await connect(server).uploads.create_from_file(FILE)
        requests = [one for one in gc.get_objects() if type(one) is httpx.Request and one.method == "PUT"]
    finally:
        gc.enable()

    assert sorted(server.received[i].headers["content-length"] for i in range(1, 5)) == ["2", "5", "5", "5"]
    assert [one for one in requests if hasattr(one, "_content")] == []


async def test_a_part_that_was_lost_is_sent_again(start_server: StartServer, connect: Connect) -> None:
    server = start_server(upload(), LATER, cut, ARRIVED)

    await connect(server).uploads.create_from_file(FILE)

    assert [shown(received) for received in server.received[1:]] == ["PUT /put The lease begins."] * 3


async def test_a_refusal_after_a_lost_response_means_that_the_bytes_arrived(
    start_server: StartServer, connect: Connect
) -> None:
    exists = Reply(412)
    lost = start_server(upload(), LATER, exists)
    first = start_server(upload(), exists)

    await connect(lost).uploads.create_from_file(FILE)

    assert len(lost.received) == 3
    with pytest.raises(octavo.ConflictError):
        await connect(first).uploads.create_from_file(FILE)


async def test_a_permanent_failure_is_raised_at_once(start_server: StartServer, connect: Connect) -> None:
    refused = start_server(upload([]), Reply(404, failure("not_found")))
    down = start_server(upload(), LATER)

    with pytest.raises(octavo.NotFoundError):
        await connect(refused).uploads.create_from_file(FILE)
    with pytest.raises(octavo.ServerError):
        await connect(down, max_retries=2).uploads.create_from_file(FILE)

    assert len(refused.received) <= 3
    assert len(down.received) == 4


async def test_a_part_with_an_unknown_result_is_sent_again_when_the_upload_continues(
    start_server: StartServer, connect: Connect
) -> None:
    server = start_server(upload([], size_bytes=4), LATER, upload([1], size_bytes=4, status=200), ARRIVED)
    client = connect(server, max_retries=0)

    with pytest.raises(octavo.ServerError):
        await client.uploads.create_from_file(b"rent")
    await client.uploads.send("upl_1", b"rent")

    assert [shown(received) for received in server.received if received.method == "PUT"] == ["PUT /part/1 rent"] * 2


async def test_a_file_of_another_size_is_not_sent(start_server: StartServer, connect: Connect) -> None:
    server = start_server(upload(size_bytes=5, status=200), ARRIVED)

    with pytest.raises(ValueError, match="17 bytes"):
        await connect(server).uploads.send("upl_1", FILE)

    assert len(server.received) == 1


async def test_a_document_from_a_file_is_a_form(start_server: StartServer, connect: Connect, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(FILE)
    server = start_server(LATER, Reply(201, {"id": "doc_1", "status": "ready"}))
    client = connect(server)

    await client.documents.create_from_file(path, title="Lease", metadata={"year": "2027"}, external_id=None)
    await client.documents.create_from_file(io.BytesIO(FILE), file_name="a.txt")
    with path.open("rb") as file:
        await client.documents.create_from_file(file)

    assert len(server.received) == 4
    for received in server.received:
        assert received.headers["content-type"].startswith("multipart/form-data; boundary=")
        assert 'name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nThe lease begins.\r\n' in received.body
    body = server.received[1].body
    assert 'name="title"\r\n\r\nLease\r\n' in body
    assert 'name="metadata"\r\n\r\n{"year": "2027"}\r\n' in body
    assert "external_id" not in body


async def test_a_small_file_is_reported_once_it_has_arrived(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(201, {"id": "doc_1", "object": "document"}))
    reported: list[UploadProgress] = []

    await connect(server).documents.create_from_file(FILE, on_upload=reported.append)

    assert reported == [UploadProgress(17, 17)]


async def test_a_large_stream_that_cannot_be_rewound_is_sent(start_server: StartServer, connect: Connect) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    size = 64 * 1024 * 1024 + 1
    server = start_server(upload(size_bytes=size), ARRIVED, Reply(201, {"id": "doc_1", "object": "document"}))

    await connect(server).documents.create_from_file(Pipe(bytes(size)))

    assert server.received[0].json()["size_bytes"] == size
    assert len(server.received[1].body) == size


async def test_a_document_from_a_large_file_is_an_upload_and_a_request(
    start_server: StartServer, connect: Connect
) -> None:
    large = bytes(64 * 1024 * 1024 + 1)
    existing = Reply(200, {"id": "doc_1", "status": "ready"})
    server = start_server(upload(size_bytes=len(large)), ARRIVED, existing)
    client = connect(server)

    result = await client.with_response(client.documents.create_and_wait, large, on_duplicate="return_existing")

    assert (result.data.id, result.response.status) == ("doc_1", 200)
    assert [f"{received.method} {received.path}" for received in server.received] == [
        "POST /api/v1/uploads",
        "PUT /put",
        "POST /api/v1/documents",
    ]
    assert server.received[2].json() == {
        "title": "document",
        "on_duplicate": "return_existing",
        "source": {"type": "upload", "upload_id": "upl_1"},
    }


async def test_a_download_is_repeated_after_a_temporary_failure(
    start_server: StartServer, connect: Connect, tmp_path: Path
) -> None:
    whole = Reply(200, "The lease begins.", {"content-type": "text/plain"})
    path = tmp_path / "lease.txt"

    assert await connect(start_server(LATER, cut, whole)).files.read("file_1") == FILE
    assert await connect(start_server(stream("The", finish="cut"), whole)).files.download("file_1", path) == len(FILE)
    assert path.read_bytes() == FILE
    assert await connect(start_server(LATER, whole)).documents.contents("doc_1") == FILE.decode()
    with pytest.raises(octavo.ServerError):
        await connect(start_server(LATER)).files.read("file_1", max_retries=0)
