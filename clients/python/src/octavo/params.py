# Written by `npm run openapi` from the contract. Changes made here are lost.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


#: Default `allowed`.
ProjectPrivacyChoice: TypeAlias = Literal["allowed", "local_only"]


#: `auto` (default) uses OCR for pages without readable text; `always` for every page that can be rendered; `never` disables OCR.
OcrMode: TypeAlias = Literal["auto", "always", "never"]


#: `none` (default) lists the attachments of an email in `warnings`; `documents` creates a document for each attachment, up to 100, including attachments of attached emails.
AttachmentMode: TypeAlias = Literal["none", "documents"]


class Processing(TypedDict):
    """How Octavo reads the pages."""

    reader: NotRequired[str]
    """The reader: an id from `GET /models` whose `kind` is `reader`; default `built_in`."""
    ocr: NotRequired[OcrMode]
    attachments: NotRequired[AttachmentMode]
    languages: NotRequired[Sequence[str]]
    """Languages of the pages, as BCP 47 tags; improves OCR."""


#: Your own keys and values; Octavo never interprets them.
Metadata: TypeAlias = Mapping[str, str]


class NewProject(TypedDict):
    name: str
    description: NotRequired[str | None]
    retention_days: NotRequired[int | None]
    """Age after which documents are deleted; null means never."""
    privacy: NotRequired[ProjectPrivacyChoice]
    default_processing: NotRequired[Processing]
    metadata: NotRequired[Metadata]


class ProcessingPatch(TypedDict):
    """Merged into the stored settings; null resets a field to its default."""

    reader: NotRequired[str | None]
    """The reader: an id from `GET /models` whose `kind` is `reader`; default `built_in`."""
    ocr: NotRequired[Literal["auto", "always", "never"] | str | None]
    """`auto` (default) uses OCR for pages without readable text; `always` for every page that can be rendered; `never` disables OCR."""
    attachments: NotRequired[Literal["none", "documents"] | str | None]
    """`none` (default) lists the attachments of an email in `warnings`; `documents` creates a document for each attachment, up to 100, including attachments of attached emails."""
    languages: NotRequired[Sequence[str] | None]
    """Languages of the pages, as BCP 47 tags; improves OCR."""


#: Merged into the stored map; null removes a key.
MetadataPatch: TypeAlias = Mapping[str, str | None]


class ProjectPatch(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str | None]
    retention_days: NotRequired[int | None]
    """Age after which documents are deleted; null means never."""
    privacy: NotRequired[ProjectPrivacyChoice]
    default_processing: NotRequired[ProcessingPatch]
    metadata: NotRequired[MetadataPatch]


#: Action if a document that you can see has the same bytes: `allow` (default) creates another, `reject` returns 409, `return_existing` returns the existing one with 200.
OnDuplicate: TypeAlias = Literal["allow", "reject", "return_existing"]


class TextSource(TypedDict):
    """The document as one text."""

    type: Literal["text"]
    text: str
    """Plain text; form feeds separate the pages."""


class SourcePage(TypedDict):
    text: str


class PagesSource(TypedDict):
    """The texts of the document's pages."""

    type: Literal["pages"]
    pages: Sequence[SourcePage]


class Base64Source(TypedDict):
    """A small file inside the request."""

    type: Literal["base64"]
    media_type: str
    """Must be a type such as `application/pdf`. It is a hint; Octavo detects the type from the bytes."""
    data: str
    """The file, encoded as Base64 without line breaks."""
    file_name: NotRequired[str]
    """The file name, for display only."""


class UploadSource(TypedDict):
    """A file that you uploaded before. You can use an upload once."""

    type: Literal["upload"]
    upload_id: str


class UrlSource(TypedDict):
    """A file that Octavo downloads."""

    type: Literal["url"]
    url: str
    """A public https URL. Octavo downloads it in the background and does not follow redirects."""


class FileSource(TypedDict):
    """A file that you sent with `POST /files`. You can use a file once."""

    type: Literal["file"]
    file_id: str


#: The source of the document.
NewDocumentSource: TypeAlias = TextSource | PagesSource | Base64Source | UploadSource | UrlSource | FileSource


