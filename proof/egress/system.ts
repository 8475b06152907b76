// The same through the whole system: a document is created from the address, and the worker fetches it.

import { setTimeout as sleep } from 'node:timers/promises'
import { OctavoError } from '@octavo/sdk'
import type { Plant } from '../lib/proof.ts'
import { openWorld } from '../lib/world.ts'
import type { EgressVerdict, Importer } from './importers.ts'

const POLL_MS = 15
const PATIENCE_MS = 30_000

export async function openSystem(plants: readonly Plant[], allow_cidrs: readonly string[]): Promise<Importer> {
  const world = await openWorld(plants, {
    EGRESS_ALLOW_CIDRS: allow_cidrs.join(','),
    EGRESS_ALLOW_HTTP: 'true',
    RATE_LIMITS: 'off',
  })
  try {
    await world.startApi()
    await world.startWorker()
    const { key } = await world.newTenant()
    const client = key.client()
    return {
      async fetch(url) {
        const job_id = await client.documents.create({ title: 'Import', source: { type: 'url', url } }).then(
          (document) => document.latest_job_id,
          (error: unknown) => {
            if (error instanceof OctavoError && (error.status === 400 || error.status === 422)) return null
            throw error
          },
        )
        return job_id === null ? 'refused' : verdictOf(() => client.jobs.get(job_id))
      },
      close: () => world.close(),
    }
  } catch (error) {
    await world.close()
    throw error
  }
}

interface EgressShownRow {
  status: string
  attempt: number
  is_terminal: boolean
  waiting_reason?: string | null
  error: { code: string } | null
}

async function verdictOf(look: () => Promise<EgressShownRow>): Promise<EgressVerdict> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const { status, attempt, is_terminal, error, waiting_reason } = await look()
    if (status === 'succeeded') return 'answered'
    // Refusals are never retried.
    if (is_terminal && error?.code === 'source_unavailable' && attempt === 1) return 'refused'
    if (is_terminal || waiting_reason === 'retry_backoff') return 'failed'
  }
  return 'failed'
}
