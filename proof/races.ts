// Codes, tokens and links work once, however many requests come at the same time.

import { createTestUser } from '../server/src/testing/users.ts'
import { change } from './lib/change.ts'
import { type Part, type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'
import { raceLinks } from './races/links.ts'
import { raceOwners } from './races/owners.ts'
import { raceTokens } from './races/tokens.ts'

const ROUNDS = { short: 10, normal: 1_000, long: 1_000 }
const PARALLEL = 20
const EMAIL = 'ada@example.com'

const linkLookedUp = change(
  'REDEEM',
  'delete from link_secrets where tenant_id = $1 and hash = $3 and kind = $4 and expires_at > now() returning subject_id::text as subject',
  'select subject_id::text as subject from link_secrets where tenant_id = $1 and hash = $3 and kind = $4 and expires_at > now()',
)

export const proof: Proof = {
  promise:
    'A code, a refresh token, an invitation and a reset link work once, also under parallel requests to two processes, and the last owner stays.',
  goal: `${ROUNDS.normal} rounds x ${PARALLEL} parallel uses of a code, a refresh token, an invitation and a reset link: 0 double uses; two owners leaving at once: one stays (short: ${ROUNDS.short} rounds)`,
  faults: {
    code_looked_up: {
      what: 'a code is looked up, then marked',
      plants: [change('CONSUME', 'where hash = $1 and consumed_at is null', 'where hash = $1')],
    },
    random_successor: {
      what: 'each parallel refresh makes its own successor',
      plants: [
        change('nameTokens', "rotated ? successorOf(config.keyring, rotated.jti) : newSecret('rt')", "newSecret('rt')"),
      ],
    },
    link_looked_up: { what: 'a link is looked up, then removed', plants: [linkLookedUp] },
    invitation_looked_up: {
      what: 'an invitation is looked up, then marked',
      plants: [linkLookedUp, change('ACCEPT', 'and accepted_at is null returning', 'returning')],
    },
    owners_looked_up: {
      what: 'owners are counted without a lock',
      plants: [change('LOCK_OWNERS', 'order by id for no key update', 'order by id')],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', DATABASE_POOL: '20' })
  const { tenant, key } = await world.newTenant()
  const urls = [(await world.startApi()).url, (await world.startApi()).url]
  await createTestUser({ app: world.app, owner_tenant: tenant }, EMAIL)
  const owner = key.client()
  const size = { rounds: ROUNDS[run.length], parallel: PARALLEL }
  const servers = urls.map((url) => ({ url, owner_key: key.secret }))
  const races: Record<string, () => Promise<Part[]>> = {
    tokens: () => raceTokens({ servers, owner, email: EMAIL, ...size }),
    links: () => raceLinks({ world, tenant, owner, ...size }),
    owners: async () => [await raceOwners({ urls, secret: key.secret, owner, ...size })],
  }
  const chosen = Object.entries(races).filter(([name]) => run.only === null || run.only === name)
  return await proveParts(
    run,
    chosen.map(
      ([, race]) =>
        async () =>
          joinParts(await race()),
    ),
  )
}

const joinParts = (parts: readonly Part[]): Part => ({
  figure: parts.map(({ figure }) => figure).join('; '),
  findings: parts.flatMap(({ findings }) => findings),
})
