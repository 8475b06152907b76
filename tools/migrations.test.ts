import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBreaking } from './migrations.ts'

const breaks = (text: string): boolean => findBreaking('0099_new.sql', text).length > 0

test('finds statements that break a process of the previous release', () => {
  for (const statement of [
    'revoke update on jobs from octavo_app;',
    'drop function app_tenant();',
    'drop policy documents_own on documents;',
    'alter policy documents_own on documents using (false);',
    'alter table documents alter column title drop default;',
    'alter function app_tenant() rename to tenant;',
    'create table a (id uuid);\n-- A remark.\ndrop trigger t on documents;',
    '-- squawk-ignore ban-drop-column\nalter table documents drop column title;',
    '-- squawk-ignore-file require-concurrent-index-creation, renaming-column\nselect 1;',
  ])
    assert.ok(breaks(statement), statement)
})

test('accepts what only adds, and statements with a reason', () => {
  for (const statement of [
    'alter table jobs add column traceparent text;',
    'alter table documents drop constraint documents_title_check;',
    '-- A trace context. Do not drop function names here.\nselect 1;',
    "create function f() returns void language plpgsql as $$ begin execute 'x'; drop policy p on documents; end $$;",
    '-- compatible: a table that no release has used\ndrop policy documents_own on documents;',
    '-- squawk-ignore require-concurrent-index-creation\ncreate index i on jobs (id);',
  ])
    assert.ok(!breaks(statement), statement)
})

test('names the file, the statement and the reason', () => {
  assert.deepEqual(findBreaking('0099_new.sql', 'revoke update on jobs\n  from octavo_app;'), [
    '0099_new.sql: takes away a right: revoke update on jobs',
  ])
})
