# Written by `npm run openapi` from the contract. Changes made here are lost.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, Unpack

from .. import models, params
from .._options import NOT_GIVEN, CallOptions, NotGiven, given
from .._request import Operation, segment
from .pagination import AsyncListing
from .transport import AsyncTransport
from .waiting import async_wait_for_outcome


class AsyncProjectsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Project]:
        """List projects. Needs `projects:read`."""
        return AsyncListing(self._transport, Operation("GET", "/projects", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Project, options)

    async def create(
        self,
        *,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        retention_days: int | None | NotGiven = NOT_GIVEN,
        privacy: params.ProjectPrivacyChoice | NotGiven = NOT_GIVEN,
        default_processing: params.Processing | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Project:
        """Create a project. Needs `projects:write`."""
        return await self._transport.send(Operation("POST", "/projects", body=given(name=name, description=description, retention_days=retention_days, privacy=privacy, default_processing=default_processing, metadata=metadata)), models.Project, options)

    async def get(
        self,
        project_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Project:
        """Get a project. Needs `projects:read`."""
        return await self._transport.send(Operation("GET", f"/projects/{segment(project_id)}", query=given(fields=fields)), models.Project, options)

    async def replace(
        self,
        project_id: str,
        *,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        retention_days: int | None | NotGiven = NOT_GIVEN,
        privacy: params.ProjectPrivacyChoice | NotGiven = NOT_GIVEN,
        default_processing: params.Processing | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Project:
        """Replace a project. Needs `projects:write`."""
        return await self._transport.send(Operation("PUT", f"/projects/{segment(project_id)}", body=given(name=name, description=description, retention_days=retention_days, privacy=privacy, default_processing=default_processing, metadata=metadata)), models.Project, options)

    async def update(
        self,
        project_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        description: str | None | NotGiven = NOT_GIVEN,
        retention_days: int | None | NotGiven = NOT_GIVEN,
        privacy: params.ProjectPrivacyChoice | NotGiven = NOT_GIVEN,
        default_processing: params.ProcessingPatch | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Project:
        """Update a project. Needs `projects:write`."""
        return await self._transport.send(Operation("PATCH", f"/projects/{segment(project_id)}", body=given(name=name, description=description, retention_days=retention_days, privacy=privacy, default_processing=default_processing, metadata=metadata)), models.Project, options)

    async def remove(
        self,
        project_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete an empty project. Needs `projects:write`."""
        await self._transport.run(Operation("DELETE", f"/projects/{segment(project_id)}"), options)


class AsyncDocumentsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        parent_document_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        status: Literal["processing", "ready", "partially_ready", "failed"] | Sequence[Literal["processing", "ready", "partially_ready", "failed"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Document]:
        """List documents. Needs `documents:read`."""
        return AsyncListing(self._transport, Operation("GET", "/documents", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, project_id=project_id, parent_document_id=parent_document_id, external_id=external_id, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Document, options)

    async def create(
        self,
        *,
        title: str,
        external_id: str | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        password: str | NotGiven = NOT_GIVEN,
        processing: params.Processing | NotGiven = NOT_GIVEN,
        on_duplicate: params.OnDuplicate | NotGiven = NOT_GIVEN,
        source: params.NewDocumentSource | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Document:
        """Create a document. With a source, the document is `processing` while a job reads its pages. Without one, it is empty and `ready`. You can also send a file as `multipart/form-data`. Needs `documents:write`."""
        return await self._transport.send(Operation("POST", "/documents", body=given(title=title, external_id=external_id, expires_at=expires_at, metadata=metadata, project_id=project_id, password=password, processing=processing, on_duplicate=on_duplicate, source=source)), models.Document, options)

    async def get(
        self,
        document_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Document:
        """Get a document. Needs `documents:read`."""
        return await self._transport.send(Operation("GET", f"/documents/{segment(document_id)}", query=given(fields=fields)), models.Document, options)

    async def replace(
        self,
        document_id: str,
        *,
        title: str,
        external_id: str | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Document:
        """Replace the metadata of a document. Replaces title, external_id, expires_at and metadata, but not the source. Needs `documents:write`."""
        return await self._transport.send(Operation("PUT", f"/documents/{segment(document_id)}", body=given(title=title, external_id=external_id, expires_at=expires_at, metadata=metadata)), models.Document, options)

    async def update(
        self,
        document_id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        external_id: str | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Document:
        """Update the metadata of a document. Needs `documents:write`."""
        return await self._transport.send(Operation("PATCH", f"/documents/{segment(document_id)}", body=given(title=title, external_id=external_id, expires_at=expires_at, metadata=metadata)), models.Document, options)

    async def remove(
        self,
        document_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete a document and its pages. The document disappears immediately; a job removes its stored data. Needs `documents:write`."""
        await self._transport.run(Operation("DELETE", f"/documents/{segment(document_id)}"), options)


class AsyncPagesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        document_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["number", "-number"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "failed"] | Sequence[Literal["queued", "running", "succeeded", "failed"]] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Page]:
        """List the pages of a document. Needs `documents:read`."""
        return AsyncListing(self._transport, Operation("GET", f"/documents/{segment(document_id)}/pages", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, status=status)), models.Page, options)

    async def create(
        self,
        document_id: str,
        *,
        text: str,
        number: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Page:
        """Add a page to a document. Needs `documents:write`."""
        return await self._transport.send(Operation("POST", f"/documents/{segment(document_id)}/pages", body=given(text=text, number=number, metadata=metadata)), models.Page, options)

    async def get(
        self,
        document_id: str,
        page_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Page:
        """Get a page. Needs `documents:read`."""
        return await self._transport.send(Operation("GET", f"/documents/{segment(document_id)}/pages/{segment(page_id)}", query=given(fields=fields)), models.Page, options)

    async def replace(
        self,
        document_id: str,
        page_id: str,
        *,
        text: str,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Page:
        """Replace the text of a page. Needs `documents:write`."""
        return await self._transport.send(Operation("PUT", f"/documents/{segment(document_id)}/pages/{segment(page_id)}", body=given(text=text, metadata=metadata)), models.Page, options)

    async def update(
        self,
        document_id: str,
        page_id: str,
        *,
        text: str | NotGiven = NOT_GIVEN,
        status: params.PageTargetStatus | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Page:
        """Correct a page or read it again. Needs `documents:write`."""
        return await self._transport.send(Operation("PATCH", f"/documents/{segment(document_id)}/pages/{segment(page_id)}", body=given(text=text, status=status, metadata=metadata)), models.Page, options)

    async def remove(
        self,
        document_id: str,
        page_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete a page. Needs `documents:write`."""
        await self._transport.run(Operation("DELETE", f"/documents/{segment(document_id)}/pages/{segment(page_id)}"), options)


class AsyncChunksResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        document_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["position", "-position"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        page_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Chunk]:
        """List the chunks of a document. Needs `documents:read`."""
        return AsyncListing(self._transport, Operation("GET", f"/documents/{segment(document_id)}/chunks", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, page_id=page_id)), models.Chunk, options)

    async def get(
        self,
        document_id: str,
        chunk_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Chunk:
        """Get a chunk. Correcting a page replaces its chunks, so the id of an earlier chunk is then 404. Needs `documents:read`."""
        return await self._transport.send(Operation("GET", f"/documents/{segment(document_id)}/chunks/{segment(chunk_id)}", query=given(fields=fields)), models.Chunk, options)


class AsyncUploadsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["pending", "completed"] | Sequence[Literal["pending", "completed"]] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Upload]:
        """List uploads. Needs `documents:read`."""
        return AsyncListing(self._transport, Operation("GET", "/uploads", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, status=status, created_after=created_after, created_before=created_before)), models.Upload, options)

    async def create(
        self,
        *,
        file_name: str,
        media_type: str,
        size_bytes: int,
        project_id: str | None | NotGiven = NOT_GIVEN,
        sha256: str | None | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Upload:
        """Create an upload. Send the bytes to `put`, or each part to its own `put`. Then create a document with the source `{"type": "upload", "upload_id": …}`. `GET` shows which parts have arrived and renews the signed URLs. Needs `documents:write`."""
        return await self._transport.send(Operation("POST", "/uploads", body=given(project_id=project_id, file_name=file_name, media_type=media_type, size_bytes=size_bytes, sha256=sha256, metadata=metadata)), models.Upload, options)

    async def get(
        self,
        upload_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Upload:
        """Get an upload. Needs `documents:read`."""
        return await self._transport.send(Operation("GET", f"/uploads/{segment(upload_id)}", query=given(fields=fields)), models.Upload, options)

    async def remove(
        self,
        upload_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete an unused upload. Needs `documents:write`."""
        await self._transport.run(Operation("DELETE", f"/uploads/{segment(upload_id)}"), options)


class AsyncFilesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        file_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.File:
        """Get file metadata. Needs `documents:read`."""
        return await self._transport.send(Operation("GET", f"/files/{segment(file_id)}", query=given(fields=fields)), models.File, options)

    async def contents(
        self,
        file_id: str,
        **options: Unpack[CallOptions],
    ) -> models.FileLink:
        """Download a file. Returns the bytes as an attachment; supports a single `Range` (206). With `Accept: application/json`, returns a link that works without the API key for at least five minutes. Needs `documents:read`."""
        return await self._transport.send(Operation("GET", f"/files/{segment(file_id)}/contents"), models.FileLink, options)

    async def link(
        self,
        file_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.FileLink:
        """Get a download link. Returns a link that works without the API key for at least five minutes, as long as the file exists. Requests within a few minutes get the same link. Needs `documents:read`."""
        return await self._transport.send(Operation("GET", f"/files/{segment(file_id)}/link", query=given(fields=fields)), models.FileLink, options)


class AsyncAnalysisResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        document_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Analysis]:
        """List the analyses of a document. Needs `analysis:read`."""
        return AsyncListing(self._transport, Operation("GET", f"/documents/{segment(document_id)}/analysis", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Analysis, options)

    async def create(
        self,
        document_id: str,
        *,
        features: Sequence[params.AnalysisFeatureChoice] | NotGiven = NOT_GIVEN,
        entity_types: Sequence[params.EntityTypeChoice] | NotGiven = NOT_GIVEN,
        schema: params.ExtractionSchema | NotGiven = NOT_GIVEN,
        instructions: str | NotGiven = NOT_GIVEN,
        page_range: params.PageRange | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Analysis:
        """Analyze a document. Creates a job. `extraction` needs a generative model; without one the request is rejected. Needs `analysis:write`."""
        return await self._transport.send(Operation("POST", f"/documents/{segment(document_id)}/analysis", body=given(features=features, entity_types=entity_types, schema=schema, instructions=instructions, page_range=page_range, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata)), models.Analysis, options)

    async def get(
        self,
        document_id: str,
        analysis_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Analysis:
        """Get an analysis. Needs `analysis:read`."""
        return await self._transport.send(Operation("GET", f"/documents/{segment(document_id)}/analysis/{segment(analysis_id)}", query=given(fields=fields)), models.Analysis, options)

    async def update(
        self,
        document_id: str,
        analysis_id: str,
        *,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Analysis:
        """Change the metadata of an analysis. Needs `analysis:write`."""
        return await self._transport.send(Operation("PATCH", f"/documents/{segment(document_id)}/analysis/{segment(analysis_id)}", body=given(metadata=metadata)), models.Analysis, options)

    async def remove(
        self,
        document_id: str,
        analysis_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete an analysis. Also cancels its job if the job has not ended. Needs `analysis:write`."""
        await self._transport.run(Operation("DELETE", f"/documents/{segment(document_id)}/analysis/{segment(analysis_id)}"), options)

    async def analyse(
        self,
        document_id: str,
        *,
        features: Sequence[params.AnalysisFeatureChoice] | NotGiven = NOT_GIVEN,
        entity_types: Sequence[params.EntityTypeChoice] | NotGiven = NOT_GIVEN,
        schema: params.ExtractionSchema | NotGiven = NOT_GIVEN,
        instructions: str | NotGiven = NOT_GIVEN,
        page_range: params.PageRange | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Analysis:
        """Deprecated. Analyze a document (deprecated name). Same as `POST /documents/{document_id}/analysis`; the result is available under that path. Needs `analysis:write`."""
        return await self._transport.send(Operation("POST", f"/documents/{segment(document_id)}/analyse", body=given(features=features, entity_types=entity_types, schema=schema, instructions=instructions, page_range=page_range, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata)), models.Analysis, options)

    async def create_and_wait(
        self,
        document_id: str,
        *,
        features: Sequence[params.AnalysisFeatureChoice] | NotGiven = NOT_GIVEN,
        entity_types: Sequence[params.EntityTypeChoice] | NotGiven = NOT_GIVEN,
        schema: params.ExtractionSchema | NotGiven = NOT_GIVEN,
        instructions: str | NotGiven = NOT_GIVEN,
        page_range: params.PageRange | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        wait_timeout: float | None = None,
        **options: Unpack[CallOptions],
    ) -> models.Analysis:
        """Analyze a document, and wait until it has ended: check its `status`. `wait_timeout` limits the wait in seconds. Needs `analysis:write`, and the scope to read it."""
        created = await self.create(document_id, features=features, entity_types=entity_types, schema=schema, instructions=instructions, page_range=page_range, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata, **options)
        return await async_wait_for_outcome(self._transport, f"/documents/{segment(document_id)}/analysis/{segment(created.id)}", created, wait_timeout)


class AsyncSummariesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        document_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Summary]:
        """List summaries. Needs `summaries:read`."""
        return AsyncListing(self._transport, Operation("GET", "/summaries", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, project_id=project_id, document_id=document_id, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Summary, options)

    async def create(
        self,
        *,
        document_ids: Sequence[str] | NotGiven = NOT_GIVEN,
        text: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        style: params.SummaryStyleChoice | NotGiven = NOT_GIVEN,
        length: params.SummaryLengthChoice | NotGiven = NOT_GIVEN,
        language: str | NotGiven = NOT_GIVEN,
        focus: str | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Summary:
        """Create a summary. The built-in engine summarizes a short text within the request; everything else is a job. Needs `summaries:write`."""
        return await self._transport.send(Operation("POST", "/summaries", body=given(document_ids=document_ids, text=text, project_id=project_id, style=style, length=length, language=language, focus=focus, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata)), models.Summary, options)

    async def get(
        self,
        summary_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Summary:
        """Get a summary. Needs `summaries:read`."""
        return await self._transport.send(Operation("GET", f"/summaries/{segment(summary_id)}", query=given(fields=fields)), models.Summary, options)

    async def update(
        self,
        summary_id: str,
        *,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Summary:
        """Change the metadata of a summary. Needs `summaries:write`."""
        return await self._transport.send(Operation("PATCH", f"/summaries/{segment(summary_id)}", body=given(metadata=metadata)), models.Summary, options)

    async def remove(
        self,
        summary_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete a summary. Also cancels its job if the job has not ended. Needs `summaries:write`."""
        await self._transport.run(Operation("DELETE", f"/summaries/{segment(summary_id)}"), options)

    async def create_and_wait(
        self,
        *,
        document_ids: Sequence[str] | NotGiven = NOT_GIVEN,
        text: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        style: params.SummaryStyleChoice | NotGiven = NOT_GIVEN,
        length: params.SummaryLengthChoice | NotGiven = NOT_GIVEN,
        language: str | NotGiven = NOT_GIVEN,
        focus: str | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        wait_timeout: float | None = None,
        **options: Unpack[CallOptions],
    ) -> models.Summary:
        """Create a summary, and wait until it has ended: check its `status`. `wait_timeout` limits the wait in seconds. Needs `summaries:write`, and the scope to read it."""
        created = await self.create(document_ids=document_ids, text=text, project_id=project_id, style=style, length=length, language=language, focus=focus, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata, **options)
        return await async_wait_for_outcome(self._transport, f"/summaries/{segment(created.id)}", created, wait_timeout)


class AsyncClassificationsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        document_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Classification]:
        """List classifications. Needs `classifications:read`."""
        return AsyncListing(self._transport, Operation("GET", "/classifications", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, project_id=project_id, document_id=document_id, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Classification, options)

    async def create(
        self,
        *,
        labels: Sequence[params.ClassificationLabel],
        document_id: str | NotGiven = NOT_GIVEN,
        text: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        multi_label: bool | NotGiven = NOT_GIVEN,
        threshold: float | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Classification:
        """Classify a document or a text. A built-in model classifies a short text within the request; everything else is a job. Needs `classifications:write`."""
        return await self._transport.send(Operation("POST", "/classifications", body=given(document_id=document_id, text=text, project_id=project_id, labels=labels, multi_label=multi_label, threshold=threshold, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata)), models.Classification, options)

    async def get(
        self,
        classification_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Classification:
        """Get a classification. Needs `classifications:read`."""
        return await self._transport.send(Operation("GET", f"/classifications/{segment(classification_id)}", query=given(fields=fields)), models.Classification, options)

    async def update(
        self,
        classification_id: str,
        *,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Classification:
        """Change the metadata of a classification. Needs `classifications:write`."""
        return await self._transport.send(Operation("PATCH", f"/classifications/{segment(classification_id)}", body=given(metadata=metadata)), models.Classification, options)

    async def remove(
        self,
        classification_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete a classification. Also cancels its job if the job has not ended. Needs `classifications:write`."""
        await self._transport.run(Operation("DELETE", f"/classifications/{segment(classification_id)}"), options)

    async def create_and_wait(
        self,
        *,
        labels: Sequence[params.ClassificationLabel],
        document_id: str | NotGiven = NOT_GIVEN,
        text: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        multi_label: bool | NotGiven = NOT_GIVEN,
        threshold: float | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        wait_timeout: float | None = None,
        **options: Unpack[CallOptions],
    ) -> models.Classification:
        """Classify a document or a text, and wait until it has ended: check its `status`. `wait_timeout` limits the wait in seconds. Needs `classifications:write`, and the scope to read it."""
        created = await self.create(labels=labels, document_id=document_id, text=text, project_id=project_id, multi_label=multi_label, threshold=threshold, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata, **options)
        return await async_wait_for_outcome(self._transport, f"/classifications/{segment(created.id)}", created, wait_timeout)


class AsyncEmbeddingsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        document_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Embedding]:
        """List embeddings. Needs `embeddings:read`."""
        return AsyncListing(self._transport, Operation("GET", "/embeddings", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, project_id=project_id, document_id=document_id, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Embedding, options)

    async def create(
        self,
        *,
        inputs: Sequence[str] | NotGiven = NOT_GIVEN,
        document_id: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        dimensions: int | NotGiven = NOT_GIVEN,
        encoding_format: params.EncodingFormatChoice | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Embedding:
        """Embed texts or a document. A built-in model embeds up to 16 texts within the request; everything else is a job. Needs `embeddings:write`."""
        return await self._transport.send(Operation("POST", "/embeddings", body=given(inputs=inputs, document_id=document_id, project_id=project_id, dimensions=dimensions, encoding_format=encoding_format, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata)), models.Embedding, options)

    async def get(
        self,
        embedding_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Embedding:
        """Get an embedding. Needs `embeddings:read`."""
        return await self._transport.send(Operation("GET", f"/embeddings/{segment(embedding_id)}", query=given(fields=fields)), models.Embedding, options)

    async def update(
        self,
        embedding_id: str,
        *,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Embedding:
        """Change the metadata of an embedding. Needs `embeddings:write`."""
        return await self._transport.send(Operation("PATCH", f"/embeddings/{segment(embedding_id)}", body=given(metadata=metadata)), models.Embedding, options)

    async def remove(
        self,
        embedding_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete an embedding. Also cancels its job if the job has not ended. Needs `embeddings:write`."""
        await self._transport.run(Operation("DELETE", f"/embeddings/{segment(embedding_id)}"), options)

    async def create_and_wait(
        self,
        *,
        inputs: Sequence[str] | NotGiven = NOT_GIVEN,
        document_id: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        dimensions: int | NotGiven = NOT_GIVEN,
        encoding_format: params.EncodingFormatChoice | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        wait_timeout: float | None = None,
        **options: Unpack[CallOptions],
    ) -> models.Embedding:
        """Embed texts or a document, and wait until it has ended: check its `status`. `wait_timeout` limits the wait in seconds. Needs `embeddings:write`, and the scope to read it."""
        created = await self.create(inputs=inputs, document_id=document_id, project_id=project_id, dimensions=dimensions, encoding_format=encoding_format, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata, **options)
        return await async_wait_for_outcome(self._transport, f"/embeddings/{segment(created.id)}", created, wait_timeout)


class AsyncSearchesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Search]:
        """List searches of the last 30 days. Needs `searches:read`."""
        return AsyncListing(self._transport, Operation("GET", "/searches", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, project_id=project_id, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Search, options)

    async def create(
        self,
        *,
        query: str,
        mode: params.SearchModeChoice | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        document_ids: Sequence[str] | NotGiven = NOT_GIVEN,
        filters: params.SearchFilters | NotGiven = NOT_GIVEN,
        rerank: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        min_score: float | NotGiven = NOT_GIVEN,
        max_per_document: int | NotGiven = NOT_GIVEN,
        neighbors: int | NotGiven = NOT_GIVEN,
        store: bool | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Search:
        """Search documents. Returns immediately. If a remote model does not respond within 3 seconds, the search continues without it and adds a warning. Needs `searches:write`."""
        return await self._transport.send(Operation("POST", "/searches", body=given(query=query, mode=mode, project_id=project_id, document_ids=document_ids, filters=filters, rerank=rerank, limit=limit, min_score=min_score, max_per_document=max_per_document, neighbors=neighbors, store=store, metadata=metadata)), models.Search, options)

    async def get(
        self,
        search_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Search:
        """Get a search. Needs `searches:read`."""
        return await self._transport.send(Operation("GET", f"/searches/{segment(search_id)}", query=given(fields=fields)), models.Search, options)

    async def remove(
        self,
        search_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete a search. Needs `searches:write`."""
        await self._transport.run(Operation("DELETE", f"/searches/{segment(search_id)}"), options)


class AsyncAnswersResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Answer]:
        """List answers of the last 30 days. Needs `searches:read`."""
        return AsyncListing(self._transport, Operation("GET", "/answers", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, project_id=project_id, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Answer, options)

    async def create(
        self,
        *,
        question: str,
        project_id: str | None | NotGiven = NOT_GIVEN,
        document_ids: Sequence[str] | NotGiven = NOT_GIVEN,
        filters: params.SearchFilters | NotGiven = NOT_GIVEN,
        language: str | NotGiven = NOT_GIVEN,
        previous_answer_id: str | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Answer:
        """Ask a question about documents. Without a generative model, Octavo immediately returns a sentence, a field or a table cell from the best passages (`method: "extractive"`). With one, a job writes the answer. The request waits up to 50 seconds, or streams with `Accept: text/event-stream`: `answer.delta` with pieces of text, then `answer.completed` with the answer and its citations. Needs `searches:write`."""
        return await self._transport.send(Operation("POST", "/answers", body=given(question=question, project_id=project_id, document_ids=document_ids, filters=filters, language=language, previous_answer_id=previous_answer_id, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata)), models.Answer, options)

    async def get(
        self,
        answer_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Answer:
        """Get an answer. Needs `searches:read`."""
        return await self._transport.send(Operation("GET", f"/answers/{segment(answer_id)}", query=given(fields=fields)), models.Answer, options)

    async def remove(
        self,
        answer_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete an answer. Also cancels its job if the job has not ended. Needs `searches:write`."""
        await self._transport.run(Operation("DELETE", f"/answers/{segment(answer_id)}"), options)

    async def create_and_wait(
        self,
        *,
        question: str,
        project_id: str | None | NotGiven = NOT_GIVEN,
        document_ids: Sequence[str] | NotGiven = NOT_GIVEN,
        filters: params.SearchFilters | NotGiven = NOT_GIVEN,
        language: str | NotGiven = NOT_GIVEN,
        previous_answer_id: str | NotGiven = NOT_GIVEN,
        model: str | NotGiven = NOT_GIVEN,
        cache: params.CacheUse | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        wait_timeout: float | None = None,
        **options: Unpack[CallOptions],
    ) -> models.Answer:
        """Ask a question about documents, and wait until it has ended: check its `status`. `wait_timeout` limits the wait in seconds. Needs `searches:write`, and the scope to read it."""
        created = await self.create(question=question, project_id=project_id, document_ids=document_ids, filters=filters, language=language, previous_answer_id=previous_answer_id, model=model, cache=cache, timeout_seconds=timeout_seconds, metadata=metadata, **options)
        return await async_wait_for_outcome(self._transport, f"/answers/{segment(created.id)}", created, wait_timeout)


class AsyncReportsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, str] | NotGiven = NOT_GIVEN,
        updated_after: datetime | str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Report]:
        """List reports. Needs `reports:read`."""
        return AsyncListing(self._transport, Operation("GET", "/reports", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, project_id=project_id, status=status, metadata=metadata, updated_after=updated_after, created_after=created_after, created_before=created_before)), models.Report, options)

    async def create(
        self,
        *,
        type: params.ReportTypeChoice,
        format: params.ReportFormatChoice,
        title: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        filters: params.ReportFilters | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Report:
        """Create a report. Needs `reports:write`."""
        return await self._transport.send(Operation("POST", "/reports", body=given(title=title, project_id=project_id, type=type, format=format, filters=filters, timeout_seconds=timeout_seconds, metadata=metadata)), models.Report, options)

    async def get(
        self,
        report_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Report:
        """Get a report. Needs `reports:read`."""
        return await self._transport.send(Operation("GET", f"/reports/{segment(report_id)}", query=given(fields=fields)), models.Report, options)

    async def update(
        self,
        report_id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Report:
        """Update the metadata of a report. Needs `reports:write`."""
        return await self._transport.send(Operation("PATCH", f"/reports/{segment(report_id)}", body=given(title=title, metadata=metadata)), models.Report, options)

    async def remove(
        self,
        report_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete a report and its file. Also cancels its job if the job has not ended. Needs `reports:write`."""
        await self._transport.run(Operation("DELETE", f"/reports/{segment(report_id)}"), options)

    async def create_and_wait(
        self,
        *,
        type: params.ReportTypeChoice,
        format: params.ReportFormatChoice,
        title: str | NotGiven = NOT_GIVEN,
        project_id: str | None | NotGiven = NOT_GIVEN,
        filters: params.ReportFilters | NotGiven = NOT_GIVEN,
        timeout_seconds: int | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        wait_timeout: float | None = None,
        **options: Unpack[CallOptions],
    ) -> models.Report:
        """Create a report, and wait until it has ended: check its `status`. `wait_timeout` limits the wait in seconds. Needs `reports:write`, and the scope to read it."""
        created = await self.create(type=type, format=format, title=title, project_id=project_id, filters=filters, timeout_seconds=timeout_seconds, metadata=metadata, **options)
        return await async_wait_for_outcome(self._transport, f"/reports/{segment(created.id)}", created, wait_timeout)


class AsyncJobsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        status: Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | Sequence[Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"]] | NotGiven = NOT_GIVEN,
        type: Literal["documents", "ingestion", "purge", "analysis", "summaries", "classifications", "embeddings", "answers", "reports", "reindex"] | Sequence[Literal["documents", "ingestion", "purge", "analysis", "summaries", "classifications", "embeddings", "answers", "reports", "reindex"]] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        document_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        parent_job_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Job]:
        """List jobs. Needs `jobs:read`."""
        return AsyncListing(self._transport, Operation("GET", "/jobs", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, status=status, type=type, project_id=project_id, document_id=document_id, parent_job_id=parent_job_id, created_after=created_after, created_before=created_before)), models.Job, options)

    async def create(
        self,
        body: params.NewJob,
        **options: Unpack[CallOptions],
    ) -> models.Job:
        """Create a batch. Runs one operation over 1 to 1,000 inputs. Each input is a request body for the resource that `type` names; you also need the scopes to create it. Its items are jobs with `parent_job_id`. Needs `jobs:write`."""
        return await self._transport.send(Operation("POST", "/jobs", body=body), models.Job, options)

    async def get(
        self,
        job_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Job:
        """Get a job. Needs `jobs:read`."""
        return await self._transport.send(Operation("GET", f"/jobs/{segment(job_id)}", query=given(fields=fields)), models.Job, options)

    async def update(
        self,
        job_id: str,
        *,
        status: params.JobTargetStatus | NotGiven = NOT_GIVEN,
        priority: params.JobPriority | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Job:
        """Cancel a job, run it again, or change its priority. A queued job is canceled immediately. A running job stops at the next safe point and keeps its finished work. A failed or canceled job that you queue again keeps its finished steps. Needs `jobs:write`."""
        return await self._transport.send(Operation("PATCH", f"/jobs/{segment(job_id)}", body=given(status=status, priority=priority, metadata=metadata)), models.Job, options)

    async def remove(
        self,
        job_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete a job that has ended. Needs `jobs:write`."""
        await self._transport.run(Operation("DELETE", f"/jobs/{segment(job_id)}"), options)


class AsyncJobEventsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        job_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["seq", "-seq"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Event]:
        """List the events of a job. With `Accept: text/event-stream` the events are streamed as they happen. `id` is the `seq`; reconnect with `Last-Event-ID` to miss nothing. The stream closes when the job ends, or after ten minutes. Needs `jobs:read`."""
        return AsyncListing(self._transport, Operation("GET", f"/jobs/{segment(job_id)}/events", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields)), models.Event, options)


class AsyncApiKeysResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.ApiKey]:
        """List API keys. Needs `api_keys:manage`."""
        return AsyncListing(self._transport, Operation("GET", "/api-keys", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, created_after=created_after, created_before=created_before)), models.ApiKey, options)

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[params.Scope],
        project_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | None | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.ApiKeyWithSecret:
        """Create an API key. Only this response contains the secret. A key cannot grant scopes that it does not have, and cannot create a key that outlives it: without `expires_at`, the new key expires with the key that creates it. Needs `api_keys:manage`."""
        return await self._transport.send(Operation("POST", "/api-keys", body=given(name=name, scopes=scopes, project_ids=project_ids, expires_at=expires_at, metadata=metadata)), models.ApiKeyWithSecret, options)

    async def get(
        self,
        key_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.ApiKey:
        """Get an API key. Needs `api_keys:manage`."""
        return await self._transport.send(Operation("GET", f"/api-keys/{segment(key_id)}", query=given(fields=fields)), models.ApiKey, options)

    async def update(
        self,
        key_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.ApiKey:
        """Rename an API key. Needs `api_keys:manage`."""
        return await self._transport.send(Operation("PATCH", f"/api-keys/{segment(key_id)}", body=given(name=name, metadata=metadata)), models.ApiKey, options)

    async def remove(
        self,
        key_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Revoke an API key. Needs `api_keys:manage`."""
        await self._transport.run(Operation("DELETE", f"/api-keys/{segment(key_id)}"), options)

    async def rotate(
        self,
        key_id: str,
        *,
        overlap_seconds: int | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.ApiKeyWithSecret:
        """Rotate the secret of an API key. The key keeps its id. The old secret works until the overlap ends. A key cannot rotate a key that expires later than itself. Needs `api_keys:manage`."""
        return await self._transport.send(Operation("POST", f"/api-keys/{segment(key_id)}/rotations", body=given(overlap_seconds=overlap_seconds)), models.ApiKeyWithSecret, options)


class AsyncEventsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        type: Literal["project.created", "project.updated", "project.deleted", "document.created", "document.updated", "document.deleted", "page.created", "page.updated", "page.deleted", "upload.created", "upload.completed", "upload.deleted", "analysis.created", "analysis.updated", "analysis.succeeded", "analysis.partially_succeeded", "analysis.failed", "analysis.cancelled", "analysis.deleted", "summary.created", "summary.updated", "summary.succeeded", "summary.partially_succeeded", "summary.failed", "summary.cancelled", "summary.deleted", "classification.created", "classification.updated", "classification.succeeded", "classification.partially_succeeded", "classification.failed", "classification.cancelled", "classification.deleted", "embedding.created", "embedding.updated", "embedding.succeeded", "embedding.partially_succeeded", "embedding.failed", "embedding.cancelled", "embedding.deleted", "report.created", "report.updated", "report.succeeded", "report.partially_succeeded", "report.failed", "report.cancelled", "report.deleted", "search.created", "search.deleted", "answer.created", "answer.succeeded", "answer.partially_succeeded", "answer.failed", "answer.cancelled", "answer.deleted", "job.queued", "job.running", "job.updated", "job.succeeded", "job.partially_succeeded", "job.failed", "job.cancelled", "job.deleted", "api_key.created", "api_key.updated", "api_key.rotated", "api_key.revoked", "file.created", "file.deleted", "oauth_client.created", "oauth_client.updated", "oauth_client.deleted", "invitation.created", "invitation.updated", "invitation.accepted", "invitation.deleted", "member.created", "member.updated", "member.deleted", "user.created", "user.updated", "user.deleted", "authorization.created", "authorization.updated", "authorization.revoked"] | Sequence[Literal["project.created", "project.updated", "project.deleted", "document.created", "document.updated", "document.deleted", "page.created", "page.updated", "page.deleted", "upload.created", "upload.completed", "upload.deleted", "analysis.created", "analysis.updated", "analysis.succeeded", "analysis.partially_succeeded", "analysis.failed", "analysis.cancelled", "analysis.deleted", "summary.created", "summary.updated", "summary.succeeded", "summary.partially_succeeded", "summary.failed", "summary.cancelled", "summary.deleted", "classification.created", "classification.updated", "classification.succeeded", "classification.partially_succeeded", "classification.failed", "classification.cancelled", "classification.deleted", "embedding.created", "embedding.updated", "embedding.succeeded", "embedding.partially_succeeded", "embedding.failed", "embedding.cancelled", "embedding.deleted", "report.created", "report.updated", "report.succeeded", "report.partially_succeeded", "report.failed", "report.cancelled", "report.deleted", "search.created", "search.deleted", "answer.created", "answer.succeeded", "answer.partially_succeeded", "answer.failed", "answer.cancelled", "answer.deleted", "job.queued", "job.running", "job.updated", "job.succeeded", "job.partially_succeeded", "job.failed", "job.cancelled", "job.deleted", "api_key.created", "api_key.updated", "api_key.rotated", "api_key.revoked", "file.created", "file.deleted", "oauth_client.created", "oauth_client.updated", "oauth_client.deleted", "invitation.created", "invitation.updated", "invitation.accepted", "invitation.deleted", "member.created", "member.updated", "member.deleted", "user.created", "user.updated", "user.deleted", "authorization.created", "authorization.updated", "authorization.revoked"]] | NotGiven = NOT_GIVEN,
        project_id: str | Sequence[str] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Event]:
        """List events. Lists the newest events first. With `sort=created_at` it lists the oldest first and always returns a cursor: request again with it to follow new events. Needs `events:read`."""
        return AsyncListing(self._transport, Operation("GET", "/events", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, type=type, project_id=project_id, created_after=created_after, created_before=created_before)), models.Event, options)

    async def get(
        self,
        event_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Event:
        """Get an event. Needs `events:read`."""
        return await self._transport.send(Operation("GET", f"/events/{segment(event_id)}", query=given(fields=fields)), models.Event, options)


class AsyncModelsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["id", "-id"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        kind: Literal["reader", "embedder", "generator", "reranker", "engine"] | Sequence[Literal["reader", "embedder", "generator", "reranker", "engine"]] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Model]:
        """List models."""
        return AsyncListing(self._transport, Operation("GET", "/models", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, kind=kind)), models.Model, options)

    async def get(
        self,
        model_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Model:
        """Get a model."""
        return await self._transport.send(Operation("GET", f"/models/{segment(model_id)}", query=given(fields=fields)), models.Model, options)


class AsyncCapabilitiesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Capabilities:
        """Get the capabilities of this server."""
        return await self._transport.send(Operation("GET", "/capabilities", query=given(fields=fields)), models.Capabilities, options)


class AsyncRateLimitsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["id", "-id"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.RateLimit]:
        """List your rate limits."""
        return AsyncListing(self._transport, Operation("GET", "/rate-limits", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields)), models.RateLimit, options)

    async def get(
        self,
        limit_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.RateLimit:
        """Get the rate limits of a key or a tenant."""
        return await self._transport.send(Operation("GET", f"/rate-limits/{segment(limit_id)}", query=given(fields=fields)), models.RateLimit, options)


class AsyncOpenapiResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        **options: Unpack[CallOptions],
    ) -> models.OpenApiDescription:
        """Get this OpenAPI description."""
        return await self._transport.send(Operation("GET", "/openapi.json"), models.OpenApiDescription, options)


class AsyncOauthClientsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.OauthClient]:
        """List OAuth applications. Needs `oauth_clients:manage`."""
        return AsyncListing(self._transport, Operation("GET", "/oauth-clients", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, created_after=created_after, created_before=created_before)), models.OauthClient, options)

    async def create(
        self,
        *,
        name: str,
        grant_types: Sequence[params.OauthGrantType],
        scopes: Sequence[params.ApplicationScope],
        redirect_uris: Sequence[str] | NotGiven = NOT_GIVEN,
        project_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        is_confidential: bool | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.OauthClientWithSecret:
        """Register an OAuth application. Only this response contains the secret. An application cannot get management scopes, nor scopes that your own credential does not have. Needs `oauth_clients:manage`."""
        return await self._transport.send(Operation("POST", "/oauth-clients", body=given(name=name, grant_types=grant_types, redirect_uris=redirect_uris, scopes=scopes, project_ids=project_ids, is_confidential=is_confidential, metadata=metadata)), models.OauthClientWithSecret, options)

    async def get(
        self,
        client_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.OauthClient:
        """Get an OAuth application. Needs `oauth_clients:manage`."""
        return await self._transport.send(Operation("GET", f"/oauth-clients/{segment(client_id)}", query=given(fields=fields)), models.OauthClient, options)

    async def update(
        self,
        client_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        redirect_uris: Sequence[str] | NotGiven = NOT_GIVEN,
        scopes: Sequence[params.ApplicationScope] | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.OauthClient:
        """Update an OAuth application. A scope that you remove stops working immediately, even in existing tokens. Needs `oauth_clients:manage`."""
        return await self._transport.send(Operation("PATCH", f"/oauth-clients/{segment(client_id)}", body=given(name=name, redirect_uris=redirect_uris, scopes=scopes, metadata=metadata)), models.OauthClient, options)

    async def remove(
        self,
        client_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Remove an OAuth application. Immediately ends all its tokens and the access that users gave it. Needs `oauth_clients:manage`."""
        await self._transport.run(Operation("DELETE", f"/oauth-clients/{segment(client_id)}"), options)


class AsyncInvitationsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Invitation]:
        """List invitations. Needs `members:read`."""
        return AsyncListing(self._transport, Operation("GET", "/invitations", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, created_after=created_after, created_before=created_before)), models.Invitation, options)

    async def create(
        self,
        *,
        email: str,
        role: params.RoleChoice,
        project_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        expires_at: datetime | str | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.InvitationWithLink:
        """Invite a person. Only this response contains the link. Octavo emails it to the person if `SMTP_URL` is set; otherwise send it yourself. You can offer only roles and projects that your own credential covers. Needs `members:manage`."""
        return await self._transport.send(Operation("POST", "/invitations", body=given(email=email, role=role, project_ids=project_ids, expires_at=expires_at, metadata=metadata)), models.InvitationWithLink, options)

    async def get(
        self,
        invitation_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Invitation:
        """Get an invitation. Needs `members:read`."""
        return await self._transport.send(Operation("GET", f"/invitations/{segment(invitation_id)}", query=given(fields=fields)), models.Invitation, options)

    async def update(
        self,
        invitation_id: str,
        *,
        role: params.RoleChoice | NotGiven = NOT_GIVEN,
        project_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Invitation:
        """Change an invitation. The link stays the same. An accepted invitation cannot be changed. You can offer only roles and projects that your own credential covers. Needs `members:manage`."""
        return await self._transport.send(Operation("PATCH", f"/invitations/{segment(invitation_id)}", body=given(role=role, project_ids=project_ids, metadata=metadata)), models.Invitation, options)

    async def remove(
        self,
        invitation_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Delete an invitation. Its link stops working. A user who has accepted it is not affected. Needs `members:manage`."""
        await self._transport.run(Operation("DELETE", f"/invitations/{segment(invitation_id)}"), options)


class AsyncMembersResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        project_id: str,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Member]:
        """List the members of a project. Users with `project_access` `all` see every project without being members. Needs `members:read`."""
        return AsyncListing(self._transport, Operation("GET", f"/projects/{segment(project_id)}/members", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, created_after=created_after, created_before=created_before)), models.Member, options)

    async def create(
        self,
        project_id: str,
        *,
        user_id: str,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Member:
        """Add a user to a project. You can add only users whose role has no scope that your own credential lacks. Needs `members:manage`."""
        return await self._transport.send(Operation("POST", f"/projects/{segment(project_id)}/members", body=given(user_id=user_id, metadata=metadata)), models.Member, options)

    async def get(
        self,
        project_id: str,
        member_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Member:
        """Get a member of a project. Needs `members:read`."""
        return await self._transport.send(Operation("GET", f"/projects/{segment(project_id)}/members/{segment(member_id)}", query=given(fields=fields)), models.Member, options)

    async def update(
        self,
        project_id: str,
        member_id: str,
        *,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Member:
        """Change the metadata of a membership. Needs `members:manage`."""
        return await self._transport.send(Operation("PATCH", f"/projects/{segment(project_id)}/members/{segment(member_id)}", body=given(metadata=metadata)), models.Member, options)

    async def remove(
        self,
        project_id: str,
        member_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Remove a user from a project. Needs `members:manage`."""
        await self._transport.run(Operation("DELETE", f"/projects/{segment(project_id)}/members/{segment(member_id)}"), options)


class AsyncUsersResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        role: params.RoleChoice | NotGiven = NOT_GIVEN,
        email: str | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.User]:
        """List users. A credential that is limited to projects sees only the members of these projects. Needs `members:read`."""
        return AsyncListing(self._transport, Operation("GET", "/users", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, role=role, email=email, created_after=created_after, created_before=created_before)), models.User, options)

    async def create(
        self,
        *,
        email: str,
        name: str,
        role: params.RoleChoice,
        project_access: params.ProjectAccessChoice | NotGiven = NOT_GIVEN,
        metadata: params.Metadata | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.User:
        """Create a user. Creates a user without a password, for sign-in with an external identity provider. To let a person choose a password, create an invitation. You can change only users whose role has no scope that your own credential lacks. Needs `members:manage`."""
        return await self._transport.send(Operation("POST", "/users", body=given(email=email, name=name, role=role, project_access=project_access, metadata=metadata)), models.User, options)

    async def get(
        self,
        user_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.User:
        """Get a user. Use `me` instead of an id for the user who makes the request. An API key does not belong to a user. Needs `members:read`."""
        return await self._transport.send(Operation("GET", f"/users/{segment(user_id)}", query=given(fields=fields)), models.User, options)

    async def update(
        self,
        user_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        role: params.RoleChoice | NotGiven = NOT_GIVEN,
        project_access: params.ProjectAccessChoice | NotGiven = NOT_GIVEN,
        status: params.UserStatusChoice | NotGiven = NOT_GIVEN,
        metadata: params.MetadataPatch | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.User:
        """Change a user. Use `me` instead of an id for the user who makes the request. An API key does not belong to a user. Every user can do this with `me` and the `authorizations:manage` scope. With `me`, you can change only `name` and `metadata`. You can change only users whose role has no scope that your own credential lacks. The last active owner cannot be demoted or suspended. Needs `members:manage`."""
        return await self._transport.send(Operation("PATCH", f"/users/{segment(user_id)}", body=given(name=name, role=role, project_access=project_access, status=status, metadata=metadata)), models.User, options)

    async def remove(
        self,
        user_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Remove a user. Use `me` instead of an id for the user who makes the request. An API key does not belong to a user. Every user can do this with `me` and the `authorizations:manage` scope. You can change only users whose role has no scope that your own credential lacks. The last active owner cannot leave. API keys that the user created keep working. Needs `members:manage`."""
        await self._transport.run(Operation("DELETE", f"/users/{segment(user_id)}"), options)


class AsyncAuthorizationsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        page: int | NotGiven = NOT_GIVEN,
        per_page: int | NotGiven = NOT_GIVEN,
        sort: Literal["created_at", "-created_at"] | NotGiven = NOT_GIVEN,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        created_after: datetime | str | NotGiven = NOT_GIVEN,
        created_before: datetime | str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[models.Authorization]:
        """List authorizations. A user sees their own authorizations; a caller with the `members:manage` scope sees those of all users. Needs `authorizations:manage`."""
        return AsyncListing(self._transport, Operation("GET", "/authorizations", query=given(cursor=cursor, limit=limit, page=page, per_page=per_page, sort=sort, fields=fields, created_after=created_after, created_before=created_before)), models.Authorization, options)

    async def get(
        self,
        authorization_id: str,
        *,
        fields: str | Sequence[str] | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> models.Authorization:
        """Get an authorization. Needs `authorizations:manage`."""
        return await self._transport.send(Operation("GET", f"/authorizations/{segment(authorization_id)}", query=given(fields=fields)), models.Authorization, options)

    async def remove(
        self,
        authorization_id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Revoke an authorization. The application's tokens stop working immediately. Needs `authorizations:manage`."""
        await self._transport.run(Operation("DELETE", f"/authorizations/{segment(authorization_id)}"), options)


class AsyncResources:
    """Resources without hand-written methods."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.projects = AsyncProjectsResource(transport)
        self.pages = AsyncPagesResource(transport)
        self.chunks = AsyncChunksResource(transport)
        self.analysis = AsyncAnalysisResource(transport)
        self.summaries = AsyncSummariesResource(transport)
        self.classifications = AsyncClassificationsResource(transport)
        self.embeddings = AsyncEmbeddingsResource(transport)
        self.searches = AsyncSearchesResource(transport)
        self.reports = AsyncReportsResource(transport)
        self.job_events = AsyncJobEventsResource(transport)
        self.api_keys = AsyncApiKeysResource(transport)
        self.events = AsyncEventsResource(transport)
        self.models = AsyncModelsResource(transport)
        self.capabilities = AsyncCapabilitiesResource(transport)
        self.rate_limits = AsyncRateLimitsResource(transport)
        self.openapi = AsyncOpenapiResource(transport)
        self.oauth_clients = AsyncOauthClientsResource(transport)
        self.invitations = AsyncInvitationsResource(transport)
        self.members = AsyncMembersResource(transport)
        self.users = AsyncUsersResource(transport)
        self.authorizations = AsyncAuthorizationsResource(transport)
