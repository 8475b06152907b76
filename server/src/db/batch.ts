// Several prepared statements in one Sync: one round trip, and outside a transaction one implicit transaction. So the
// tenant is set and the statement run for the price of the statement alone. This is pg's public Submittable interface,
// the one that pg-cursor uses.

import type { Connection, Submittable } from 'pg'
import { decodeRow, describeColumns, type Statement, toParameter, type Value } from './statement.ts'

export interface Step {
  statement: Statement
  values: readonly Value[]
}

/** What pg's Connection offers beyond its published types. */
interface Wire {
  stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string; types: readonly number[] }): void
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

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
    const wire = connection as unknown as Wire
    let known = prepared.get(connection)
    if (!known) prepared.set(connection, (known = new Map<string, boolean>()))
    this.known = known
    wire.stream.cork()
    try {
      for (const { statement, values } of this.steps) {
        if (known.get(statement.name) !== true) this.prepare(wire, known, statement)
        wire.bind({ portal: '', statement: statement.name, values: values.map(toParameter) })
        if (!statement.columns) wire.describe({ type: 'P', name: '' })
        wire.execute({ portal: '', rows: 0 })
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  private prepare(wire: Wire, known: Map<string, boolean>, statement: Statement): void {
    // Closing a statement that does not exist is no error; preparing one that exists is.
    if (known.has(statement.name)) wire.close({ type: 'S', name: statement.name })
    wire.parse({ name: statement.name, text: statement.text, types: statement.types })
    known.set(statement.name, true)
    this.begun.push(statement.name)
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    describeColumns(this.steps[this.current]!.statement, message.fields)
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.rows[this.current]!.push(decodeRow(this.steps[this.current]!.statement, message.fields))
  }

  handleCommandComplete(): void {
    const { statement } = this.steps[this.current]!
    statement.columns ??= []
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
    this.reject(error)
  }
}
