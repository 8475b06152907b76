// A code and a refresh token are redeemed once, however many requests come at the same time.

import {
  authorize,
  getTokens,
  redeem,
  refresh,
  registerWebApp,
  signInBrowser,
  tokensOf,
} from '../server/src/testing/oauth.ts'
import { createTestUser } from '../server/src/testing/users.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'

const ROUNDS = { short: 3, normal: 100, long: 1_000 }
const PARALLEL = 20

export const proof: Proof = {
  promise:
    'A code gives tokens once, and a refresh token has one successor, also under parallel requests to two processes.',
  goal: `${ROUNDS.normal} rounds x ${PARALLEL} parallel requests for a code and for a refresh token: 0 double uses`,
  faults: {
    look_up_then_mark: {
      what: 'a code is marked without the check that it is unused',
      plants: [change('CONSUME', 'where hash = $1 and consumed_at is null', 'where hash = $1')],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', DATABASE_POOL: '20' })
  const { tenant, key } = await world.newTenant()
  const serverAt = (url: string) => ({ url, owner_key: key.secret })
  const first = serverAt((await world.startApi()).url)
  const second = serverAt((await world.startApi()).url)
  await createTestUser({ app: world.app, owner_tenant: tenant }, 'ada@example.com')
  const browser = await signInBrowser(first, 'ada@example.com')
  const everywhere = <T>(work: (server: typeof first) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: PARALLEL }, (_, i) => work(i % 2 === 0 ? first : second)))
  const found = { redeemed: 0, twice: 0, split: 0, other: 0 }
  for (let round = 0; round < ROUNDS[run.length]; round++) {
    const client = await registerWebApp(key.client())
    const code = (await authorize(browser, client)).get('code') ?? ''
    const redeemed = await everywhere((server) => redeem(server, client, code))
    const count = redeemed.filter(({ status }) => status === 200).length
    found.redeemed += Math.min(count, 1)
    found.twice += Math.max(0, count - 1)
    const { refresh_token } = await getTokens(first, browser, client)
    const refreshed = await everywhere((server) => refresh(server, client, refresh_token))
    const answered = refreshed.filter(({ status }) => status === 200)
    found.split += Math.max(0, new Set(answered.map((answer) => tokensOf(answer).refresh_token)).size - 1)
    found.other += [...redeemed, ...refreshed].filter(({ status }) => status !== 200 && status !== 400).length
  }
  return {
    figure: `${ROUNDS[run.length]} rounds x ${PARALLEL} parallel requests: ${found.redeemed} codes redeemed, ${found.twice} double uses; ${found.split} refresh tokens with a second successor; ${found.other} other answers`,
    // A second use ends the grant at once, so that the first may fail too.
    is_met: found.twice + found.split + found.other === 0,
  }
}
