// Readers that follow /events while it is written to.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import { quantile, round } from '../lib/proof.ts'
import type { World } from '../lib/world.ts'
import { type PaginationScene, type PaginationWrittenRow, WRITERS, writeEvents, writeName } from './writers.ts'

const POLL_MS = 25
/** On a busy machine; it is over as soon as all events were seen. */
const LAST_WAIT_MS = 30_000

interface PaginationObservation {
  name: string
  position: number
  at_ms: number
}

export interface PaginationFollowOptions {
  events: number
  missed: number
  repeated: number
  disordered: number
  p99_ms: number
  max_ms: number
}

/** One reader of the whole tenant and one that is limited to two projects, on two processes. */
export async function followEvents(
  world: World,
  urls: readonly [string, string],
  seconds: number,
): Promise<PaginationFollowOptions> {
  const { tenant, key } = await world.newTenant()
  const clients = urls.map((url) => key.client(url))
  const make = (count: number, name: string): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, async () => (await clients[0]!.projects.create({ name })).id))
  const scene: PaginationScene = { world, tenant, clients, hot: await make(4, 'Hot'), own: await make(WRITERS, 'Own') }
  const few = [scene.hot[0]!, scene.own[0]!]
  const limited = (await world.newKey(tenant, { project_ids: few })).client(urls[1])

  const readers = [new Follower(clients[0]!), new Follower(limited)]
  await Promise.all(readers.map((reader) => reader.skipPast()))
  const reading = readers.map((reader) => reader.follow())
  const written = await writeEvents(scene, Date.now() + seconds * 1000)
  const expected = [written, written.filter(({ project }) => few.includes(project))]
  const deadline = Date.now() + LAST_WAIT_MS
  while (Date.now() < deadline && readers.some((reader, i) => reader.seen.length < expected[i]!.length))
    await sleep(POLL_MS)
  for (const reader of readers) reader.stop()
  await Promise.all(reading)
  return judge(readers.map((reader, i) => ({ seen: reader.seen, expected: expected[i]! })))
}

class Follower {
  readonly seen: PaginationObservation[] = []
  private readonly client: Octavo
  private cursor: string | null = null
  private is_over = false

  constructor(client: Octavo) {
    this.client = client
  }

  stop(): void {
    this.is_over = true
  }

  /** Skips earlier events. */
  async skipPast(): Promise<void> {
    await sleep(1_000)
    while (await this.readPage()) {
      // Until a page is the last one.
    }
    this.seen.length = 0
  }

  async follow(): Promise<void> {
    while (!this.is_over) if (!(await this.readPage())) await sleep(POLL_MS)
  }

  private async readPage(): Promise<boolean> {
    const page = await this.client.events.list({
      sort: 'created_at',
      limit: 100,
      ...(this.cursor ? { cursor: this.cursor } : {}),
    })
    const at_ms = Date.now()
    for (const event of page.data)
      this.seen.push({ name: writeName(event.request_id, event.subject.id), position: event.position, at_ms })
    this.cursor = page.cursor ?? null
    return page.has_next_page
  }
}

function judge(
  readers: readonly { seen: PaginationObservation[]; expected: PaginationWrittenRow[] }[],
): PaginationFollowOptions {
  const result: PaginationFollowOptions = { events: 0, missed: 0, repeated: 0, disordered: 0, p99_ms: 0, max_ms: 0 }
  const lags: number[] = []
  for (const { seen, expected } of readers) {
    const places = new Map(seen.map(({ name }, i) => [name, i]))
    result.events += expected.length
    result.missed += expected.filter(({ name }) => !places.has(name)).length
    result.repeated += seen.length - places.size
    result.disordered += seen.filter(({ position }, i) => i > 0 && position <= seen[i - 1]!.position).length
    result.disordered += countDisorder(expected, places)
    for (const { name, at_ms } of expected) if (places.has(name)) lags.push(seen[places.get(name)!]!.at_ms - at_ms)
  }
  return { ...result, p99_ms: round(quantile(lags, 0.99), 0), max_ms: round(quantile(lags, 1), 0) }
}

/** Events of one subject come in the order of its versions, those of one transaction in the order of their writing. */
function countDisorder(expected: readonly PaginationWrittenRow[], places: ReadonlyMap<string, number>): number {
  const groups = [
    Object.values(Object.groupBy(expected, ({ subject }) => subject)).map((group) =>
      group!.toSorted((a, b) => a.version - b.version),
    ),
    Object.values(Object.groupBy(expected, ({ request }) => request)).map((group) =>
      group!.toSorted((a, b) => a.place - b.place),
    ),
  ].flat()
  let disorder = 0
  for (const group of groups) {
    const order = group.map(({ name }) => places.get(name)).filter((place) => place !== undefined)
    disorder += order.filter((place, i) => i > 0 && place < order[i - 1]!).length
  }
  return disorder
}
