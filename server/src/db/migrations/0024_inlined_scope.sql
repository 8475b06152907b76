-- Every policy calls these functions. As SQL expressions the planner puts them into the statement, which saves the calls
-- of PL/pgSQL. They still raise when nothing is set.
create function app_unset(setting text) returns text language plpgsql stable parallel safe as $$
begin
  raise exception '% set for this transaction', setting using errcode = 'OC001';
end $$;

create or replace function app_tenant() returns uuid language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('app.tenant', true), ''), app_unset('no tenant is'))::uuid
$$;

create or replace function app_projects() returns uuid[] language sql stable parallel safe as $$
  select nullif(coalesce(nullif(current_setting('app.projects', true), ''), app_unset('no projects are')), '*')::uuid[]
$$;
