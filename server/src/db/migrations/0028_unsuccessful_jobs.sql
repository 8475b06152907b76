-- Lists of failed and canceled jobs, which all have an error, do not read the successful ones.
create index concurrently if not exists jobs_unsuccessful on jobs (tenant_id, id) where error is not null;