class NewDocument(TypedDict):
    title: str
    external_id: NotRequired[str | None]
    """Your own identifier; unique in the tenant."""
    expires_at: NotRequired[datetime | str | None]
    """When it is deleted automatically; null means after its project's retention or, if that is null, never."""
    metadata: NotRequired[Metadata]
    project_id: NotRequired[str | None]
    """The project it belongs to; set at creation."""
    password: NotRequired[str]
    """The password of a protected PDF, Word, Excel or PowerPoint file. Never returned; deleted when the file has been read."""
    processing: NotRequired[Processing]
    on_duplicate: NotRequired[OnDuplicate]
    source: NotRequired[NewDocumentSource]


class DocumentReplacement(TypedDict):
    title: str
    external_id: NotRequired[str | None]
    """Your own identifier; unique in the tenant."""
    expires_at: NotRequired[datetime | str | None]
    """When it is deleted automatically; null means after its project's retention or, if that is null, never."""
    metadata: NotRequired[Metadata]


class DocumentPatch(TypedDict):
    title: NotRequired[str]
    external_id: NotRequired[str | None]
    """Your own identifier; unique in the tenant."""
    expires_at: NotRequired[datetime | str | None]
    """When it is deleted automatically; null means after its project's retention or, if that is null, never."""
    metadata: NotRequired[MetadataPatch]


class NewPage(TypedDict):
    """Default: after the last page."""

    text: str
    """The text of the blocks, in order, without running headers and footers."""
    number: NotRequired[int]
    """Page number, starting at 1. Deletions leave gaps."""
    metadata: NotRequired[Metadata]


class PageReplacement(TypedDict):
    text: str
    """The text of the blocks, in order, without running headers and footers."""
    metadata: NotRequired[Metadata]


#: Reads the page again from the file.
PageTargetStatus: TypeAlias = Literal["queued"]


class PagePatch(TypedDict):
    """Corrected text, or only `status` to read the page again."""

    text: NotRequired[str]
    """The text of the blocks, in order, without running headers and footers."""
    status: NotRequired[PageTargetStatus]
    metadata: NotRequired[MetadataPatch]


class NewUpload(TypedDict):
    project_id: NotRequired[str | None]
    """The project that controls who can see the upload; the document may belong to another project."""
    file_name: str
    """The file name, for display only."""
    media_type: str
    """Must be a type such as `application/pdf`. It is a hint; Octavo detects the type from the bytes."""
    size_bytes: int
    sha256: NotRequired[str | None]
    """SHA-256 of the bytes; Octavo compares it with the bytes that arrive."""
    metadata: NotRequired[Metadata]


AnalysisFeatureChoice: TypeAlias = Literal["language", "statistics", "key_phrases", "entities", "pii", "sentiment", "topics", "extraction"]


EntityTypeChoice: TypeAlias = Literal["person", "organisation", "place", "date", "time", "money", "percentage"]


#: JSON Schema of an object, for `extraction`: at most 64 KiB, 500 properties and 10 levels, without patterns; `$ref` only to `#/$defs`.
ExtractionSchema: TypeAlias = Mapping[str, Any]


class PageRange(TypedDict):
    """Only these pages, `first` and `last` included."""

    first: int
    last: int


#: `use` (default) returns an earlier result with the same fingerprint. `bypass` computes a new one.
CacheUse: TypeAlias = Literal["use", "bypass"]


class NewAnalysis(TypedDict):
    features: NotRequired[Sequence[AnalysisFeatureChoice]]
    """Default: all except `extraction`."""
    entity_types: NotRequired[Sequence[EntityTypeChoice]]
    """For `entities`; default: dates, times, amounts and percentages. Names of people, organizations and places are often missed or wrong."""
    schema: NotRequired[ExtractionSchema]
    instructions: NotRequired[str]
    """For `extraction`: instructions in addition to the schema."""
    page_range: NotRequired[PageRange]
    model: NotRequired[str]
    """The id of a model from `GET /models`; default: the tenant's default model."""
    cache: NotRequired[CacheUse]
    timeout_seconds: NotRequired[int]
    """Maximum running time; default 600 plus one per page."""
    metadata: NotRequired[Metadata]


class OutcomePatch(TypedDict):
    metadata: NotRequired[MetadataPatch]


#: `extractive` selects sentences from the text, without a generative model; the built-in engine supports only this style and `bullets`.
SummaryStyleChoice: TypeAlias = Literal["abstract", "bullets", "headline", "extractive"]


#: Default `medium`.
SummaryLengthChoice: TypeAlias = Literal["short", "medium", "long"]


