import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { giveAccess } from './lib/authorizations.ts'
import { change } from './lib/change.ts'
import { type FuzzReportFindings, readReport } from './lib/fuzz-report.ts'
import { newUser } from './lib/people.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { pythonTool } from './lib/python.ts'
import { defer } from './lib/scope.ts'
import { type ApiProcess, openWorld, type World, type WorldKey } from './lib/world.ts'

const VERSION = '4.32.5'
const DESCRIPTION = fileURLToPath(new URL('../openapi.json', import.meta.url))
const HOOKS = fileURLToPath(new URL('./lib/fuzz_hooks.py', import.meta.url))
const SIZES = {
  short: { cases: 1_000, examples: 4 },
  normal: { cases: 5_000, examples: 120 },
  long: { cases: 50_000, examples: 1_500 },
} as const
const MAX_ROUNDS = 5
const GRANTS = 20

// Left out: `response_schema_conformance`, since `answer_conformance` of the hooks does the same and knows `fields`;
// `positive_data_acceptance`, since no schema can say that a reference must exist, that a cursor was given by the same
// list, that a tag is the current one or that an Idempotency-Key is new; `object_level_authorization`, which needs a
// second user (the proof of isolation does that for every operation).
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'answer_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ensure_resource_availability',
  'ignored_auth',
]
// A request that breaks its schema is refused with any 4xx, 414 for a long query among them, but never with a 5xx.
const SETTINGS = `[checks.negative_data_rejection]\nexpected-statuses = ["4xx"]\n`

export const proof: Proof = {
  promise: 'Every response, to valid and invalid requests alike, matches the OpenAPI description.',
  goal: '0 answers ≥ 500, 0 outside their schema, 0 undocumented statuses in 5,000 cases of all phases; every operation succeeds at least once',
  faults: {
    server_error: {
      what: 'a project that does not exist is found out by the database only',
      plants: [change('isForeignKeyViolation', 'codeOf(error) === FOREIGN_KEY_VIOLATION', 'false')],
    },
    wrong_schema: {
      what: 'a required member is missing from answers',
      plants: [
        change('compileObject', '(properties).map(', "(properties).filter(([name]) => name !== 'updated_at').map("),
      ],
    },
    undocumented: {
      what: 'a status that no operation describes',
      plants: [
        change('answerFailure', '.code(failure.status)', '.code(failure.status === 422 ? 418 : failure.status)'),
      ],
    },
  },
  run,
}

async function run(asked: ProofRun): Promise<ProofOutcome> {
  const program = await pythonTool('schemathesis', VERSION, asked.say)
  const folder = await mkdtemp(join(tmpdir(), 'octavo-fuzz-'))
  await using _rm = defer(() => rm(folder, { recursive: true, force: true }))
  // Far above what one fuzzer sends, so that limits answer with their headers but never with 429.
  await using world = await openWorld(asked.plants, { TIER_SELF_HOSTED: 'requests_per_minute:100000000' })
  const api = await world.startApi()
  await world.startWorker()
  const { tenant, key } = await world.newTenant()
  const file = await makeFile(key)
  const grants = await makeGrants(world, tenant, key)
  const operations = await writeDescription(folder)
  const { cases, examples } = SIZES[asked.length]
  // CI uses a fixed seed, so that it does not fail by chance; other runs use a new seed and print it.
  let seed = asked.length === 'short' ? 1 : Date.now() % 1_000_000
  const found: FuzzReportFindings = {
    cases: 0,
    server_errors: 0,
    schema: 0,
    statuses: 0,
    others: 0,
    idle: operations,
    examples: [],
  }
  const all = operations.size
  for (let round = 1; found.cases < cases && round <= MAX_ROUNDS; round++, seed++) {
    asked.say(`round ${round}: seed ${seed}, ${examples} examples for each operation`)
    await fuzz({ program, folder, examples, seed, api, key, file, grants }, asked.say)
    await readReport(folder, found)
    asked.say(`${found.cases} cases so far`)
  }
  return judge(found, all, cases, asked.say)
}

