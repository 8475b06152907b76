# Written by `npm run openapi` from the same file in _async. Changes made here are lost.

"""Uploads: files sent in one request or in parts."""

from __future__ import annotations

from collections.abc import Iterator, Callable
from threading import Lock
from typing import Unpack

import httpx

from .._concurrency import read_part, run_together, sleep
from .._errors import OctavoError, error_from_exception, error_from_response
from .._files import FileReader, FileSource
from .._request import Operation, parse_json, segment
from .._retry import retry_wait
from .._uploads import NewFileUpload, UploadProgress, split_upload
from ..models import SignedPut, Upload, UploadPart
from .resources import UploadsResource
from .transport import Transport

#: Seconds. Longer than a storage server needs between two chunks.
_PUT_TIMEOUT = 150.0
_PARTS_AT_ONCE = 2
_PIECE_BYTES = 256 * 1024

OnUpload = Callable[[UploadProgress], None]


class Uploads(UploadsResource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        #: Parts with an unknown result, by upload id: some stores keep the bytes of an interrupted part.
        self._unsure: dict[str, set[int]] = {}

    def create_from_file(
        self, file: FileSource, *, on_upload: OnUpload | None = None, **upload: Unpack[NewFileUpload]
    ) -> Upload:
        """Creates an upload and sends the file. Needs `documents:write` and `documents:read`."""
        options, members, names = split_upload(upload)
        reader = FileReader(file, **names)
        about = {"file_name": reader.file_name, "media_type": reader.media_type, "size_bytes": reader.size}
        operation = Operation("POST", "/uploads", body={**members, **about})
        created = self._transport.send(operation, Upload, options)
        return self._send_all(created, reader, on_upload, options.get("max_retries"))

    def send(
        self,
        upload: Upload | str,
        file: FileSource,
        *,
        on_upload: OnUpload | None = None,
        max_retries: int | None = None,
    ) -> Upload:
        """Sends the missing parts. After a failure, call it again with the id, also from another process."""
        if isinstance(upload, str):
            operation = Operation("GET", f"/uploads/{segment(upload)}")
            upload = self._transport.send(operation, Upload, {})
        return self._send_all(upload, FileReader(file), on_upload, max_retries)

    def _send_all(
        self, upload: Upload, file: FileReader, on_upload: OnUpload | None, max_retries: int | None
    ) -> Upload:
        if upload.size_bytes != file.size:
            raise ValueError(f"The file has {file.size} bytes, but the upload expects {upload.size_bytes}.")
        progress = _Progress(file.size, on_upload)
        if upload.put is not None:
            self._put(upload.put, read_part(file, 0, file.size), max_retries)
            progress.add(file.size)
            return upload
        unsure = self._unsure.setdefault(upload.id, set())
        received = [part for part in upload.parts if part.is_received and part.number not in unsure]
        left = [part for part in upload.parts if part not in received]
        for part in received:
            progress.add(part.size_bytes)
        self._send_parts(left, file, unsure, progress, max_retries)
        self._unsure.pop(upload.id, None)
        return upload

    def _send_parts(
        self, left: list[UploadPart], file: FileReader, unsure: set[int], progress: _Progress, max_retries: int | None
    ) -> None:
        failures: list[BaseException] = []

        def send_next() -> None:
            try:
                while left:
                    part = left.pop(0)
                    unsure.add(part.number)
                    self._put(part.put, read_part(file, part.offset, part.size_bytes), max_retries)
                    unsure.discard(part.number)
                    progress.add(part.size_bytes)
            except OctavoError as error:
                failures.append(error)
            finally:
                # After a failure no further part is begun.
                left.clear()

        run_together(_PARTS_AT_ONCE, send_next)
        if failures:
            raise failures[0]

    def _put(self, place: SignedPut, content: bytes, max_retries: int | None) -> None:
        retries = self._transport.settings.max_retries if max_retries is None else max_retries
        attempt = 0
        while True:
            attempt += 1
            try:
                self._put_once(place, content, attempt)
                return
            except OctavoError as error:
                wait = retry_wait(error, attempt, retries)
                if wait is None:
                    raise
            sleep(wait)

    def _put_once(self, place: SignedPut, content: bytes, attempt: int) -> None:
        headers = {**place.headers, "content-length": str(len(content))}
        request = self._transport.http.build_request(
            "PUT", place.url, headers=headers, content=_pieces(content), timeout=_PUT_TIMEOUT
        )
        try:
            response = self._transport.http.send(request, follow_redirects=False)
        except httpx.RequestError as error:
            raise error_from_exception(error) from error
        # If only one PUT is allowed, 412 means that an earlier attempt arrived although its response was lost.
        if not response.is_success and not (response.status_code == 412 and attempt > 1):
            raise error_from_response(response, parse_json(response.text))


def _pieces(content: bytes) -> Iterator[bytes]:
    """httpx keeps a request until the next garbage collection, and with it content that is passed as bytes."""
    for offset in range(0, len(content), _PIECE_BYTES):
        yield content[offset : offset + _PIECE_BYTES]


class _Progress:
    def __init__(self, total: int, report: OnUpload | None) -> None:
        self._lock = Lock()
        self._sent = 0
        self._total = total
        self._report = report

    def add(self, size: int) -> None:
        with self._lock:
            self._sent += size
            if self._report is not None:
                self._report(UploadProgress(self._sent, self._total))
