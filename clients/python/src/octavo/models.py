# Written by `npm run openapi` from the contract. Changes made here are lost.

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, TypeAlias

from ._model import OctavoModel


#: `local_only` means that Octavo never sends its text to a remote model or reader.
ProjectPrivacy: TypeAlias = Literal["allowed", "local_only"] | str


class ProcessingSettings(OctavoModel):
    """How Octavo reads the pages."""

    reader: str | None = None
    ocr: Literal["auto", "always", "never"] | str | None = None
    attachments: Literal["none", "documents"] | str | None = None
    languages: list[str] | None = None


#: Your own keys and values; Octavo never interprets them.
Metadata: TypeAlias = dict[str, str]


class Project(OctavoModel):
    """A group of documents, and the unit of access control inside a tenant."""

    id: str
    object: Literal["project"]
    name: str
    description: str | None
    retention_days: int | None
    """Age after which documents are deleted; null means never."""
    privacy: ProjectPrivacy
    default_processing: ProcessingSettings
    document_count: int
    """Current number of documents."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class DocumentSource(OctavoModel):
    """The source of the document."""

    type: Literal["text", "pages", "base64", "upload", "url", "file"] | str
    """`file` means that it was sent as `multipart/form-data`, here or with `POST /files`."""
    file_name: str | None = None
    """The file name, for display only."""
    upload_id: str | None = None
    url: str | None = None
    """Without its query string, which may contain a secret."""


DocumentStatus: TypeAlias = Literal["processing", "ready", "partially_ready", "failed"] | str


class DocumentError(OctavoModel):
    """Why the document could not be read."""

    code: str
    message: str


class Document(OctavoModel):
    """A document and the state of its pages. It does not contain the text itself."""

    id: str
    object: Literal["document"]
    title: str
    project_id: str | None
    """The project it belongs to; set at creation."""
    parent_document_id: str | None
    """The email that it was attached to. It is deleted with that email."""
    external_id: str | None
    """Your own identifier; unique in the tenant."""
    source: DocumentSource | None
    processing: ProcessingSettings | None
    status: DocumentStatus
    file_id: str | None
    """The original file."""
    media_type: str | None
    size_bytes: int | None
    sha256: str | None
    """SHA-256 of the source, in hexadecimal."""
    language: str | None
    """Main language, as a BCP 47 tag."""
    expires_at: datetime | None
    """When it is deleted automatically; null means after its project's retention or, if that is null, never."""
    latest_job_id: str | None
    """The last job that worked on it. Jobs are kept for 30 days after they end."""
    page_count: int
    pages_ready: int
    pages_failed: int
    warnings: list[str]
    error: DocumentError | None
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


PageStatus: TypeAlias = Literal["queued", "running", "succeeded", "failed"] | str


BlockType: TypeAlias = Literal["title", "heading", "paragraph", "list_item", "table", "fields", "figure", "caption", "footnote", "header", "footer", "code"] | str


class TableCell(OctavoModel):
    """One cell of a table. Positions that a span covers have no cell."""

    row: int
    """From 1."""
    column: int
    """From 1."""
    row_span: int
    """Number of rows it spans."""
    column_span: int
    """Number of columns it spans."""
    text: str
    bbox: list[float] | None = None
    """The box around the text of the cell, as in the block."""


class Table(OctavoModel):
    """The cells of a table, row by row."""

    rows: int
    columns: int
    cells: list[TableCell]


class Field(OctavoModel):
    """A label and its value, as in a form or at the head of an invoice."""

    label: str
    """The name of the field, without a trailing colon."""
    value: str
    """Empty if nothing is filled in; `checked` or `unchecked` for a checkbox."""
    label_bbox: list[float] | None = None
    """The box around the label."""
    value_bbox: list[float] | None = None
    """The box around the value."""


class Block(OctavoModel):
    """A part of a page, such as a paragraph or a table."""

    type: BlockType
    text: str
    level: int | None = None
    """The level of a heading or a list item, starting at 1."""
    bbox: list[float] | None = None
    """Left, top, right, bottom, as fractions of the page's width and height."""
    confidence: float | None = None
    """Confidence of OCR; absent for embedded text."""
    is_running: bool | None = None
    """True for a page number, and for a header or footer that repeats one from an earlier page. Such blocks are not part of `text`."""
    table: Table | None = None
    caption: str | None = None
    """The caption of a table or figure: the text of the `caption` block next to it."""
    fields: list[Field] | None = None
    """The labels and values of a `fields` block."""


class PageReader(OctavoModel):
    """The reader of the page."""

    id: str
    version: str


class PageError(OctavoModel):
    """Why the page could not be read."""

    code: str
    message: str


