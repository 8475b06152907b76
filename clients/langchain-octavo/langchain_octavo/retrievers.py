from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from octavo import AsyncOctavo, Octavo
from octavo.models import SearchResult
from pydantic import ConfigDict, Field


class OctavoRetriever(BaseRetriever):
    """Searches the documents of an Octavo server and returns passages with their document and page.

    Pass a `client`, an `async_client`, or both. Without them, the first call creates a client from OCTAVO_URL and
    OCTAVO_API_KEY. The key needs `searches:write` and `documents:read`.
    """

    client: Octavo | None = None
    async_client: AsyncOctavo | None = None
    k: int = 10
    """Maximum number of passages."""
    project_id: str | None = None
    """Only documents in this project."""
    document_ids: Sequence[str] | None = None
    """Only these documents."""
    search: Mapping[str, Any] = Field(default_factory=dict)
    """Further members of the search request, such as `mode`, `filters`, `min_score`, `rerank` or `neighbors`."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        if self.client is None:
            self.client = Octavo()
        found = self.client.searches.create(**self._request(query, k))
        return [_document(result) for result in found.results]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        if self.async_client is None:
            self.async_client = AsyncOctavo()
        found = await self.async_client.searches.create(**self._request(query, k))
        return [_document(result) for result in found.results]

    def _request(self, query: str, k: int | None) -> dict[str, Any]:
        """The members of the request. The server does not store the query, unless `search` says so."""
        request: dict[str, Any] = {"store": False, **self.search, "query": query, "limit": k or self.k}
        if self.project_id is not None:
            request["project_id"] = self.project_id
        if self.document_ids is not None:
            request["document_ids"] = self.document_ids
        return request


def _document(result: SearchResult) -> Document:
    return Document(
        id=result.chunk_id,
        page_content=result.text,
        metadata={
            "document_id": result.document_id,
            "title": result.document.title,
            "page_id": result.page_id,
            "page_number": result.page_number,
            "start": result.start,
            "end": result.end,
            "score": result.score,
        },
    )
