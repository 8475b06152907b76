create table projects (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  description text,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
alter table projects enable row level security;
alter table projects force row level security;
create policy projects_own on projects to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on projects to octavo_app;

create table documents (
  tenant_id uuid not null,
  id uuid not null,
  project_id uuid,
  title text not null,
  external_id text,
  source jsonb,
  status text not null check (status in ('processing', 'ready', 'partially_ready', 'failed')),
  media_type text,
  size_bytes bigint,
  sha256 text,
  page_count bigint not null,
  pages_ready bigint not null,
  pages_failed bigint not null,
  warnings jsonb not null default '[]',
  error jsonb,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint documents_project foreign key (tenant_id, project_id) references projects (tenant_id, id)
);
create index documents_by_project on documents (tenant_id, project_id, id);
-- A project has one tenant: without knowing it the planner takes a project's rows for few and sorts them all.
create statistics documents_tenant_of_project (dependencies, ndistinct) on tenant_id, project_id from documents;
create unique index documents_external_id on documents (tenant_id, external_id) where external_id is not null;
alter table documents enable row level security;
alter table documents force row level security;
create policy documents_own on documents to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on documents to octavo_app;

create table pages (
  tenant_id uuid not null,
  document_id uuid not null,
  id uuid not null,
  -- Copied from the document, so that visibility is one condition everywhere.
  project_id uuid,
  number bigint not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  text text not null,
  text_source text not null check (text_source in ('supplied', 'corrected')),
  sha256 text not null,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, document_id, id),
  constraint pages_document foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
);
create unique index pages_number on pages (tenant_id, document_id, number);
alter table pages enable row level security;
alter table pages force row level security;
create policy pages_own on pages to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on pages to octavo_app;
