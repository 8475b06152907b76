// Several prepared statements in one Sync: one round trip, and outside a transaction one implicit transaction. So the
// tenant is set and the statement run for the price of the statement alone. This is pg's public Submittable interface,
// the one that pg-cursor uses.

import { itemAt, required } from '@octavo/base/required.ts'
import type { Connection, Submittable } from 'pg'
import { serialize } from 'pg-protocol'
import { compileBuilder } from '../lib/object-builder.ts'
import { describeColumns, type Statement, toParameter, type Value } from './statement.ts'

export interface Step {
  statement: Statement
  values: readonly Value[]
  /** A statement that raises if the rest of the batch must not run; `explain` may replace its errors. */
  assumption?: { explain: (error: unknown) => unknown }
}

const EXECUTE = serialize.execute()
const DESCRIBE = serialize.describe({ type: 'P', name: '' })
const SYNC = serialize.sync()
const NO_COLUMNS = compileBuilder<string>([])

export type Rows = Record<string, unknown>[]

/** Which statements a connection has prepared; false: perhaps, since an error came in between. */
const prepared = new WeakMap<object, Map<string, boolean>>()

export class Batch implements Submittable {
  readonly steps: readonly Step[]
  readonly result: Promise<Rows[]>
  private readonly rows: Rows[]
  private current = 0
  private begun: string[] = []
  private known: Map<string, boolean> | null = null
  private resolve!: (rows: Rows[]) => void
  private reject!: (error: unknown) => void

  constructor(steps: readonly Step[]) {
    this.steps = steps
    this.rows = steps.map(() => [])
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  submit(connection: Connection): void {
    let known = prepared.get(connection)
    if (!known) prepared.set(connection, (known = new Map<string, boolean>()))
    this.known = known
    const messages: Buffer[] = []
    for (const { statement, values } of this.steps) {
      if (known.get(statement.name) !== true) this.prepare(messages, known, statement)
      messages.push(serialize.bind({ statement: statement.name, values: values.map(toParameter) }))
      if (!statement.decodeRow) messages.push(DESCRIBE)
      messages.push(EXECUTE)
    }
    messages.push(SYNC)
    // One buffer is one plain write; corked small ones are a costlier gathering one.
    connection.stream.write(Buffer.concat(messages))
  }

  private prepare(messages: Buffer[], known: Map<string, boolean>, statement: Statement): void {
    // Closing a statement that does not exist is no error; preparing one that exists is.
    if (known.has(statement.name)) messages.push(serialize.close({ type: 'S', name: statement.name }))
    messages.push(serialize.parse({ name: statement.name, text: statement.text, types: [...statement.types] }))
    known.set(statement.name, true)
    this.begun.push(statement.name)
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    describeColumns(itemAt(this.steps, this.current).statement, message.fields)
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const { decodeRow } = itemAt(this.steps, this.current).statement
    itemAt(this.rows, this.current).push(
      required(decodeRow, 'columns of a statement that returned a row')(message.fields),
    )
  }

  handleCommandComplete(): void {
    const { statement } = itemAt(this.steps, this.current)
    statement.decodeRow ??= NO_COLUMNS
    this.current++
  }

  handleEmptyQuery(): void {
    this.current++
  }

  handlePortalSuspended(): void {}

  handleReadyForQuery(): void {
    this.resolve(this.rows)
  }

  handleError(error: unknown): void {
    for (const name of this.begun) this.known?.set(name, false)
    const failed = this.steps[this.current]
    this.reject(failed?.assumption?.explain(error) ?? error)
  }
}
