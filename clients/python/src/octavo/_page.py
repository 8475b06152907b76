"""One page of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class ListPage(Generic[T]):
    data: list[T]
    has_next_page: bool
    #: Fetches the next page; None on the last one.
    cursor: str | None
    #: Only with numbered pages.
    page: int | None
    #: Only with numbered pages.
    per_page: int | None
