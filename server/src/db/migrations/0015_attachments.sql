-- The email that a document was attached to. Documents are deleted with their email.
alter table documents add column parent_document_id uuid;
create index documents_by_parent on documents (tenant_id, parent_document_id) where parent_document_id is not null;
