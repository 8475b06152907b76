"""Client for Octavo, a self-hosted document service."""

from . import models, params
from ._answers import AnswerCompleted, AnswerCreated, AnswerDelta, AnswerEvent
from ._async.client import AsyncOctavo
from ._async.pagination import AsyncListing
from ._errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    NotFoundError,
    NotModified,
    OctavoError,
    PermissionError,
    RateLimitError,
    ServerError,
    TimeoutError,
    ValidationError,
)
from ._files import FileSource
from ._options import NOT_GIVEN, CallOptions, NotGiven
from ._page import ListPage
from ._request import Response, ResponseInfo
from ._sync.client import Octavo
from ._sync.pagination import Listing
from ._uploads import UploadProgress
from ._version import VERSION as __version__

__all__ = [
    "NOT_GIVEN",
    "AnswerCompleted",
    "AnswerCreated",
    "AnswerDelta",
    "AnswerEvent",
    "AsyncListing",
    "AsyncOctavo",
    "AuthenticationError",
    "CallOptions",
    "ConflictError",
    "ConnectionError",
    "FileSource",
    "ListPage",
    "Listing",
    "NotFoundError",
    "NotGiven",
    "NotModified",
    "Octavo",
    "OctavoError",
    "PermissionError",
    "RateLimitError",
    "Response",
    "ResponseInfo",
    "ServerError",
    "TimeoutError",
    "UploadProgress",
    "ValidationError",
    "__version__",
    "models",
    "params",
]