class Page(OctavoModel):
    """One page of a document, with its text."""

    id: str
    object: Literal["page"]
    document_id: str
    number: int
    """Page number, starting at 1. Deletions leave gaps."""
    status: PageStatus
    text: str
    """The text of the blocks, in order, without running headers and footers."""
    markdown: str
    """The text with its structure, derived from the blocks."""
    text_source: Literal["embedded", "ocr", "supplied", "corrected"] | str
    """The origin of the text."""
    language: str | None
    """BCP 47 tag; null if there is too little text."""
    confidence: float | None
    """The reader's confidence in the text; null if unknown."""
    width: float | None
    """In points (1/72 inch); null if the format has no pages."""
    height: float | None
    blocks: list[Block]
    """In reading order."""
    reader: PageReader | None
    image_file_id: str | None
    """The image that the text was recognized in."""
    error: PageError | None
    sha256: str
    """SHA-256 of the text as UTF-8, in hexadecimal."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class Chunk(OctavoModel):
    """A part of one page, as search and models use it. It never crosses the end of a page."""

    id: str
    object: Literal["chunk"]
    document_id: str
    page_id: str
    page_number: int
    position: int
    """The order of the chunks within a document; the numbers have gaps."""
    start: int
    """Start in the text of the page, in Unicode code points."""
    end: int
    """End in the text of the page, in Unicode code points."""
    text: str
    heading_path: list[str]
    """The headings above it, outermost first."""
    expanded_text: str | None
    """The text with each row of a table as `header: value; header: value`, below the table's caption; null if the chunk has no table. Search indexes it. Citations and positions refer to `text`."""
    token_count: int
    """Number of tokens, counted with the o200k tokenizer."""


#: `completed` means that a document was created from it.
UploadStatus: TypeAlias = Literal["pending", "completed"] | str


class SignedPut(OctavoModel):
    """Where to send the bytes."""

    url: str
    """Send the bytes here with one PUT, without the API key. Anyone with this URL can use it."""
    headers: dict[str, str]
    """Send these headers unchanged with the PUT."""


class UploadPart(OctavoModel):
    """One part of a large file."""

    number: int
    offset: int
    """Offset in the file."""
    size_bytes: int
    is_received: bool
    """True if the part has arrived; you may send it again."""
    put: SignedPut


class Upload(OctavoModel):
    """A file that is being uploaded. When its bytes have arrived, create a document from it with `POST /documents`."""

    id: str
    object: Literal["upload"]
    project_id: str | None
    """The project that controls who can see the upload; the document may belong to another project."""
    file_name: str
    """The file name, for display only."""
    media_type: str
    """Must be a type such as `application/pdf`. It is a hint; Octavo detects the type from the bytes."""
    size_bytes: int
    sha256: str | None
    """SHA-256 of the bytes; Octavo compares it with the bytes that arrive."""
    status: UploadStatus
    expires_at: datetime
    """An unused upload is deleted at this time."""
    document_id: str | None
    put: SignedPut | None
    parts: list[UploadPart]
    """The parts of a file over 64 MiB, instead of `put`. Absent in lists and for keys that may not write."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


FileKind: TypeAlias = Literal["original", "page_image", "report"] | str


class File(OctavoModel):
    """Stored bytes: an original file, the image of a page, or a report."""

    id: str
    object: Literal["file"]
    project_id: str | None
    document_id: str | None
    """The document it belongs to; null for a report and for an unused file."""
    report_id: str | None
    """The report it belongs to; downloading its file also needs `reports:read`."""
    kind: FileKind
    file_name: str
    media_type: str
    size_bytes: int
    sha256: str | None
    """SHA-256 of the bytes, in hexadecimal; null until they have been read once."""
    expires_at: datetime | None
    """When the file is deleted if no document uses it; null if it is in use."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class FileLink(OctavoModel):
    """A short-lived download link for a file."""

    id: str
    object: Literal["file_link"]
    url: str
    """Anyone with this link can download the file while it exists."""
    expires_at: datetime


OutcomeStatus: TypeAlias = Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | str


class OutcomeModel(OctavoModel):
    """The model that produced it."""

    id: str
    provider: str
    locality: Literal["local", "remote"] | str
    """`remote` means that the text left this installation."""
    version: str


class OutcomeUsage(OctavoModel):
    """Resources used. A cached result costs nothing."""

    pages: int
    input_tokens: int
    output_tokens: int
    cost_micros: int
    """Cost in millionths of the operator's currency, at the operator's prices."""
    compute_ms: int


class JobErrorDetail(OctavoModel):
    """One error."""

    field: str
    code: str
    message: str


class JobError(OctavoModel):
    """Why the job failed completely or partially."""

    code: str
    """Machine-readable code; branch on it."""
    message: str
    """Message for people: what happened and what to do."""
    details: list[JobErrorDetail]


AnalysisFeature: TypeAlias = Literal["language", "statistics", "key_phrases", "entities", "pii", "sentiment", "topics", "extraction"] | str


class ShownPageRange(OctavoModel):
    """The pages that were read."""

    first: int
    last: int


