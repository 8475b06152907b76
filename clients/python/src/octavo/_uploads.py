"""Keyword arguments of uploads and of documents from files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, cast

from ._options import OPTION_NAMES, CallOptions
from .params import NewAnswer, NewDocumentSource, OnDuplicate, Processing

#: Larger files are uploaded in parts, each of which can be sent again.
FORM_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class UploadProgress:
    sent_bytes: int
    total_bytes: int


class NewFileUpload(CallOptions, total=False):
    """Describes an upload. The name and the media type default to those of the file."""

    file_name: str
    media_type: str
    project_id: str | None
    sha256: str
    metadata: Mapping[str, str]


class NewFileDocument(CallOptions, total=False):
    """Describes a document that is created from a file. The title defaults to the name of the file."""

    title: str
    file_name: str
    media_type: str
    project_id: str | None
    external_id: str | None
    expires_at: datetime | str | None
    metadata: Mapping[str, str]
    password: str
    processing: Processing
    on_duplicate: OnDuplicate


class NewDocumentOrFile(NewFileDocument, total=False):
    source: NewDocumentSource


class AnswerRequest(NewAnswer, CallOptions):
    """A question, and the options of the call."""


class FileNames(TypedDict, total=False):
    file_name: str
    media_type: str


def split_options(arguments: Mapping[str, Any]) -> tuple[CallOptions, dict[str, Any]]:
    """The options of the call, and the members of the body."""
    options = {name: value for name, value in arguments.items() if name in OPTION_NAMES}
    members = {name: value for name, value in arguments.items() if name not in OPTION_NAMES}
    return cast(CallOptions, options), members


def split_upload(arguments: Mapping[str, Any]) -> tuple[CallOptions, dict[str, Any], FileNames]:
    options, members = split_options(arguments)
    names: FileNames = {}
    if "file_name" in members:
        names["file_name"] = members.pop("file_name")
    if "media_type" in members:
        names["media_type"] = members.pop("media_type")
    return options, members, names
