// Numbers and settings of a tenant that other tenants and projects must not affect: the documents that a project
// counts, AI units, the models that a tenant may use, and the space that its vectors are in.

import type pg from 'pg'
import { uuid } from '../../server/src/lib/ids.ts'
import { callPatiently as call, type ProofAnswer, type ProofCaller, parse } from '../lib/call.ts'
import type { ApiProcess, World } from '../lib/world.ts'
import type { Leak } from './judge.ts'
import type { IsolationStage } from './party.ts'

interface Counts {
  world: World
  fresh: ApiProcess
  stage: IsolationStage
  admin: pg.Client
}

export async function compareCounts(counts: Counts): Promise<Leak[]> {
  const documents = await compareDocumentCounts(counts)
  return [
    ...documents,
    ...(await compareVectors(counts)),
    ...(await compareUnits(counts)),
    ...(await compareModels(counts)),
  ]
}

const get = (caller: ProofCaller, path: string): Promise<ProofAnswer> =>
  call(caller, { method: 'GET', path: `/api/v1${path}` })
const post = (caller: ProofCaller, path: string, body: object): Promise<ProofAnswer> =>
  call(caller, {
    method: 'POST',
    path: `/api/v1${path}`,
    headers: { prefer: 'wait=20' },
    body: JSON.stringify(body),
  })

async function compareDocumentCounts({ stage, admin }: Counts): Promise<Leak[]> {
  const leaks: Leak[] = []
  for (const { name, caller, own, tenant } of stage.attackers) {
    const { project_id = '' } = own.ids
    const { rows } = await admin.query<{ count: number }>(
      `select count(*)::int as count from documents where tenant_id = $1 and project_id = $2 and deleted_at is null`,
      [tenant, uuid(project_id)],
    )
    const { document_count } = parse<{ document_count?: number }>(await get(caller, `/projects/${project_id}`))
    const expected = rows[0]?.count
    if (document_count !== expected)
      leaks.push({
        operation: 'projects.get',
        what: `${name}: the project has ${expected} documents and shows ${document_count}`,
      })
  }
  return leaks
}

/** With the space of another tenant, a search by meaning finds none of the caller's vectors. */
async function compareVectors({ fresh, stage }: Counts): Promise<Leak[]> {
  const leaks: Leak[] = []
  for (const { name, caller, project_id } of stage.attackers) {
    const body = {
      query: 'rent of the lease',
      mode: 'semantic',
      limit: 20,
      ...(project_id === null ? {} : { project_id }),
    }
    const answer = await post({ ...caller, url: fresh.url }, '/searches', body)
    const { results = [] } = parse<{ results?: { scores: { semantic: number | null } }[] }>(answer)
    if (!results.some(({ scores }) => scores.semantic !== null))
      leaks.push({ operation: 'searches.create', what: `${name}: no vector of its own was found: ${answer.status}` })
  }
  return leaks
}

/** Two tenants of a tier that counts AI units; only the first one uses some. */
async function compareUnits({ world, fresh }: Counts): Promise<Leak[]> {
  const [user, other] = await Promise.all([world.newTenant('standard'), world.newTenant('standard')])
  const [first, second] = [user, other].map(({ key }) => ({ url: fresh.url, secret: key.secret }))
  if (!first || !second) throw new Error('two tenants are needed')
  const before = await readUnits(second)
  const own = await readUnits(first)
  await post(first, '/summaries', { text: 'The rent is 900 a month. It is due on the first day.', length: 'short' })
  if ((await readUnits(first)) >= own) throw new Error('a summary used no AI units')
  const after = await readUnits(second)
  if (after === before) return []
  return [{ operation: 'rate_limits.get', what: `AI units of another tenant are counted: ${before}, then ${after}` }]
}

async function readUnits(caller: ProofCaller): Promise<number> {
  const { policies = [] } = parse<{ policies?: { remaining: number }[] }>(await get(caller, '/rate-limits/tenant'))
  return policies[0]?.remaining ?? Number.NaN
}

/** Every other tenant may use only one model, while the attacker's settings stay as they are. */
async function compareModels({ stage, admin }: Counts): Promise<Leak[]> {
  const leaks: Leak[] = []
  for (const { name, caller, tenant } of stage.attackers.filter(({ project_id }) => project_id === null)) {
    const before = await get(caller, '/models?limit=100')
    const { rows } = await admin.query<{ id: string; allowed_models: string[] | null }>(
      'select id, allowed_models from tenants where id <> $1',
      [tenant],
    )
    await admin.query(`update tenants set allowed_models = '["built_in_text"]' where id <> $1`, [tenant])
    const after = await get(caller, '/models?limit=100')
    for (const row of rows)
      await admin.query('update tenants set allowed_models = $2 where id = $1', [
        row.id,
        row.allowed_models && JSON.stringify(row.allowed_models),
      ])
    if (after.text !== before.text)
      leaks.push({ operation: 'models.list', what: `${name}: the model settings of another tenant apply` })
  }
  return leaks
}
