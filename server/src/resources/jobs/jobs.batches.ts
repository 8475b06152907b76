// A batch: one operation over many inputs. Rules that apply to all inputs are checked when the batch is created.

import { type NewDocumentsBatch, type NewJob, scopesOfBatch } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { type JobEnd, Postponed, type Run } from '../../jobs/types.ts'
import { type Caller, operator } from '../../lib/caller.ts'
import { needScopes } from '../../lib/changes.ts'
import { Failure, invalidValue } from '../../lib/failure.ts'
import { uuid } from '../../lib/ids.ts'
import { listDocumentsById } from '../documents/documents.service.ts'
import { findMissingFiles, noSuchFile } from '../files/files.unused.ts'
import { checkProcessing } from '../models/models.service.ts'
import { findMissingProjects, listLocalOnly } from '../projects/projects.service.ts'
import { findMissingUploads, noSuchUpload } from '../uploads/uploads.service.ts'
import { createItem, type Making } from './jobs.items.ts'
import { type BatchInput, type BatchPayload, batches } from './jobs.jobs.ts'
import { readJob } from './jobs.service.ts'
import type { ApiJobRow } from './jobs.store.ts'

const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

export async function createBatch(
  app: Needs<'jobs' | 'config' | 'readers'>,
  tx: Tx,
  input: NewJob,
): Promise<ApiJobRow> {
  const { caller } = tx
  needScopes(caller, scopesOfBatch(input.type))
  const project_id = await readProject(tx, await projectsOf(tx, input))
  if (input.type === 'documents') {
    refusePasswords(input)
    await checkUploads(tx, input)
    await checkFiles(tx, input)
    await checkReaders(app, tx, input)
  }
  const isWork = (one: BatchInput): boolean =>
    input.type !== 'documents' || (one as NewDocumentsBatch['inputs'][number]).source !== undefined
  const jobs_to_come = input.inputs.filter(isWork).length
  const most = app.config.tiers[caller.tier].queued_jobs
  if (jobs_to_come > most)
    throw invalidValue(
      'inputs',
      'too_many_items',
      `The queue of your tier has room for at most ${most} inputs. Send fewer.`,
    )
  const payload: BatchPayload = {
    type: input.type,
    inputs: input.inputs,
    caller: { projects: caller.projects && [...caller.projects], actor: { ...caller.actor }, tier: caller.tier },
  }
  const { id } = await app.jobs.enqueue(tx, {
    type: batches[input.type],
    payload,
    subject: { object: 'job', id: '' },
    project_id,
    items_total: input.inputs.length,
    jobs_to_come,
    ...(input.priority === undefined ? {} : { priority: input.priority }),
    ...(input.timeout_seconds === undefined ? {} : { timeout_seconds: input.timeout_seconds }),
    metadata: input.metadata ?? {},
  })
  return readJob(app, tx, id)
}

/** A batch keeps its inputs until it has ended, and passwords are kept only sealed. */
function refusePasswords({ inputs }: NewDocumentsBatch): void {
  const index = inputs.findIndex(({ password }) => password !== undefined)
  if (index >= 0)
    throw invalidValue(
      `inputs[${index}].password`,
      'not_allowed_value',
      'Not allowed in a batch. Create this document with POST /documents.',
    )
}

/** The project that an input will belong to. */
interface OwnedItem {
  field: string
  project_id: string | null
}

async function projectsOf(tx: Tx, { inputs }: NewJob): Promise<OwnedItem[]> {
  const named = inputs.map(documentsOf)
  const documents = await listDocumentsById(tx, [...new Set(named.flatMap(({ ids }) => ids))])
  const byId = new Map<string, string | null>(documents.map(({ id, project_id }) => [id, project_id]))
  return named.flatMap(({ ids, field }, index): OwnedItem[] => {
    if (ids.length === 0)
      return [
        {
          field: `inputs[${index}].project_id`,
          project_id: (inputs[index] as { project_id?: string }).project_id ?? null,
        },
      ]
    return ids.map((id, i) => {
      const place = `inputs[${index}].${field}${field.endsWith('s') ? `[${i}]` : ''}`
      if (!byId.has(id))
        throw invalidValue(
          place,
          'reference_not_found',
          'No document with this id exists, or your credentials do not give access to it.',
        )
      return { field: place, project_id: byId.get(id)! }
    })
  })
}

function documentsOf(input: BatchInput): { ids: readonly string[]; field: string } {
  if ('document_ids' in input && input.document_ids) return { ids: input.document_ids, field: 'document_ids' }
  if ('document_id' in input && input.document_id) return { ids: [input.document_id], field: 'document_id' }
  return { ids: [], field: 'document_id' }
}

