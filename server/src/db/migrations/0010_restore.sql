-- A restored database is older than what clients and operators know. What must hold all the same is noted outside of it, in the
-- file store.

-- When a secret was made: a rotation that is noted outside ends those that were made before it. null: before there was this column.
alter table key_secrets add column created_at timestamptz(3);
alter table key_secrets alter column created_at set default now();

-- Ends of keys (`ends_at` is null) and of secrets of a key that are not noted outside yet: written with the revocation, gone with its note.
create table key_ends (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  key_id uuid not null,
  -- Secrets made before this moment are meant.
  at timestamptz(3) not null,
  -- When they end.
  ends_at timestamptz(3),
  primary key (tenant_id, id)
);
create index key_ends_by_age on key_ends (at);
alter table key_ends enable row level security;
alter table key_ends force row level security;
create policy key_ends_own on key_ends to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, delete on key_ends to octavo_app;
-- What a request could not note, a worker does.
create policy key_ends_system on key_ends to octavo_system using (true);
grant select, delete on key_ends to octavo_system;

-- A process that starts compares what is noted with what lives, for all tenants at once; of a secret it sees when it ends, never its hash.
create policy api_keys_compared on api_keys for select to octavo_system using (true);
grant select (tenant_id, id) on api_keys to octavo_system;
create policy key_secrets_compared on key_secrets for select to octavo_system using (true);
grant select (created_at) on key_secrets to octavo_system;
