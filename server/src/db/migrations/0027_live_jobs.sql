-- Lists of waiting and running jobs do not read the finished ones, of which a tenant may have millions.
create index concurrently if not exists jobs_live on jobs (tenant_id, id) where place is not null;
