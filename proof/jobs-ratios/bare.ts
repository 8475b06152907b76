// The engine alone: fetches as many jobs as Octavo's worker may hold, does nothing, completes them. After a message
// with a number it answers when that many jobs are done.

import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'

const { BARE_DATABASE_URL = '', BARE_QUEUE = '', BARE_BATCH = '' } = process.env
/** Nothing notifies this loop, so it polls often. */
const EMPTY_MS = 5

const boss = new PgBoss({
  connectionString: BARE_DATABASE_URL,
  max: 4,
  migrate: false,
  schedule: false,
  supervise: false,
})
await boss.start()
let left = 0
process.on('message', (count: number) => {
  left = count
})
process.once('SIGTERM', () => process.exit(0))
process.send?.('ready')

for (;;) {
  const jobs = await boss.fetch(BARE_QUEUE, { batchSize: Number(BARE_BATCH) })
  if (jobs.length === 0) {
    await sleep(EMPTY_MS)
    continue
  }
  await boss.complete(
    BARE_QUEUE,
    jobs.map(({ id }) => id),
  )
  left -= jobs.length
  if (left === 0) process.send?.('done')
}
