-- No release has these tables yet, so there are no rows that locks or scans would hold up.
-- squawk-ignore-file require-concurrent-index-creation, ban-drop-not-null, constraint-missing-not-valid, adding-foreign-key-constraint, adding-required-field

-- Whether the text of a project may leave this installation.
alter table projects add column privacy text not null default 'allowed' check (privacy in ('local_only', 'allowed'));
alter table tenants
  -- {generator, embedder, labels}: ids of models; the installation's own where one is missing.
  add column default_models jsonb not null default '{}',
  -- null: all that the installation has.
  add column allowed_models jsonb,
  -- null: no bound.
  add column daily_budget_micros bigint check (daily_budget_micros >= 0);
-- Why a job waits until `run_after`; null: it failed and is tried again.
alter table jobs add column waiting_for text check (waiting_for in ('dependency', 'provider_throttled'));

-- Everything that a model makes: one table, since what they share is what has to be right.
create table outcomes (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  object text not null check (object in ('analysis', 'summary', 'classification', 'embedding', 'search', 'answer', 'report')),
  project_id uuid,
  -- Of an outcome of one document.
  document_id uuid,
  -- Not a reference: jobs are forgotten before their outcomes.
  job_id uuid,
  -- Who asked; null: the system.
  key_id uuid,
  status text not null check (status in ('queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'cancelled')),
  -- What was asked for, as it is shown; never the text that came with the request.
  request jsonb not null,
  -- What came out: members of the answer.
  result jsonb,
  fingerprint text,
  cache text not null check (cache in ('hit', 'miss', 'bypass')),
  method text,
  model jsonb,
  usage jsonb,
  warnings jsonb not null default '[]',
  error jsonb,
  -- Text that has come so far, for who listens.
  draft text,
  expires_at timestamptz(3),
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, object, id)
);
create index outcomes_by_project on outcomes (tenant_id, object, project_id, id);
create index outcomes_by_document on outcomes (tenant_id, document_id, object, id) where document_id is not null;
-- The same question gets the answer that is there.
create index outcomes_by_fingerprint on outcomes (tenant_id, object, fingerprint) where status = 'succeeded' and fingerprint is not null;
create index outcomes_by_expiry on outcomes (expires_at) where expires_at is not null;
alter table outcomes enable row level security;
alter table outcomes force row level security;
create policy outcomes_own on outcomes to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on outcomes to octavo_app;
create policy outcomes_expired on outcomes for select to octavo_system using (expires_at < now());
grant select (tenant_id, object, id, expires_at) on outcomes to octavo_system;

-- Which documents an outcome has read: with any of them it goes.
create table outcome_sources (
  tenant_id uuid not null,
  document_id uuid not null,
  object text not null,
  outcome_id uuid not null,
  primary key (tenant_id, document_id, object, outcome_id),
  constraint outcome_sources_outcome foreign key (tenant_id, object, outcome_id) references outcomes (tenant_id, object, id) on delete cascade
);
create index outcome_sources_by_outcome on outcome_sources (tenant_id, object, outcome_id);
alter table outcome_sources enable row level security;
alter table outcome_sources force row level security;
create policy outcome_sources_own on outcome_sources to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, delete on outcome_sources to octavo_app;

-- What an outcome's steps have kept is text of its documents: it goes when nobody needs it any more.
grant delete on job_steps to octavo_app;

-- What was used, written in the transaction of the work that used it. It outlives what it was used for.
create table usage_records (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  project_id uuid,
  -- Who asked; null: the system.
  key_id uuid,
  job_id uuid,
  subject_object text not null,
  subject_id uuid not null,
  model text not null,
  provider text not null,
  locality text not null check (locality in ('local', 'remote')),
  pages bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  compute_ms bigint not null default 0,
  cost_micros bigint not null default 0,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index usage_records_by_project on usage_records (tenant_id, project_id, id);
alter table usage_records enable row level security;
alter table usage_records force row level security;
create policy usage_records_own on usage_records to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert on usage_records to octavo_app;

-- What a tenant has spent on a day. Locked before a call is paid for, so that many jobs at once cannot spend the same money.
create table budget_days (
  tenant_id uuid not null references tenants (id),
  day date not null,
  spent_micros bigint not null default 0,
  primary key (tenant_id, day)
) with (fillfactor = 50);
alter table budget_days enable row level security;
alter table budget_days force row level security;
create policy budget_days_own on budget_days to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, update on budget_days to octavo_app;
-- Named by what is done: who repeats a call after a crash replaces the reservation instead of adding one.
create table budget_reservations (
  tenant_id uuid not null,
  day date not null,
  call text not null,
  micros bigint not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, day, call),
  constraint budget_reservations_day foreign key (tenant_id, day) references budget_days (tenant_id, day)
);
alter table budget_reservations enable row level security;
alter table budget_reservations force row level security;
create policy budget_reservations_own on budget_reservations to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, update, delete on budget_reservations to octavo_app;

-- The bytes of a report are of no document.
alter table files alter column document_id drop not null;
alter table files drop constraint files_kind_check;
alter table files add constraint files_kind_check check (kind in ('original', 'page_image', 'report'));
alter table files add column report_id uuid;
create index files_by_report on files (tenant_id, report_id) where report_id is not null;
