// Overhead of the whole request pipeline over a minimal server with the same answers, in the same run.

import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { NewDocument } from '@octavo/contract'
import { findUuid } from '../server/src/lib/ids.ts'
import { freePort } from '../server/src/testing/port.ts'
import { adminUrl } from './lib/admin.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { compareSides } from './lib/rounds.ts'
import { defer } from './lib/scope.ts'
import { openWorld, type World } from './lib/world.ts'
import { type Load, runWrk } from './lib/wrk.ts'

const exec = promisify(execFile)
const GOALS = { get: 0.75, list: 0.8, post: 0.6, pgbench: 0.3 }
type Measure = keyof typeof GOALS

const DOCUMENT: NewDocument = {
  title: 'Lease',
  source: { type: 'pages', pages: [{ text: 'Lease between A and B' }, { text: 'Rent: 1,200 a month' }] },
}
const BODY = JSON.stringify(DOCUMENT)
const POST = (isKeyed: boolean) => `wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.body = [[${BODY}]]
local n, base = 0, tostring(os.time()) .. "-" .. tostring({})
request = function() n = n + 1 ${isKeyed ? 'wrk.headers["idempotency-key"] = base:gsub("[^%w]", "") .. n' : ''} return wrk.format() end`

export const proof: Proof = {
  promise: 'Authentication, limits, validation, isolation and events cost little compared with the database itself.',
  goal: 'GET >= 0.75, list of 50 >= 0.80, POST with a key and a job >= 0.60 of bare Fastify + pg + pg-boss; GET >= 0.30 of pgbench (medians of 5)',
  faults: {
    extra_round_trips: {
      what: 'the tenant is set in a transaction of its own round trips',
      plants: [
        change(
          'runOnce',
          'const rows = await run(client, steps, deadline)\n',
          'await run(client, [{ statement: BEGIN, values: [] }], deadline)\nconst all = []\nfor (const step of steps) all.push(...(await run(client, [step], deadline)))\nawait run(client, [{ statement: COMMIT, values: [] }], deadline)\nconst rows = all\n',
        ),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'on', LOG_LEVEL: 'info' })
  return await measure(run, world)
}

async function measure(run: ProofRun, world: World): Promise<ProofOutcome> {
  const { tenant, key } = await world.newTenant()
  // No worker: nothing else shall use the processor. Slots without end: each job is admitted and given to the engine at
  // once, as the bare one is, however many wait there.
  const api = await world.startApi({ TIER_SELF_HOSTED: 'requests_per_minute:100000000,running_jobs:100000000' })
  const client = key.client(api.url)
  const ids: string[] = []
  for (let i = 0; i < 200; i++) ids.push((await client.documents.create(DOCUMENT)).id)
  const id = ids[100]!
  const bare_port = await freePort()
  const bare = fork(new URL('./ratios/bare.ts', import.meta.url), {
    env: {
      ...process.env,
      PORT: String(bare_port),
      BARE_DATABASE_URL: adminUrl(world.database.name),
      BARE_TENANT: findUuid('ten', tenant)!,
    },
  })
  await using _bare = defer(() => bare.kill())
  await once(bare, 'message')
  for (const pid of [api.pid, bare.pid!]) await exec('taskset', ['-apc', '0', String(pid)])
  const headers = { authorization: `Bearer ${key.secret}` }
  const bare_url = `http://127.0.0.1:${bare_port}`
  const seconds = run.length === 'short' ? 2 : 4
  let errors = 0
  const wrk = async (target: Omit<Load, 'seconds'>): Promise<{ per_second: number }> => {
    const { per_second, errors: failed } = await runWrk({ ...target, seconds })
    errors += failed
    return { per_second }
  }
  const [t, d] = [findUuid('ten', tenant)!, findUuid('doc', id)!]
  const get = () => wrk({ url: `${api.url}/api/v1/documents/${id}`, headers })
  // POST is last: its rows would be in the way of the others.
  const sides: Record<Measure, { ours: () => Promise<{ per_second: number }>; bare: typeof get }> = {
    get: { bare: () => wrk({ url: `${bare_url}/documents/${d}` }), ours: get },
    pgbench: {
      bare: async () => ({ per_second: await runPgbench(world.database.name, t, d, seconds) }),
      ours: get,
    },
    list: {
      bare: () => wrk({ url: `${bare_url}/documents` }),
      ours: () => wrk({ url: `${api.url}/api/v1/documents?limit=50`, headers }),
    },
    post: {
      bare: () => wrk({ url: `${bare_url}/documents`, script: POST(false) }),
      ours: () => wrk({ url: `${api.url}/api/v1/documents`, headers, script: POST(true) }),
    },
  }
  const ratios: Record<Measure, number> = { get: 0, list: 0, post: 0, pgbench: 0 }
  for (const name of ['get', 'pgbench', 'list', 'post'] as const)
    ratios[name] = (await compareSides(run, { name, by: 'per_second', unit: '/s' }, sides[name])).ratio
  return {
    figure: `GET ${ratios.get}, list ${ratios.list}, POST ${ratios.post}, GET of pgbench ${ratios.pgbench}; ${errors} errors`,
    is_met: errors === 0 && (['get', 'list', 'post', 'pgbench'] as const).every((name) => ratios[name] >= GOALS[name]),
  }
}

async function runPgbench(database: string, tenant: string, document: string, seconds: number): Promise<number> {
  const file = join(tmpdir(), `octavo-pgbench-${process.pid}.sql`)
  await writeFile(
    file,
    `select id, 'document' as object, title, project_id, external_id, source, status, media_type, size_bytes, sha256, expires_at, latest_job_id, page_count, pages_ready, pages_failed, warnings, error, metadata, version, created_at, updated_at from documents where tenant_id = '${tenant}' and id = '${document}' and deleted_at is null;\n`,
  )
  const { stdout } = await exec('pgbench', [
    '-n',
    '-M',
    'prepared',
    '-c',
    '10',
    '-j',
    '1',
    '-T',
    String(seconds),
    '-f',
    file,
    adminUrl(database),
  ])
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}
