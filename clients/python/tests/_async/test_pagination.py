from __future__ import annotations

import pytest

from ..conftest import StartServer
from ..scripted import LATER, Reply
from .conftest import Connect

pytestmark = pytest.mark.anyio


def page(*ids: str, cursor: str | None = None) -> Reply:
    data = [{"id": name, "object": "project"} for name in ids]
    return Reply(200, {"data": data, "cursor": cursor, "has_next_page": cursor is not None})


async def test_iteration_gives_every_item_of_every_page(start_server: StartServer, connect: Connect) -> None:
    server = start_server(page("proj_1", "proj_2", cursor="c 2"), LATER, page("proj_3"))

    found = [project.id async for project in connect(server).projects.list(limit=2, sort="created_at")]

    assert found == ["proj_1", "proj_2", "proj_3"]
    assert [received.path for received in server.received] == [
        "/api/v1/projects?limit=2&sort=created_at",
        *["/api/v1/projects?limit=2&sort=created_at&cursor=c+2"] * 2,
    ]


async def test_pages_are_fetched_when_they_are_needed(start_server: StartServer, connect: Connect) -> None:
    server = start_server(page("proj_1", cursor="c2"), page("proj_2", cursor="c3"), page("proj_3"))
    projects = connect(server).projects.list()
    assert server.received == []

    pages = []
    async for one in projects.pages():
        pages.append(one)
        if len(pages) == 2:
            break

    assert [[project.id for project in one.data] for one in pages] == [["proj_1"], ["proj_2"]]
    assert len(server.received) == 2


async def test_the_first_page_has_the_cursor_of_the_next(start_server: StartServer, connect: Connect) -> None:
    server = start_server(page("proj_1", cursor="c2"))
    client = connect(server)

    result = await client.with_response(client.projects.list().first_page)

    assert (result.data.cursor, result.data.has_next_page, result.response.status) == ("c2", True, 200)


async def test_numbered_pages_are_counted(start_server: StartServer, connect: Connect) -> None:
    first = Reply(200, {"data": [{"id": "proj_1"}], "page": 1, "per_page": 1, "has_next_page": True})
    last = Reply(200, {"data": [{"id": "proj_2"}], "page": 2, "per_page": 1, "has_next_page": False})
    server = start_server(first, last)

    found = [project.id async for project in connect(server).projects.list(per_page=1)]

    assert found == ["proj_1", "proj_2"]
    assert server.received[1].path == "/api/v1/projects?per_page=1&page=2"


async def test_a_condition_is_only_for_the_first_page(start_server: StartServer, connect: Connect) -> None:
    server = start_server(page("proj_1", cursor="c2"), page("proj_2"))

    found = [project.id async for project in connect(server).projects.list(if_none_match='"v1"')]

    assert found == ["proj_1", "proj_2"]
    assert ["if-none-match" in received.headers for received in server.received] == [True, False]