class Citation(OctavoModel):
    """A verified position in a page: its text at these offsets is the quote."""

    document_id: str | None
    """Null if the source is the text of the request."""
    page_id: str | None
    page_number: int | None
    page_sha256: str
    """Hash of the cited text. If the page now has a different hash, it has been corrected since."""
    heading_path: list[str] | None = None
    """Headings above the quote, outermost first. Absent in results from before this field existed."""
    start: int
    """Start of the quote in the text of the page, in Unicode code points."""
    end: int
    """End in the text of the page, in Unicode code points."""
    quote: str
    """The exact quoted text."""
    bbox: list[float] | None
    """Position of its block on the page: x0, y0, x1, y1 from 0 to 1; null if unknown."""
    match: Literal["exact", "folded", "fuzzy"] | str
    """How the quote matches the page: exactly, ignoring case and white space, or approximately."""
    match_score: float
    """Similarity of a `fuzzy` match; otherwise 1."""


class LanguageShare(OctavoModel):
    """A language and its share of the text."""

    language: str
    share: float
    """Share of the text whose language is known, by characters."""
    citations: list[Citation]


class LanguageAnalysis(OctavoModel):
    """The languages of the pages."""

    language: str | None
    """BCP 47 tag; null if there is too little text."""
    confidence: float | None
    """Share of the text in this language, by characters."""
    languages: list[LanguageShare]


class StatisticsAnalysis(OctavoModel):
    """Counts of the text."""

    pages: int
    characters: int
    words: int
    sentences: int
    paragraphs: int
    average_sentence_words: float
    reading_seconds: int
    """Reading time at 238 words per minute."""


class KeyPhrase(OctavoModel):
    """A phrase from the text that describes its subject."""

    text: str
    confidence: float
    """0 to 1."""
    citations: list[Citation]


EntityType: TypeAlias = Literal["person", "organisation", "place", "date", "time", "money", "percentage"] | str


class Entity(OctavoModel):
    """Experimental and for English text only; often misses people, places and organizations."""

    type: EntityType
    text: str
    confidence: float
    """0 to 1."""
    citations: list[Citation]


PersonalDatumType: TypeAlias = Literal["email", "phone", "card", "iban", "ssn", "ip_address"] | str


class PersonalDatum(OctavoModel):
    """Personal data, such as an email address."""

    type: PersonalDatumType
    text: str
    confidence: float
    """0 to 1."""
    citations: list[Citation]


SentimentLabel: TypeAlias = Literal["positive", "neutral", "negative", "mixed"] | str


class SentimentAnalysis(OctavoModel):
    """Sentiment of the English text; null if there is none."""

    label: SentimentLabel
    score: float
    """-1 (negative) to 1 (positive)."""
    confidence: float
    """0 to 1."""
    citations: list[Citation]
    """The sentences with the strongest sentiment."""


class Topic(OctavoModel):
    """One of a fixed list of subjects."""

    name: str
    confidence: float
    """0 to 1."""
    citations: list[Citation]


class ExtractedField(OctavoModel):
    """One value and its sources."""

    path: str
    """RFC 6901 pointer into `data`."""
    value: Any
    """The value in `data`: a string, a number, true, false or null."""
    confidence: float
    """0 to 1."""
    citations: list[Citation]


class ExtractionAnalysis(OctavoModel):
    """The values that your JSON Schema defines."""

    data: Any
    """The extracted object; it conforms to the schema."""
    fields: list[ExtractedField]


class Analysis(OctavoModel):
    """Facts extracted from a document: one field for each requested feature; the others are null."""

    id: str
    object: Literal["analysis"]
    status: OutcomeStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    job_id: str | None
    """The job that produces it; null if it was produced within the request."""
    project_id: str | None
    """The project that controls who can see it."""
    fingerprint: str | None
    """Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result."""
    cache: Literal["hit", "miss", "bypass"] | str
    """`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used."""
    method: Literal["extractive", "embedding", "generative", "rules", "keyword", "hybrid"] | str | None
    """How the result was produced."""
    model: OutcomeModel | None
    usage: OutcomeUsage | None
    warnings: list[str]
    """Anything that was skipped, dropped or done differently."""
    error: JobError | None
    document_id: str
    features: list[AnalysisFeature]
    page_range: ShownPageRange | None
    language: LanguageAnalysis | None
    statistics: StatisticsAnalysis | None
    key_phrases: list[KeyPhrase] | None
    entities: list[Entity] | None
    pii: list[PersonalDatum] | None
    sentiment: SentimentAnalysis | None
    topics: list[Topic] | None
    extraction: ExtractionAnalysis | None
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


SummaryStyle: TypeAlias = Literal["abstract", "bullets", "headline", "extractive"] | str


SummaryLength: TypeAlias = Literal["short", "medium", "long"] | str


class CitedSentence(OctavoModel):
    """A sentence and its sources."""

    text: str
    citations: list[Citation]
    """Empty if no page supports it."""


class Summary(OctavoModel):
    """A summary of documents or of a text, with citations for each sentence."""

    id: str
    object: Literal["summary"]
    status: OutcomeStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    job_id: str | None
    """The job that produces it; null if it was produced within the request."""
    project_id: str | None
    """The project that controls who can see it."""
    fingerprint: str | None
    """Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result."""
    cache: Literal["hit", "miss", "bypass"] | str
    """`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used."""
    method: Literal["extractive", "embedding", "generative", "rules", "keyword", "hybrid"] | str | None
    """How the result was produced."""
    model: OutcomeModel | None
    usage: OutcomeUsage | None
    warnings: list[str]
    """Anything that was skipped, dropped or done differently."""
    error: JobError | None
    document_ids: list[str]
    """Empty for a text in the request."""
    style: SummaryStyle
    length: SummaryLength
    language: str | None
    """BCP 47."""
    focus: str | None
    text: str | None
    sentences: list[CitedSentence]
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class ShownLabel(OctavoModel):
    name: str
    description: str | None
    examples: list[str]