class NewSummary(TypedDict):
    """Send either `document_ids` or `text`."""

    document_ids: NotRequired[Sequence[str]]
    text: NotRequired[str]
    """A text, instead of documents."""
    project_id: NotRequired[str | None]
    """For a result from a text: the project that controls who can see it. A result from a document uses the document's project."""
    style: NotRequired[SummaryStyleChoice]
    length: NotRequired[SummaryLengthChoice]
    language: NotRequired[str]
    """BCP 47."""
    focus: NotRequired[str]
    """The question or topic that the summary concentrates on."""
    model: NotRequired[str]
    """The id of a model from `GET /models`; default: the tenant's default model."""
    cache: NotRequired[CacheUse]
    timeout_seconds: NotRequired[int]
    """Maximum running time; default 600."""
    metadata: NotRequired[Metadata]


class ClassificationLabel(TypedDict):
    name: str
    description: NotRequired[str]
    """The meaning of the label, in one sentence."""
    examples: NotRequired[Sequence[str]]
    """Texts that fit this label."""


class NewClassification(TypedDict):
    """Send either `document_id` or `text`."""

    document_id: NotRequired[str]
    text: NotRequired[str]
    """A text, instead of a document."""
    project_id: NotRequired[str | None]
    """For a result from a text: the project that controls who can see it. A result from a document uses the document's project."""
    labels: Sequence[ClassificationLabel]
    multi_label: NotRequired[bool]
    """True if several labels may fit; their scores then do not add up to 1."""
    threshold: NotRequired[float]
    """Minimum score of `label`; default 0.6 if an embedding model chooses one label without examples, otherwise 0.3."""
    model: NotRequired[str]
    """The id of a model from `GET /models`; default: the tenant's default model."""
    cache: NotRequired[CacheUse]
    timeout_seconds: NotRequired[int]
    """Maximum running time; default 600."""
    metadata: NotRequired[Metadata]


#: Default `float`.
EncodingFormatChoice: TypeAlias = Literal["float", "base64"]


class NewEmbedding(TypedDict):
    """Send either `inputs` or `document_id`."""

    inputs: NotRequired[Sequence[str]]
    """The texts to embed."""
    document_id: NotRequired[str]
    """A document whose chunks are embedded, instead of texts; at most 5,000 chunks, fewer with `float`."""
    project_id: NotRequired[str | None]
    """For a result from a text: the project that controls who can see it. A result from a document uses the document's project."""
    dimensions: NotRequired[int]
    """Must equal the model's dimensions."""
    encoding_format: NotRequired[EncodingFormatChoice]
    model: NotRequired[str]
    """The id of a model from `GET /models`; default: the tenant's default model."""
    cache: NotRequired[CacheUse]
    timeout_seconds: NotRequired[int]
    """Maximum running time; default 600."""
    metadata: NotRequired[Metadata]


#: Default `hybrid`.
SearchModeChoice: TypeAlias = Literal["hybrid", "semantic", "keyword"]


class SearchFilters(TypedDict):
    """Only documents that match all filters."""

    metadata: NotRequired[Metadata]
    created_after: NotRequired[datetime | str]
    """Documents created at or after this time."""
    created_before: NotRequired[datetime | str]
    """Documents created before this time."""


class NewSearch(TypedDict):
    query: str
    mode: NotRequired[SearchModeChoice]
    project_id: NotRequired[str | None]
    """Only documents in this project."""
    document_ids: NotRequired[Sequence[str]]
    filters: NotRequired[SearchFilters]
    rerank: NotRequired[str]
    """The id of a model that reranks the results."""
    limit: NotRequired[int]
    """Maximum number of results; default 10."""
    min_score: NotRequired[float]
    """Only results with at least this score."""
    max_per_document: NotRequired[int]
    """Maximum number of results from one document; default: no maximum."""
    neighbors: NotRequired[int]
    """Number of passages to return before and after each result; default 0."""
    store: NotRequired[bool]
    """Default true. With false, Octavo stores neither the query nor the results, and the response is 200."""
    metadata: NotRequired[Metadata]


class NewAnswer(TypedDict):
    question: str
    project_id: NotRequired[str | None]
    """Only documents in this project."""
    document_ids: NotRequired[Sequence[str]]
    filters: NotRequired[SearchFilters]
    language: NotRequired[str]
    """BCP 47."""
    previous_answer_id: NotRequired[str]
    """The answer that this question follows. It must be in the same project. Its project, documents and filters apply unless you set your own."""
    model: NotRequired[str]
    """The id of a model from `GET /models`; default: the tenant's default model."""
    cache: NotRequired[CacheUse]
    timeout_seconds: NotRequired[int]
    """Maximum running time; default 600."""
    metadata: NotRequired[Metadata]


