-- Sign-in: the sessions, passkeys and external identities of users.

-- Sign-in knows an address and not the tenant, so a user is visible to the bearer of the address.
create policy users_by_email on users for select to octavo_app
  using (email_key = nullif(current_setting('app.email_key', true), ''));

-- A session serves the pages under /sign-in and the consent page, never the API. Its secret is in a cookie.
create table sessions (
  hash bytea primary key,
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  method text not null check (method in ('password', 'passkey', 'provider')),
  user_agent text not null,
  address text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint sessions_user foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index sessions_by_user on sessions (tenant_id, user_id, id);
create index sessions_by_end on sessions (expires_at);
alter table sessions enable row level security;
alter table sessions force row level security;
create policy sessions_bearer on sessions for select to octavo_app
  using (hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
create policy sessions_own on sessions to octavo_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
grant select, insert, update, delete on sessions to octavo_app;
-- Sessions that have expired are swept.
create policy sessions_ended on sessions to octavo_system using (expires_at < now());
grant select (tenant_id, id, expires_at), delete on sessions to octavo_system;

-- Found by the SHA-256 of the credential id, before the tenant is known.
create table passkeys (
  hash bytea primary key,
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint passkeys_user foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index passkeys_by_user on passkeys (tenant_id, user_id, id);
alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy passkeys_bearer on passkeys for select to octavo_app
  using (hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
create policy passkeys_own on passkeys to octavo_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
grant select, insert, update, delete on passkeys to octavo_app;

-- The accounts of users at an external OpenID provider. One account may be linked to a user in each of several tenants.
-- Found by the SHA-256 of issuer and subject.
create table identities (
  hash bytea not null,
  tenant_id uuid not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null,
  created_at timestamptz(3) not null,
  primary key (hash, tenant_id),
  constraint identities_user foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index identities_by_user on identities (tenant_id, user_id);
alter table identities enable row level security;
alter table identities force row level security;
create policy identities_bearer on identities for select to octavo_app
  using (hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
create policy identities_own on identities to octavo_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
grant select, insert, delete on identities to octavo_app;
