-- Run once by a superuser: the roles, the database and the extension. Migrations give the grants.
-- The extension and the role octavo_search are for search: the role owns the one function that looks past row-level security.
-- The passwords are for development. No role is a superuser, and none may pass by row-level security.

-- In template1, so that databases made by tests have it too: only a superuser may create it.
\connect template1
create extension if not exists vector;

\connect postgres
create role octavo login createdb nosuperuser nobypassrls password 'octavo';
create role octavo_app login nosuperuser nobypassrls password 'octavo_app';
create role octavo_system login nosuperuser nobypassrls password 'octavo_system';
create role octavo_search nologin nosuperuser nobypassrls;
grant octavo_search to octavo;
create database octavo owner octavo;
