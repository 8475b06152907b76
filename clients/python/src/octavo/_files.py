"""Files to upload: a path, bytes, or an open binary file."""

from __future__ import annotations

import io
import mimetypes
import os
from pathlib import Path
from threading import Lock
from typing import IO

#: A path (as `str` or `Path`), the bytes themselves, or a file that is open in binary mode.
FileSource = str | os.PathLike[str] | bytes | IO[bytes]


class FileReader:
    """Reads any part of a file, also from several threads. A path is opened for each read."""

    def __init__(self, source: FileSource, file_name: str | None = None, media_type: str | None = None) -> None:
        self._lock = Lock()
        self._path: Path | None = None
        self._file: IO[bytes] = io.BytesIO()
        known_name: str | None = None
        if isinstance(source, (str, os.PathLike)):
            self._path = Path(source)
            known_name = self._path.name
            self.size = self._path.stat().st_size
        elif isinstance(source, bytes):
            self._file = io.BytesIO(source)
            self.size = len(source)
        else:
            name = getattr(source, "name", None)
            known_name = os.path.basename(name) if isinstance(name, str) else None
            self._file = source if source.seekable() else io.BytesIO(source.read())
            self.size = self._file.seek(0, os.SEEK_END)
        self.file_name = file_name or known_name or "document"
        guess = mimetypes.guess_type(self.file_name)[0]
        self.media_type = media_type or guess or "application/octet-stream"

    @property
    def source(self) -> FileSource:
        """The file for another reader. A stream that cannot be rewound has been read into memory."""
        return self._file if self._path is None else self._path

    def read(self, offset: int, size: int) -> bytes:
        if self._path is not None:
            with self._path.open("rb") as file:
                file.seek(offset)
                return file.read(size)
        with self._lock:
            self._file.seek(offset)
            return self._file.read(size)

    def open(self) -> IO[bytes]:
        """The whole file from its start; the caller closes it."""
        if self._path is not None:
            return self._path.open("rb")
        return io.BytesIO(self.read(0, self.size))
