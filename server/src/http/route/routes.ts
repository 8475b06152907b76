// The routes of the API, from the contract's table: one method for each kind of endpoint.

import { isRecord, type Row } from '@octavo/base/unknown.ts'
import {
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  MAX_BODY_BYTES,
  operations,
  type ParamsOf,
  type QueryOf,
} from '@octavo/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { StreamedText } from '../../lib/streamed-text.ts'
import type { Context } from '../preflight/context.ts'
import type { StoredBytes } from '../streaming/bytes.ts'
import type { ReceivedFile } from '../streaming/form.ts'
import { readTextFormat, replyWithText } from '../streaming/text.ts'
import { selectTextFormat } from '../streaming/text-format.ts'
import { compileBody } from './body.ts'
import type { ListRequest } from './lists.ts'
import { compilePresenter, itemOf, membersOf } from './present.ts'
import { compileQuery } from './query.ts'
import { answerBytes, answerList, answerRead } from './read.ts'
import {
  type ApiRequest,
  itemPath,
  type Loader,
  type Params,
  type PrepareRequest,
  type PrepareWrite,
  type Route,
  type WriteInput,
} from './route.ts'
import { routePath } from './routing.ts'
import { answerWrite } from './write.ts'

type ReadEndpoint = Endpoint<'GET'>
type WriteEndpoint = Endpoint<'POST' | 'PUT' | 'PATCH' | 'DELETE'>

interface ReadRequest<E> {
  db: Db
  params: ParamsOf<E>
  context: Context
}
type ReadHandler<E, T = AnswerOf<E>> = (request: ReadRequest<E>) => Promise<T> | T

type ItemOf<E> = AnswerOf<E> extends { data: (infer T)[] } ? T : never
interface ListHandlerRequest<E> extends ReadRequest<E> {
  query: QueryOf<E>
  page: ListRequest
}
/** Gives up to `limit + 1` rows; the pipeline makes the page. */
type ListHandler<E> = (request: ListHandlerRequest<E>) => Promise<ItemOf<E>[]> | ItemOf<E>[]

interface WriteRequest<E> {
  tx: Tx
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  context: Context
  /** The answer is wanted as it comes. */
  is_streamed: boolean
  /** Creation-only members of the body. */
  fixed: Row
}
type WriteHandler<E> = (request: WriteRequest<E>) => Promise<AnswerOf<E>> | AnswerOf<E>
interface PreparedRequest<E> {
  db: Db
  body: BodyOf<E>
  file: ReceivedFile | null
  params: ParamsOf<E>
}
interface PreparedWrite<E, P> {
  /** Storage work before the transaction begins; `discard` undoes it if the transaction did not use it. */
  beforeTransaction: (request: PreparedRequest<E>) => Promise<{ value: P; discard?: () => Promise<void> }>
  /** False if `beforeTransaction` stores and pays nothing for this request: then its key is not looked up first. */
  hasEffects?: (request: PreparedRequest<E>) => boolean
  handle: (request: WriteRequest<E> & { prepared: P }) => Promise<AnswerOf<E>> | AnswerOf<E>
  draft?: NonNullable<Route['readDraft']>
}

const names = new Map(operations.map(({ name, endpoint }) => [endpoint, name]))

export class Routes {
  /** Reads the resource at each path: an absent one is answered before a bad body is. */
  readonly #loaders = new Map<string, Loader>()
  readonly #server: FastifyInstance
  readonly #app: App

  constructor(server: FastifyInstance, app: App) {
    this.#server = server
    this.#app = app
  }

  /** GET of one resource. */
  read<E extends ReadEndpoint>(endpoint: E, handle: ReadHandler<E>): void {
    const load: Loader = async (db, params, context) => rowOf(await handle({ db, params: checked(params), context }))
    this.#loaders.set(endpoint.path, load)
    const route = this.#compile(endpoint, endpoint.answer)
    this.#add(endpoint, (request, reply) => answerRead(route, request, reply, load))
  }

