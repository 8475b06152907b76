// Access to PostgreSQL. Every handle has a tenant: `Db` runs single statements, `Tx` runs inside one transaction, and
// both set the tenant in the database, so that row-level security is the second line of defense.

import { firstOf, itemAt } from '@octavo/base/required.ts'
import { codeOf } from '@octavo/base/unknown.ts'
import pg from 'pg'
import { type Caller, type Deadline, NO_DEADLINE } from '../lib/caller.ts'
import { NO_UUID } from '../lib/ids.ts'
import { Precondition } from '../lib/precondition.ts'
import { Batch, type Rows, type Step } from './batch.ts'
import { unwatch, watch } from './deadlines.ts'
import { isOutage, isWrongAssumption } from './errors.ts'
import { type Statement, sql, type Value } from './statement.ts'

const BEGIN = sql('begin', null, [])
const COMMIT = sql('commit', null, [])
const ROLLBACK = sql('rollback', null, [])
const STATEMENT_TIMEOUT_MS = 2_500
const LOCK_TIMEOUT_MS = 2_000
/** Releases the locks of a process that hangs in the middle of a transaction. */
const IDLE_TIMEOUT_MS = 5_000
const SCOPE = `select set_config('app.tenant', $1, true) || set_config('app.projects', $2, true)
  || set_config('random_page_cost', '1.1', true) || set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', true) || set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)`
/** Sets the tenant, its projects, the timeouts and a page cost that favors index scans, for this transaction only. */
const SET_SCOPE = sql(SCOPE, null, [25, 25])
const SET_TX_SCOPE = sql(
  `${SCOPE} || set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT_MS}', true)`,
  null,
  [25, 25],
)
const SET_PROJECTS = sql(`select set_config('app.projects', $1, true)`, null, [25])
const SET_EMAIL = sql(
  `select set_config('app.email_key', $1, true) || set_config('app.tenant', '${NO_UUID}', true) || set_config('app.projects', '*', true)`,
  null,
  [25],
)
const SET_KEY_HASH = sql(`select set_config('app.key_hash', $1, true)`, null, [25])

/** Slightly longer than the server's timeout, for connections on which no response arrives. */
const ANSWER_TIMEOUT_MS = 3_000

/** `query_timeout_ms` applies to `pool.query` and `client.query`: a server that went silent fails them too. */
export function openPool(url: string, size: number, query_timeout_ms?: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    ...(query_timeout_ms === undefined ? {} : { query_timeout: query_timeout_ms }),
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  })
  // A connection that breaks, idle or in the middle of a statement, is replaced at its next use, and its statement
  // fails; without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const notBegun = () => Object.assign(new Error('The client has disconnected.'), { code: 'DB_NOT_BEGUN' })

/**
 * Does not start a statement when the client is gone or the deadline has passed; gives up a running one at the
 * deadline.
 */
async function run(client: pg.PoolClient, steps: readonly Step[], deadline: Deadline): Promise<Rows[]> {
  const left = Math.min(ANSWER_TIMEOUT_MS, deadline.deadline_ms - Date.now())
  if (deadline.is_gone || left <= 0) throw notBegun()
  const batch = new Batch(steps)
  watch(batch, Date.now() + left)
  client.query(batch)
  try {
    return await batch.result
  } finally {
    unwatch(batch)
  }
}

/** After an error of the connection the client must not be used again; after an error of a statement it may. */
function isBroken(error: unknown): boolean {
  // 57014 is a statement that took too long; the connection is sound. 25006 comes from a standby: the next connection
  // may lead to the primary.
  if (error instanceof pg.DatabaseError) return /^(08|25006|57P)/.test(error.code ?? '')
  return codeOf(error) !== 'DB_NOT_BEGUN'
}

async function runOnce(pool: pg.Pool, steps: readonly Step[], deadline: Deadline): Promise<Rows[]> {
  const client = await pool.connect()
  try {
    const rows = await run(client, steps, deadline)
    client.release()
    return rows
  } catch (error) {
    client.release(isBroken(error))
    throw error
  }
}

function scopeOf(caller: Caller): { step: Step; values: [string, string | null] } {
  const projects = caller.projects === null ? null : `{${caller.projects.join(',')}}`
  return {
    step: { statement: SET_SCOPE, values: [caller.tenant, projects ?? '*'] },
    values: [caller.tenant, projects],
  }
}

/** A Db or a Tx, for store functions that only read. */
export interface Reader {
  readonly caller: Caller
  rows<Row>(statement: Statement, values?: readonly Value[]): Promise<Row[]>
  /** The first row, or null. */
  find<Row>(statement: Statement, values?: readonly Value[]): Promise<Row | null>
  /** The first row of a statement that always returns one. */
  one<Row>(statement: Statement, values?: readonly Value[]): Promise<Row>
  /**
   * Gives `work` access to all projects of the tenant. For checks and counts only, never for rows that a caller sees.
   */
  allProjects<T>(work: (reader: Reader) => Promise<T>): Promise<T>
}

