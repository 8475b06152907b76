import type { Row } from '@octavo/base/unknown.ts'
import type { Endpoint } from '@octavo/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Context } from '../preflight/context.ts'
import type { Form, ReceivedFile } from '../streaming/form.ts'
import type { Body } from './body.ts'
import type { ListRequest } from './lists.ts'
import type { Presenter } from './present.ts'

export type Params = Record<string, string>
export type ApiRequest = FastifyRequest<{ Params: Params; Body: Buffer | Form | undefined }>

/** Reads a resource by the parameters of its path, or fails with `not_found`. */
export type Loader = (db: Db, params: Params, context: Context) => Promise<Row>
export type ListLoader = (given: {
  db: Db
  params: Params
  query: Row
  page: ListRequest
  context: Context
}) => Promise<Row[]>

export interface WriteInput {
  tx: Tx
  params: Params
  query: Row
  body: Row
  context: Context
  is_streamed: boolean
  fixed: Row
}

/** A write that is ready for its transaction. */
export interface Write {
  handle: (input: WriteInput) => Promise<Row | null>
  /** Undoes the storage work before the transaction, if the transaction did not use it. */
  discard?: () => Promise<void>
}

export interface PrepareRequest {
  db: Db
  body: Body['value']
  file: ReceivedFile | null
  params: Params
}
/** Work before the transaction. */
export interface PrepareWrite {
  prepare: (request: PrepareRequest) => Promise<Write>
  /** False: it stores and pays nothing, so a repeated request may do it again, and the key is looked up afterwards. */
  hasEffects: (request: PrepareRequest) => boolean
}

/** Per-endpoint state, compiled once. */
export interface Route {
  app: App
  endpoint: Endpoint
  readQuery: (search: string) => Row
  readBody: (bytes: Buffer | Form | undefined) => Body
  present: Presenter
  members: readonly string[]
  /** Reads the resource that the path names; null where the path names nothing. */
  findLoader: () => Loader | null
  /** Reads the text generated so far for a resource that a POST to this path creates. */
  readDraft: ((db: Db, id: string) => Promise<string | null>) | null
  /** Reads a resource that a POST to this path has created. */
  findItemLoader: () => { load: Loader; param: string } | null
}

/** The path that a write refers to: the item itself, or the parent of the collection. */
export const itemPath = (path: string): string => (path.endsWith('}') ? path : path.slice(0, path.lastIndexOf('/')))

export function splitUrl(url: string): [path: string, search: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}