#: `documents`, `analysis` (the latest of each document), `classifications`, or `usage` (pages, tokens, time, cost by day, project, key and model).
ReportTypeChoice: TypeAlias = Literal["documents", "analysis", "classifications", "usage"]


ReportFormatChoice: TypeAlias = Literal["json", "csv", "markdown", "html", "pdf"]


class ReportFilters(TypedDict):
    """Only rows that match all filters."""

    created_after: NotRequired[datetime | str]
    """Rows at or after this time."""
    created_before: NotRequired[datetime | str]
    """Rows before this time."""


class NewReport(TypedDict):
    title: NotRequired[str]
    project_id: NotRequired[str | None]
    """Limits the report to a project; default: the whole tenant."""
    type: ReportTypeChoice
    format: ReportFormatChoice
    filters: NotRequired[ReportFilters]
    timeout_seconds: NotRequired[int]
    """Maximum running time; default 600."""
    metadata: NotRequired[Metadata]


class ReportPatch(TypedDict):
    title: NotRequired[str]
    metadata: NotRequired[MetadataPatch]


#: Priority among the tenant's jobs; default `normal`.
JobPriority: TypeAlias = Literal["low", "normal", "high"]


class NewDocumentsBatch(TypedDict):
    """Creates documents."""

    type: Literal["documents"]
    inputs: Sequence[NewDocument]
    """Request bodies, as you would POST them to that resource."""
    priority: NotRequired[JobPriority]
    timeout_seconds: NotRequired[int]
    """Maximum running time of the batch itself, without its items; default 600."""
    metadata: NotRequired[Metadata]


class NewAnalysisOfDocument(TypedDict):
    """The request body of the POST and the document in its path."""

    document_id: str
    features: NotRequired[Sequence[AnalysisFeatureChoice]]
    """Default: all except `extraction`."""
    entity_types: NotRequired[Sequence[EntityTypeChoice]]
    """For `entities`; default: dates, times, amounts and percentages. Names of people, organizations and places are often missed or wrong."""
    schema: NotRequired[ExtractionSchema]
    instructions: NotRequired[str]
    """For `extraction`: instructions in addition to the schema."""
    page_range: NotRequired[PageRange]
    model: NotRequired[str]
    """The id of a model from `GET /models`; default: the tenant's default model."""
    cache: NotRequired[CacheUse]
    timeout_seconds: NotRequired[int]
    """Maximum running time; default 600 plus one per page."""
    metadata: NotRequired[Metadata]


class NewAnalysisBatch(TypedDict):
    """Analyzes documents."""

    type: Literal["analysis"]
    inputs: Sequence[NewAnalysisOfDocument]
    """Request bodies, as you would POST them to that resource."""
    priority: NotRequired[JobPriority]
    timeout_seconds: NotRequired[int]
    """Maximum running time of the batch itself, without its items; default 600."""
    metadata: NotRequired[Metadata]


class NewSummariesBatch(TypedDict):
    """Summarizes documents or texts."""

    type: Literal["summaries"]
    inputs: Sequence[NewSummary]
    """Request bodies, as you would POST them to that resource."""
    priority: NotRequired[JobPriority]
    timeout_seconds: NotRequired[int]
    """Maximum running time of the batch itself, without its items; default 600."""
    metadata: NotRequired[Metadata]


class NewClassificationsBatch(TypedDict):
    """Classifies documents or texts."""

    type: Literal["classifications"]
    inputs: Sequence[NewClassification]
    """Request bodies, as you would POST them to that resource."""
    priority: NotRequired[JobPriority]
    timeout_seconds: NotRequired[int]
    """Maximum running time of the batch itself, without its items; default 600."""
    metadata: NotRequired[Metadata]


class NewEmbeddingsBatch(TypedDict):
    """Embeds texts or documents."""

    type: Literal["embeddings"]
    inputs: Sequence[NewEmbedding]
    """Request bodies, as you would POST them to that resource."""
    priority: NotRequired[JobPriority]
    timeout_seconds: NotRequired[int]
    """Maximum running time of the batch itself, without its items; default 600."""
    metadata: NotRequired[Metadata]


