import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startApi } from './testing/api.ts'
import { until } from './testing/jobs.ts'

interface LogLine {
  event: string
  error_code?: string
}
const lines: LogLine[] = []
const { database } = await startApi({ after }, { LOG_LEVEL: 'warn' }, (line) => lines.push(JSON.parse(line) as LogLine))

test('the log says which background loop failed', async (t) => {
  const client = new pg.Client({ connectionString: database.owner_url })
  await client.connect()
  const hasLogged = (event: string): boolean =>
    lines.some((line) => line.event === event && line.error_code === '42P01')

  await client.query('alter table jobs rename to jobs_away; alter table events rename to events_away')
  await client.query('alter schema pgboss rename to pgboss_away')
  t.after(async () => {
    await client.query(`alter table jobs_away rename to jobs; alter table events_away rename to events;
      alter schema pgboss_away rename to pgboss`)
    await client.end()
  })

  for (const event of ['retry loop failed', 'reconciler loop failed', 'sequencer loop failed', 'job fetch loop failed'])
    await until(() => hasLogged(event), `'${event}' in the log`)
  assert.deepEqual(
    lines.filter(({ event }) => /\bwaits?\b/.test(event)),
    [],
  )
})