export class Db implements Reader {
  readonly kind = 'db'
  readonly caller: Caller
  private readonly pool: pg.Pool
  private readonly scope: ReturnType<typeof scopeOf>

  constructor(pool: pg.Pool, caller: Caller) {
    this.pool = pool
    this.caller = caller
    this.scope = scopeOf(caller)
  }

  async rows<Row>(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
    const [rows] = await this.send<[Row[]]>([{ statement, values }])
    return rows
  }

  /** Two statements in one round trip. The second may use settings of the first, not its rows. */
  both<First, Second>(first: Step, second: Step): Promise<[First[], Second[]]> {
    return this.send<[First[], Second[]]>([first, second])
  }

  private async send<Results extends unknown[][]>(steps: readonly Step[]): Promise<Results> {
    const bound = [this.scope.step]
    for (const { statement, values } of steps) bound.push({ statement, values: [...this.scope.values, ...values] })
    const results = await runOnce(this.pool, bound, this.caller.deadline)
    return results.slice(1) as Results
  }

  async find<Row>(statement: Statement, values: readonly Value[] = []): Promise<Row | null> {
    return (await this.rows<Row>(statement, values))[0] ?? null
  }

  async one<Row>(statement: Statement, values: readonly Value[] = []): Promise<Row> {
    return firstOf(await this.rows<Row>(statement, values))
  }

  allProjects<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return work(new Db(this.pool, { ...this.caller, projects: null }))
  }
}

export class Tx implements Reader {
  readonly kind = 'tx'
  readonly caller: Caller
  /** The types of the events that this transaction has recorded. */
  readonly recorded: string[] = []
  /** Set by a service that found nothing to change. */
  is_unchanged = false
  /**
   * How a repeated request with the same idempotency key gets its response: from a copy, from the resource, which must
   * not change, or by running again, because nothing of the response may be kept.
   */
  replay: 'copy' | 'resource' | 'run' = 'copy'
  /** The request's precondition on the stored resource, and whether the service has checked it. */
  readonly precondition: Precondition
  /** False in the second run, after an assumption of the first one was wrong. */
  readonly may_assume: boolean
  private readonly client: pg.PoolClient
  private readonly scope: ReturnType<typeof scopeOf>
  private readonly afterCommits: (() => void | Promise<void>)[] = []
  /** Sent with the next statement: first BEGIN and the tenant, later the queued writes. */
  private pending: Step[]
  /** Statements that were sent and not answered with success. */
  private unanswered = 0

  constructor(client: pg.PoolClient, caller: Caller, precondition: Precondition, may_assume: boolean) {
    this.client = client
    this.caller = caller
    this.precondition = precondition
    this.may_assume = may_assume
    this.scope = scopeOf(caller)
    this.pending = [
      { statement: BEGIN, values: [] },
      { ...this.scope.step, statement: SET_TX_SCOPE },
    ]
  }

  async rows<Row>(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
    this.unanswered++
    const results = await this.send({ statement, values: [...this.scope.values, ...values] })
    this.unanswered--
    return results.at(-1) as Row[]
  }

  async find<Row>(statement: Statement, values: readonly Value[] = []): Promise<Row | null> {
    return (await this.rows<Row>(statement, values))[0] ?? null
  }

  async one<Row>(statement: Statement, values: readonly Value[] = []): Promise<Row> {
    return firstOf(await this.rows<Row>(statement, values))
  }

  /** Queues a write whose result is not needed: it is sent with the next statement or with the commit. */
  queue(statement: Statement, values: readonly Value[] = []): void {
    this.pending.push({ statement, values: [...this.scope.values, ...values] })
  }

  /**
   * Queues a statement that calls `app_refuse()` unless it finds what is expected. The statements after it need not wait
   * for its result: if it raises, the transaction is rolled back and runs a second time without assumptions.
   */
  assume(
    statement: Statement,
    values: readonly Value[],
    explain: (error: unknown) => unknown = (error) => error,
  ): void {
    this.pending.push({ statement, values: [...this.scope.values, ...values], assumption: { explain } })
  }

  /** Whether an error may be the consequence of a wrong assumption: one that failed, or that was not sent yet. */
  hasWronglyAssumed(error: unknown): boolean {
    return isWrongAssumption(error) || this.pending.some(({ assumption }) => assumption !== undefined)
  }

  /** A statement of an engine that shares the transaction; no tenant is bound to it. */
  foreign(text: string, values: readonly Value[]): void {
    this.pending.push({ statement: sql(text, null, []), values })
  }

