from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

import octavo
from octavo import AsyncOctavo, _compatibility

from ..conftest import StartServer
from ..scripted import LATER, Reply, cut, failure, hang
from .conftest import Connect

pytestmark = pytest.mark.anyio

DOCUMENT = Reply(200, {"id": "doc_1", "object": "document", "status": "ready"})


async def test_a_call_has_the_credential_and_the_members_that_were_given(
    start_server: StartServer, connect: Connect
) -> None:
    server = start_server(DOCUMENT)

    await connect(server).documents.create(title="Lease", external_id=None, headers={"x-trace": "7"})

    [received] = server.received
    assert (received.method, received.path) == ("POST", "/api/v1/documents")
    assert received.json() == {"title": "Lease", "external_id": None}
    assert received.headers["authorization"] == "Bearer secret"
    assert received.headers["x-trace"] == "7"
    assert received.headers["user-agent"].startswith("octavo-python/")


async def test_a_query_has_lists_maps_and_times(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(200, {"data": [], "has_next_page": False}))
    documents = connect(server).documents.list(
        status=["ready", "failed"],
        metadata={"kind": "lease"},
        created_after=datetime(2026, 1, 2, tzinfo=UTC),
        limit=5,
    )

    await documents.first_page()

    url = httpx.URL(server.received[0].path)
    assert dict(url.params) == {
        "status": "ready,failed",
        "metadata[kind]": "lease",
        "created_after": "2026-01-02T00:00:00+00:00",
        "limit": "5",
    }


async def test_a_patch_is_a_merge_patch(start_server: StartServer, connect: Connect) -> None:
    server = start_server(DOCUMENT)

    await connect(server).documents.update("doc_1", metadata={"kind": None}, if_match='"v1"')

    [received] = server.received
    assert received.headers["content-type"] == "application/merge-patch+json"
    assert received.headers["if-match"] == '"v1"'
    assert received.json() == {"metadata": {"kind": None}}


async def test_an_id_cannot_leave_its_path(start_server: StartServer, connect: Connect) -> None:
    server = start_server(DOCUMENT)
    client = connect(server)

    await client.documents.get("../jobs")
    with pytest.raises(ValueError, match="not an id"):
        await client.documents.get("")

    assert [received.path for received in server.received] == ["/api/v1/documents/..%2Fjobs"]


async def test_a_misspelled_argument_is_rejected(start_server: StartServer, connect: Connect) -> None:
    server = start_server(DOCUMENT)

    with pytest.raises(TypeError, match="titel"):
        await connect(server).documents.create(title="Lease", titel="Lease")  # type: ignore[call-arg]

    assert server.received == []


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (400, "invalid_request", octavo.ValidationError),
        (401, "invalid_token", octavo.AuthenticationError),
        (403, "insufficient_scope", octavo.PermissionError),
        (404, "not_found", octavo.NotFoundError),
        (409, "conflict", octavo.ConflictError),
        (412, "precondition_failed", octavo.ConflictError),
        (422, "validation_error", octavo.ValidationError),
        (429, "rate_limit_exceeded", octavo.RateLimitError),
        (500, "internal_error", octavo.ServerError),
        (418, "teapot", octavo.OctavoError),
    ],
)
async def test_a_failure_is_an_exception_of_its_family(
    start_server: StartServer, connect: Connect, status: int, code: str, error: type[octavo.OctavoError]
) -> None:
    details = [{"field": "title", "location": "body", "code": "too_long", "message": "Is too long."}]
    server = start_server(Reply(status, failure(code, details)))

    with pytest.raises(error) as raised:
        await connect(server, max_retries=0).documents.get("doc_1")

    failed = raised.value
    assert (failed.code, failed.status, failed.request_id) == (code, status, "req_1")
    assert (failed.details[0].field, failed.doc_url) == ("title", f"http://127.0.0.1/errors#{code}")
    assert str(failed) == f"{code}: It failed. title: Is too long. (req_1)"


async def test_an_exception_says_how_to_fix_it(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(401, failure("invalid_token")))

    with pytest.raises(octavo.AuthenticationError) as raised:
        await connect(server).documents.get("doc_1")

    assert raised.value.fix == "Check that the key is complete; otherwise create a new one."


async def test_the_page_of_a_proxy_is_an_exception_too(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(502, "<html>", {"content-type": "text/html"}))

    with pytest.raises(octavo.ServerError) as raised:
        await connect(server, max_retries=0).documents.get("doc_1")

    assert (raised.value.code, raised.value.status) == ("unexpected_answer", 502)


