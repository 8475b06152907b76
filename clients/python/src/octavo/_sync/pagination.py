# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""Lists that fetch their pages when they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from .._model import build
from .._options import NOT_GIVEN, CallOptions
from .._page import ListPage
from .._request import Operation
from .transport import Transport

T = TypeVar("T")


class Listing(Generic[T]):
    """A list. Iterate over it to get every item of every page."""

    def __init__(self, transport: Transport, operation: Operation, item: type[T], options: CallOptions) -> None:
        self._transport = transport
        self._operation = operation
        self._item = item
        self._options = options

    def first_page(self) -> ListPage[T]:
        return self._fetch(self._operation.query, self._options)

    def pages(self) -> Iterator[ListPage[T]]:
        """Iterates over whole pages."""
        page = self.first_page()
        # The condition is about the first page only.
        rest = self._options.copy()
        rest.pop("if_none_match", None)
        while True:
            yield page
            query = _next_query(self._operation.query, page)
            if query is None:
                return
            page = self._fetch(query, rest)

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            for item in page.data:
                yield item

    def _fetch(self, query: Mapping[str, object], options: CallOptions) -> ListPage[T]:
        operation = Operation(self._operation.method, self._operation.path, query=query)
        body = (self._transport.run(operation, options)).data
        return ListPage(
            data=[build(self._item, item) for item in body["data"]],
            has_next_page=body["has_next_page"],
            cursor=body.get("cursor"),
            page=body.get("page"),
            per_page=body.get("per_page"),
        )


def _next_query(query: Mapping[str, object], page: ListPage[T]) -> Mapping[str, object] | None:
    if not page.has_next_page:
        return None
    if any(query.get(name, NOT_GIVEN) is not NOT_GIVEN for name in ("page", "per_page")):
        return {**query, "page": (page.page or 1) + 1}
    return {**query, "cursor": page.cursor} if page.cursor else None
