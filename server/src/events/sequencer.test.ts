import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startApi } from '../testing/api.ts'
import { until } from '../testing/jobs.ts'

const api = await startApi({ after }, {}, undefined, false)

/** Statements of the system role, as they are sent. */
const sent: string[] = []
const watched = new WeakSet()
api.app.system.on('acquire', (client) => {
  if (watched.has(client)) return
  watched.add(client)
  const query = client.query.bind(client)
  Object.assign(client, { query: (...args: Parameters<typeof query>) => (sent.push(args[0]), query(...args)) })
})
const LOOKS = 5

test('a sequencer without events looks in one round trip and opens no transaction', async () => {
  const isLook = (text: string): boolean => text.startsWith('set local')

  await until(() => {
    const latest = sent.filter((text) => /^begin|position is null/.test(text)).slice(-LOOKS)
    return latest.length === LOOKS && latest.every(isLook)
  }, 'idle')

  assert.ok(sent.some(isLook))
})

test('events get their positions', async () => {
  const { id } = await api.owner.projects.create({ name: 'First' })

  await until(async () => (await api.owner.events.list({ limit: 50 })).data.some(({ subject }) => subject.id === id))
})

test('an event whose commit was late gets its position too', {
  skip: process.env.DATABASE_ADMIN_URL === undefined,
}, async () => {
  const { id } = await api.owner.projects.create({ name: 'Late' })
  await until(async () => (await api.owner.events.list({ limit: 50 })).data.some(({ subject }) => subject.id === id))
  const admin = new pg.Client({ connectionString: api.database.admin_url ?? '' })
  await admin.connect()

  await admin.query(
    `insert into events select * from jsonb_populate_record(null::events, (select to_jsonb(e) from events e limit 1)
      || jsonb_build_object('id', gen_random_uuid(), 'position', null, 'recorded_at', now() - interval '10 minutes'))`,
  )

  const countPending = async (): Promise<number | null> =>
    (await admin.query('select from events where position is null')).rowCount
  await until(async () => (await countPending()) === 0, 'position')
  await admin.end()
})
