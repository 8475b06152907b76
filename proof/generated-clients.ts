// Clients that other people's generators write from openapi.slim.json do what an integrator does.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GeneratedRun, generators } from './generated-clients/generators.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { defer } from './lib/scope.ts'
import { openWorld } from './lib/world.ts'

export const proof: Proof = {
  promise: 'Clients generated from the OpenAPI description can upload, wait, page, download and read errors.',
  goal: 'every story passes with openapi-python-client, oapi-codegen (Go) and openapi-generator (Java)',
  faults: {
    missing_field: {
      what: 'a required field is missing from responses',
      plants: [
        change('compileObject', '(properties).map(', "(properties).filter(([name]) => name !== 'updated_at').map("),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off' })
  const { url } = await world.startApi()
  await world.startWorker()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-generated-'))
  await using _rm = defer(() => rm(folder, { recursive: true, force: true }))
  const runs: GeneratedRun[] = []
  for (const { name, story } of generators) {
    if (run.only !== null && run.only !== name) continue
    const { key } = await world.newTenant()
    const stories = await story(join(folder, name), { url, key: key.secret, say: run.say })
    runs.push({ name, stories })
    for (const [what, failure] of stories) if (failure !== null) run.say(`  ${name}, ${what}: ${failure}`)
  }
  const stories = runs.flatMap((one) => one.stories)
  const passed = stories.filter(([, failure]) => failure === null).length
  return {
    figure: `${passed} of ${stories.length} stories passed: ${runs.map(({ name }) => name).join(', ')}`,
    is_met: runs.every((one) => one.stories.length === STORIES) && passed === stories.length,
  }
}

/** A program stops at the first story that fails. */
const STORIES = 6