class LabelScore(OctavoModel):
    """The score of a label and the passages that support it."""

    label: str
    score: float
    """0 to 1."""
    citations: list[Citation]


class Classification(OctavoModel):
    """Which of your labels fit a document or a text."""

    id: str
    object: Literal["classification"]
    status: OutcomeStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    job_id: str | None
    """The job that produces it; null if it was produced within the request."""
    project_id: str | None
    """The project that controls who can see it."""
    fingerprint: str | None
    """Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result."""
    cache: Literal["hit", "miss", "bypass"] | str
    """`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used."""
    method: Literal["extractive", "embedding", "generative", "rules", "keyword", "hybrid"] | str | None
    """How the result was produced."""
    model: OutcomeModel | None
    usage: OutcomeUsage | None
    warnings: list[str]
    """Anything that was skipped, dropped or done differently."""
    error: JobError | None
    document_id: str | None
    labels: list[ShownLabel]
    multi_label: bool
    """True if several labels may fit; their scores then do not add up to 1."""
    threshold: float
    """Minimum score of `label`."""
    label: str | None
    """The best label; null if none reaches the threshold."""
    results: list[LabelScore]
    """All labels, best first; empty until there is a result."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


EncodingFormat: TypeAlias = Literal["float", "base64"] | str


class EmbeddedText(OctavoModel):
    """One vector of length 1."""

    index: int
    vector: Any
    """Numbers, or little-endian float32 in Base64, depending on `encoding_format`."""
    chunk_id: str | None


class Embedding(OctavoModel):
    """Vectors of texts, or of the chunks of a document."""

    id: str
    object: Literal["embedding"]
    status: OutcomeStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    job_id: str | None
    """The job that produces it; null if it was produced within the request."""
    project_id: str | None
    """The project that controls who can see it."""
    fingerprint: str | None
    """Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result."""
    cache: Literal["hit", "miss", "bypass"] | str
    """`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used."""
    method: Literal["extractive", "embedding", "generative", "rules", "keyword", "hybrid"] | str | None
    """How the result was produced."""
    model: OutcomeModel | None
    usage: OutcomeUsage | None
    warnings: list[str]
    """Anything that was skipped, dropped or done differently."""
    error: JobError | None
    document_id: str | None
    encoding_format: EncodingFormat
    dimensions: int | None
    data: list[EmbeddedText]
    """In the order of the inputs or chunks. Empty in lists: get a single embedding to read its vectors."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


SearchMode: TypeAlias = Literal["hybrid", "semantic", "keyword"] | str


class ShownSearchFilters(OctavoModel):
    """The requested features."""

    metadata: Metadata | None = None
    created_after: datetime | None = None
    """Documents created at or after this time."""
    created_before: datetime | None = None
    """Documents created before this time."""


class SearchedDocument(OctavoModel):
    """The document of a passage, as it was at the time of the search."""

    title: str
    external_id: str | None
    metadata: Metadata


class Highlight(OctavoModel):
    """Position of a query word in `text`, in Unicode code points."""

    start: int
    end: int


class SearchScores(OctavoModel):
    """BM25, cosine similarity, the mean of both as shares, and the reranking model's score."""

    keyword: float | None
    semantic: float | None
    fused: float | None
    rerank: float | None


class NeighborPassage(OctavoModel):
    """A passage next to a result, in the order of the document."""

    chunk_id: str
    page_id: str
    page_number: int
    start: int
    end: int
    text: str


class SearchResult(OctavoModel):
    """A passage that matches the query."""

    document_id: str
    document: SearchedDocument
    page_id: str
    page_number: int
    chunk_id: str
    start: int
    """Start of the passage in the text of the page, in Unicode code points."""
    end: int
    text: str
    heading_path: list[str]
    expanded_text: str | None
    """The text with each row of a table as `header: value; header: value`, below the table's caption; null if the chunk has no table. Search indexes it. Citations and positions refer to `text`."""
    highlights: list[Highlight]
    score: float
    """Relevance from 0 to 1, on the same scale in all modes."""
    scores: SearchScores
    before: list[NeighborPassage]
    """The passages before it, if requested."""
    after: list[NeighborPassage]
    """The passages after it, if requested."""


class Search(OctavoModel):
    """A query and its results. Kept for 30 days."""

    id: str
    object: Literal["search"]
    status: OutcomeStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    job_id: str | None
    """The job that produces it; null if it was produced within the request."""
    project_id: str | None
    """The project that controls who can see it."""
    fingerprint: str | None
    """Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result."""
    cache: Literal["hit", "miss", "bypass"] | str
    """`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used."""
    method: Literal["extractive", "embedding", "generative", "rules", "keyword", "hybrid"] | str | None
    """How the result was produced."""
    model: OutcomeModel | None
    usage: OutcomeUsage | None
    warnings: list[str]
    """Anything that was skipped, dropped or done differently."""
    error: JobError | None
    query: str
    mode: SearchMode
    document_ids: list[str]
    filters: ShownSearchFilters | None
    rerank: str | None
    limit: int
    min_score: float | None
    max_per_document: int | None
    neighbors: int
    results: list[SearchResult]
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class NearestSentence(OctavoModel):
    """If `is_answered` is false: the closest candidate that the built-in engine found. It is not an answer. Null if there is none."""

    text: str
    citations: list[Citation]
    """Empty if no page supports it."""


class Passage(OctavoModel):
    """The passages that the answer is based on."""

    document_id: str
    page_id: str
    page_number: int
    chunk_id: str
    start: int
    end: int
    text: str
    score: float


class Answer(OctavoModel):
    """A question and its answer, with citations for each sentence. Kept for 30 days."""

    id: str
    object: Literal["answer"]
    status: OutcomeStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    job_id: str | None
    """The job that produces it; null if it was produced within the request."""
    project_id: str | None
    """The project that controls who can see it."""
    fingerprint: str | None
    """Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result."""
    cache: Literal["hit", "miss", "bypass"] | str
    """`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used."""
    method: Literal["extractive", "embedding", "generative", "rules", "keyword", "hybrid"] | str | None
    """How the result was produced."""
    model: OutcomeModel | None
    usage: OutcomeUsage | None
    warnings: list[str]
    """Anything that was skipped, dropped or done differently."""
    error: JobError | None
    question: str
    document_ids: list[str]
    filters: ShownSearchFilters | None
    language: str | None
    """BCP 47."""
    previous_answer_id: str | None
    standalone_question: str | None
    """The question that Octavo searched for, if it is a follow-up: `question` with the subject of the previous answer."""
    is_answered: bool
    """False if the documents do not contain the answer."""
    confidence: float | None
    """Probability that the answer is right, from the built-in engine; below its threshold `is_answered` is false. Null for generative models."""
    text: str | None
    sentences: list[CitedSentence]
    nearest: NearestSentence | None
    passages: list[Passage]
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


ReportType: TypeAlias = Literal["documents", "analysis", "classifications", "usage"] | str


ReportFormat: TypeAlias = Literal["json", "csv", "markdown", "html", "pdf"] | str


class ShownReportFilters(OctavoModel):
    """The requested features."""

    created_after: datetime | None = None
    """Rows at or after this time."""
    created_before: datetime | None = None
    """Rows before this time."""


class Report(OctavoModel):
    """A file with a table of many documents, or of other data. It does not change when documents are deleted later."""

    id: str
    object: Literal["report"]
    status: OutcomeStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    job_id: str | None
    """The job that produces it; null if it was produced within the request."""
    project_id: str | None
    """The project that controls who can see it."""
    fingerprint: str | None
    """Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result."""
    cache: Literal["hit", "miss", "bypass"] | str
    """`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used."""
    method: Literal["extractive", "embedding", "generative", "rules", "keyword", "hybrid"] | str | None
    """How the result was produced."""
    model: OutcomeModel | None
    usage: OutcomeUsage | None
    warnings: list[str]
    """Anything that was skipped, dropped or done differently."""
    error: JobError | None
    title: str
    type: ReportType
    format: ReportFormat
    filters: ShownReportFilters | None
    file_id: str | None
    """Download it from `/files/{file_id}/contents`."""
    row_count: int | None
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


JobType: TypeAlias = Literal["documents", "ingestion", "purge", "analysis", "summaries", "classifications", "embeddings", "answers", "reports", "reindex"] | str


JobStatus: TypeAlias = Literal["queued", "running", "succeeded", "partially_succeeded", "failed", "cancelled"] | str


class JobSubject(OctavoModel):
    """The resource that the job works on."""

    object: str
    id: str


class JobProgress(OctavoModel):
    """Progress of the job."""

    unit: Literal["pages", "items", "chunks"] | str
    completed: int
    failed: int
    total: int | None


class JobQueue(OctavoModel):
    """Position in the queue while it is waiting."""

    ahead: int
    """Jobs of the tenant that start before it, counted up to 10,000."""
    estimated_start_at: datetime | None
    """Estimated from the duration of recent jobs; null if unknown."""


class JobAttempt(OctavoModel):
    """One attempt that has ended."""

    number: int
    started_at: datetime
    ended_at: datetime
    outcome: Literal["succeeded", "partially_succeeded", "failed", "cancelled", "interrupted"] | str
    """`interrupted` means that the worker died or was stopped; this does not count toward `max_attempts`."""
    error: JobError | None


class JobUsage(OctavoModel):
    """Usage of the job."""

    pages: int
    compute_ms: int
    """Running time of all attempts."""


class Job(OctavoModel):
    """Background work: its progress, why it is waiting, and how it ended."""

    id: str
    object: Literal["job"]
    type: JobType
    status: JobStatus
    is_terminal: bool
    """True if it has ended and will not change by itself."""
    stage: Literal["fetching", "parsing", "ocr", "chunking", "embedding", "analysing", "writing"] | str | None
    waiting_reason: Literal["queue", "tenant_concurrency", "provider_throttled", "dependency", "retry_backoff"] | str | None
    """Why it is waiting; null while it is running and after it has ended."""
    subject: JobSubject
    project_id: str | None
    document_id: str | None
    parent_job_id: str | None
    """The batch it belongs to."""
    priority: Literal["low", "normal", "high"] | str
    progress: JobProgress | None
    queue: JobQueue | None
    attempt: int
    """Attempts started so far."""
    max_attempts: int
    """Failed attempts after which the job fails."""
    attempts: list[JobAttempt]
    """The last 100 attempts that have ended."""
    timeout_seconds: int
    """Maximum running time; waiting does not count."""
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    cancel_requested_at: datetime | None
    usage: JobUsage | None
    error: JobError | None
    warnings: list[str]
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


EventType: TypeAlias = Literal["project.created", "project.updated", "project.deleted", "document.created", "document.updated", "document.deleted", "page.created", "page.updated", "page.deleted", "upload.created", "upload.completed", "upload.deleted", "analysis.created", "analysis.updated", "analysis.succeeded", "analysis.partially_succeeded", "analysis.failed", "analysis.cancelled", "analysis.deleted", "summary.created", "summary.updated", "summary.succeeded", "summary.partially_succeeded", "summary.failed", "summary.cancelled", "summary.deleted", "classification.created", "classification.updated", "classification.succeeded", "classification.partially_succeeded", "classification.failed", "classification.cancelled", "classification.deleted", "embedding.created", "embedding.updated", "embedding.succeeded", "embedding.partially_succeeded", "embedding.failed", "embedding.cancelled", "embedding.deleted", "report.created", "report.updated", "report.succeeded", "report.partially_succeeded", "report.failed", "report.cancelled", "report.deleted", "search.created", "search.deleted", "answer.created", "answer.succeeded", "answer.partially_succeeded", "answer.failed", "answer.cancelled", "answer.deleted", "job.queued", "job.running", "job.updated", "job.succeeded", "job.partially_succeeded", "job.failed", "job.cancelled", "job.deleted", "api_key.created", "api_key.updated", "api_key.rotated", "api_key.revoked", "file.created", "file.deleted", "oauth_client.created", "oauth_client.updated", "oauth_client.deleted", "invitation.created", "invitation.updated", "invitation.accepted", "invitation.deleted", "member.created", "member.updated", "member.deleted", "user.created", "user.updated", "user.deleted", "authorization.created", "authorization.updated", "authorization.revoked"] | str


class Subject(OctavoModel):
    """The resource that an event is about."""

    object: str
    id: str


class Actor(OctavoModel):
    """The key, user or process that caused it."""

    type: Literal["api_key", "user", "client", "system"] | str
    id: str | None


class Event(OctavoModel):
    """A record of a change, written in the same transaction."""

    id: str
    object: Literal["event"]
    type: EventType
    subject: Subject
    actor: Actor
    request_id: str | None
    """The request that caused it."""
    project_id: str | None
    position: int
    """Position in the order of the tenant's committed events."""
    seq: int | None
    """Number within its job, starting at 1; null for events without a job."""
    data: dict[str, Any]
    """A few fields, enough to decide whether to get the subject."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class ApiKey(OctavoModel):
    """A long-lived credential for programs."""

    id: str
    object: Literal["api_key"]
    name: str
    scopes: list[Literal["documents:read", "documents:write", "jobs:read", "jobs:write", "projects:read", "projects:write", "analysis:read", "analysis:write", "summaries:read", "summaries:write", "classifications:read", "classifications:write", "embeddings:read", "embeddings:write", "searches:read", "searches:write", "reports:read", "reports:write", "events:read", "api_keys:manage", "oauth_clients:manage", "members:read", "members:manage", "tenant:manage", "authorizations:manage"] | str]
    """The scopes of the key."""
    project_ids: list[str] | None
    """The projects that the key can see; null means the whole tenant."""
    expires_at: datetime | None
    """When the key expires; null means never."""
    last_used_at: datetime | None
    """Accurate to the minute."""
    created_by: str | None
    """The key that created it; null if a user or the operator did."""
    created_by_user_id: str | None
    """The user who created it; null if no user did."""
    key_preview: str
    """The first and last characters of the newest secret."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class ApiKeyWithSecret(OctavoModel):
    """An API key with its secret, which is shown only once."""

    id: str
    object: Literal["api_key"]
    name: str
    scopes: list[Literal["documents:read", "documents:write", "jobs:read", "jobs:write", "projects:read", "projects:write", "analysis:read", "analysis:write", "summaries:read", "summaries:write", "classifications:read", "classifications:write", "embeddings:read", "embeddings:write", "searches:read", "searches:write", "reports:read", "reports:write", "events:read", "api_keys:manage", "oauth_clients:manage", "members:read", "members:manage", "tenant:manage", "authorizations:manage"] | str]
    """The scopes of the key."""
    project_ids: list[str] | None
    """The projects that the key can see; null means the whole tenant."""
    expires_at: datetime | None
    """When the key expires; null means never."""
    last_used_at: datetime | None
    """Accurate to the minute."""
    created_by: str | None
    """The key that created it; null if a user or the operator did."""
    created_by_user_id: str | None
    """The user who created it; null if no user did."""
    key_preview: str
    """The first and last characters of the newest secret."""
    secret: str
    """Send it as `Authorization: Bearer <secret>`. It is never shown again."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


#: `reader` reads the pages of documents, `embedder` turns texts into vectors, `generator` writes text, `reranker` orders passages, `engine` is the built-in engine.
ModelKind: TypeAlias = Literal["reader", "embedder", "generator", "reranker", "engine"] | str


class ModelPrice(OctavoModel):
    """Price per million tokens, in millionths of the operator's currency."""

    input: int
    output: int


