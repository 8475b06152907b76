-- Grants are outside projects: a caller limited to projects does not see them.
alter policy oauth_grants_own on oauth_grants using (tenant_id = (select app_tenant()) and (select app_projects()) is null);
