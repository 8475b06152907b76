# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""Files: sending and reading their bytes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Unpack

import httpx

from .._files import FileReader, FileSource
from .._options import CallOptions
from .._request import Form, Operation, segment
from ..models import File
from .resources import FilesResource


class Files(FilesResource):
    def create(
        self,
        file: FileSource,
        *,
        project_id: str | None = None,
        file_name: str | None = None,
        media_type: str | None = None,
        **options: Unpack[CallOptions],
    ) -> File:
        """Sends a file. Then create a document with the source `{"type": "file", "file_id": file.id}`.

        A file that no document uses is deleted after 24 hours. Needs `documents:write`.
        """
        members = {} if project_id is None else {"project_id": project_id}
        form = Form(FileReader(file, file_name, media_type), members)
        return self._transport.send(Operation("POST", "/files", form=form), File, options)

    def read(self, file_id: str, **options: Unpack[CallOptions]) -> bytes:
        """The bytes of a file. Needs `documents:read`."""
        return self._transport.download(_contents(file_id), options, _read)

    def download(self, file_id: str, path: str | os.PathLike[str], **options: Unpack[CallOptions]) -> int:
        """Writes the bytes of a file to a path as they arrive, and returns their number. Needs `documents:read`."""

        def write(response: httpx.Response) -> int:
            size = 0
            with Path(path).open("wb") as file:
                for part in response.iter_bytes():
                    size += file.write(part)
            return size

        return self._transport.download(_contents(file_id), options, write)


def _contents(file_id: str) -> Operation:
    return Operation("GET", f"/files/{segment(file_id)}/contents")


def _read(response: httpx.Response) -> bytes:
    return response.read()
