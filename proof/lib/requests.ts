// Requests of many clients: one after the other as fast as answers come, or at a fixed rate.

import { Agent, request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CostComparison, type CostSide, compareCosts, type SideName } from './costs.ts'
import { type ProofRun, round } from './proof.ts'

/** Short, so that both sides meet the same machine, however busy others make it. */
const SLICE_MS = 250
const CAPACITY_MS = 1_000
/** Until V8 has compiled the code that requests use. */
const WARM_UP_MS = 4_000
const CLIENTS = 16

/** Gets the number of the request. */
export type Request = (number: number) => Promise<unknown>

export interface HttpRequest {
  url: string
  headers?: Record<string, string>
  body?: string
}

const RETRY_MS = 200
const MOST_TRIES = 50

/** Over connections that stay open. A status other than 2xx is an error; 503, which a busy machine causes, is repeated. */
export function httpRequests(toRequest: (number: number) => HttpRequest): Request {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const sendOnce = ({ url, headers = {}, body }: HttpRequest): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = send(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
        answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0))
        answer.resume()
      })
      sent.on('error', reject).end(body)
    })
  return async (number) => {
    const request = toRequest(number)
    for (let tries = 1; ; tries++) {
      const status = await sendOnce(request)
      if (status >= 200 && status < 300) return
      if (status !== 503 || tries === MOST_TRIES) throw new Error(`${request.url}: ${status}`)
      await sleep(RETRY_MS)
    }
  }
}

/** Each client sends its next request after the answer to the last one. Returns answers each second. */
async function measureCapacity(request: Request, clients: number, ms = CAPACITY_MS): Promise<number> {
  const began = performance.now()
  let count = 0
  const client = async (): Promise<void> => {
    while (performance.now() - began < ms) await request(count++)
  }
  await Promise.all(Array.from({ length: clients }, client))
  return count / ((performance.now() - began) / 1000)
}

/** Sends `rate` requests each second for one slice, whatever the answers take. Returns their number. */
async function sendAtRate(request: Request, rate: number, ms: number): Promise<number> {
  const answers: Promise<unknown>[] = []
  const total = Math.max(1, Math.round((rate * ms) / 1000))
  const began = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate))
      while (answers.length < due) answers.push(request(answers.length))
      if (answers.length < total) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  await Promise.all(answers)
  return total
}

interface RequestPlan {
  name: string
  /** Requests each second; well below the capacity of both sides. */
  rate: number
  clients?: number
  slice_ms?: number
  /** Pairs of slices in a repetition. */
  pairs?: number
}

/** Costs at a fixed rate; the capacities of both sides are a second figure. */
export async function compareRequests(
  run: Pick<ProofRun, 'length' | 'say'>,
  { rate, clients = CLIENTS, slice_ms = SLICE_MS, ...plan }: RequestPlan,
  sides: Record<SideName, Omit<CostSide, 'slice'> & { request: Request }>,
): Promise<CostComparison> {
  for (const side of [sides.bare, sides.ours]) await measureCapacity(side.request, clients, WARM_UP_MS)
  const bare = await measureCapacity(sides.bare.request, clients)
  const ours = await measureCapacity(sides.ours.request, clients)
  run.say(`${plan.name}: ${round(ours, 0)} of ${round(bare, 0)}/s with ${clients} clients; costs at ${rate}/s`)
  const atRate = ({ request, ...side }: (typeof sides)['ours']): CostSide => ({
    ...side,
    slice: () => sendAtRate(request, rate, slice_ms),
  })
  const compared = await compareCosts(run, plan, { ours: atRate(sides.ours), bare: atRate(sides.bare) })
  return { ...compared, figure: `${compared.figure}, ${round(ours, 0)} of ${round(bare, 0)}/s` }
}
