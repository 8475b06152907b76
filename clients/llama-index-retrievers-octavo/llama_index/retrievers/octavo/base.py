from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from octavo import AsyncOctavo, Octavo
from octavo.models import SearchResult


class OctavoRetriever(BaseRetriever):
    """Searches the documents of an Octavo server and returns passages with their document and page.

    Pass a `client`, an `async_client`, or both. Without them, the first call creates a client from OCTAVO_URL and
    OCTAVO_API_KEY. The key needs `searches:write` and `documents:read`. `search` has further members of the search
    request, such as `mode`, `filters`, `min_score`, `rerank` or `neighbors`.
    """

    def __init__(
        self,
        *,
        client: Octavo | None = None,
        async_client: AsyncOctavo | None = None,
        similarity_top_k: int = 10,
        project_id: str | None = None,
        document_ids: Sequence[str] | None = None,
        search: Mapping[str, Any] | None = None,
        callback_manager: CallbackManager | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(callback_manager=callback_manager, verbose=verbose)
        self._client = client
        self._async_client = async_client
        # The server does not store the query, unless `search` says so.
        self._request: dict[str, Any] = {"store": False, **(search or {}), "limit": similarity_top_k}
        if project_id is not None:
            self._request["project_id"] = project_id
        if document_ids is not None:
            self._request["document_ids"] = document_ids

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._client is None:
            self._client = Octavo()
        found = self._client.searches.create(query=query_bundle.query_str, **self._request)
        return [_node(result) for result in found.results]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._async_client is None:
            self._async_client = AsyncOctavo()
        found = await self._async_client.searches.create(query=query_bundle.query_str, **self._request)
        return [_node(result) for result in found.results]


def _node(result: SearchResult) -> NodeWithScore:
    node = TextNode(
        id_=result.chunk_id,
        text=result.text,
        metadata={
            "document_id": result.document_id,
            "title": result.document.title,
            "page_id": result.page_id,
            "page_number": result.page_number,
            "start": result.start,
            "end": result.end,
        },
    )
    return NodeWithScore(node=node, score=result.score)
