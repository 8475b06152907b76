"""Runs on a real server: clients/retrievers.test.ts starts it and sets OCTAVO_URL and OCTAVO_API_KEY."""

from __future__ import annotations

import asyncio

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore
from octavo import AsyncOctavo, Octavo

from llama_index.retrievers.octavo import OctavoRetriever

PAGES = ["The lease begins on the first of March.", "Rent is due on the third day of each month."]


def create_lease(client: Octavo, project_id: str) -> str:
    pages = [{"text": text} for text in PAGES]
    document = client.documents.create_and_wait(
        title="Lease", project_id=project_id, source={"type": "pages", "pages": pages}
    )
    return document.id


def test_passages_have_their_document_page_and_score() -> None:
    with Octavo(wait_seconds=10) as client:
        project = client.projects.create(name="LlamaIndex")
        document_id = create_lease(client, project.id)
        create_lease(client, client.projects.create(name="Other").id)
        retriever: BaseRetriever = OctavoRetriever(client=client, project_id=project.id)

        found = retriever.retrieve("When is the rent due?")

        assert found[0].text == PAGES[1]
        assert found[0].metadata["page_number"] == 2
        assert found[0].metadata["title"] == "Lease"
        assert {node.metadata["document_id"] for node in found} == {document_id}
        assert found[0].score is not None
        assert 0 < found[0].score <= 1


def test_a_search_can_be_limited_and_asynchronous() -> None:
    async def search() -> list[NodeWithScore]:
        with Octavo(wait_seconds=10) as client:
            document_id = create_lease(client, client.projects.create(name="LlamaIndex").id)
        async with AsyncOctavo() as async_client:
            retriever = OctavoRetriever(
                async_client=async_client, document_ids=[document_id], similarity_top_k=1, search={"mode": "keyword"}
            )
            return await retriever.aretrieve("rent")

    found = asyncio.run(search())

    assert [node.text for node in found] == [PAGES[1]]
