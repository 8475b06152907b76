import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../testing/api.ts'
import { createTestUser } from '../testing/users.ts'
import { openPool } from './database.ts'
import { keepUp } from './upkeep.ts'

const api = await startApi({ after })
const admin = openPool(api.database.admin_url ?? '', 1)
after(() => admin.end())

const skip = process.env.DATABASE_ADMIN_URL ? false : 'needs DATABASE_ADMIN_URL'

test('deletes a stored response after a day and not before', { skip }, async () => {
  await api.owner.projects.create({ name: 'Old' }, { idempotency_key: 'old' })
  await admin.query(`update idempotency_keys set created_at = now() - interval '25 hours'`)
  await api.owner.projects.create({ name: 'New' }, { idempotency_key: 'new' })

  await keepUp(api.app.system)

  const { rows } = await admin.query<{ count: string }>('select count(*) from idempotency_keys')
  assert.equal(Number(rows[0]!.count), 1)
})

test('deletes only secrets whose overlap has ended', { skip }, async () => {
  const { id } = await api.newKey(api.owner_tenant)
  await api.owner.apiKeys.rotate(id, { overlap_seconds: 0 })
  await admin.query(`update key_secrets set expires_at = now() - interval '2 hours' where expires_at is not null`)
  const before_count = await admin.query('select from key_secrets')

  await keepUp(api.app.system)

  const after_count = await admin.query('select from key_secrets')
  assert.equal(after_count.rowCount, before_count.rowCount! - 1)
})

test('deletes the secret of a link when it expires and not before', { skip }, async () => {
  await admin.query(
    `insert into link_secrets (hash, tenant_id, kind, subject_id, expires_at)
    select uuid_send(gen_random_uuid()), t.id, 'invitation', gen_random_uuid(), now() + day * interval '1 day'
    from (select id from tenants limit 1) t, unnest(array[-1, 1]) as day`,
  )

  await keepUp(api.app.system)

  const left = await admin.query<{ is_open: boolean }>('select expires_at > now() as is_open from link_secrets')
  assert.deepEqual(left.rows, [{ is_open: true }])
})

test('deletes a session when it expires and not before', { skip }, async () => {
  const user = await createTestUser(api, 'ada@example.com', { password_hash: null })
  await admin.query(
    `insert into sessions (hash, tenant_id, id, user_id, method, user_agent, address, created_at, last_used_at, expires_at)
    select uuid_send(gen_random_uuid()), tenant_id, gen_random_uuid(), id, 'password', '', '', now(), now(), now() + day * interval '1 day'
    from users, unnest(array[-1, 1]) as day where id = $1`,
    [user],
  )

  await keepUp(api.app.system)

  const left = await admin.query<{ is_open: boolean }>('select expires_at > now() as is_open from sessions')
  assert.deepEqual(left.rows, [{ is_open: true }])
})

test('moves an event that arrived before its partition into it and keeps it readable', { skip }, async () => {
  const { rows } = await admin.query<{ name: string; month: string }>(
    `select 'events_' || to_char(now() at time zone 'utc' + interval '2 months', 'YYYY_MM') as name, to_char(now() at time zone 'utc' + interval '2 months', 'YYYY-MM-15') as month`,
  )
  const { name, month } = rows[0]!
  await admin.query(`drop table ${name}`)
  await admin.query(
    `insert into events (tenant_id, id, type, subject_object, subject_id, actor_type, data, created_at)
    select id, gen_random_uuid(), 'project.created', 'project', gen_random_uuid(), 'system', '{}', $1::timestamptz from tenants limit 1`,
    [month],
  )

  await keepUp(api.app.system)

  const moved = await admin.query(`select from ${name}`)
  assert.equal(moved.rowCount, 1)
  const left = await admin.query('select from events_other')
  assert.equal(left.rowCount, 0)
})
