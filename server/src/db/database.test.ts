import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Caller, operator } from '../lib/caller.ts'
import { newUuid } from '../lib/ids.ts'
import { createDatabase, type TestDatabase } from '../testing/database.ts'
import { openTunnel } from '../testing/tunnel.ts'
import { type Database, type Db, openDatabase, openPool, type Tx } from './database.ts'
import { isPassing } from './errors.ts'
import { sql } from './statement.ts'

let database: TestDatabase
let db: Database
let app: pg.Pool
const caller = operator(newUuid(), [])

const INSERT = sql(
  `insert into projects (tenant_id, id, name, created_at, updated_at) values ($1, $3, $4, now(), now())`,
)
const COUNT = sql('select count(*) as count from projects where tenant_id = $1 and name = $3')
const PID = sql('select pg_backend_pid() as pid')

before(async () => {
  database = await createDatabase()
  // One connection, so that every test sees what the one before left on it.
  db = openDatabase(database.app_url, 1)
  app = openPool(database.app_url, 1)
  const system = openPool(database.system_url, 1)
  await system.query(
    `insert into tenants (id, name, tier, created_at, updated_at) values ($1, 'Test', 'free', now(), now())`,
    [caller.tenant],
  )
  await system.end()
})
after(async () => {
  await Promise.all([db.close(), app.end()])
  await database.drop()
})

const handle = (deadline = caller.deadline): Db => db.for({ ...caller, deadline })
const pidOf = async (own: Db = handle()): Promise<number> => (await own.find<{ pid: number }>(PID))!.pid
const countOf = async (name: string): Promise<number> => (await handle().find<{ count: number }>(COUNT, [name]))!.count

test('a transaction commits every statement, including those not awaited', async () => {
  const result = await db.transaction(caller, async (tx) => {
    await tx.rows(INSERT, [newUuid(), 'kept'])
    tx.queue(INSERT, [newUuid(), 'kept'])
    return 'done'
  })

  assert.equal(result, 'done')
  assert.equal(await countOf('kept'), 2)
})

test('a transaction whose callback fails changes nothing', async () => {
  const pid = await pidOf()
  const failing = db.transaction(caller, async (tx) => {
    await tx.rows(INSERT, [newUuid(), 'lost'])
    tx.queue(INSERT, [newUuid(), 'lost'])
    throw new Error('changed my mind')
  })

  await assert.rejects(failing, /changed my mind/)
  assert.equal(await countOf('lost'), 0)
  assert.equal(await pidOf(), pid)
})

test('a transaction whose last write fails at commit changes nothing', async () => {
  const id = newUuid()
  const failing = db.transaction(caller, async (tx) => {
    await tx.rows(INSERT, [id, 'twice'])
    tx.queue(INSERT, [id, 'twice'])
  })

  await assert.rejects(failing, { code: '23505' })
  assert.equal(await countOf('twice'), 0)
})

test('a transaction does not commit after a swallowed statement failure', async () => {
  const stubborn = db.transaction(caller, async (tx) => {
    await tx.rows(INSERT, [newUuid(), 'half'])
    await assert.rejects(tx.rows(sql('select 1 / 0 as never')), { code: '22012' })
    return tx.rows(INSERT, [newUuid(), 'half'])
  })

  await assert.rejects(stubborn, { code: '25P02' })
  assert.equal(await countOf('half'), 0)
})

test('a transaction that swallows its last failure reports that nothing was committed', async () => {
  const quiet = db.transaction(caller, async (tx) => {
    await tx.rows(INSERT, [newUuid(), 'quiet'])
    await tx.rows(sql('select 2 / 0 as never')).catch(() => {})
  })

  await assert.rejects(quiet)
  assert.equal(await countOf('quiet'), 0)
})

const ASSUME = sql(
  `select case when count(*) = $4 then true else app_refuse('The count differs') end from projects where tenant_id = $1 and name = $3`,
)

test('a transaction whose assumption is wrong commits nothing and runs again without assumptions', async () => {
  const runs: boolean[] = []
  await db.transaction(caller, async (tx) => {
    runs.push(tx.may_assume)
    if (tx.may_assume) tx.assume(ASSUME, ['assumed', 1])
    tx.queue(INSERT, [newUuid(), 'assumed'])
  })

  assert.deepEqual(runs, [true, false])
  assert.equal(await countOf('assumed'), 1)
})

