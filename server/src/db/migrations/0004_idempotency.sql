-- One row for each Idempotency-Key, in the transaction of its effect: nothing to take over after a crash.
create table idempotency_keys (
  tenant_id uuid not null,
  -- SHA-256 of principal, method, path and key: two callers never meet.
  key_hash bytea not null,
  fingerprint bytea not null,
  status bigint,
  location text,
  etag text,
  body bytea,
  is_sealed boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (tenant_id, key_hash)
) with (fillfactor = 80);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy idempotency_keys_own on idempotency_keys to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, update on idempotency_keys to octavo_app;
-- What is forgotten after 24 hours, and nothing younger.
create index idempotency_keys_by_age on idempotency_keys (created_at);
create policy idempotency_keys_old on idempotency_keys to octavo_system using (created_at < now() - interval '24 hours');
grant select, delete on idempotency_keys to octavo_system;
