-- Jobs: the row is the truth, the engine only carries tickets. A job that waits in line needs no engine.
create table jobs (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  project_id uuid,
  document_id uuid,
  parent_job_id uuid,
  type text not null,
  payload_version bigint not null,
  payload jsonb not null,
  subject_object text not null,
  subject_id uuid not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'partially_succeeded', 'failed', 'cancelled')),
  -- Where it stands while it lives: in line, holding a slot (waiting for a worker or running), until `run_after`, or
  -- until its items have ended. null when it has ended.
  place text check (place in ('line', 'admitted', 'backoff', 'items')),
  -- Names the engine's job of this admission: one of an earlier admission finds nothing to do.
  ticket uuid,
  admitted_at timestamptz(3),
  -- Who may write: the run that holds it. A zombie's is another.
  lease uuid,
  priority bigint not null check (priority in (0, 1, 2)),
  stage text,
  progress jsonb,
  attempt bigint not null default 0,
  failures bigint not null default 0,
  -- Workers lost in a row without a step finished in between, and how many steps there were at the last loss.
  losses bigint not null default 0,
  steps_seen bigint not null default 0,
  max_attempts bigint not null,
  attempts jsonb not null default '[]',
  attempt_started_at timestamptz(3),
  timeout_seconds bigint not null,
  -- Running time of what has ended; waiting and giving way do not count against the deadline.
  ran_ms bigint not null default 0,
  run_after timestamptz(3),
  queued_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  cancel_requested_at timestamptz(3),
  usage jsonb,
  error jsonb,
  warnings jsonb not null default '[]',
  -- Of a batch.
  items_total bigint,
  items_done bigint not null default 0,
  items_failed bigint not null default 0,
  -- The number of its last event.
  last_seq bigint not null default 0,
  told_at timestamptz(3),
  metadata jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  check ((place is null) = (status in ('succeeded', 'partially_succeeded', 'failed', 'cancelled')))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
-- What is picked next in a tenant: priority, then age.
create index jobs_line on jobs (tenant_id, priority desc, id) where place = 'line';
create index jobs_admitted on jobs (tenant_id, id) where place = 'admitted';
create index jobs_backoff on jobs (run_after) where place = 'backoff';
create index jobs_items on jobs (tenant_id, id) where place = 'items';
create index jobs_by_project on jobs (tenant_id, project_id, id);
create index jobs_by_document on jobs (tenant_id, document_id, id) where document_id is not null;
create index jobs_by_parent on jobs (tenant_id, parent_job_id, id) where parent_job_id is not null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
alter table jobs enable row level security;
alter table jobs force row level security;
create policy jobs_own on jobs to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
create policy jobs_watch on jobs for select to octavo_system using (true);
create policy jobs_old on jobs for delete to octavo_system using (finished_at < now() - interval '30 days');
grant select, insert, update, delete on jobs to octavo_app;
grant select, delete on jobs to octavo_system;

-- How many jobs of a tenant hold a slot and how many wait. Locked before any job of the tenant is.
create table tenant_slots (
  tenant_id uuid primary key references tenants (id),
  used bigint not null default 0 check (used >= 0),
  waiting bigint not null default 0,
  -- How long a job holds its slot, as a moving average: for estimates.
  mean_ms double precision
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
alter table tenant_slots enable row level security;
alter table tenant_slots force row level security;
create policy tenant_slots_own on tenant_slots to octavo_app using (tenant_id = (select app_tenant()));
create policy tenant_slots_system on tenant_slots to octavo_system using (true) with check (true);
grant select, update on tenant_slots to octavo_app;
grant select, insert on tenant_slots to octavo_system;
-- A tenant without the row could hold any number of slots, so it is born with it.
create function add_tenant_slots() returns trigger language plpgsql as $$
begin
  insert into tenant_slots (tenant_id) values (new.id);
  return new;
end $$;
create trigger tenants_slots after insert on tenants for each row execute function add_tenant_slots();
alter table tenants no force row level security;
alter table tenant_slots no force row level security;
insert into tenant_slots (tenant_id) select id from tenants;
alter table tenants force row level security;
alter table tenant_slots force row level security;

-- Results of finished steps: a step that is here never runs again.
create table job_steps (
  tenant_id uuid not null,
  job_id uuid not null,
  name text not null,
  output jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, job_id, name),
  constraint job_steps_job foreign key (tenant_id, job_id) references jobs (tenant_id, id) on delete cascade
);
alter table job_steps enable row level security;
alter table job_steps force row level security;
create policy job_steps_own on job_steps to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert on job_steps to octavo_app;
