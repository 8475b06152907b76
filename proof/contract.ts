// Every operation of the contract keeps every rule that holds for its kind, on the running server.

import { operations } from '@octavo/contract'
import { Tally } from './contract/tally.ts'
import { walk } from './contract/walk.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'

const SHOWN_FAILURES = 40

async function run(given: ProofRun): Promise<ProofOutcome> {
  const say = (line: string): void => given.say(line)
  const world = await openWorld(given.plants)
  const tally = new Tally()
  const chosen = operations.filter(({ name }) => given.only === null || name.startsWith(`${given.only}.`))
  try {
    const { url } = await world.startApi()
    await world.startWorker({ WORKER_SLOTS: '8' })
    await walk({ world, url, tally }, say, chosen)
  } finally {
    await world.close()
  }
  const bare = chosen.filter(({ name }) => tally.countOf(name) === 0).map(({ name }) => name)
  const { failures, total } = tally
  for (const failure of failures.slice(0, SHOWN_FAILURES)) say(`FAILED ${failure}`)
  if (failures.length > SHOWN_FAILURES) say(`… and ${failures.length - SHOWN_FAILURES} more`)
  for (const name of bare) say(`FAILED ${name}: nothing was checked`)
  const counts = `${chosen.length} operations, ${total} checks, ${failures.length} failed, ${bare.length} operations without checks`
  return {
    figure: failures[0] ? `${counts}; the first: ${failures[0].slice(0, 120)}` : counts,
    is_met: failures.length === 0 && bare.length === 0 && chosen.length > 0,
  }
}

const absentCaller = `({ tenant: '00000000-0000-7000-8000-000000000000', projects: null, tier: 'self_hosted', actor: { type: 'system', id: null },
  scopes: new Set(['documents:read', 'documents:write', 'jobs:read', 'jobs:write', 'projects:read', 'projects:write', 'events:read', 'api_keys:manage']) } as Principal)`

export const proof: Proof = {
  promise: 'Every operation follows the common rules: credentials, errors, lists, ETags, events, idempotency.',
  goal: 'every operation of the contract checked, 0 checks failed',
  faults: {
    no_authentication: {
      what: 'the authentication hook is gone',
      plants: [
        change(
          'pass',
          'return then(this.authenticate(request, context, resource), (principal) => {',
          `return then(${absentCaller}, (principal) => {`,
        ),
      ],
    },
    no_filter: {
      what: 'the filter of answers is gone',
      plants: [change('compilePresenter', 'const shown = filter(row)', 'const shown = (filter, row)')],
    },
    own_404: {
      what: 'the framework answers 404 with a body of its own',
      plants: [change('buildServer', 'server.setNotFoundHandler(', 'void (')],
    },
    forgotten_event: {
      what: 'a change writes no event',
      plants: [
        change('answerWrite', '    checkDuties(endpoint, tx)\n', '\n'),
        change('saveProject', "record(tx, 'project.updated', saved, saved.id)", ''),
      ],
    },
  },
  run,
}
