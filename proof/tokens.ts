// Access tokens keep working while their signing keys rotate, and cost no more than API keys.

import { change } from './lib/change.ts'
import { type Part, type Proof, type ProofOutcome, type ProofRun, partOf, proveParts } from './lib/proof.ts'
import { compareRequests, httpRequests } from './lib/requests.ts'
import { giveToken } from './lib/user-tokens.ts'
import { openWorld } from './lib/world.ts'
import { rotateUnderLoad } from './tokens/rotation.ts'

const ROTATIONS = { short: 2, normal: 3, long: 6 }
const GOAL = 0.95
const RATE = 200

export const proof: Proof = {
  promise:
    'Access tokens work while the signing keys rotate, and a request with one costs no more than with an API key.',
  goal: `${ROTATIONS.normal} rotations under load on three processes: 0 answers other than 200 (short: ${ROTATIONS.short}); GET of a document with a token >= ${GOAL} of the same with a key, by CPU time`,
  faults: {
    key_dropped: {
      what: 'a rotation drops the earlier key at once',
      plants: [change('listRetired', 'now_ms - RETIRED_MS', 'now_ms')],
    },
    token_not_cached: {
      what: 'a token is verified with every request',
      plants: [
        change(
          'remember',
          'if (this.entries.size >= MAX_REMEMBERED)',
          'if (credential.grant !== null) return\n    if (this.entries.size >= MAX_REMEMBERED)',
        ),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const parts: Record<string, () => Promise<Part>> = {
    rotation: () => rotateUnderLoad(run, ROTATIONS[run.length]),
    cost: () => compareWithKey(run),
  }
  const chosen = Object.entries(parts).filter(([name]) => run.only === null || run.only === name)
  return proveParts(
    run,
    chosen.map(([, part]) => part),
  )
}

async function compareWithKey(run: ProofRun): Promise<Part> {
  await using world = await openWorld(run.plants, {
    LOG_LEVEL: 'info',
    TIER_SELF_HOSTED: 'requests_per_minute:100000000',
  })
  const { tenant, key } = await world.newTenant()
  const api = await world.startApi()
  const owner = key.client()
  const { id: document_id } = await owner.documents.create({
    title: 'Lease',
    source: { type: 'text', text: 'A lease.' },
  })
  const { id: user_id } = await owner.users.create({ email: 'ada@example.com', name: 'Ada Okafor', role: 'viewer' })
  const { secret } = await giveToken(world, api.url, { tenant_id: tenant, user_id, client_id: null })
  const side = (credential: string) => ({
    pids: [api.pid],
    connections: { database: world.database.name, is_bare: false },
    request: httpRequests(() => ({
      url: `${api.url}/api/v1/documents/${document_id}`,
      headers: { authorization: `Bearer ${credential}` },
    })),
  })
  const sides = { bare: side(key.secret), ours: side(secret) }
  const { share, figure } = await compareRequests(run, { name: 'GET with a token', rate: RATE }, sides)
  return partOf({ figure: `GET with a token, against a key (bare): ${figure}`, is_met: share >= GOAL })
}
