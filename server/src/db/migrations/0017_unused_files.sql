-- A file that was sent with POST /files and is not used by a document yet.
alter table files add column expires_at timestamptz(3);
-- squawk-ignore require-concurrent-index-creation
create index files_by_expiry on files (expires_at) where expires_at is not null;
grant select (expires_at) on files to octavo_system;
