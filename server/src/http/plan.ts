import type { Endpoint } from '@octavo/contract'
import type { App } from '../app.ts'
import type { Db } from '../db/database.ts'
import type { Body } from './body.ts'
import type { Presenter } from './present.ts'

export type Loader = (db: Db, params: Record<string, string>) => Promise<unknown>

/** What is compiled once for an endpoint. */
export interface Plan {
  app: App
  endpoint: Endpoint
  readQuery: (search: string) => Record<string, unknown>
  readBody: (bytes: Buffer | undefined) => Body
  present: Presenter
  members: readonly string[]
  /** Reads what the path names, or fails with `not_found`; null where the path names nothing. */
  findLoader: () => Loader | null
  /** Reads what a POST to this path has made. */
  findItemLoader: () => { read: Loader; param: string } | null
}
