-- The address of an application that describes itself in a metadata document: its client id. It has no row in oauth_clients.
alter table oauth_grants add column client_url text;
