-- The password of a protected file, sealed with a key of the server. It is removed when the ingestion ends.
alter table documents add column sealed_password bytea;
