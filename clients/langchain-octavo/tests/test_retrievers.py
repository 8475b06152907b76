"""Runs on a real server: clients/retrievers.test.ts starts it and sets OCTAVO_URL and OCTAVO_API_KEY."""

from __future__ import annotations

import asyncio

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from octavo import AsyncOctavo, Octavo

from langchain_octavo import OctavoRetriever

PAGES = ["The lease begins on the first of March.", "Rent is due on the third day of each month."]


def create_lease(client: Octavo, project_id: str) -> str:
    pages = [{"text": text} for text in PAGES]
    document = client.documents.create_and_wait(
        title="Lease", project_id=project_id, source={"type": "pages", "pages": pages}
    )
    return document.id


def test_passages_have_their_document_and_page() -> None:
    with Octavo(wait_seconds=10) as client:
        project = client.projects.create(name="LangChain")
        document_id = create_lease(client, project.id)
        create_lease(client, client.projects.create(name="Other").id)
        searches_before = len(client.searches.list().first_page().data)
        retriever: BaseRetriever = OctavoRetriever(client=client, project_id=project.id)

        found = retriever.invoke("When is the rent due?")
        one = retriever.invoke("lease", k=1)

        assert found[0].page_content == PAGES[1]
        assert found[0].id is not None
        assert found[0].metadata["page_number"] == 2
        assert found[0].metadata["title"] == "Lease"
        assert {document.metadata["document_id"] for document in found} == {document_id}
        assert len(one) == 1
        assert len(client.searches.list().first_page().data) == searches_before


def test_a_search_can_be_limited_and_asynchronous() -> None:
    async def search() -> list[Document]:
        with Octavo(wait_seconds=10) as client:
            document_id = create_lease(client, client.projects.create(name="LangChain").id)
        async with AsyncOctavo() as async_client:
            retriever = OctavoRetriever(
                async_client=async_client, document_ids=[document_id], k=1, search={"mode": "keyword"}
            )
            return await retriever.ainvoke("rent")

    found = asyncio.run(search())

    assert [document.page_content for document in found] == [PAGES[1]]
