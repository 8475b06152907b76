-- Who the rows belong to. Every table's key begins with the tenant, and no statement spans tenants.

-- Raises when no tenant is set: a forgotten tenant is an error in the first test, not an empty list in production.
create function app_tenant() returns uuid language plpgsql stable parallel safe as $$
declare tenant text := current_setting('app.tenant', true);
begin
  if tenant is null or tenant = '' then
    raise exception 'no tenant is set for this transaction' using errcode = 'OC001';
  end if;
  return tenant::uuid;
end $$;

-- The projects that the caller sees; null: the whole tenant ('*').
create function app_projects() returns uuid[] language plpgsql stable parallel safe as $$
declare projects text := current_setting('app.projects', true);
begin
  if projects is null or projects = '' then
    raise exception 'no projects are set for this transaction' using errcode = 'OC001';
  end if;
  return case when projects = '*' then null else projects::uuid[] end;
end $$;

create table tenants (
  id uuid primary key,
  name text not null,
  tier text not null check (tier in ('free', 'standard', 'enterprise', 'self_hosted')),
  suspended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenants_own on tenants to octavo_app using (id = (select app_tenant()));
create policy tenants_system on tenants to octavo_system using (true) with check (true);
grant select on tenants to octavo_app;
grant select, insert, update on tenants to octavo_system;

create table api_keys (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  scopes text[] not null,
  project_ids uuid[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_by uuid,
  key_preview text not null,
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
alter table api_keys enable row level security;
alter table api_keys force row level security;
-- A caller limited to projects sees only keys that see no more than itself.
create policy api_keys_own on api_keys to octavo_app using (
  tenant_id = (select app_tenant())
  and ((select app_projects()) is null or coalesce(project_ids <@ (select app_projects())::uuid[], false))
);
grant select, insert, update, delete on api_keys to octavo_app;

-- The look-up of a secret: the tenant is not known yet, so the row shows itself only to who brings its hash.
create table key_secrets (
  hash bytea primary key,
  tenant_id uuid not null,
  key_id uuid not null,
  expires_at timestamptz(3),
  foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade
);
create index key_secrets_key on key_secrets (tenant_id, key_id);
alter table key_secrets enable row level security;
alter table key_secrets force row level security;
create policy key_secrets_bearer on key_secrets for select to octavo_app
  using (hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
create policy key_secrets_own on key_secrets to octavo_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
grant select, insert, update, delete on key_secrets to octavo_app;
-- Secrets whose overlap has ended are swept.
create index key_secrets_by_end on key_secrets (expires_at) where expires_at is not null;
create policy key_secrets_ended on key_secrets to octavo_system using (expires_at < now());
grant select (tenant_id, key_id, expires_at), delete on key_secrets to octavo_system;
