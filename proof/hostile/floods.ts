// Hostile requests of one tenant while another tenant reads: schemas, labels, idempotency keys, streams and bodies that
// never arrive. Limits are on, because they are what protects the other tenant.

import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { call, eachOf, type ProofAnswer, type ProofCaller, parse } from '../lib/call.ts'
import { type ProofRun, round } from '../lib/proof.ts'
import type { World } from '../lib/world.ts'
import { openReads, type Reads } from './reads.ts'

const AMOUNT = { short: 500, normal: 2_000, long: 10_000 } as const
const STREAMS = { short: 1_000, normal: 10_000, long: 10_000 } as const
const IDLE_BODIES = 200
const AT_ONCE = 20
const ANSWER_MS = 30_000
/** Far above any healthy value, because the machine that runs the proof also sends the floods. */
const MAX_P95_MS = 5_000

export interface FloodResult {
  name: string
  /** How many requests got each status. */
  statuses: Record<string, number>
  p95_ms: number
  findings: string[]
}

interface Attack {
  caller: ProofCaller
  document_id: string
  job_id: string
  run: ProofRun
}

interface Flood {
  allowed: readonly number[]
  send(attack: Attack): Promise<string[]>
}

const nested = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } }

const hostileSchemas: readonly object[] = [
  { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  { type: 'object', properties: { a: { $ref: '#' } } },
  { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } },
  {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: {
      a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
      b: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } },
    },
  },
  { type: 'object', properties: { a: { $ref: 'http://127.0.0.1/schema' } } },
  nested(20),
  { type: 'object', properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`a${i}`, {}])) },
  { type: 'object', properties: { a: { anyOf: Array.from({ length: 5_000 }, () => ({ type: 'string' })) } } },
]

const floods: Readonly<Record<string, Flood>> = {
  schemas: {
    allowed: [400, 422, 429],
    send: (attack) =>
      post(attack, hostileSchemas.length * 5, (i) => ({
        path: `/api/v1/documents/${attack.document_id}/analysis`,
        body: JSON.stringify({ features: ['extraction'], schema: hostileSchemas[i % hostileSchemas.length] }),
      })),
  },
  labels: {
    allowed: [400, 413, 422, 429],
    send: (attack) => {
      const labels = Array.from({ length: 100_000 }, (_, i) => ({ name: i.toString(36) }))
      const bodies = [labels.slice(0, 50_000), labels].map((some) => JSON.stringify({ text: 'A text.', labels: some }))
      return post(attack, 20, (i) => ({ path: '/api/v1/classifications', body: bodies[i % 2] ?? '' }))
    },
  },
  'idempotency keys': {
    allowed: [201, 429],
    send: (attack) =>
      post(attack, AMOUNT[attack.run.length], (i) => ({
        path: '/api/v1/projects',
        body: JSON.stringify({ name: `Project ${i} ${randomUUID()}` }),
        headers: { 'idempotency-key': randomUUID().padEnd(255, 'x') },
      })),
  },
  streams: {
    allowed: [200, 429, 503],
    send: ({ caller, job_id, run }) =>
      openSockets(STREAMS[run.length], caller.url, [
        `GET /api/v1/jobs/${job_id}/events HTTP/1.1`,
        `authorization: Bearer ${caller.secret ?? ''}`,
        'accept: text/event-stream',
      ]),
  },
  'idle bodies': {
    // A body that is still missing has no answer yet.
    allowed: [0, 429, 503],
    send: ({ caller }) =>
      openSockets(
        IDLE_BODIES,
        caller.url,
        [
          'POST /api/v1/documents HTTP/1.1',
          `authorization: Bearer ${caller.secret ?? ''}`,
          'content-type: application/json',
          'content-length: 1000000',
        ],
        2_000,
      ),
  },
}

type HostilePost = { path: string; body: string; headers?: Record<string, string> }

async function post({ caller }: Attack, amount: number, make: (i: number) => HostilePost): Promise<string[]> {
  const statuses: string[] = []
  const numbers = Array.from({ length: amount }, (_, i) => i)
  await eachOf(numbers, AT_ONCE, async (i) => {
    const answer: ProofAnswer | null = await call(caller, { method: 'POST', ...make(i) }).catch(() => null)
    statuses.push(answer === null ? 'no answer' : String(answer.status))
  })
  return statuses
}

/** Opens connections that stay open, and returns the status of each; 0 while there is none. */
async function openSockets(
  amount: number,
  url: string,
  lines: readonly string[],
  answer_ms = ANSWER_MS,
): Promise<string[]> {
  const sockets: Socket[] = []
  try {
    return await Promise.all(
      Array.from({ length: amount }, async () => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1')
        sockets.push(socket)
        socket.write(`${[...lines, 'host: localhost'].join('\r\n')}\r\n\r\n`)
        return firstStatus(socket, answer_ms)
      }),
    )
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

const firstStatus = (socket: Socket, answer_ms: number): Promise<string> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve('0'), answer_ms)
    const end = (status: string): void => {
      clearTimeout(timer)
      resolve(status)
    }
    socket.once('data', (bytes: Buffer) => end(bytes.toString('latin1').split(' ', 2)[1] ?? 'no answer'))
    socket.once('error', () => end('no answer'))
    socket.once('close', () => end('no answer'))
  })

export function describeFlood({ name, statuses, p95_ms }: FloodResult): string {
  const shown = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return `${name} ${shown.join(', ')} (${Math.round(p95_ms)} ms)`
}

export async function sendFloods(run: ProofRun, world: World): Promise<FloodResult[]> {
  const api = await world.startApi({ RATE_LIMITS: 'on' })
  const [attacker, other] = await Promise.all([world.newTenant('standard'), world.newTenant()])
  const caller = { url: api.url, secret: attacker.key.secret }
  const created = parse<{ id: string; latest_job_id: string }>(
    await call(caller, {
      method: 'POST',
      path: '/api/v1/documents',
      body: JSON.stringify({ title: 'Flood', source: { type: 'text', text: 'A text.' } }),
    }),
  )
  const attack = { caller, document_id: created.id, job_id: created.latest_job_id, run }
  const paths = ['/api/v1/documents', '/api/v1/projects']
  const reads = await openReads({ url: api.url, secret: other.key.secret, paths })
  try {
    await reads.during(1_000, async () => {})
    const results: FloodResult[] = []
    for (const [name, flood] of Object.entries(floods)) {
      const result = await sendFlood(name, flood, { attack, reads })
      run.say(describeFlood(result))
      results.push(result)
    }
    return results
  } finally {
    await reads.close()
    await api.stop()
  }
}

async function sendFlood(
  name: string,
  flood: Flood,
  { attack, reads }: { attack: Attack; reads: Reads },
): Promise<FloodResult> {
  const { result, p95_ms, failed } = await reads.during(1_000, () => flood.send(attack))
  const statuses: Record<string, number> = {}
  for (const status of result) statuses[status] = (statuses[status] ?? 0) + 1
  const wrong = Object.keys(statuses).filter((status) => !flood.allowed.includes(Number(status)))
  const findings = [
    ...wrong.map((status) => `${name}: ${statuses[status]} requests got ${status}`),
    ...(failed > 0 ? [`${name}: ${failed} reads of another tenant failed`] : []),
    ...(p95_ms > MAX_P95_MS ? [`${name}: another tenant's p95 was ${round(p95_ms)} ms`] : []),
  ]
  return { name, statuses, p95_ms, findings }
}
