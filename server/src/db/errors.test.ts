import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { isPassing, unavailable } from './errors.ts'

test('distinguishes a full database from an unavailable one', () => {
  const told = ['53100', '08006'].map((code) => unavailable(Object.assign(new Error(), { code })))

  assert.deepEqual(
    told.map(({ code, message, headers }) => [code, message.split('.')[0], headers['retry-after']]),
    [
      ['service_unavailable', 'The database is full', '60'],
      ['service_unavailable', 'The server cannot reach its database', '5'],
    ],
  )
})

test('a connection timeout is a transient error', async (t) => {
  const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const url = `postgres://a:b@127.0.0.1:${port}/c`

  const alone = await new pg.Client({ connectionString: url, connectionTimeoutMillis: 50 })
    .connect()
    .catch((error: unknown) => error)
  const pooled = await new pg.Pool({ connectionString: url, connectionTimeoutMillis: 50 })
    .connect()
    .catch((error: unknown) => error)

  assert.deepEqual([isPassing(alone), isPassing(pooled)], [true, true], `${String(alone)}; ${String(pooled)}`)
})

test("a rejected password is transient while the role's password is changing", async () => {
  const url = Object.assign(new URL(process.env.DATABASE_URL!), { password: 'another' }).href

  const refused = await new pg.Client({ connectionString: url }).connect().catch((error: unknown) => error)

  assert.deepEqual([(refused as { code?: string }).code, isPassing(refused)], ['28P01', true])
})
