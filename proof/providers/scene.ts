// Shared by the parts of the proof: a model server that misbehaves, one provider per behavior, and summaries through
// them.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProvider, type TestProvider } from '../../server/src/testing/provider.ts'
import { type Behaviour, behaviours } from '../../server/src/testing/provider-answers.ts'
import { call, parse } from '../lib/call.ts'
import type { ProofRun } from '../lib/proof.ts'
import { type ApiProcess, openWorld, type ServerProcess, type World, type WorldKey } from '../lib/world.ts'

export const MODEL_TIMEOUT_SECONDS = 3
const SLOTS = '24'

export interface ProvidersScene {
  run: ProofRun
  world: World
  key: WorldKey
  api: ApiProcess
  worker: ServerProcess
  stub: TestProvider
  close(): Promise<void>
}

export async function openScene(run: ProofRun): Promise<ProvidersScene> {
  const stub = await startProvider({ retry_after_seconds: 30, delay_ms: 100 })
  const folder = mkdtempSync(join(tmpdir(), 'octavo-models-'))
  const file = join(folder, 'models.json')
  writeFileSync(file, JSON.stringify(catalogueOf(stub.url)))
  const world = await openWorld(run.plants, {
    MODELS_FILE: file,
    RATE_LIMITS: 'off',
    WORKER_SLOTS: SLOTS,
    JOB_SLOTS: SLOTS,
  })
  const close = async (): Promise<void> => {
    await world.close()
    await Promise.all([stub.close(), rm(folder, { recursive: true, force: true })])
  }
  try {
    const { key } = await world.newTenant()
    const [api, worker] = await Promise.all([world.startApi(), world.startWorker()])
    return { run, world, key, api, worker, stub, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A provider for each, since trouble is a provider's and must not spread. */
function catalogueOf(base_url: string): object {
  return {
    providers: behaviours.map((id) => ({ id, base_url, locality: 'remote' })),
    models: behaviours.map((id) => ({
      id: `stub/${id}`,
      provider: id,
      model: id,
      kind: 'generator',
      context_tokens: 8_192,
      price: { input: 1_000_000, output: 2_000_000 },
      timeout_seconds: MODEL_TIMEOUT_SECONDS,
    })),
  }
}

export interface ProvidersSummary {
  id: string
  job_id: string
  status: string
  usage: { input_tokens: number; output_tokens: number; cost_micros: number } | null
  error: { code: string } | null
}

export interface ProvidersJob {
  status: string
  waiting_reason: string | null
  error: { code: string } | null
}

type Ends = Pick<ProvidersScene, 'api' | 'key'>

let count = 0

/** `wait_seconds`: the answer comes when it has ended, or then. */
export async function askSummary(ends: Ends, behaviour: Behaviour, wait_seconds = 0): Promise<ProvidersSummary> {
  const text = `Lease number ${++count}. The landlord lets the workshop at 4 Quay Street. The rent is 900 a month. It ends in ${2_000 + count}.`
  const body = JSON.stringify({ text, model: `stub/${behaviour}`, style: 'abstract', length: 'short', cache: 'bypass' })
  const headers: Record<string, string> = wait_seconds > 0 ? { prefer: `wait=${wait_seconds}` } : {}
  const answer = await call(callerOf(ends), { method: 'POST', path: '/api/v1/summaries', body, headers })
  if (answer.status !== 201 && answer.status !== 202)
    throw new Error(`a summary was answered with ${answer.status}: ${answer.text}`)
  return parse<ProvidersSummary>(answer)
}

const callerOf = ({ api, key }: Ends) => ({ url: api.url, secret: key.secret })

export const readSummary = async (ends: Ends, id: string): Promise<ProvidersSummary> =>
  parse<ProvidersSummary>(await call(callerOf(ends), { method: 'GET', path: `/api/v1/summaries/${id}` }))

export const readJob = async (ends: Ends, id: string): Promise<ProvidersJob> =>
  parse<ProvidersJob>(await call(callerOf(ends), { method: 'GET', path: `/api/v1/jobs/${id}` }))

export async function removeSummary(ends: Ends, id: string): Promise<void> {
  await call(callerOf(ends), { method: 'DELETE', path: `/api/v1/summaries/${id}` })
}
