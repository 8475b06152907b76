// The lists to page through, each with 1,000 rows and functions to change them.

import type { ListPage, Octavo } from '@octavo/sdk'
import { sql } from '../../server/src/db/statement.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { findUuid, newUuid, timeOfUuid, toId, uuidOf } from '../../server/src/lib/ids.ts'
import type { World } from '../lib/world.ts'

export interface PaginationRow {
  id: string
  /** Sort key of the list. */
  place: string | number
}

interface PageQuery {
  is_descending: boolean
  limit: number
  cursor?: string
}

export interface LiveList {
  /** Ids of the initial rows. */
  ids: string[]
  read(query: PageQuery): Promise<ListPage<PaginationRow>>
  insert(): Promise<unknown>
  update(id: string): Promise<unknown>
  remove(id: string): Promise<unknown>
}

const SEED_PROJECTS = sql(`insert into projects (tenant_id, id, name, created_at, updated_at)
  select $1, id, 'Seeded', at, at from unnest($3::uuid[], $4::timestamptz[]) as row (id, at)`)
const SEED_DOCUMENTS =
  sql(`insert into documents (tenant_id, id, project_id, title, status, page_count, pages_ready, pages_failed, created_at, updated_at)
  select $1, id, $4, 'Seeded', 'ready', 0, 0, 0, at, at from unnest($3::uuid[], $5::timestamptz[]) as row (id, at)`)

const SEED_UPLOADS =
  sql(`insert into uploads (tenant_id, id, file_name, media_type, size_bytes, status, object_id, expires_at, created_at, updated_at)
  select $1, id, 'seeded.txt', 'text/plain', $5, 'pending', object_id, now() + interval '1 day', at, at
  from unnest($3::uuid[], $4::uuid[], $6::timestamptz[]) as row (id, object_id, at)`)

const AGE_MS = 3_600_000
const SPACING_MS = 10