#: A batch: one operation, given by `type`, over many inputs.
NewJob: TypeAlias = NewDocumentsBatch | NewAnalysisBatch | NewSummariesBatch | NewClassificationsBatch | NewEmbeddingsBatch


#: `cancelled` stops the job; `queued` runs a failed or canceled job again.
JobTargetStatus: TypeAlias = Literal["cancelled", "queued"]


class JobPatch(TypedDict):
    status: NotRequired[JobTargetStatus]
    priority: NotRequired[JobPriority]
    metadata: NotRequired[MetadataPatch]


Scope: TypeAlias = Literal["documents:read", "documents:write", "jobs:read", "jobs:write", "projects:read", "projects:write", "analysis:read", "analysis:write", "summaries:read", "summaries:write", "classifications:read", "classifications:write", "embeddings:read", "embeddings:write", "searches:read", "searches:write", "reports:read", "reports:write", "events:read", "api_keys:manage", "oauth_clients:manage", "members:read", "members:manage", "tenant:manage", "authorizations:manage"]


class NewApiKey(TypedDict):
    name: str
    scopes: Sequence[Scope]
    project_ids: NotRequired[Sequence[str] | None]
    """The projects that the key can see; null means the whole tenant."""
    expires_at: NotRequired[datetime | str | None]
    """When the key expires; null means never."""
    metadata: NotRequired[Metadata]


class ApiKeyPatch(TypedDict):
    name: NotRequired[str]
    metadata: NotRequired[MetadataPatch]


class NewRotation(TypedDict):
    overlap_seconds: NotRequired[int]
    """How long the old secret keeps working; default 0."""


OauthGrantType: TypeAlias = Literal["authorization_code", "refresh_token", "client_credentials"]


ApplicationScope: TypeAlias = Literal["documents:read", "documents:write", "jobs:read", "jobs:write", "projects:read", "projects:write", "analysis:read", "analysis:write", "summaries:read", "summaries:write", "classifications:read", "classifications:write", "embeddings:read", "embeddings:write", "searches:read", "searches:write", "reports:read", "reports:write", "events:read", "members:read"]


class NewOauthClient(TypedDict):
    name: str
    """Shown to users on the consent page."""
    grant_types: Sequence[OauthGrantType]
    redirect_uris: NotRequired[Sequence[str]]
    """Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`."""
    scopes: Sequence[ApplicationScope]
    project_ids: NotRequired[Sequence[str] | None]
    """The projects that the application can see; null means all projects of the user or the tenant."""
    is_confidential: NotRequired[bool]
    """Default true."""
    metadata: NotRequired[Metadata]


class OauthClientPatch(TypedDict):
    name: NotRequired[str]
    """Shown to users on the consent page."""
    redirect_uris: NotRequired[Sequence[str]]
    """Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`."""
    scopes: NotRequired[Sequence[ApplicationScope]]
    metadata: NotRequired[MetadataPatch]


RoleChoice: TypeAlias = Literal["owner", "admin", "editor", "viewer"]


class NewInvitation(TypedDict):
    email: str
    """An email address."""
    role: RoleChoice
    project_ids: NotRequired[Sequence[str] | None]
    """The projects that the user will be a member of and see; null means the whole tenant."""
    expires_at: NotRequired[datetime | str]
    """When the link stops working: at most 30 days from now; default 7 days."""
    metadata: NotRequired[Metadata]


class InvitationPatch(TypedDict):
    role: NotRequired[RoleChoice]
    project_ids: NotRequired[Sequence[str] | None]
    """The projects that the user will be a member of and see; null means the whole tenant."""
    metadata: NotRequired[MetadataPatch]


class NewMember(TypedDict):
    user_id: str
    metadata: NotRequired[Metadata]


class MemberPatch(TypedDict):
    metadata: NotRequired[MetadataPatch]


#: Default `all`.
ProjectAccessChoice: TypeAlias = Literal["all", "assigned"]


class NewUser(TypedDict):
    email: str
    """An email address."""
    name: str
    role: RoleChoice
    project_access: NotRequired[ProjectAccessChoice]
    metadata: NotRequired[Metadata]


UserStatusChoice: TypeAlias = Literal["active", "suspended"]


class UserPatch(TypedDict):
    name: NotRequired[str]
    role: NotRequired[RoleChoice]
    project_access: NotRequired[ProjectAccessChoice]
    status: NotRequired[UserStatusChoice]
    metadata: NotRequired[MetadataPatch]


TextFormat: TypeAlias = Literal["markdown", "text"]
