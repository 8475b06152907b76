-- No release has these tables yet, so there are no rows that locks or scans would hold up.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, adding-required-field

alter table projects add column default_processing jsonb not null default '{}';

alter table documents
  add column processing jsonb,
  -- Not a reference: the file refers to the document.
  add column file_id uuid,
  add column language text;
create index documents_by_sha256 on documents (tenant_id, sha256) where sha256 is not null and deleted_at is null;

create table files (
  tenant_id uuid not null,
  id uuid not null,
  -- Copied from the document, so that visibility is one condition everywhere.
  project_id uuid,
  document_id uuid not null,
  kind text not null check (kind in ('original', 'page_image')),
  -- The last part of the object's key; the tenant is the first. An upload keeps its object when it becomes a file.
  object_id uuid not null,
  file_name text not null,
  media_type text not null,
  size_bytes bigint not null,
  sha256 text,
  -- The sweeper found that its bytes are gone.
  missing_at timestamptz(3),
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  -- Not on delete cascade: a row is removed after its bytes, never before.
  constraint files_document foreign key (tenant_id, document_id) references documents (tenant_id, id)
);
create index files_by_document on files (tenant_id, document_id);
create unique index files_by_object on files (tenant_id, object_id);
alter table files enable row level security;
alter table files force row level security;
create policy files_own on files to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on files to octavo_app;
create policy files_swept on files to octavo_system using (true);
grant select (tenant_id, id, document_id, object_id, created_at, missing_at), update (missing_at) on files to octavo_system;

create table uploads (
  tenant_id uuid not null,
  id uuid not null,
  project_id uuid,
  file_name text not null,
  media_type text not null,
  size_bytes bigint not null,
  sha256 text,
  status text not null check (status in ('pending', 'completed')),
  object_id uuid not null,
  -- The store's own name for an upload in parts.
  parts_upload text,
  part_bytes bigint,
  document_id uuid,
  expires_at timestamptz(3) not null,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint uploads_project foreign key (tenant_id, project_id) references projects (tenant_id, id) on delete set null (project_id)
);
create index uploads_by_project on uploads (tenant_id, project_id, id);
create unique index uploads_by_object on uploads (tenant_id, object_id);
create index uploads_by_document on uploads (tenant_id, document_id) where document_id is not null;
create index uploads_by_expiry on uploads (expires_at) where status = 'pending';
alter table uploads enable row level security;
alter table uploads force row level security;
create policy uploads_own on uploads to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on uploads to octavo_app;
create policy uploads_swept on uploads for select to octavo_system using (true);
grant select (tenant_id, id, object_id, status, expires_at) on uploads to octavo_system;

alter table pages
  add column language text,
  add column confidence real,
  add column width real,
  add column height real,
  -- null: paragraphs of the text, without more.
  add column blocks jsonb,
  add column reader jsonb,
  add column image_file_id uuid,
  add column error jsonb,
  -- The headings that are open at its end: what the chunks of the next page stand under.
  add column heading_path jsonb not null default '[]';
alter table pages drop constraint pages_text_source_check;
alter table pages add constraint pages_text_source_check check (text_source in ('embedded', 'ocr', 'supplied', 'corrected'));
alter table pages add constraint pages_number_check check (number between 1 and 2147483647);

alter table chunks
  -- Of the page, which never changes: the page's number, and the chunk's within it in the lower 20 bits.
  add column position bigint not null,
  add column page_number bigint not null,
  add column heading_path jsonb not null default '[]',
  add column token_count bigint not null default 0;
create unique index chunks_by_position on chunks (tenant_id, document_id, position);
