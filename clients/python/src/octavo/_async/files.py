"""Files: their bytes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Unpack

from .._options import CallOptions
from .._request import Operation, headers_for, segment
from .resources import AsyncFilesResource


class AsyncFiles(AsyncFilesResource):
    async def read(self, file_id: str, **options: Unpack[CallOptions]) -> bytes:
        """The bytes of a file. Needs `documents:read`."""
        operation = Operation("GET", f"/files/{segment(file_id)}/contents")
        headers = headers_for(self._transport.settings, operation, options)
        headers["accept"] = "*/*"
        async with self._transport.open(operation, headers, options) as response:
            return await response.aread()

    async def download(self, file_id: str, path: str | os.PathLike[str], **options: Unpack[CallOptions]) -> int:
        """Writes the bytes of a file to a path as they arrive, and returns their number. Needs `documents:read`."""
        operation = Operation("GET", f"/files/{segment(file_id)}/contents")
        headers = headers_for(self._transport.settings, operation, options)
        headers["accept"] = "*/*"
        size = 0
        async with self._transport.open(operation, headers, options) as response:
            with Path(path).open("wb") as file:
                async for part in response.aiter_bytes():
                    size += file.write(part)
        return size