async def test_an_unreachable_server_and_a_silent_one_have_separate_exceptions(
    start_server: StartServer, connect: Connect
) -> None:
    lost = start_server(cut)
    silent = start_server(hang(2))

    with pytest.raises(octavo.ConnectionError) as broken:
        await connect(lost, max_retries=0).documents.get("doc_1")
    with pytest.raises(octavo.TimeoutError) as late:
        await connect(silent, max_retries=0, timeout=0.2).documents.get("doc_1")

    assert (broken.value.code, late.value.code) == ("connection_failed", "timed_out")


async def test_a_post_is_repeated_with_the_same_key(start_server: StartServer, connect: Connect) -> None:
    server = start_server(LATER, cut, DOCUMENT)

    await connect(server).documents.create(title="Lease")

    keys = {received.headers["idempotency-key"] for received in server.received}
    assert (len(server.received), len(keys)) == (3, 1)


async def test_a_key_can_be_chosen_and_each_call_has_another_one(start_server: StartServer, connect: Connect) -> None:
    server = start_server(DOCUMENT)
    client = connect(server)

    await client.documents.create(title="Lease", idempotency_key="import-7")
    await client.documents.create(title="Lease")
    await client.documents.create(title="Lease")

    keys = [received.headers["idempotency-key"] for received in server.received]
    assert (keys[0], len(set(keys))) == ("import-7", 3)


async def test_retries_are_limited_by_the_client_and_by_the_call(start_server: StartServer, connect: Connect) -> None:
    server = start_server(LATER)
    client = connect(server, max_retries=2)

    with pytest.raises(octavo.ServerError):
        await client.documents.get("doc_1")
    with pytest.raises(octavo.ServerError):
        await client.documents.get("doc_1", max_retries=0)
    with pytest.raises(octavo.ServerError):
        await client.with_options(max_retries=1).documents.get("doc_1")

    assert len(server.received) == 3 + 1 + 2


async def test_an_error_of_the_caller_is_not_repeated(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(422, failure("validation_error")))

    with pytest.raises(octavo.ValidationError):
        await connect(server).documents.create(title="")

    assert len(server.received) == 1


async def test_a_delete_that_finds_nothing_after_a_lost_response_has_worked(
    start_server: StartServer, connect: Connect
) -> None:
    gone = Reply(404, failure("not_found"))
    lost = start_server(Reply(500, failure("internal_error"), {"retry-after": "0"}), gone)
    never = start_server(gone)

    await connect(lost).documents.remove("doc_1")

    assert len(lost.received) == 2
    with pytest.raises(octavo.NotFoundError):
        await connect(never).documents.remove("doc_1")


async def test_a_call_gives_its_response(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(200, {"id": "doc_1"}, {"etag": '"v1"'}))
    client = connect(server)

    result = await client.with_response(client.documents.get, "doc_1")

    assert result.data.id == "doc_1"
    assert (result.response.status, result.response.headers["etag"], result.response.request_id) == (
        200,
        '"v1"',
        "req_1",
    )


async def test_an_unchanged_resource_is_an_exception(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(304))

    with pytest.raises(octavo.NotModified):
        await connect(server).documents.get("doc_1", if_none_match='"v1"')

    assert server.received[0].headers["if-none-match"] == '"v1"'


REFUSED = Reply(401, failure("invalid_token"))


async def test_a_token_provider_is_called_before_every_request(start_server: StartServer, connect: Connect) -> None:
    server = start_server(LATER, DOCUMENT)
    tokens = iter(["first", "second"])

    await connect(server, api_key=None, token=lambda _: next(tokens)).documents.get("doc_1")

    assert [received.headers["authorization"] for received in server.received] == ["Bearer first", "Bearer second"]


