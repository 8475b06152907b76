-- The outbox: events are written in the transaction of the change and numbered after it has committed.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  project_id uuid,
  type text not null,
  subject_object text not null,
  subject_id uuid not null,
  actor_type text not null,
  actor_id uuid,
  request_id uuid,
  -- null until the sequencer has seen the committed row.
  position bigint,
  seq bigint,
  data jsonb not null,
  created_at timestamptz(3) not null,
  -- Time of the write, not of the transaction: later writers of one resource have waited for its row lock.
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id, created_at)
) partition by range (created_at);
create index events_by_position on events (tenant_id, position);
create index events_by_project on events (tenant_id, project_id, position);
create index events_unsequenced on events (recorded_at) where position is null;
-- A job's own events, in their order.
create index events_by_job on events (tenant_id, subject_id, seq) where seq is not null;
create index events_by_age on events using brin (created_at);
alter table events enable row level security;
alter table events force row level security;
-- A caller limited to projects also writes of what is in none (a key that it made), though it does not see that again.
create policy events_own on events to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
) with check (
  tenant_id = (select app_tenant())
  and ((select app_projects()) is null or project_id is null or project_id = any ((select app_projects())::uuid[]))
);
create policy events_system on events to octavo_system using (true) with check (true);
grant select, insert on events to octavo_app;
-- Kept for 30 days.
create policy events_old on events for delete to octavo_system using (created_at < now() - interval '30 days');
grant select, delete, update (position) on events to octavo_system;

-- Nothing is written here while partitions are made ahead of time; it only keeps a late one from refusing writes.
create table events_other partition of events default;
alter table events_other enable row level security;
alter table events_other force row level security;

-- Makes the partitions of this month and the two after it, and moves what came too early out of the default one. The
-- parent's owner must run it. A partition is reached through its parent only, since nobody has rights on it.
create function prepare_event_partitions() returns void language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  month date;
  name text;
  first timestamptz;
  next timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('prepare_event_partitions'));
  for i in 0..2 loop
    month := (date_trunc('month', now() at time zone 'utc') + make_interval(months => i))::date;
    name := 'events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass('public.' || name) is not null;
    first := month::timestamp at time zone 'utc';
    next := (month + interval '1 month')::timestamp at time zone 'utc';
    execute format('create table public.%I (like public.events including defaults including constraints)', name);
    -- Forced row security hides the rows from the owner, too.
    alter table public.events_other no force row level security;
    execute format('with early as (delete from public.events_other where created_at >= %L and created_at < %L returning *)
      insert into public.%I select * from early', first, next, name);
    alter table public.events_other force row level security;
    execute format('alter table public.events attach partition public.%I for values from (%L) to (%L)', name, first, next);
    execute format('alter table public.%I enable row level security', name);
    execute format('alter table public.%I force row level security', name);
  end loop;
end $$;
revoke all on function prepare_event_partitions() from public;
grant execute on function prepare_event_partitions() to octavo_system;
select prepare_event_partitions();

-- The last position given out in each tenant.
create table tenant_positions (
  tenant_id uuid primary key,
  position bigint not null
);
alter table tenant_positions enable row level security;
alter table tenant_positions force row level security;
create policy tenant_positions_own on tenant_positions for select to octavo_app using (tenant_id = (select app_tenant()));
create policy tenant_positions_system on tenant_positions to octavo_system using (true) with check (true);
grant select on tenant_positions to octavo_app;
grant select, insert, update on tenant_positions to octavo_system;
