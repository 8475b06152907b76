-- The planner took `app_projects() is null or …` for a condition that hardly any row meets. So it read all rows of a
-- small tenant and sorted them, where a list needs the first 50 of the index. CASE means the same, and the planner
-- expects half of the rows.
-- compatible: the same rows are visible
alter policy documents_own on documents using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
-- compatible: the same rows are visible
alter policy pages_own on pages using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
-- compatible: the same rows are visible
alter policy files_own on files using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
-- compatible: the same rows are visible
alter policy uploads_own on uploads using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
-- compatible: the same rows are visible
alter policy jobs_own on jobs using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
-- compatible: the same rows are visible
alter policy outcomes_own on outcomes using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
-- compatible: the same rows are visible
alter policy events_own on events using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
-- compatible: the same rows are visible
alter policy usage_records_own on usage_records using (
  tenant_id = (select app_tenant()) and case when (select app_projects()) is null then true else project_id = any ((select app_projects())::uuid[]) end
);
