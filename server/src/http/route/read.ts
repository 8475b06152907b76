// Answers GET requests: one resource, stored bytes, or a list.

import type { FastifyReply } from 'fastify'
import type { Db } from '../../db/database.ts'
import type { Context } from '../preflight/context.ts'
import { replyWithBytes, type StoredBytes, wantsLink } from '../streaming/bytes.ts'
import { stream, wantsStream } from '../streaming/stream.ts'
import { checkTags } from './conditional.ts'
import { readFields, readListRequest } from './lists.ts'
import { replyWithList, replyWithResource } from './reply.ts'
import { type ApiRequest, type ListLoader, type Loader, type Params, type Route, splitUrl } from './route.ts'
import { suggestPoll, waitForRow } from './waiting.ts'

function readQuery(route: Route, request: ApiRequest) {
  const [path, search] = splitUrl(request.url)
  const query = route.readQuery(search)
  const fields = readFields(query.fields, route.members)
  checkTags(request, ['if-none-match'])
  return { path, query, fields, db: route.app.db.for(request.context.caller) }
}

export async function answerRead(
  route: Route,
  request: ApiRequest,
  reply: FastifyReply,
  load: Loader,
): Promise<FastifyReply> {
  const { db, fields } = readQuery(route, request)
  const readAgain = (): ReturnType<Loader> => load(db, request.params, request.context)
  const now = await readAgain()
  const row =
    request.headers.prefer === undefined ? now : await waitForRow(route, request, reply, { row: now, readAgain })
  suggestPoll(route, reply, row)
  return replyWithResource(route, request, reply, { row, fields })
}

interface BytesLoaders {
  open: (db: Db, params: Params, context: Context) => Promise<StoredBytes>
  link: Loader
}

export async function answerBytes(
  route: Route,
  request: ApiRequest,
  reply: FastifyReply,
  { open, link }: BytesLoaders,
): Promise<FastifyReply> {
  const { db, fields } = readQuery(route, request)
  const { params, context } = request
  if (!wantsLink(request)) return replyWithBytes(request, reply, await open(db, params, context))
  return replyWithResource(route, request, reply, { row: await link(db, params, context), fields })
}

export async function answerList(
  route: Route,
  request: ApiRequest,
  reply: FastifyReply,
  load: ListLoader,
): Promise<FastifyReply> {
  const { app, endpoint } = route
  const { path, query, fields, db } = readQuery(route, request)
  const { params, context } = request
  const loadParent = endpoint.is_stream && wantsStream(request) ? route.findLoader() : null
  if (loadParent)
    return stream(route, request, reply, {
      load: loadParent,
      read: (page) => load({ db, params, query, page, context }),
    })
  const page = readListRequest(endpoint, path, query, context.caller.tenant, app.config.keyring)
  const rows = await load({ db, params, query, page, context })
  return replyWithList(route, request, reply, { rows, page, query, path, fields })
}