/** Ids of the last hour, each with a different millisecond. */
function seedUuids(count: number): string[] {
  const begin = Date.now() - AGE_MS
  return Array.from({ length: count }, (_, i) => {
    const time = (begin + i * SPACING_MS).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}${newUuid().slice(13)}`
  })
}

const timesOf = (uuids: readonly string[]): string[] => uuids.map((uuid) => timeOfUuid(uuid).toISOString())

async function seedDocuments(
  world: World,
  tenant: string,
  project: string | null,
  uuids: readonly string[],
): Promise<void> {
  const project_id = project === null ? null : uuidOf('proj', project)
  await world.app.db
    .for(operator(findUuid('ten', tenant)!, []))
    .rows(SEED_DOCUMENTS, [uuids, project_id, timesOf(uuids)])
}

async function openProjects(world: World, rows: number): Promise<LiveList> {
  const { tenant, key } = await world.newTenant()
  const client = key.client()
  const uuids = seedUuids(rows)
  await world.app.db.for(operator(findUuid('ten', tenant)!, [])).rows(SEED_PROJECTS, [uuids, timesOf(uuids)])
  return {
    ids: uuids.map((uuid) => toId('proj', uuid)),
    read: async ({ is_descending, ...query }) =>
      byId(await client.projects.list({ ...query, sort: is_descending ? '-created_at' : 'created_at' })),
    insert: () => client.projects.create({ name: 'Inserted' }),
    update: (id) => client.projects.update(id, { name: 'Updated' }),
    remove: (id) => client.projects.remove(id),
  }
}

async function openDocuments(world: World, rows: number): Promise<LiveList> {
  const { tenant, key } = await world.newTenant()
  const uuids = seedUuids(rows)
  await seedDocuments(world, tenant, null, uuids)
  return documentList(uuids, key.client(), key.client(), () => null)
}

/** The reader sees two projects of three, and not the documents without one; the writer sees everything. */
async function openProjectDocuments(world: World, rows: number): Promise<LiveList> {
  const { tenant, key } = await world.newTenant()
  const writer = key.client()
  const projects = await Promise.all(['First', 'Second', 'Hidden'].map((name) => writer.projects.create({ name })))
  const [first, second, hidden] = projects.map(({ id }) => id) as [string, string, string]
  const uuids = seedUuids(rows)
  // Runs of rows of one project, and rows that alternate.
  const isFirst = (i: number): boolean => (i < rows / 2 ? i % 2 === 0 : i % 100 < 30)
  await seedDocuments(
    world,
    tenant,
    first,
    uuids.filter((_, i) => isFirst(i)),
  )
  await seedDocuments(
    world,
    tenant,
    second,
    uuids.filter((_, i) => !isFirst(i)),
  )
  await seedDocuments(world, tenant, hidden, seedUuids(300))
  await seedDocuments(world, tenant, null, seedUuids(100))
  const reader = (await world.newKey(tenant, { project_ids: [first, second] })).client()
  let turn = 0
  return documentList(uuids, reader, writer, () => [first, second, hidden, null][turn++ % 4] ?? null)
}

function documentList(
  uuids: readonly string[],
  reader: Octavo,
  writer: Octavo,
  nextProject: () => string | null,
): LiveList {
  return {
    ids: uuids.map((uuid) => toId('doc', uuid)),
    read: async ({ is_descending, ...query }) =>
      byId(await reader.documents.list({ ...query, sort: is_descending ? '-created_at' : 'created_at' })),
    insert: () => writer.documents.create({ title: 'Inserted', project_id: nextProject() }),
    update: (id) => writer.documents.update(id, { title: 'Updated' }),
    remove: (id) => writer.documents.remove(id),
  }
}

/** A busy machine may need minutes, and pages of a document that is being read cannot change. */
async function createLong(client: Octavo, rows: number): Promise<string> {
  const pages = Array.from({ length: rows }, (_, i) => ({ text: `Page ${i + 1}` }))
  return (await client.documents.createAndWait({ title: 'Long', source: { type: 'pages', pages } })).id
}

/** New pages come at the end, and into the gaps that others left. */
async function openPages(world: World, rows: number): Promise<LiveList> {
  const { key } = await world.newTenant()
  const client = key.client()
  const document = await createLong(client, rows)
  const numbers = new Map<string, number>()
  for await (const page of client.pages.list(document, { limit: 100 })) numbers.set(page.id, page.number)
  const gaps: number[] = []
  let turn = 0
  return {
    ids: [...numbers.keys()],
    async read({ is_descending, ...query }) {
      const page = await client.pages.list(document, { ...query, sort: is_descending ? '-number' : 'number' })
      return { ...page, data: page.data.map(({ id, number }) => ({ id, place: number })) }
    },
    insert() {
      const number = turn++ % 2 === 0 ? gaps.shift() : undefined
      return client.pages.create(document, number === undefined ? { text: 'Inserted' } : { text: 'Inserted', number })
    },
    update: (id) => client.pages.update(document, id, { text: `Updated ${Math.random()}` }),
    async remove(id) {
      await client.pages.remove(document, id)
      const number = numbers.get(id)
      if (number !== undefined) gaps.push(number)
    },
  }
}

/** An upload changes once, when a document is made of it, and goes with that document. */
async function openUploads(world: World, rows: number): Promise<LiveList> {
  const { tenant, key } = await world.newTenant()
  const client = key.client()
  const uuids = seedUuids(rows)
  const bytes = new Blob(['Seeded.'])
  const objects = uuids.map(() => newUuid())
  await world.app.db
    .for(operator(findUuid('ten', tenant)!, []))
    .rows(SEED_UPLOADS, [uuids, objects, bytes.size, timesOf(uuids)])
  const documents = new Map<string, string>()
  return {
    ids: uuids.map((uuid) => toId('upl', uuid)),
    read: async ({ is_descending, ...query }) =>
      byId(await client.uploads.list({ ...query, sort: is_descending ? '-created_at' : 'created_at' })),
    insert: () =>
      client.uploads.create({ file_name: 'inserted.txt', media_type: 'text/plain', size_bytes: bytes.size }),
    async update(id) {
      if (documents.has(id)) return
      documents.set(id, '')
      await client.uploads.send(await client.uploads.get(id), bytes)
      const { id: document } = await client.documents.create({
        title: 'Made',
        source: { type: 'upload', upload_id: id },
      })
      documents.set(id, document)
    },
    remove(id) {
      const document = documents.get(id)
      return document === undefined ? client.uploads.remove(id) : client.documents.remove(document)
    },
  }
}

/** The one chunk of each page: it comes and goes with its page. */
async function openChunks(world: World, rows: number): Promise<LiveList> {
  const { key } = await world.newTenant()
  const client = key.client()
  const document = await createLong(client, rows)
  const pageOf = new Map<string, string>()
  for await (const chunk of client.chunks.list(document, { limit: 100 })) pageOf.set(chunk.id, chunk.page_id)
  return {
    ids: [...pageOf.keys()],
    async read({ is_descending, ...query }) {
      const page = await client.chunks.list(document, { ...query, sort: is_descending ? '-position' : 'position' })
      for (const chunk of page.data) pageOf.set(chunk.id, chunk.page_id)
      return { ...page, data: page.data.map(({ id, position }) => ({ id, place: position })) }
    },
    insert: () => client.pages.create(document, { text: 'Inserted' }),
    update: (id) => client.pages.update(document, pageOf.get(id)!, { metadata: { at: String(Math.random()) } }),
    remove: (id) => client.pages.remove(document, pageOf.get(id)!),
  }
}

const byId = (page: ListPage<{ id: string }>): ListPage<PaginationRow> => ({
  ...page,
  data: page.data.map(({ id }) => ({ id, place: id })),
})

export const lists: readonly [name: string, open: (world: World, rows: number) => Promise<LiveList>][] = [
  ['projects', openProjects],
  ['documents', openDocuments],
  ['documents of two projects', openProjectDocuments],
  ['pages of a document', openPages],
  ['uploads', openUploads],
  ['chunks of a document', openChunks],
]