test('a transaction whose assumption is right runs once, in one round trip', async () => {
  let runs = 0
  await db.transaction(caller, async (tx) => {
    runs++
    tx.assume(ASSUME, ['right', 0])
    tx.queue(INSERT, [newUuid(), 'right'])
  })

  assert.equal(runs, 1)
  assert.equal(await countOf('right'), 1)
})

test('a transaction that fails before its assumption was checked runs again', async () => {
  const runs: boolean[] = []
  const failing = db.transaction(caller, async (tx) => {
    runs.push(tx.may_assume)
    if (tx.may_assume) tx.assume(ASSUME, ['assumed', 1])
    throw new Error(runs.length === 1 ? 'unchecked' : 'checked')
  })

  await assert.rejects(failing, { message: 'checked' })
  assert.deepEqual(runs, [true, false])
})

test('an error that a wrong assumption causes can be explained, and is final', async () => {
  let runs = 0
  const failing = db.transaction(caller, async (tx) => {
    runs++
    tx.assume(sql('select 1 / 0 where $1::uuid is not null'), [], () => new Error('explained'))
    await tx.rows(COUNT, ['assumed'])
  })

  await assert.rejects(failing, { message: 'explained' })
  assert.equal(runs, 1)
})

test('a statement that fails on first use works the next time on the same connection', async () => {
  const divide = sql('select 12 / $3::int as result')
  const pid = await pidOf()

  await assert.rejects(handle().rows(divide, [0]), { code: '22012' })
  assert.deepEqual(await handle().find(divide, [4]), { result: 3 })
  await assert.rejects(handle().rows(divide, [0]), { code: '22012' })
  assert.deepEqual(await handle().find(divide, [3]), { result: 4 })
  assert.equal(await pidOf(), pid)
})

test('a statement that cannot be prepared fails the same way each time and affects no other', async () => {
  const wrong = sql('select nothing from nowhere where tenant_id = $1')
  const pid = await pidOf()

  for (let i = 0; i < 3; i++) {
    await assert.rejects(handle().rows(wrong), { code: '42P01' })
    await assert.rejects(
      db.transaction(caller, (tx) => tx.rows(wrong)),
      { code: '42P01' },
    )
    assert.equal(await countOf('nobody'), 0)
  }
  assert.equal(await pidOf(), pid)
})

test('the first statement of a connection may fail', async () => {
  const fresh = openDatabase(database.app_url, 1)
  const divide = sql('select 20 / $3::int as result')
  try {
    await assert.rejects(fresh.for(caller).rows(divide, [0]), { code: '22012' })
    assert.deepEqual(await fresh.for(caller).find(divide, [4]), { result: 5 })
    await assert.rejects(
      fresh.transaction(caller, (tx) => tx.rows(divide, [0])),
      { code: '22012' },
    )
    assert.deepEqual(await fresh.transaction(caller, (tx) => tx.find(divide, [2])), { result: 10 })
  } finally {
    await fresh.close()
  }
})

test('concurrent callers share one connection without mixing results', async () => {
  const echo = sql('select $3::int as value')
  const divide = sql('select 30 / $3::int as value')

  const asked = Array.from({ length: 60 }, (_, i) =>
    i % 3 === 0
      ? handle()
          .find(divide, [0])
          .catch((error: unknown) => (error as { code: string }).code)
      : handle().find(echo, [i]),
  )

  assert.deepEqual(
    await Promise.all(asked),
    asked.map((_, i) => (i % 3 === 0 ? '22012' : { value: i })),
  )
})

test('a Db is not a Tx', () => {
  const needsTransaction = (tx: Tx): string => tx.kind
  // @ts-expect-error A function that needs a transaction must not run outside one.
  assert.equal(needsTransaction(handle()), 'db')
})

test('an aborted or overdue caller starts nothing, and the connection stays open', async () => {
  const pid = await pidOf()
  const gone = { deadline_ms: Number.POSITIVE_INFINITY, is_gone: true }
  const late = { deadline_ms: Date.now() - 1, is_gone: false }

  for (const deadline of [gone, late]) {
    const impatient: Caller = { ...caller, deadline }
    await assert.rejects(db.for(impatient).rows(INSERT, [newUuid(), 'late']), isPassing)
    await assert.rejects(
      db.transaction(impatient, (tx) => tx.rows(INSERT, [newUuid(), 'late'])),
      isPassing,
    )
  }
  assert.equal(await countOf('late'), 0)
  assert.equal(await pidOf(), pid)
})