class Model(OctavoModel):
    """A model, reader or engine that a request can name."""

    id: str
    """The id that requests use."""
    object: Literal["model"]
    kind: ModelKind
    provider: str
    """`built_in`, or a provider that the operator configured."""
    version: str
    locality: Literal["local", "remote"] | str
    """`remote` means that text sent to it leaves this installation."""
    capabilities: list[str]
    languages: list[str]
    """BCP 47 tags of the languages it supports; for a reader, the languages of its OCR. Empty if unknown."""
    context_tokens: int | None
    """Context length: prompt and output together; for an embedder, its longest text."""
    dimensions: int | None
    """Vector length of an embedder."""
    price: ModelPrice
    licence: str | None
    is_default: bool
    """Used when the request does not name a model."""


class Capabilities(OctavoModel):
    """Features and limits of this server."""

    object: Literal["capabilities"]
    version: str
    """The version of the server."""
    api_versions: list[str]
    features: list[str]
    """Collections that this server supports."""
    formats: list[str]
    """Source types that this server accepts for documents."""
    limits: dict[str, int]
    """`json_bytes` is the largest JSON body that every endpoint accepts; `large_json_bytes` is the limit of the endpoints for documents, pages, embeddings and batches. `file_bytes` is the largest file."""


class RatePolicy(OctavoModel):
    """One limit and its remaining quota."""

    name: Literal["requests", "ai", "concurrent", "jobs", "queue", "streams"] | str
    quota: int
    window_seconds: int
    """Window of the limit; 0 for a concurrency limit."""
    remaining: int
    reset_seconds: int
    """Seconds until the full quota is available again."""


