import { setTimeout as sleep } from 'node:timers/promises'
import { Octavo } from '@octavo/sdk'
import { freePort } from '../server/src/testing/port.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { type ApiProcess, openWorld, type World } from './lib/world.ts'

const SIZES = { short: 2, normal: 10, long: 100 } as const
const WORKERS = 8
/** Attempts that broke off, of all: more would mean that the retries of the SDK hide a bad stop. */
const MAX_BROKEN_SHARE = 0.002

export const proof: Proof = {
  promise: 'A rolling restart under load fails no call.',
  goal: '10 rolling restarts of two processes on one port under SDK load: 0 failed calls, every document created once',
  faults: {
    no_drain: {
      what: 'a process that is told to stop ends at once',
      plants: [change('runProcess', 'health.is_stopping = true', 'process.exit(0)')],
    },
    no_key: {
      what: 'a retry with the same Idempotency-Key is executed again',
      plants: [
        change(
          'readAsked',
          "if (route.endpoint.method !== 'POST') return",
          "if (route.endpoint.method !== 'TRACE') return",
        ),
        change('runProcess', 'health.is_stopping = true', 'process.exit(0)'),
      ],
    },
  },
  run,
}

interface RestartTally {
  calls: number
  failed: number
  attempts: number
  broken: number
  refused: number
  created: number
  reasons: Map<string, number>
}

async function run(asked: ProofRun): Promise<ProofOutcome> {
  // One caller that never rests: its limit is not what this is about.
  await using world = await openWorld(asked.plants, { TIER_SELF_HOSTED: 'requests_per_minute:10000000' })
  const tally: RestartTally = {
    calls: 0,
    failed: 0,
    attempts: 0,
    broken: 0,
    refused: 0,
    created: 0,
    reasons: new Map(),
  }
  const PORT = String(await freePort())
  const apis = [await world.startApi({ PORT }), await world.startApi({ PORT })]
  const { key } = await world.newTenant()
  const client = new Octavo({ base_url: apis[0]!.url, api_key: key.secret, fetch: countingFetch(tally) })
  const end = new AbortController()
  const working = Promise.all(Array.from({ length: WORKERS }, () => work(client, tally, end.signal)))
  await sleep(500)
  for (let round = 1; round <= SIZES[asked.length]; round++) {
    for (const i of [0, 1]) apis[i] = await restart(world, apis[i]!, PORT)
    asked.say(`restart ${round}: ${tally.calls} calls, ${tally.failed} failed, ${tally.broken} broken attempts`)
  }
  await sleep(500)
  end.abort()
  await working
  return judge({ ...tally }, await countDocuments(key.client()), asked.say)
}

async function restart(world: World, old: ApiProcess, PORT: string): Promise<ApiProcess> {
  await old.stop()
  return world.startApi({ PORT })
}

/** Counts the SDK's attempts and records their errors. */
function countingFetch(tally: RestartTally): typeof fetch {
  return async (input, init) => {
    tally.attempts++
    try {
      const response = await fetch(input, init)
      const body = response.status === 204 ? null : await response.text()
      if (response.status >= 400) note(tally, `answer ${response.status} ${body}`)
      if (response.status >= 400) tally.refused++
      return new Response(body, response)
    } catch (error) {
      tally.broken++
      const cause = (error as { cause?: { code?: string; message?: string } }).cause
      note(tally, cause?.code ?? cause?.message ?? String(error))
      throw error
    }
  }
}

function note(tally: RestartTally, reason: string): void {
  tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1)
}

/** One caller after another: a new document, its page, a look at it, a list. */
async function work(client: Octavo, tally: RestartTally, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    const id = await counted(tally, async () => {
      const { id: made } = await client.documents.create({
        title: 'Lease',
        source: { type: 'pages', pages: [{ text: 'Rent' }] },
      })
      tally.created++
      return made
    })
    if (id === null) continue
    await counted(tally, () => client.documents.get(id))
    await counted(tally, () => client.documents.list({ limit: 20 }))
    await counted(tally, () => client.documents.update(id, { title: 'Lease, signed' }))
    await counted(tally, () => client.pages.list(id))
  }
}

async function counted<T>(tally: RestartTally, call: () => Promise<T>): Promise<T | null> {
  tally.calls++
  try {
    return await call()
  } catch (error) {
    tally.failed++
    note(tally, `call: ${(error as Error).message}`)
    return null
  }
}

async function countDocuments(client: Octavo): Promise<number> {
  let count = 0
  for await (const page of client.documents.list({ limit: 100 }).pages()) count += page.data.length
  return count
}

function judge(tally: RestartTally, documents: number, say: (line: string) => void): ProofOutcome {
  for (const [reason, count] of tally.reasons) say(`${count} × ${reason}`)
  const { calls, failed, attempts, broken, refused, created } = tally
  return {
    figure:
      `${calls} calls: ${failed} failed; ${attempts - calls} retries (${broken} connections broke, ${refused} answers ≥ 400); ` +
      `${created} documents acknowledged, ${documents} there`,
    is_met: failed === 0 && documents === created && broken <= Math.max(1, attempts * MAX_BROKEN_SHARE),
  }
}
