import type { Endpoint } from '@octavo/contract'
import type { App } from '../app.ts'
import type { Db } from '../db/database.ts'
import type { Body } from './body.ts'
import type { Form, ReceivedFile } from './form.ts'
import type { Presenter } from './present.ts'

/** Input that a write has stored before its transaction. */
export interface PreparedInput {
  value: unknown
  discard?: () => Promise<void>
}

export type Loader = (db: Db, params: Record<string, string>) => Promise<unknown>

/** Per-endpoint state, compiled once. */
export interface Route {
  app: App
  endpoint: Endpoint
  readQuery: (search: string) => Record<string, unknown>
  readBody: (bytes: Buffer | Form | undefined) => Body
  beforeTransaction:
    | ((given: {
        db: Db
        body: Body['value']
        file: ReceivedFile | null
        params: Record<string, string>
      }) => Promise<PreparedInput>)
    | null
  present: Presenter
  members: readonly string[]
  /** Reads what the path names, or fails with `not_found`; null where the path names nothing. */
  findLoader: () => Loader | null
  /** Reads the text generated so far for a resource that a POST to this path creates. */
  readDraft: ((db: Db, id: string) => Promise<string | null>) | null
  /** Reads what a POST to this path has made. */
  findItemLoader: () => { read: Loader; param: string } | null
}
