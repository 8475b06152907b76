// The least that could serve the same: Fastify, the same driver, the same statements as a role without row security. A
// POST writes the same rows and gives the job to the bare engine, in one transaction.

import fastify from 'fastify'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { BARE_NAME } from '../lib/backends.ts'

const COLUMNS = `id, 'document' as object, title, project_id, external_id, source, status, media_type, size_bytes, sha256,
  expires_at, latest_job_id, page_count, pages_ready, pages_failed, warnings, error, metadata, version, created_at, updated_at`
const pool = new pg.Pool({
  connectionString: process.env.BARE_DATABASE_URL,
  max: 10,
  application_name: BARE_NAME,
})
const tenant = process.env.BARE_TENANT ?? ''
const QUEUE = 'bare'
const boss = new PgBoss({
  connectionString: process.env.BARE_DATABASE_URL ?? '',
  max: 1,
  migrate: false,
  schedule: false,
  supervise: false,
})
boss.on('error', () => {})
await boss.start()
await boss.createQueue(QUEUE)
const server = fastify({ logger: false })

server.get<{ Params: { id: string } }>('/documents/:id', async (request) => {
  const text = `select ${COLUMNS} from documents where tenant_id = $1 and id = $2 and deleted_at is null`
  const { rows } = await pool.query({ name: 'get', text, values: [tenant, request.params.id] })
  return rows[0]
})

server.get('/documents', async () => {
  const text = `select ${COLUMNS} from documents where tenant_id = $1 and deleted_at is null order by id desc limit $2`
  const { rows } = await pool.query({ name: 'list', text, values: [tenant, 51] })
  return { data: rows.slice(0, 50), has_next_page: rows.length > 50 }
})

interface RatiosNewDocument {
  title: string
  source: { pages: { text: string }[] }
}

const INSERT_KEY = `insert into idempotency_keys (tenant_id, key_hash, fingerprint, status, location, etag, body, created_at)
  values ($1, $2, $3, 201, $4, $5, $6, $7)`
const INSERT_EVENT = `insert into events (tenant_id, id, type, subject_object, subject_id, actor_type, actor_id, request_id, data, position, seq, created_at)
  values ($1, $2, 'document.created', $3, $4, 'api_key', $4, $4, $5, 1, $6, $7)`
const INSERT_JOB = `insert into jobs (tenant_id, id, document_id, type, payload_version, payload, subject_object, subject_id, status, place, ticket, admitted_at,
  priority, max_attempts, timeout_seconds, last_seq, queued_at, created_at, updated_at)
  values ($1, $2, $3, 'ingestion', 1, $4, 'document', $3, 'queued', 'admitted', $2, $5, 1, 3, 600, 1, $5, $5, $5)`
const INSERT_DOCUMENT = `insert into documents (tenant_id, id, title, source, status, media_type, size_bytes, sha256, latest_job_id, page_count, pages_ready, pages_failed, created_at, updated_at)
  values ($1, $2, $3, '{"type":"pages"}', 'processing', 'text/plain', 44, $4, $5, $6, 0, 0, $7, $7) returning ${COLUMNS}`

let count = 0
const uuid = (): string =>
  `018f0000-${(count >> 16).toString(16).padStart(4, '0')}-7${(count & 0xfff).toString(16).padStart(3, '0')}-8000-${(count++ + process.pid * 1e7).toString(16).padStart(12, '0')}`

server.post<{ Body: RatiosNewDocument }>('/documents', async (request, reply) => {
  const { title, source } = request.body
  const [id, job, now] = [uuid(), uuid(), new Date()]
  const client = await pool.connect()
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  await client.query('begin')
  await run('key', INSERT_KEY, [
    tenant,
    Buffer.from(id),
    Buffer.alloc(32),
    `http://127.0.0.1:3000/api/v1/documents/${id}`,
    '"0123456789012345678901"',
    Buffer.alloc(450),
    now,
  ])
  await run('event', INSERT_EVENT, [
    tenant,
    uuid(),
    'document',
    id,
    { id, object: 'document', status: 'processing' },
    null,
    now,
  ])
  await run('job', INSERT_JOB, [tenant, job, id, { texts: source.pages.map(({ text }) => text) }, now])
  await run('event', INSERT_EVENT, [
    tenant,
    uuid(),
    'job',
    job,
    { id: job, object: 'job', status: 'queued', document_id: id },
    1,
    now,
  ])
  await boss.insert(QUEUE, [{ data: { tenant, job } }], {
    db: { executeSql: (text, values) => client.query(text, values) },
  })
  const { rows } = await run('document', INSERT_DOCUMENT, [
    tenant,
    id,
    title,
    'a'.repeat(64),
    job,
    source.pages.length,
    now,
  ])
  await client.query('commit')
  client.release()
  return reply.code(201).send(rows[0])
})

await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
