-- The email that a document was attached to. Documents are deleted with their email.
alter table documents add column parent_document_id uuid;
-- The new column is null in every row, so the index is empty and its creation short.
-- squawk-ignore require-concurrent-index-creation
create index documents_by_parent on documents (tenant_id, parent_document_id) where parent_document_id is not null;