  async allProjects<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.caller.projects === null) return work(this)
    this.pending.push({ statement: SET_PROJECTS, values: ['*'] })
    const result = await work(this)
    this.pending.push({ statement: SET_PROJECTS, values: [this.scope.values[1]] })
    return result
  }

  /**
   * Runs after the commit and before the response. If the process dies in between, it does not run, which must be
   * harmless.
   */
  afterCommit(work: () => void | Promise<void>): void {
    this.afterCommits.push(work)
  }

  /** PostgreSQL reports success when it rolls back a failed transaction, so a swallowed failure is thrown here. */
  async commit(): Promise<Rows[]> {
    if (this.unanswered > 0) throw new Error('A statement of this transaction failed, so it cannot be committed')
    const { is_gone, deadline_ms } = this.caller.deadline
    if (is_gone || deadline_ms <= Date.now()) throw notBegun()
    // No deadline: a commit that is given up may still succeed, and a client that retries would do the work twice.
    const rows = await this.send({ statement: COMMIT, values: [] }, NO_DEADLINE)
    for (const work of this.afterCommits) await work()
    return rows
  }

  /** Ignores the request's deadline. */
  rollback(): Promise<Rows[]> {
    this.pending = []
    return run(this.client, [{ statement: ROLLBACK, values: [] }], NO_DEADLINE)
  }

  private send(step: Step, deadline: Deadline = this.caller.deadline): Promise<Rows[]> {
    const steps = [...this.pending, step]
    this.pending = []
    return run(this.client, steps, deadline)
  }
}

export interface Database {
  for(caller: Caller): Db
  transaction<T>(caller: Caller, work: (tx: Tx) => Promise<T>, precondition?: Precondition): Promise<T>
  /** A query without a tenant: finds a secret's row, which is visible only with its hash. */
  findSecret<Row>(hash: Buffer, statement: Statement): Promise<Row | null>
  /** A statement without a tenant on rows that are visible only with their hash, which is `$1`. */
  withHash<Row>(hash: Buffer, statement: Statement, values?: readonly Value[]): Promise<Row[]>
  /** The other query without a tenant: users of all tenants, which are visible only with their address. */
  listByEmail<Row>(email_key: string, statement: Statement): Promise<Row[]>
  close(): Promise<void>
}

export function openDatabase(url: string, size: number): Database {
  const pool = openPool(url, size)
  return {
    for: (caller) => new Db(pool, caller),
    transaction: (caller, work, precondition = new Precondition(null)) =>
      transact(pool, { caller, work, precondition, may_assume: true }),
    findSecret: async <Row>(hash: Buffer, statement: Statement) =>
      (await listVisible<Row>(pool, { statement: SET_KEY_HASH, value: hash.toString('hex') }, statement, [hash]))[0] ??
      null,
    withHash: (hash, statement, values = []) =>
      listVisible(pool, { statement: SET_KEY_HASH, value: hash.toString('hex') }, statement, [hash, ...values]),
    listByEmail: (email_key, statement) =>
      listVisible(pool, { statement: SET_EMAIL, value: email_key }, statement, [email_key]),
    close: () => pool.end(),
  }
}

/** Rows that a policy shows to the bearer of a value, before the tenant is known. */
async function listVisible<Row>(
  pool: pg.Pool,
  bearer: { statement: Statement; value: string },
  statement: Statement,
  values: readonly Value[],
): Promise<Row[]> {
  const steps = [
    { statement: bearer.statement, values: [bearer.value] },
    { statement, values },
  ]
  return itemAt(await runOnce(pool, steps, NO_DEADLINE), 1) as Row[]
}

interface Transaction<T> {
  caller: Caller
  work: (tx: Tx) => Promise<T>
  precondition: Precondition
  may_assume: boolean
}

async function transact<T>(pool: pg.Pool, transaction: Transaction<T>): Promise<T> {
  const { caller, work, precondition, may_assume } = transaction
  const client = await pool.connect()
  const tx = new Tx(client, caller, precondition, may_assume)
  try {
    const result = await work(tx)
    await tx.commit()
    client.release()
    return result
  } catch (error) {
    const isWrong = may_assume && tx.hasWronglyAssumed(error) && !isOutage(error)
    await abandon(client, tx, error)
    if (isWrong) return transact(pool, { ...transaction, may_assume: false })
    throw error
  }
}

async function abandon(client: pg.PoolClient, tx: Tx, error: unknown): Promise<void> {
  // A statement without an answer, or a dead connection: closing it rolls back on the server.
  if (isOutage(error)) return client.release(true)
  try {
    await tx.rollback()
    client.release()
  } catch {
    client.release(true)
  }
}
