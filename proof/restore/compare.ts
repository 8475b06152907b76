// Compares the restored installation with the answers that clients got.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotFoundError } from '@octavo/sdk'
import { TOMBSTONES } from '../../server/src/files/keys.ts'
import { eachOf } from '../lib/call.ts'
import type { RestoreFindings } from './findings.ts'
import { isAfter, isBefore, type LedgerDocument, type LedgerSecret, titlesAt } from './ledger.ts'
import type { RestoreScene } from './scene.ts'

const WIDTH = 8
const SETTLE_MS = 600_000

/** Rows through the API, as their owners see them. */
export async function compareDocuments(
  { ledger, moment, tenants }: RestoreScene,
  findings: RestoreFindings,
): Promise<number> {
  let there = 0
  await eachOf(ledger.documents, WIDTH, async (document) => {
    const { octavo, is_suspended } = tenants[document.tenant]!
    if (is_suspended) return
    const title = await octavo.documents.get(document.id).then(
      (found) => found.title,
      (error: unknown) => {
        if (error instanceof NotFoundError) return null
        throw error
      },
    )
    if (title !== null) there++
    const may = titlesAt(document, moment)
    if (may.includes(title)) return
    if (title !== null && isAfter(document.acts[0]!, moment)) findings.add('from_later', document.id)
    else findings.add(title === null ? 'lost' : 'wrong', `${document.id} is ${title}, and may be ${may.join(' or ')}`)
  })
  return there
}

const addressOf = (count: number): string => `198.18.${(count >> 8) & 255}.${count & 255}`

/** Each secret is tried. */
export async function compareSecrets(
  { ledger, moment, tenants, url }: RestoreScene,
  findings: RestoreFindings,
): Promise<void> {
  let count = 0
  // The first key of a tenant does all its work and is never ended.
  const always = { sent_at: 0, acked_at: 0 }
  const first = tenants.map(
    ({ id, secret }, tenant): LedgerSecret => ({
      key: `the first key of ${id}`,
      tenant,
      secret,
      made: always,
      ended: null,
    }),
  )
  await eachOf([...first, ...ledger.secrets], WIDTH, async ({ key, secret, tenant, made, ended }) => {
    // Each from another address, since one that fails again and again is not heard any more.
    const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': addressOf(count++) }
    const { status } = await fetch(`${url}/api/v1/documents?limit=1`, { headers })
    const isDead = ended !== null || tenants[tenant]!.is_suspended
    if (isDead && status !== 401) findings.add('revived', `${key} answers ${status}`)
    // The secret that a lost rotation has made is lost with it.
    if (!isDead && isBefore(made, moment) && status !== 200) findings.add('refused', `${key} answers ${status}`)
  })
}

interface RestoreFileRow {
  tenant_id: string
  object_id: string
  document_id: string
  is_missing: boolean
}
const FILES = `select tenant_id, object_id, document_id, missing_at is not null as is_missing from files f
  where not exists (select from jobs j where j.tenant_id = f.tenant_id and j.document_id = f.document_id and j.type = 'purge')`
const NAMED = 'select tenant_id, object_id from files union all select tenant_id, object_id from uploads'

/** `<tenant>/<object>`, as both kinds of storage have it somewhere in their names. */
const keyIn = (path: string): string =>
  path.replace(/^.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?:[0-9a-f]{6}\/)?([0-9a-f-]{36})[^/]*$/, '$1/$2')

async function listKeys({ store, cluster }: RestoreScene): Promise<Set<string>> {
  return new Set((await store.listAll(cluster.env.FILES_DIR!)).map(keyIn).filter((key) => !key.startsWith(TOMBSTONES)))
}

/** Before anything runs: each row has its bytes or says that it has none. */
export async function compareFiles(
  scene: RestoreScene,
  findings: RestoreFindings,
): Promise<{ files: number; missing: number }> {
  const keys = await listKeys(scene)
  const rows = await scene.cluster.query<RestoreFileRow>(FILES)
  for (const { tenant_id, object_id, is_missing } of rows)
    if (keys.has(`${tenant_id}/${object_id}`) === is_missing) findings.add('unmarked', `${tenant_id}/${object_id}`)
  return { files: rows.length, missing: rows.filter(({ is_missing }) => is_missing).length }
}

export async function compareObjects(scene: RestoreScene, findings: RestoreFindings): Promise<number> {
  const rows = await scene.cluster.query<{ tenant_id: string; object_id: string }>(NAMED)
  const named = new Set(rows.map(({ tenant_id, object_id }) => `${tenant_id}/${object_id}`))
  const keys = [...(await listKeys(scene))]
  findings.add('orphans', ...keys.filter((key) => !named.has(key)))
  return keys.length
}

/** Compares the downloaded files of some documents. */
export async function compareBytes(scene: RestoreScene, findings: RestoreFindings, most: number): Promise<void> {
  const { ledger, moment, tenants, url } = scene
  const isThere = (one: LedgerDocument): boolean =>
    one.file_id !== null && titlesAt(one, moment).every((title) => title !== null)
  const some = ledger.documents.filter((one) => isThere(one) && !tenants[one.tenant]!.is_suspended).slice(-most)
  await eachOf(some, WIDTH, async ({ id, file_id, tenant, sha256 }) => {
    const headers = { authorization: `Bearer ${tenants[tenant]!.secret}`, accept: '*/*' }
    const answer = await fetch(`${url}/api/v1/files/${file_id}/contents`, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    // Without bytes it is marked; that was compared before.
    if (answer.status === 503) return
    const sum = createHash('sha256').update(bytes).digest('hex')
    if (answer.status !== 200 || sum !== sha256)
      findings.add('wrong_bytes', `${id} answers ${answer.status} and ${bytes.length} bytes`)
  })
}

/** Every job ends, and one that fails says why. */
export async function settleJobs(
  { cluster }: RestoreScene,
  findings: RestoreFindings,
): Promise<{ jobs: number; failed: number }> {
  const end = Date.now() + SETTLE_MS
  const unfinished = `select j.id, j.type, j.status from jobs j join tenants t on t.id = j.tenant_id where j.place is not null`
  while (Date.now() < end && (await cluster.query(`${unfinished} limit 1`)).length > 0) await sleep(250)
  const left = await cluster.query<{ id: string; type: string; status: string }>(unfinished)
  findings.add('stuck_jobs', ...left.map(({ id, type, status }) => `${type} ${id} is ${status}`))
  const ended = await cluster.query<{ id: string; status: string; error: { code?: string } | null }>(
    'select id, status, error from jobs where place is null',
  )
  const failed = ended.filter(({ status }) => status === 'failed')
  findings.add(
    'stuck_jobs',
    ...failed.filter(({ error }) => !error?.code).map(({ id }) => `${id} failed without a reason`),
  )
  return { jobs: ended.length, failed: failed.length }
}