  /** GET of stored bytes; a caller that accepts only JSON gets the described answer, a link. */
  bytes<E extends ReadEndpoint>(
    endpoint: E,
    { open, link }: { open: ReadHandler<E, StoredBytes>; link: ReadHandler<E> },
  ) {
    const route = this.#compile(endpoint, endpoint.answer)
    this.#add(endpoint, (request, reply) =>
      answerBytes(route, request, reply, {
        open: async (db, params, context) => open({ db, params: checked(params), context }),
        link: async (db, params, context) => rowOf(await link({ db, params: checked(params), context })),
      }),
    )
  }

  /** GET of a text, which is streamed. */
  text<E extends ReadEndpoint>(endpoint: E, open: ReadHandler<E, StreamedText>): void {
    const readQuery = compileQuery(endpoint)
    this.#add(endpoint, async (request, reply) => {
      const format = readTextFormat(request, readQuery)
      const db = this.#app.db.for(request.context.caller)
      const text = await open({ db, params: checked(request.params), context: request.context })
      return replyWithText(request, reply, { text, format: selectTextFormat(request.headers.accept, format) })
    })
  }

  list<E extends ReadEndpoint>(endpoint: E, handle: ListHandler<E>): void {
    const route = this.#compile(endpoint, endpoint.answer && itemOf(endpoint.answer))
    this.#add(endpoint, (request, reply) =>
      answerList(route, request, reply, async ({ params, query, ...rest }) =>
        (await handle({ ...rest, params: checked(params), query: checked(query) })).map(rowOf),
      ),
    )
  }

  write<E extends WriteEndpoint, P>(endpoint: E, handler: WriteHandler<E> | PreparedWrite<E, P>): void {
    const route = this.#compile(endpoint, endpoint.answer)
    if (typeof handler === 'function') {
      const handle = async (input: WriteInput): Promise<Row | null> => resultOf(await handler(typed<E>(input)))
      this.#add(endpoint, (request, reply) => answerWrite(route, request, reply, { handle }))
      return
    }
    const { beforeTransaction, hasEffects = () => true, draft = null } = handler
    const plan: PrepareWrite = {
      hasEffects: (request) => hasEffects(prepared<E>(request)),
      prepare: async (request) => {
        const { value, discard } = await beforeTransaction(prepared<E>(request))
        return {
          handle: async (input) => resultOf(await handler.handle({ ...typed<E>(input), prepared: value })),
          ...(discard && { discard }),
        }
      },
    }
    this.#add(endpoint, (request, reply) => answerWrite({ ...route, readDraft: draft }, request, reply, plan))
  }

  #compile(endpoint: Endpoint, shown: Endpoint['answer']): Route {
    return {
      app: this.#app,
      endpoint,
      readQuery: compileQuery(endpoint),
      readBody: compileBody(endpoint),
      readDraft: null,
      present: compilePresenter(shown),
      members: membersOf(shown),
      findLoader: () => this.#loaders.get(itemPath(endpoint.path)) ?? null,
      findItemLoader: () => this.#findItemLoader(endpoint.successor ?? endpoint.path),
    }
  }

  #add(endpoint: Endpoint, handler: (request: ApiRequest, reply: FastifyReply) => Promise<FastifyReply>): void {
    this.#server.route<{ Params: Params; Body: ApiRequest['body'] }>({
      method: endpoint.method,
      url: routePath(endpoint.path),
      bodyLimit: endpoint.is_large ? this.#app.config.max_json_bytes : MAX_BODY_BYTES,
      config: { endpoint, operation: names.get(endpoint) ?? endpoint.path },
      handler,
    })
  }

  /** `/documents` → the loader of `/documents/{document_id}`. */
  #findItemLoader(collection: string): { load: Loader; param: string } | null {
    for (const [path, load] of this.#loaders) {
      if (!path.startsWith(`${collection}/`)) continue
      const [, param] = /^\{(\w+)\}$/.exec(path.slice(collection.length + 1)) ?? []
      if (param) return { load, param }
    }
    return null
  }
}

/** Gives values that were validated against the schemas of their endpoint the types of these schemas. */
const checked = <T>(value: unknown): T => value as T

const typed = <E>({ params, query, body, ...rest }: WriteInput): WriteRequest<E> => ({
  ...rest,
  params: checked(params),
  query: checked(query),
  body: checked(body),
})

const prepared = <E>({ body, params, ...rest }: PrepareRequest): PreparedRequest<E> => ({
  ...rest,
  body: checked(body),
  params: checked(params),
})

function rowOf(value: unknown): Row {
  if (!isRecord(value)) throw new TypeError('A handler returned a value that is not an object.')
  return value
}

const resultOf = (value: unknown): Row | null => (value === null ? null : rowOf(value))