/** The project of the batch. A caller who sees the batch sees everything that it creates. */
async function readProject(tx: Tx, owned: readonly OwnedItem[]): Promise<string | null> {
  const { caller } = tx
  const projects = new Set(owned.map(({ project_id }) => project_id))
  if (caller.projects !== null && projects.size > 1)
    throw invalidValue(
      'inputs',
      'inconsistent',
      'All inputs must belong to one project, because your key is limited to projects.',
    )
  const project_id = projects.size === 1 ? [...projects][0]! : null
  if (caller.projects !== null && (project_id === null || !caller.projects.includes(uuid(project_id))))
    throw noSuchProject(owned[0]!.field)
  const missing = new Set<string | null>(
    await findMissingProjects(
      tx,
      [...projects].flatMap((id) => id ?? []),
    ),
  )
  const lost = owned.find((one) => missing.has(one.project_id))
  if (lost) throw noSuchProject(lost.field)
  return project_id
}

const noSuchProject = (field: string): Failure =>
  invalidValue(
    field,
    'reference_not_found',
    'No project with this id exists, or your credentials do not give access to it.',
  )

async function checkUploads(tx: Tx, { inputs }: NewDocumentsBatch): Promise<void> {
  const named = inputs.map(({ source }) => (source?.type === 'upload' ? source.upload_id : null))
  const missing = new Set<string | null>(
    await findMissingUploads(
      tx,
      [...new Set(named)].flatMap((id) => id ?? []),
    ),
  )
  const index = named.findIndex((id) => missing.has(id))
  if (index >= 0) throw noSuchUpload(`inputs[${index}].source.upload_id`)
}

async function checkFiles(tx: Tx, { inputs }: NewDocumentsBatch): Promise<void> {
  const named = inputs.map(({ source }) => (source?.type === 'file' ? source.file_id : null))
  const missing = new Set<string | null>(
    await findMissingFiles(
      tx,
      [...new Set(named)].flatMap((id) => id ?? []),
    ),
  )
  const index = named.findIndex((id) => missing.has(id))
  if (index >= 0) throw noSuchFile(`inputs[${index}].source.file_id`)
}

/** Each reader once for each project. */
async function checkReaders(app: Needs<'readers'>, tx: Tx, { inputs }: NewDocumentsBatch): Promise<void> {
  const seen = new Set<string>()
  for (const [index, { processing, project_id = null }] of inputs.entries()) {
    const pair = `${processing?.reader} ${project_id}`
    if (seen.has(pair)) continue
    seen.add(pair)
    const isPrivate = async (): Promise<boolean> => (await listLocalOnly(tx, [project_id])).length > 0
    await checkProcessing(app, tx, processing, { field: `inputs[${index}].processing`, isPrivate })
  }
}

/**
 * Each input becomes an item in a separate transaction, which checks the rules of that input: refused inputs are
 * reported, the others continue. Only the refused inputs are kept for a rerun of the batch.
 */
export async function createItems(app: Making, run: Run<BatchPayload>): Promise<JobEnd> {
  const { inputs, type, caller } = run.payload
  const as = callerOf(run, { type, caller })
  const left: BatchPayload['inputs'] = []
  const refused: { field: string; code: string; message: string }[] = []
  for (const [index, input] of inputs.entries()) {
    left.push(null)
    if (input === null) continue
    try {
      await createItem(app, run, index, { input, as })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'rate_limit_exceeded') throw later(error)
      left[index] = input
      const [detail] = error.details
      refused.push({
        field: `inputs[${index}]${detail ? `.${detail.field}` : ''}`,
        code: detail?.code ?? error.code,
        message: detail?.message ?? error.message,
      })
    }
  }
  const message = `${refused.length} of ${inputs.length} inputs ${refused.length === 1 ? 'was' : 'were'} refused: see details.`
  const error = { code: 'inputs_refused', message, details: refused.slice(0, 100) }
  return {
    status: 'succeeded',
    is_waiting_for_items: true,
    items_failed: refused.length,
    payload: { ...run.payload, inputs: left },
    ...(refused.length > 0 ? { error } : {}),
  }
}

/** A batch was taken whole: what its tenant may not have made now is made when there are units again. */
function later(error: Failure): Postponed {
  const wait_ms = Number(error.headers['retry-after'] ?? 1) * 1000
  return new Postponed('dependency', Math.min(Math.max(wait_ms, MIN_WAIT_MS), MAX_WAIT_MS), error)
}

function callerOf(run: Run<object>, { type, caller }: Pick<BatchPayload, 'type' | 'caller'>): Caller {
  const { projects, actor, tier } = caller
  return { ...operator(run.tenant, scopesOfBatch(type)), projects, actor, tier }
}