/** No operation creates a file by itself, so the fuzzer gets the id of an existing one. */
async function makeFile(key: WorldKey): Promise<string> {
  const source = {
    type: 'base64',
    media_type: 'text/plain',
    data: Buffer.from('Lease between A and B').toString('base64'),
  } as const
  const { file_id } = await key.client().documents.create({ title: 'Lease', source }, { wait_seconds: 20 })
  return file_id!
}

/** Only a user can give an application access, so the fuzzer gets authorizations that exist. */
async function makeGrants({ app }: World, tenant: string, key: WorldKey): Promise<string[]> {
  const client = key.client()
  const { id: user } = await newUser(client, { role: 'viewer' })
  const { id: application } = await client.oauthClients.create({
    name: 'Reader',
    grant_types: ['authorization_code'],
    scopes: ['documents:read'],
    redirect_uris: ['https://reader.example.com/callback'],
  })
  return Promise.all(Array.from({ length: GRANTS }, () => giveAccess(app, tenant, user, application)))
}

/** Without the `default` answers: beside them no status would ever be undocumented. Gives the operations. */
async function writeDescription(folder: string): Promise<Set<string>> {
  const description = JSON.parse(await readFile(DESCRIPTION, 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  const operations = new Set<string>()
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      operations.add(`${method.toUpperCase()} ${path}`)
      delete responses.default
    }
  }
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(description))
  await writeFile(join(folder, 'settings.toml'), SETTINGS)
  return operations
}

interface FuzzRound {
  program: string
  folder: string
  examples: number
  seed: number
  api: ApiProcess
  key: WorldKey
  /** The id of a file. */
  file: string
  /** Ids of authorizations. */
  grants: string[]
}

async function fuzz(round: FuzzRound, say: (line: string) => void): Promise<void> {
  const args = ['--config-file', 'settings.toml', 'run', 'openapi.json', '--url', `${round.api.url}/api/v1`]
  args.push(
    '--header',
    `Authorization: Bearer ${round.key.secret}`,
    '--checks',
    CHECKS.join(','),
    '--continue-on-failure',
  )
  args.push(
    '--phases',
    'examples,coverage,fuzzing,stateful',
    '--max-examples',
    String(round.examples),
    '--seed',
    String(round.seed),
  )
  args.push('--generation-database', 'none', '--no-shrink', '--request-timeout', '20', '--no-color')
  args.push('--report', 'json,ndjson', '--report-json-path', 'report.json', '--report-ndjson-path', 'report.ndjson')
  const told = {
    OCTAVO_FUZZ_KEY_ID: round.key.id,
    OCTAVO_FUZZ_FILE_ID: round.file,
    OCTAVO_FUZZ_GRANT_IDS: round.grants.join(','),
  }
  const env = { ...process.env, ...told, SCHEMATHESIS_HOOKS: HOOKS, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(round.program, args, { cwd: round.folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  // 1 means failures, which the report lists in full; any other code means that the run did not happen.
  if (code !== 0 && code !== 1) throw new Error(`schemathesis ended with ${code}:\n${output}`)
  const summary = /Test Phases:[\s\S]*?\n\n/.exec(output)?.[0] ?? ''
  say(summary.replaceAll(/\s+/g, ' ').trim())
}

function judge(
  found: FuzzReportFindings,
  operations: number,
  cases: number,
  say: (line: string) => void,
): ProofOutcome {
  for (const example of found.examples) say(example)
  if (found.idle.size > 0) say(`never answered with success: ${[...found.idle].join(', ')}`)
  const { server_errors, schema, statuses, others, idle } = found
  const isClean = server_errors + schema + statuses + others === 0
  return {
    figure:
      `${found.cases} cases: ${server_errors} answers ≥ 500, ${schema} outside their schema, ${statuses} undocumented statuses, ` +
      `${others} other failures; ${operations - idle.size} of ${operations} operations succeeded`,
    is_met: isClean && found.cases >= cases && idle.size === 0,
  }
}
