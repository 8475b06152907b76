// The stack of compose.scale.yaml: two API processes behind a proxy, two workers, pooler, Valkey, S3. One worker dies half-way.

import { Octavo } from '@octavo/sdk'
import { newSecret } from '../server/src/auth/credential.ts'
import { freePort } from '../server/src/testing/port.ts'
import { ensureStandIns, podman, standIns } from './containers/engine.ts'
import { type Machine, openMachine } from './containers/machine.ts'
import { makeBook, textOfPage } from './lib/book.ts'
import { change } from './lib/change.ts'
import { type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { plain } from './survive/parts.ts'
import { waitFor } from './survive/scene.ts'

const DOCUMENTS = 50
const PAGES = { short: 20, normal: 60, long: 200 } as const
const PATIENCE_SECONDS = 900
/** More than both API processes let pass from one address. */
const GUESSES = 200

export const proof: Proof = {
  promise: 'The image loses nothing when one of several processes dies.',
  goal: `compose.scale.yaml: ${DOCUMENTS} documents through two API processes and two workers, one worker killed with -9 half-way and not started again: all ready, no page missing or wrong, both API processes and both workers took part; guessed keys are rejected whatever address the client claims`,
  faults: {
    no_worker: {
      what: 'what should be workers are API processes',
      plants: [change('compose.scale.yaml', 'command: [worker]', 'command: [api]')],
    },
    no_pooler: {
      what: 'the pooler has another password of the role',
      plants: [change('compose.scale.yaml', 'APP_PASSWORD: ${APP_PASSWORD}', 'APP_PASSWORD: wrong')],
    },
    credulous_proxy: {
      what: 'the proxy passes on what a caller says of its own address',
      plants: [change('deploy/scale/haproxy.cfg', 'http-request del-header X-Forwarded-For', '')],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  ensureStandIns(Object.keys(standIns) as (keyof typeof standIns)[], run.say)
  const s3_port = await freePort()
  const machine = await openMachine(run.plants, {
    S3_PORT: String(s3_port),
    S3_PUBLIC_ENDPOINT: `http://localhost:${s3_port}`,
  })
  const stack = async (command: string): Promise<string> => {
    const { code, text } = await machine.run(`docker compose -f compose.scale.yaml ${command}`, machine.repository)
    if (code !== 0) throw new Error(`${command}\n${text.split('\n').slice(-20).join('\n')}`)
    return text
  }
  try {
    await machine.run('sh deploy/scale/passwords.sh >>.env', machine.repository)
    await stack('build api')
    const started = performance.now()
    await stack('up -d --wait')
    run.say(`up after ${Math.round((performance.now() - started) / 1000)} s`)
    const secret = /oct_key_\w+/.exec(await stack('run --rm api admin create-tenant "My team"'))![0]
    const client = new Octavo({ base_url: machine.url, api_key: secret, timeout_ms: 60_000 })
    return await proveOn(client, machine, run)
  } catch (error) {
    // With a fault the stack may not even come up, or never end: that is a catch.
    if (run.fault === null) throw error
    return { figure: (error as Error).message.trim().split('\n').at(-1)!, is_met: false }
  } finally {
    machine.close()
  }
}

async function proveOn(client: Octavo, machine: Machine, run: ProofRun): Promise<ProofOutcome> {
  const pages = PAGES[run.length]
  const patience = run.fault === null ? PATIENCE_SECONDS : 90
  const findings = await guessKeys(machine)
  if (run.fault !== null && findings.length > 0) return { figure: findings[0]!, is_met: false }
  const started = performance.now()
  const ids: string[] = []
  for (let seed = 1; seed <= DOCUMENTS; seed++) {
    const file = new File([new Uint8Array(await makeBook({ pages, seed }))], `book-${seed}.pdf`)
    ids.push((await client.documents.createFromFile(file)).id)
  }
  const countReady = async (): Promise<number> =>
    (await client.documents.list({ status: 'ready', limit: 100 })).data.length
  const at = await waitFor('half of them', patience, async () =>
    (await countReady()) >= DOCUMENTS / 2 ? countReady() : null,
  )
  const parts = { 'worker 1': partOf(machine, 'worker', 1) } as Record<string, number>
  podman('kill', '-s', 'KILL', machine.container('worker', 1))
  await waitFor('all of them', patience, async () => ((await countReady()) === DOCUMENTS ? true : null))
  const seconds = round((performance.now() - started) / 1000, 1)
  findings.push(...(await findWrong(client, ids, pages)))
  const is_dead = podman('inspect', '--format', '{{.State.Status}}', machine.container('worker', 1)) !== 'running'
  if (!is_dead) findings.push('the killed worker runs')
  Object.assign(parts, {
    'worker 2': partOf(machine, 'worker', 2),
    'api 1': partOf(machine, 'api', 1),
    'api 2': partOf(machine, 'api', 2),
  })
  for (const [name, part] of Object.entries(parts)) if (part === 0) findings.push(`${name} had no part`)
  for (const finding of findings.slice(0, 10)) run.say(`FAILED ${finding}`)
  const shares = Object.entries(parts)
    .map(([name, part]) => `${name} ${part}`)
    .join(', ')
  const figure = `${DOCUMENTS} documents of ${pages} pages ready in ${seconds} s, one of two workers killed when ${at} were: ${findings.length} wrong; requests and jobs: ${shares}`
  return { figure: run.fault === null ? figure : (findings[0] ?? 'nothing was found'), is_met: findings.length === 0 }
}

/** Each from another address, as the caller says, through one that is believed. */
async function guessKeys({ url }: Machine): Promise<string[]> {
  for (let i = 0; i < GUESSES; i++) {
    const headers = { authorization: `Bearer ${newSecret('key')}`, 'x-forwarded-for': `198.18.0.${i}, 172.18.0.1` }
    if ((await fetch(`${url}/api/v1/documents`, { headers })).status === 429) return []
  }
  return [`${GUESSES} guesses at a key were not held up`]
}

/** Requests that an API process has answered, jobs that a worker has run, as it counts them itself. */
function partOf(machine: Machine, service: 'api' | 'worker', number: number): number {
  const program = "fetch('http://127.0.0.1:9090/metrics').then((answer) => answer.text()).then(console.log)"
  const metrics = podman('exec', machine.container(service, number), 'node', '-e', program)
  const name = service === 'api' ? 'octavo_http_request_seconds_count' : 'octavo_job_run_seconds_count'
  return [...metrics.matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'gm'))].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}

async function findWrong(client: Octavo, ids: readonly string[], pages: number): Promise<string[]> {
  const findings: string[] = []
  for (const [index, id] of ids.entries()) {
    let count = 0
    for await (const { number, text } of client.pages.list(id, { limit: 100 })) {
      count++
      if (plain(text) !== plain(textOfPage(number, index + 1)))
        findings.push(`page ${number} of ${id} has another text`)
    }
    if (count !== pages) findings.push(`${id} has ${count} pages`)
  }
  return findings
}
