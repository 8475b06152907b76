-- No release has these tables yet, so there are no rows that locks or scans would hold up.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint

alter table projects add column retention_days bigint check (retention_days > 0);
alter table documents
  add column expires_at timestamptz(3),
  -- Not a reference: jobs are forgotten before their documents.
  add column latest_job_id uuid,
  -- Gone for every read; the rows are removed in the background.
  add column deleted_at timestamptz(3);

drop index documents_external_id;
create unique index documents_external_id on documents (tenant_id, external_id) where external_id is not null and deleted_at is null;
-- The documents of a project are counted without a look at the table.
drop index documents_by_project;
create index documents_by_project on documents (tenant_id, project_id, id) include (deleted_at);
-- A dead document does not hold its project; that no living one is left is looked at under the lock of the project.
alter table documents drop constraint documents_project;
alter table documents add constraint documents_project foreign key (tenant_id, project_id) references projects (tenant_id, id)
  on delete set null (project_id);

create table chunks (
  tenant_id uuid not null,
  document_id uuid not null,
  page_id uuid not null,
  id uuid not null,
  -- Copied from the document, so that visibility is one condition everywhere.
  project_id uuid,
  -- Within the page, from 1.
  number bigint not null,
  -- In code points of the page's text: the chunk is what lies from the first up to the second.
  start_offset bigint not null,
  end_offset bigint not null,
  primary key (tenant_id, document_id, page_id, number),
  constraint chunks_page foreign key (tenant_id, document_id, page_id) references pages (tenant_id, document_id, id) on delete cascade,
  constraint chunks_offsets check (start_offset >= 0 and end_offset > start_offset)
);
alter table chunks enable row level security;
alter table chunks force row level security;
create policy chunks_own on chunks to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on chunks to octavo_app;

-- What has outlived its time is found for all tenants, and nothing else of a document is seen.
create index documents_by_expiry on documents (expires_at) where expires_at is not null and deleted_at is null;
create index projects_by_retention on projects (tenant_id, id) where retention_days is not null;
create policy projects_retaining on projects for select to octavo_system using (retention_days is not null);
create policy documents_expired on documents for select to octavo_system using (deleted_at is null and expires_at < now());
create policy documents_retained on documents for select to octavo_system using (
  deleted_at is null and exists (
    select from projects p where p.tenant_id = documents.tenant_id and p.id = documents.project_id and p.retention_days is not null
  )
);
grant select (tenant_id, id, retention_days) on projects to octavo_system;
grant select (tenant_id, id, project_id, expires_at, deleted_at) on documents to octavo_system;