test('a transaction is rolled back when its caller goes away, and the connection stays open', async () => {
  const pid = await pidOf()
  const deadline = { deadline_ms: Number.POSITIVE_INFINITY, is_gone: false }
  const leaving = db.transaction({ ...caller, deadline }, async (tx) => {
    await tx.rows(INSERT, [newUuid(), 'middle'])
    deadline.is_gone = true
  })

  await assert.rejects(leaving, isPassing)
  assert.equal(await countOf('middle'), 0)
  assert.equal(await pidOf(), pid)
})

test('a statement is cancelled at the deadline', async () => {
  const started = performance.now()
  const deadline = { deadline_ms: Date.now() + 200, is_gone: false }

  await assert.rejects(handle(deadline).rows(sql('select pg_sleep(1)::text')), isPassing)
  assert.ok(performance.now() - started < 900)
  assert.equal(await countOf('nobody'), 0)
})

test('a commit sent before the deadline is awaited, because its outcome would be unknown', async () => {
  const deadline = { deadline_ms: Date.now() + 300, is_gone: false }

  await db.transaction({ ...caller, deadline }, (tx) => {
    tx.queue(INSERT, [newUuid(), 'slow commit'])
    tx.queue(sql('select pg_sleep(0.6)::text'))
    return Promise.resolve()
  })
  assert.equal(await countOf('slow commit'), 1)
})

test('the server ends a statement that takes too long, and the connection stays open', async () => {
  const pid = await pidOf()
  const endless = sql('select pg_sleep(10)::text')

  await assert.rejects(handle().rows(endless), { code: '57014' })
  assert.equal(await pidOf(), pid)
})

test('the next statement works after the server closes an idle or busy connection', async () => {
  const kill = (pid: number): Promise<unknown> => app.query('select pg_terminate_backend($1)', [pid])

  await kill(await pidOf())
  await sleep(100)
  assert.equal(await countOf('nobody'), 0)

  const busy = assert.rejects(handle().rows(sql('select pg_sleep(2)::text')), isPassing)
  await sleep(100)
  const { rows } = await app.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query like 'select pg_sleep(2)%' and pid <> pg_backend_pid()`,
  )
  await kill(rows[0]!.pid)
  await busy
  assert.equal(await countOf('nobody'), 0)
})

test('a black-holed connection fails after three seconds and recovers afterwards', async (t) => {
  const tunnel = await openTunnel(database.app_url)
  const far = openDatabase(tunnel.url, 2)
  t.after(async () => {
    tunnel.cut()
    await far.close()
  })
  const own = far.for(caller)
  await Promise.all([own.rows(PID), own.rows(PID)])

  tunnel.swallow(true)
  const started = performance.now()
  const failures = [
    assert.rejects(own.rows(PID), isPassing),
    assert.rejects(
      far.transaction(caller, (tx) => tx.rows(PID)),
      isPassing,
    ),
    // No connection is free, and a new one is not answered either.
    assert.rejects(own.rows(PID), isPassing),
  ]
  await Promise.all(failures)
  const took_ms = performance.now() - started
  tunnel.swallow(false)

  assert.ok(took_ms > 2_900 && took_ms < 3_600, `${took_ms} ms`)
  for (let i = 0; i < 4; i++) assert.equal((await Promise.all([own.rows(PID), own.rows(PID)])).length, 2)
})

test('replaces a connection that leads to a standby', async (t) => {
  // A session of a standby rejects writes in the same way.
  const standby = new URL(database.app_url)
  standby.searchParams.set('options', '-c default_transaction_read_only=on')
  const demoted = openDatabase(standby.href, 1)
  t.after(() => demoted.close())
  const own = demoted.for(caller)
  const pids = [await pidOf(own)]

  await assert.rejects(own.rows(INSERT, [newUuid(), 'late']), { code: '25006' })
  pids.push(await pidOf(own))
  const failing = demoted.transaction(caller, (tx) => tx.rows(INSERT, [newUuid(), 'late']))
  await assert.rejects(failing, { code: '25006' })
  pids.push(await pidOf(own))

  assert.equal(new Set(pids).size, 3)
})

test('a pool with a query timeout fails when the server goes silent and recovers afterwards', async (t) => {
  const tunnel = await openTunnel(database.app_url)
  const far = openPool(tunnel.url, 1, 500)
  t.after(async () => {
    tunnel.cut()
    await far.end()
  })
  await far.query('select 1')

  tunnel.swallow(true)
  await assert.rejects(far.query('select 1'), isPassing)
  tunnel.swallow(false)

  assert.equal((await far.query('select 1')).rowCount, 1)
})