async def test_a_token_that_the_server_refuses_is_renewed_once(
    start_server: StartServer, connect: Connect, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Lease")
    server = start_server(REFUSED, DOCUMENT, REFUSED)
    refused: list[str | None] = []

    def token(before: str | None) -> str:
        refused.append(before)
        return "fresh" if before else "expired"

    client = connect(server, api_key=None, token=token)

    await client.documents.create_from_file(path)
    with pytest.raises(octavo.AuthenticationError):
        await client.documents.get("doc_1")

    assert refused == [None, "expired"] * 2
    assert [received.headers["authorization"] for received in server.received] == [
        "Bearer expired",
        "Bearer fresh",
    ] * 2
    assert "Lease" in server.received[1].body


async def test_a_stream_renews_its_token_too(start_server: StartServer, connect: Connect) -> None:
    server = start_server(REFUSED, Reply(200, "Rent", {"content-type": "text/plain"}))
    client = connect(server, api_key=None, token=lambda refused: "fresh" if refused else "expired")

    text = await client.documents.contents("doc_1")

    assert text == "Rent"


async def test_a_provider_that_fails_ends_the_call(start_server: StartServer, connect: Connect) -> None:
    server = start_server(DOCUMENT)

    def fail(_: str | None) -> str:
        raise RuntimeError("The identity provider is down.")

    with pytest.raises(octavo.AuthenticationError) as raised:
        await connect(server, api_key=None, token=fail).documents.get("doc_1")

    assert raised.value.code == "token_failed"
    assert isinstance(raised.value.__cause__, RuntimeError)
    assert server.received == []


@pytest.mark.parametrize("token", [None, "", "tok\n", "tök"])
async def test_a_provider_without_a_token_ends_the_call(
    start_server: StartServer, connect: Connect, token: str | None
) -> None:
    server = start_server(DOCUMENT)

    with pytest.raises(octavo.AuthenticationError, match="token_failed"):
        await connect(server, api_key=None, token=lambda _: token).documents.get("doc_1")

    assert server.received == []


async def test_a_key_may_end_with_a_line_break_and_is_never_shown(start_server: StartServer, connect: Connect) -> None:
    server = start_server(DOCUMENT)

    await connect(server, api_key="oct_key_1\n").documents.get("doc_1")

    assert server.received[0].headers["authorization"] == "Bearer oct_key_1"
    for wrong in ("oct_key_…", "oct_key_1\noct_key_2"):
        with pytest.raises(ValueError, match="API key has characters") as caught:
            connect(server, api_key=wrong)
        assert "oct_key" not in str(caught.value)


async def test_a_server_is_a_url_and_may_have_the_path_of_the_api(start_server: StartServer, connect: Connect) -> None:
    server = start_server(DOCUMENT)

    await connect(server, base_url=f"{server.url}/api/v1/").documents.get("doc_1")

    assert server.received[0].path == "/api/v1/documents/doc_1"
    with pytest.raises(ValueError, match=r"must be a URL .* not 'localhost:3000'"):
        connect(server, base_url="localhost:3000")


def test_a_client_needs_one_credential() -> None:
    with pytest.raises(ValueError, match="api_key or token"):
        AsyncOctavo(base_url="http://127.0.0.1:9", api_key="secret", token=lambda _: "other")


async def test_the_capabilities_are_read_once_after_an_unknown_field(
    start_server: StartServer, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_compatibility, "VERSION", "0.10.0")
    detail = {"field": "title", "location": "body", "code": "unknown_field", "message": "No such field."}
    refused = Reply(400, failure("invalid_request", [detail]))
    server = start_server(refused, Reply(200, {"object": "capabilities", "version": "0.9.3"}), refused)
    client = connect(server)

    for _ in range(2):
        with pytest.raises(octavo.ValidationError) as raised:
            await client.documents.create(title="Lease")
        assert "version 0.9.3, older than this client (0.10.0), and does not know `title`" in raised.value.message
        assert (raised.value.status, raised.value.details[0].field) == (400, "title")

    paths = [received.path for received in server.received]
    assert paths == ["/api/v1/documents", "/api/v1/capabilities", "/api/v1/documents"]


async def test_an_http_client_of_the_caller_is_used_and_stays_open(start_server: StartServer) -> None:
    server = start_server(DOCUMENT)
    async with httpx.AsyncClient(headers={"x-proxy": "yes"}) as http:
        async with AsyncOctavo(base_url=server.url, api_key="secret", http_client=http) as client:
            await client.documents.get("doc_1")
        assert not http.is_closed

    assert server.received[0].headers["x-proxy"] == "yes"


async def test_server_and_key_come_from_the_environment(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_server(DOCUMENT)
    monkeypatch.setenv("OCTAVO_URL", f"{server.url}/")
    monkeypatch.setenv("OCTAVO_API_KEY", "from-environment")

    async with AsyncOctavo() as client:
        await client.documents.get("doc_1")

    assert server.received[0].path == "/api/v1/documents/doc_1"
    assert server.received[0].headers["authorization"] == "Bearer from-environment"
    monkeypatch.delenv("OCTAVO_API_KEY")
    with pytest.raises(ValueError, match="OCTAVO_API_KEY"):
        AsyncOctavo()


async def test_an_unknown_operation_can_be_called(start_server: StartServer, connect: Connect) -> None:
    server = start_server(Reply(201, {"id": "lab_1"}))

    label = await connect(server).request("POST", "/labels", body={"name": "New"}, query={"fields": ["id"]})

    assert label == {"id": "lab_1"}
    assert server.received[0].path == "/api/v1/labels?fields=id"
