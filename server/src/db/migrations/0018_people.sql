-- People: the users of a tenant, the projects that they are members of, and invitations.

create table users (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  email text not null,
  -- The address in lower case and Unicode normalization form C: what makes two addresses equal.
  email_key text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  -- 'assigned': only the projects in project_members.
  project_access text not null default 'all' check (project_access in ('all', 'assigned')),
  -- null: the user has no password.
  password_hash text,
  suspended_at timestamptz(3),
  signed_in_at timestamptz(3),
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint users_email unique (tenant_id, email_key),
  constraint users_whole_tenant check (project_access = 'all' or role in ('editor', 'viewer'))
);
-- Sign-in knows an address and not the tenant.
create index users_by_email on users (email_key);
create index users_owners on users (tenant_id, id) where role = 'owner';

create table project_members (
  tenant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint project_members_once unique (tenant_id, project_id, user_id),
  constraint project_members_project foreign key (tenant_id, project_id) references projects (tenant_id, id) on delete cascade,
  constraint project_members_user foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index project_members_by_project on project_members (tenant_id, project_id, id);
create index project_members_by_user on project_members (tenant_id, user_id);
alter table project_members enable row level security;
alter table project_members force row level security;
create policy project_members_own on project_members to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on project_members to octavo_app;

alter table users enable row level security;
alter table users force row level security;
-- A caller limited to projects sees only the members of these projects.
create policy users_own on users to octavo_app using (
  tenant_id = (select app_tenant())
  and ((select app_projects()) is null or exists (
    select from project_members m
    where m.tenant_id = users.tenant_id and m.user_id = users.id and m.project_id = any ((select app_projects())::uuid[])
  ))
);
grant select, insert, update, delete on users to octavo_app;

create table invitations (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  -- The projects of the new user; null: the whole tenant.
  project_ids uuid[],
  -- The user who invited; null: an API key or the operator did.
  invited_by uuid,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  -- The user that the invitation has become.
  user_id uuid,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint invitations_whole_tenant check (project_ids is null or role in ('editor', 'viewer'))
);
create unique index invitations_open on invitations (tenant_id, email_key) where accepted_at is null;
alter table invitations enable row level security;
alter table invitations force row level security;
-- A caller limited to projects sees only invitations that give no more than these projects.
create policy invitations_own on invitations to octavo_app using (
  tenant_id = (select app_tenant())
  and ((select app_projects()) is null or coalesce(project_ids <@ (select app_projects())::uuid[], false))
);
grant select, insert, update, delete on invitations to octavo_app;

-- The secrets of links, each for one use: redeeming one is a single DELETE. The look-up does not know the tenant yet, so a row is
-- visible to the bearer of its hash.
create table link_secrets (
  hash bytea primary key,
  tenant_id uuid not null references tenants (id),
  kind text not null check (kind in ('invitation', 'password_reset')),
  -- An invitation or a user.
  subject_id uuid not null,
  expires_at timestamptz(3) not null
);
create index link_secrets_by_subject on link_secrets (tenant_id, subject_id);
create index link_secrets_by_end on link_secrets (expires_at);
alter table link_secrets enable row level security;
alter table link_secrets force row level security;
create policy link_secrets_bearer on link_secrets for select to octavo_app
  using (hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
create policy link_secrets_own on link_secrets to octavo_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
grant select, insert, delete on link_secrets to octavo_app;
-- Secrets that have expired are swept.
create policy link_secrets_ended on link_secrets to octavo_system using (expires_at < now());
grant select (tenant_id, subject_id, expires_at), delete on link_secrets to octavo_system;

-- The user who created a key.
alter table api_keys add column created_by_user_id uuid;