class RateLimit(OctavoModel):
    """The rate limits of a key or a tenant."""

    id: Literal["principal", "tenant"] | str
    """Whose limits these are: `principal` is the calling key or user, `tenant` is the whole tenant."""
    object: Literal["rate_limit"]
    tier: Literal["free", "standard", "enterprise", "self_hosted"] | str
    policies: list[RatePolicy]


#: OpenAPI 3.1.
OpenApiDescription: TypeAlias = dict[str, Any]


class OauthClient(OctavoModel):
    """An application that gets access tokens with OAuth 2.0. Its id is its `client_id`."""

    id: str
    object: Literal["oauth_client"]
    name: str
    """Shown to users on the consent page."""
    grant_types: list[Literal["authorization_code", "refresh_token", "client_credentials"] | str]
    redirect_uris: list[str]
    """Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`."""
    scopes: list[Literal["documents:read", "documents:write", "jobs:read", "jobs:write", "projects:read", "projects:write", "analysis:read", "analysis:write", "summaries:read", "summaries:write", "classifications:read", "classifications:write", "embeddings:read", "embeddings:write", "searches:read", "searches:write", "reports:read", "reports:write", "events:read", "members:read"] | str]
    """The scopes that the application can request."""
    project_ids: list[str] | None
    """The projects that the application can see; null means all projects of the user or the tenant."""
    is_confidential: bool
    """True if the application has a secret. False for apps on phones, desktops and in browsers."""
    secret_preview: str | None
    """The first and last characters of the secret."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class OauthClientWithSecret(OctavoModel):
    """An OAuth application with its secret, which is shown only once."""

    id: str
    object: Literal["oauth_client"]
    name: str
    """Shown to users on the consent page."""
    grant_types: list[Literal["authorization_code", "refresh_token", "client_credentials"] | str]
    redirect_uris: list[str]
    """Where users return after they give access. Must match exactly. Allowed are `https`, `http` on 127.0.0.1 or [::1] with any port, or a private-use scheme such as `com.example.app:/callback`."""
    scopes: list[Literal["documents:read", "documents:write", "jobs:read", "jobs:write", "projects:read", "projects:write", "analysis:read", "analysis:write", "summaries:read", "summaries:write", "classifications:read", "classifications:write", "embeddings:read", "embeddings:write", "searches:read", "searches:write", "reports:read", "reports:write", "events:read", "members:read"] | str]
    """The scopes that the application can request."""
    project_ids: list[str] | None
    """The projects that the application can see; null means all projects of the user or the tenant."""
    is_confidential: bool
    """True if the application has a secret. False for apps on phones, desktops and in browsers."""
    secret_preview: str | None
    """The first and last characters of the secret."""
    secret: str | None
    """The `client_secret`; null for a public client. It is never shown again."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


