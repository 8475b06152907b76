// The generative paths against a real model. Its answers may be poor; what becomes of them may not.

import { askCase, type ChatEndState, type ChatScene, SPOILED, WELL } from './chat/ask.ts'
import { casesOf } from './chat/cases.ts'
import { faults } from './chat/faults.ts'
import { openPassage } from './chat/passage.ts'
import { writeCatalogue } from './lib/catalogue.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { defer, owned } from './lib/scope.ts'
import { openWorld } from './lib/world.ts'

/** Little, so that a few pages are a long document. */
const CONTEXT_TOKENS = 4_096
const TIMEOUT_SECONDS = 300

export const proof: Proof = {
  promise: 'With a real model, every outcome either satisfies its schema or fails with a documented code.',
  goal: 'summaries, classifications, extraction by a JSON Schema and answers, streamed and not, by a real model: each succeeds with a valid result or fails with a documented code, none hangs, usage recorded once per model call',
  faults,
  run: prove,
}

function readTarget(): { base_url: string; model: string } {
  const { CHAT_BASE_URL: base_url = '', CHAT_MODEL: model = '' } = process.env
  if (base_url === '' || model === '')
    throw new Error('CHAT_BASE_URL and CHAT_MODEL must name an OpenAI-compatible server and its model.')
  return { base_url: base_url.replace(/\/$/, ''), model }
}

const secretEnv = (): Record<string, string> =>
  process.env.CHAT_API_KEY ? { CHAT_API_KEY: process.env.CHAT_API_KEY } : {}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const target = readTarget()
  await using passage = owned(await openPassage(target.base_url))
  const entry = {
    context_tokens: CONTEXT_TOKENS,
    timeout_seconds: TIMEOUT_SECONDS,
    price: { input: 1_000_000, output: 2_000_000 },
    called: target.model,
    ...('CHAT_API_KEY' in secretEnv() ? { api_key_env: 'CHAT_API_KEY' } : {}),
  }
  const catalogue = writeCatalogue([
    { model: WELL, base_url: passage.url, ...entry },
    { model: SPOILED, base_url: passage.spoiled_url, ...entry },
  ])
  await using _catalogue = defer(() => catalogue.remove())
  const env = { RATE_LIMITS: 'off', MODELS_FILE: catalogue.path, CHAT_BASE_URL: '', CHAT_MODEL: '', ...secretEnv() }
  await using world = await openWorld(run.plants, env)
  const { key } = await world.newTenant()
  const [api] = await Promise.all([world.startApi(), world.startWorker()])
  return await askAll(run, { world, api, key, passage })
}

/** One after the other: the model has no more than one mind. */
async function askAll(run: ProofRun, scene: ChatScene): Promise<ProofOutcome> {
  const ended: ChatEndState[] = []
  for (const one of casesOf(run.length, run.fault)) {
    const began = performance.now()
    const result = await askCase(scene, one)
    ended.push(result)
    run.say(
      `${result.name}: ${result.end}, ${result.calls} calls, ${Math.round((performance.now() - began) / 1_000)} s`,
    )
    for (const finding of result.findings) run.say(`  ${finding}`)
    if (run.fault !== null && result.findings.length > 0) break
  }
  const found = ended.flatMap(({ findings }) => findings)
  const ends = Map.groupBy(ended, ({ end }) => end)
  const calls = ended.reduce((sum, one) => sum + one.calls, 0)
  const told = [...ends].map(([end, all]) => `${all.length} ${end}`).join(', ')
  const figure =
    run.fault === null
      ? `${ended.length} outcomes by ${process.env.CHAT_MODEL}, ${calls} calls: ${told}; ${found.length} findings`
      : (found[0] ?? 'nothing was found')
  return { figure, is_met: found.length === 0 }
}
