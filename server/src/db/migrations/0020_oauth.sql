-- OAuth 2.0: applications, the access that users gave them, the artifacts of the protocol, and signing keys.

create table oauth_clients (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  grant_types text[] not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  project_ids uuid[],
  -- SHA-256 of the client secret; null: a public client.
  secret_hash bytea,
  secret_preview text,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
alter table oauth_clients enable row level security;
alter table oauth_clients force row level security;
-- A caller limited to projects sees only clients that see no more than itself.
create policy oauth_clients_own on oauth_clients to octavo_app using (
  tenant_id = (select app_tenant())
  and ((select app_projects()) is null or coalesce(project_ids <@ (select app_projects())::uuid[], false))
);
grant select, insert, update, delete on oauth_clients to octavo_app;

-- The look-up of a client id: the tenant is not known yet, so a row is visible only with the hash of the client id.
create table oauth_client_ids (
  hash bytea primary key,
  tenant_id uuid not null,
  client_id uuid not null,
  foreign key (tenant_id, client_id) references oauth_clients (tenant_id, id) on delete cascade
);
create index oauth_client_ids_by_client on oauth_client_ids (tenant_id, client_id);
alter table oauth_client_ids enable row level security;
alter table oauth_client_ids force row level security;
create policy oauth_client_ids_bearer on oauth_client_ids for select to octavo_app
  using (hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
create policy oauth_client_ids_own on oauth_client_ids to octavo_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
grant select, insert on oauth_client_ids to octavo_app;

-- The access that a user gave to an application: what /authorizations lists.
create table oauth_grants (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- null: a client that is part of Octavo.
  client_id uuid,
  scopes text[] not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3) not null,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint oauth_grants_user foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  constraint oauth_grants_client foreign key (tenant_id, client_id) references oauth_clients (tenant_id, id) on delete cascade
);
create index oauth_grants_by_user on oauth_grants (tenant_id, user_id, client_id, id);
create index oauth_grants_by_client on oauth_grants (tenant_id, client_id);
create index oauth_grants_by_end on oauth_grants (expires_at);
alter table oauth_grants enable row level security;
alter table oauth_grants force row level security;
create policy oauth_grants_own on oauth_grants to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, update, delete on oauth_grants to octavo_app;
create policy oauth_grants_ended on oauth_grants to octavo_system using (expires_at < now());
grant select (tenant_id, id, expires_at), delete on oauth_grants to octavo_system;

-- Codes, refresh tokens, device codes and interactions of the authorization server. The tenant of a look-up is not known yet, so a
-- row is visible only with its hash. The payload is encrypted.
create table oauth_artifacts (
  hash bytea primary key,
  kind text not null,
  -- The hash of a second name: the user code of a device code.
  alias bytea,
  -- null until a user has signed in.
  tenant_id uuid,
  grant_id uuid,
  payload bytea not null,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  constraint oauth_artifacts_grant foreign key (tenant_id, grant_id) references oauth_grants (tenant_id, id) on delete cascade
);
create index oauth_artifacts_by_alias on oauth_artifacts (alias) where alias is not null;
create index oauth_artifacts_by_grant on oauth_artifacts (tenant_id, grant_id);
create index oauth_artifacts_by_end on oauth_artifacts (expires_at);
alter table oauth_artifacts enable row level security;
alter table oauth_artifacts force row level security;
create policy oauth_artifacts_bearer on oauth_artifacts to octavo_app using (
  hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex')
  or alias = decode(nullif(current_setting('app.key_hash', true), ''), 'hex')
);
grant select, insert, update, delete on oauth_artifacts to octavo_app;
create policy oauth_artifacts_ended on oauth_artifacts to octavo_system using (expires_at < now());
grant select (hash, expires_at), delete on oauth_artifacts to octavo_system;

-- Keys that sign access tokens. The private half is encrypted with OCTAVO_SECRETS and readable only by octavo_system.
create table oauth_signing_keys (
  id text primary key,
  public_key jsonb not null,
  private_key bytea not null,
  -- Signs from this time on; published before.
  starts_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
alter table oauth_signing_keys enable row level security;
alter table oauth_signing_keys force row level security;
create policy oauth_signing_keys_public on oauth_signing_keys for select to octavo_app using (true);
grant select (id, public_key, starts_at) on oauth_signing_keys to octavo_app;
create policy oauth_signing_keys_system on oauth_signing_keys to octavo_system using (true) with check (true);
grant select, insert, update (starts_at), delete on oauth_signing_keys to octavo_system;
