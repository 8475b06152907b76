-- The owner exports, imports and deletes tenants. Row-level security is forced, so each table with tenants' rows has a policy that
-- shows the owner the rows of the tenant that it has set, and no others. `migrate` calls this function after every migration, so that
-- later tables get the policy too.
create function allow_tenant_archives() returns void language plpgsql as $$
declare
  tenant_table record;
begin
  for tenant_table in
    select c.oid::regclass as name, case when c.relname = 'tenants' then 'id' else 'tenant_id' end as tenant from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (c.relname = 'tenants' or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    ))
    and not exists (
      select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant_archive' and p.polroles = array[current_user::regrole::oid]
    )
  loop
    -- A database that was restored under another owner has the policy of the earlier one.
    execute format('drop policy if exists tenant_archive on %s', tenant_table.name);
    execute format('create policy tenant_archive on %s to current_user using (%I = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table.name, tenant_table.tenant);
  end loop;
end $$;
revoke all on function allow_tenant_archives() from public;
select allow_tenant_archives();
