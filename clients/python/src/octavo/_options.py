"""Options that every call takes, and the marker for members that were not given."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, Literal, TypedDict, TypeVar


class _Marker(Enum):
    NOT_GIVEN = "not given"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NotGiven = Literal[_Marker.NOT_GIVEN]
#: The default of optional members: the member is not sent. None is sent as null.
NOT_GIVEN: Final = _Marker.NOT_GIVEN

T = TypeVar("T")


class CallOptions(TypedDict, total=False):
    """Options of one call, as keyword arguments."""

    headers: Mapping[str, str]
    """Sent unchanged. They replace headers that the client sets."""
    timeout: float
    """Seconds to wait for a connection, and for the next byte from the server."""
    max_retries: int
    wait_seconds: float
    """POST and GET: the server holds the response until the work has ended, for at most 50 seconds."""
    idempotency_key: str
    """POST only. Without it, each call gets a new key."""
    if_match: str
    """The ETag of the resource to change. The call fails with a ConflictError if it has changed."""
    if_none_match: str
    """GET only. The ETag that you have. The call raises NotModified if the resource is unchanged."""


OPTION_NAMES = frozenset(CallOptions.__annotations__)


def check_options(options: CallOptions) -> None:
    """Rejects misspelled keyword arguments, which Python collects with the options."""
    for name in options:
        if name not in OPTION_NAMES:
            raise TypeError(f"Unexpected keyword argument '{name}'.")


def given(**members: object) -> dict[str, object]:
    return {name: value for name, value in members.items() if value is not NOT_GIVEN}
