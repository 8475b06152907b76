// The least that could serve the same: Fastify, the same driver, the same statements as a role without row security.

import fastify from 'fastify'
import pg from 'pg'

const COLUMNS = `id, 'document' as object, title, project_id, external_id, source, status, media_type, size_bytes, sha256,
  page_count, pages_ready, pages_failed, warnings, error, metadata, version, created_at, updated_at`
const pool = new pg.Pool({ connectionString: process.env.BARE_DATABASE_URL, max: 10 })
const tenant = process.env.BARE_TENANT ?? ''
const server = fastify({ logger: false })

server.get<{ Params: { id: string } }>('/documents/:id', async (request) => {
  const text = `select ${COLUMNS} from documents where tenant_id = $1 and id = $2`
  const { rows } = await pool.query({ name: 'get', text, values: [tenant, request.params.id] })
  return rows[0]
})

server.get('/documents', async () => {
  const text = `select ${COLUMNS} from documents where tenant_id = $1 order by id desc limit $2`
  const { rows } = await pool.query({ name: 'list', text, values: [tenant, 51] })
  return { data: rows.slice(0, 50), has_next_page: rows.length > 50 }
})

interface NewDocument {
  title: string
  source: { pages: { text: string }[] }
}

let count = 0
const uuid = (): string =>
  `018f0000-${(count >> 16).toString(16).padStart(4, '0')}-7${(count & 0xfff).toString(16).padStart(3, '0')}-8000-${(count++ + process.pid * 1e7).toString(16).padStart(12, '0')}`

server.post<{ Body: NewDocument }>('/documents', async (request, reply) => {
  const { title, source } = request.body
  const [id, now] = [uuid(), new Date()]
  const client = await pool.connect()
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  await client.query('begin')
  await run(
    'key',
    'insert into idempotency_keys (tenant_id, key_hash, fingerprint, status, location, etag, body, created_at) values ($1, $2, $3, 201, $4, $5, $6, $7)',
    [
      tenant,
      Buffer.from(id),
      Buffer.alloc(32),
      `http://127.0.0.1:3000/api/v1/documents/${id}`,
      '"0123456789012345678901"',
      Buffer.alloc(450),
      now,
    ],
  )
  const { rows } = await run(
    'document',
    `insert into documents (tenant_id, id, title, source, status, media_type, size_bytes, sha256, page_count, pages_ready, pages_failed, created_at, updated_at)
    values ($1, $2, $3, '{"type":"pages"}', 'ready', 'text/plain', 44, $4, $5, $5, 0, $6, $6) returning ${COLUMNS}`,
    [tenant, id, title, 'a'.repeat(64), source.pages.length, now],
  )
  for (const [i, page] of source.pages.entries()) {
    await run(
      'page',
      `insert into pages (tenant_id, document_id, id, number, status, text, text_source, sha256, created_at, updated_at) values ($1, $2, $3, $4, 'succeeded', $5, 'supplied', $6, $7, $7)`,
      [tenant, id, uuid(), i + 1, page.text, 'b'.repeat(64), now],
    )
  }
  await run(
    'event',
    `insert into events (tenant_id, id, type, subject_object, subject_id, actor_type, actor_id, request_id, data, position, created_at) values ($1, $2, 'document.created', 'document', $3, 'api_key', $3, $3, $4, 1, $5)`,
    [tenant, uuid(), id, { id, object: 'document', status: 'ready' }, now],
  )
  await client.query('commit')
  client.release()
  return reply.code(201).send(rows[0])
})

await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
