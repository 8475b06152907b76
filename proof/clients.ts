// Every client does what an integrator does: it is installed as a user installs it, and runs its stories against a server.

import { proveAdapters } from './clients/adapters.ts'
import { BROWSER_ORIGIN, type ClientRun } from './clients/client.ts'
import { proveAgents } from './clients/mcp.ts'
import { provePython } from './clients/python.ts'
import { writeClientsPage } from './clients/table.ts'
import { proveTypeScript } from './clients/typescript.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'

export const proof: Proof = {
  promise: 'Each client can be installed, and does the same in every runtime that it supports.',
  goal: 'every story passes in every runtime; the SDK takes at most 30,000 bytes in a page, minified and compressed',
  faults: {
    no_cors: {
      what: 'the API does not let a browser read its headers',
      plants: [],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const origins = run.fault === 'no_cors' ? '' : BROWSER_ORIGIN
  const world = await openWorld(run.plants, { CORS_ALLOWED_ORIGINS: origins, RATE_LIMITS: 'off' })
  try {
    const { url } = await world.startApi()
    await world.startWorker()
    const newKey = async () => (await world.newTenant()).key.secret
    const server = { url, newKey, say: run.say }
    const runs: ClientRun[] = []
    for (const proveClient of [proveTypeScript, provePython, proveAgents, proveAdapters])
      runs.push(...(await proveClient(server)))
    if (run.is_recorded) writeClientsPage(runs)
    for (const { client, runtime, stories } of runs) {
      const passed = stories.filter(([, failure]) => failure === null).length
      run.say(`${client}, ${runtime}: ${passed} of ${stories.length}`)
      for (const [name, failure] of stories) if (failure !== null) run.say(`  ${name}: ${failure}`)
    }
    return outcomeOf(runs)
  } finally {
    await world.close()
  }
}

function outcomeOf(runs: readonly ClientRun[]): ProofOutcome {
  const stories = runs.flatMap((run) => run.stories)
  const failed = stories.filter(([, failure]) => failure !== null).length
  const clients = new Set(runs.map(({ client }) => client)).size
  const runtimes = new Set(runs.map(({ runtime }) => runtime))
  const figure = `${stories.length - failed} of ${stories.length} stories passed: ${clients} clients, ${[...runtimes].join(', ')}`
  return { figure, is_met: failed === 0 }
}
