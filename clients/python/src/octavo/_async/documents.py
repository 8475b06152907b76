"""Documents: from files, with waiting, and as text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Unpack, cast

import httpx

from .._files import FileReader, FileSource
from .._model import build
from .._options import NOT_GIVEN, CallOptions, NotGiven
from .._request import Form, Operation, segment
from .._uploads import (
    FORM_BYTES,
    NewDocumentOrFile,
    NewFileDocument,
    NewFileUpload,
    UploadProgress,
    split_options,
    split_upload,
)
from ..models import Document, Event, JobProgress
from ..params import TextFormat
from .follow import async_follow_events
from .resources import AsyncDocumentsResource
from .transport import AsyncTransport
from .uploads import AsyncUploads
from .waiting import async_wait_until

OnProgress = Callable[[JobProgress], None]
OnUpload = Callable[[UploadProgress], None]


class AsyncDocuments(AsyncDocumentsResource):
    def __init__(self, transport: AsyncTransport, uploads: AsyncUploads) -> None:
        super().__init__(transport)
        self._uploads = uploads

    async def create_from_file(
        self, file: FileSource, *, on_upload: OnUpload | None = None, **document: Unpack[NewFileDocument]
    ) -> Document:
        """Creates a document from a path, from bytes or from a file that is open in binary mode.

        A file of up to 64 MiB is sent in one request, a larger one in parts. Needs `documents:write`, for large files
        also `documents:read`.
        """
        options, members, names = split_upload(document)
        reader = FileReader(file, **names)
        if reader.size <= FORM_BYTES:
            operation = Operation("POST", "/documents", form=Form(reader, members))
            created = await self._transport.send(operation, Document, options)
            if on_upload is not None:
                on_upload(UploadProgress(reader.size, reader.size))
            return created
        about: NewFileUpload = {"file_name": reader.file_name, "media_type": reader.media_type}
        if "project_id" in document:
            about["project_id"] = document["project_id"]
        if "max_retries" in document:
            about["max_retries"] = document["max_retries"]
        upload = await self._uploads.create_from_file(reader.source, on_upload=on_upload, **about)
        body = {"title": upload.file_name, **members, "source": {"type": "upload", "upload_id": upload.id}}
        return await self._transport.send(Operation("POST", "/documents", body=body), Document, options)

    async def create_and_wait(
        self,
        file: FileSource | None = None,
        *,
        on_progress: OnProgress | None = None,
        on_upload: OnUpload | None = None,
        wait_timeout: float | None = None,
        **document: Unpack[NewDocumentOrFile],
    ) -> Document:
        """Creates a document and returns it when its pages are ready or have failed: check its `status`.

        Takes a file, or `title` and `source` as `create` does. `on_progress` is called whenever the server reports
        progress (needs `jobs:read`), and `wait_timeout` limits the wait in seconds. Needs `documents:write` and
        `documents:read`.
        """
        if on_progress is not None:
            # Creation must return at once, so that there is progress to report.
            document.setdefault("wait_seconds", 0)
        created = await self._create(file, on_upload, document)
        if created.status != "processing":
            return created
        max_retries = document.get("max_retries")
        start = time.monotonic()
        if on_progress is not None and created.latest_job_id is not None:
            deadline = None if wait_timeout is None else start + wait_timeout
            events = async_follow_events(self._transport, created.latest_job_id, 0, None, max_retries, deadline)
            async for event in events:
                progress = _progress(event)
                if progress is not None:
                    on_progress(progress)
        return await async_wait_until(
            self._transport,
            f"/documents/{segment(created.id)}",
            Document,
            lambda found: found.status != "processing",
            timeout=wait_timeout,
            max_retries=max_retries,
            start=start,
        )

    async def _create(
        self, file: FileSource | None, on_upload: OnUpload | None, document: NewDocumentOrFile
    ) -> Document:
        options, members = split_options(document)
        if file is None:
            return await self._transport.send(Operation("POST", "/documents", body=members), Document, options)
        if "source" in members:
            raise TypeError("Pass either a file or a source.")
        return await self.create_from_file(file, on_upload=on_upload, **cast(NewFileDocument, document))

    async def contents(
        self, document_id: str, *, format: TextFormat | NotGiven = NOT_GIVEN, **options: Unpack[CallOptions]
    ) -> str:
        """The text of all pages, as Markdown or plain text. Needs `documents:read`."""
        query = {"format": format}
        operation = Operation("GET", f"/documents/{segment(document_id)}/contents", query=query)
        return await self._transport.download(operation, options, _read_text)


async def _read_text(response: httpx.Response) -> str:
    await response.aread()
    return response.text


def _progress(event: Event) -> JobProgress | None:
    progress = event.data.get("progress")
    return build(JobProgress, progress) if isinstance(progress, dict) else None