#: `owner`: everything; `admin`: everything except appointing owners; `editor`: reads and writes; `viewer`: reads, searches and asks questions.
Role: TypeAlias = Literal["owner", "admin", "editor", "viewer"] | str


class Invitation(OctavoModel):
    """An offer to become a user of the tenant. The link that accepts it works once."""

    id: str
    object: Literal["invitation"]
    email: str
    """An email address."""
    role: Role
    project_ids: list[str] | None
    """The projects that the user will be a member of and see; null means the whole tenant."""
    invited_by: str | None
    """The user who sent the invitation; null if an API key or the operator did."""
    expires_at: datetime
    """When the link stops working."""
    accepted_at: datetime | None
    user_id: str | None
    """The user who accepted the invitation."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class InvitationWithLink(OctavoModel):
    """An invitation with its link, which is shown only once."""

    id: str
    object: Literal["invitation"]
    email: str
    """An email address."""
    role: Role
    project_ids: list[str] | None
    """The projects that the user will be a member of and see; null means the whole tenant."""
    invited_by: str | None
    """The user who sent the invitation; null if an API key or the operator did."""
    expires_at: datetime
    """When the link stops working."""
    accepted_at: datetime | None
    user_id: str | None
    """The user who accepted the invitation."""
    url: str
    """The page that accepts the invitation. Give it only to the invitee."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class Member(OctavoModel):
    """The membership of a user in a project."""

    id: str
    object: Literal["member"]
    project_id: str
    user_id: str
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


#: `all`: the whole tenant; `assigned`: only the projects that the user is a member of. Owners and admins always have `all`.
ProjectAccess: TypeAlias = Literal["all", "assigned"] | str


#: A suspended user has no access.
UserStatus: TypeAlias = Literal["active", "suspended"] | str


class User(OctavoModel):
    """A person in a tenant. A person with the same address in two tenants has two users."""

    id: str
    object: Literal["user"]
    email: str
    """An email address."""
    name: str
    role: Role
    project_access: ProjectAccess
    status: UserStatus
    signed_in_at: datetime | None
    """The last sign-in; null means never."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


class Authorization(OctavoModel):
    """The access that a user gave to an application."""

    id: str
    object: Literal["authorization"]
    user_id: str
    client_id: str | None
    """The registered application; null for Octavo's command line and for an application with a `client_url`."""
    client_url: str | None
    """The `client_id` of an application that is not registered: the address of its metadata document."""
    client_name: str
    """The application's name, or the host of its `client_url`."""
    scopes: list[Literal["documents:read", "documents:write", "jobs:read", "jobs:write", "projects:read", "projects:write", "analysis:read", "analysis:write", "summaries:read", "summaries:write", "classifications:read", "classifications:write", "embeddings:read", "embeddings:write", "searches:read", "searches:write", "reports:read", "reports:write", "events:read", "api_keys:manage", "oauth_clients:manage", "members:read", "members:manage", "tenant:manage", "authorizations:manage"] | str]
    """Permissions of the application, within the limits of the user's role."""
    last_used_at: datetime | None
    """Accurate to the minute."""
    expires_at: datetime
    """When the user has to agree again."""
    metadata: Metadata
    created_at: datetime
    updated_at: datetime


DetailCode: TypeAlias = Literal["required", "invalid_type", "unknown_field", "not_allowed_value", "too_short", "too_long", "too_few_items", "too_many_items", "duplicate_items", "too_small", "too_large", "not_multiple_of", "invalid_format", "reference_not_found", "immutable", "inconsistent", "capability_missing", "taken", "quota_exceeded", "repeated", "too_many_errors"] | str


class ErrorDetail(OctavoModel):
    """One error."""

    field: str
    """Dotted path of a body field, or the name of a parameter, header or limit."""
    location: Literal["body", "query", "header", "limit"] | str
    code: DetailCode
    message: str
    pointer: str | None = None
    """RFC 6901 pointer, for body fields."""
    id: str | None = None
    """The existing resource that the entry refers to."""


#: Machine-readable code; branch on it.
ErrorCode: TypeAlias = Literal["invalid_json", "invalid_request", "invalid_parameter", "invalid_cursor", "unauthenticated", "invalid_token", "insufficient_user_authentication", "insufficient_scope", "permission_denied", "not_found", "method_not_allowed", "not_acceptable", "conflict", "invalid_state", "resource_in_use", "idempotency_in_progress", "version_retired", "precondition_failed", "payload_too_large", "uri_too_long", "unsupported_media_type", "range_not_satisfiable", "validation_error", "idempotency_key_reused", "rate_limit_exceeded", "headers_too_large", "internal_error", "service_unavailable"] | str
