// Sixteen writers of events: short and long transactions, so that ids commit out of order.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import { sql } from '../../server/src/db/statement.ts'
import { record } from '../../server/src/events/record.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { findUuid, newId, newUuid, toId, uuidOf } from '../../server/src/lib/ids.ts'
import { etagOf } from '../../server/src/lib/precondition.ts'
import type { World } from '../lib/world.ts'

const LONG = 8
const SHORT = 4
const OVER_HTTP = 4
export const WRITERS = LONG + SHORT + OVER_HTTP
const LONGEST_HOLD_MS = 2_000
const SHORT_HOLD_MS = 20
const REST_MS = 30

// The lock makes the order of commits of one project known.
const TOUCH = sql('update projects set version = version + 1 where tenant_id = $1 and id = $3 returning version')

/** An event that was committed. */
export interface PaginationWrittenRow {
  /** Request and subject: no transaction writes two events about one subject. */
  name: string
  subject: string
  project: string
  /** The order within the subject. */
  version: number
  /** The order within the transaction. */
  place: number
  request: string
  /** Not later than the commit. */
  at_ms: number
}

export interface PaginationScene {
  world: World
  tenant: string
  clients: readonly Octavo[]
  /** Changed by many, each change short. */
  hot: readonly string[]
  /** One for each writer, held for long. */
  own: readonly string[]
}

export const writeName = (request: string | null, subject: string): string => `${request ?? ''}/${subject}`

/** Writes until `until_ms`, and gives what was committed. */
export async function writeEvents(scene: PaginationScene, until_ms: number): Promise<PaginationWrittenRow[]> {
  const written: PaginationWrittenRow[] = []
  const isOver = (): boolean => Date.now() >= until_ms
  const work = Array.from({ length: WRITERS }, async (_, i) => {
    while (!isOver()) {
      if (i < LONG) written.push(...(await transact(scene, scene.own[i]!, Math.random() * LONGEST_HOLD_MS)))
      else if (i < LONG + SHORT)
        written.push(...(await transact(scene, oneOf(scene.hot), Math.random() * SHORT_HOLD_MS)))
      else written.push(await callApi(scene.clients[i % scene.clients.length]!, oneOf(scene.hot)))
      if (i >= LONG) await sleep(Math.random() * REST_MS)
    }
  })
  await Promise.all(work)
  return written
}

const oneOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!

/** The event of the project and up to two more, written at once and committed after `hold_ms`. */
async function transact(scene: PaginationScene, project: string, hold_ms: number): Promise<PaginationWrittenRow[]> {
  const request = newUuid()
  const written: Omit<PaginationWrittenRow, 'at_ms'>[] = []
  let at_ms = 0
  const caller = { ...operator(findUuid('ten', scene.tenant)!, []), request }
  await scene.world.app.db.transaction(caller, async (tx) => {
    const note = (subject: string, version: number): void => {
      const request_id = toId('req', request)
      written.push({
        name: writeName(request_id, subject),
        subject,
        project,
        version,
        place: written.length,
        request: request_id,
      })
    }
    const { version } = (await tx.find<{ version: number }>(TOUCH, [uuidOf('proj', project)]))!
    record(tx, 'project.updated', { id: project, object: 'project' }, project)
    note(project, version)
    for (let more = Math.floor(Math.random() * 3); more > 0; more--) {
      const document = newId('doc')
      record(tx, 'document.created', { id: document, object: 'document', project_id: project })
      note(document, 1)
    }
    // Sends what was recorded: the ids are old when the transaction commits.
    await tx.rows(sql('select 1 as one'))
    await sleep(hold_ms)
    at_ms = Date.now()
  })
  return written.map((event) => ({ ...event, at_ms }))
}

async function callApi(client: Octavo, project: string): Promise<PaginationWrittenRow> {
  const at_ms = Date.now()
  const { response } = await client.projects.update(project, { name: `Changed ${newUuid()}` }).withResponse()
  const version = versionOf(project, response.headers.get('etag') ?? '')
  return {
    name: writeName(response.request_id, project),
    subject: project,
    project,
    version,
    place: 0,
    request: response.request_id!,
    at_ms,
  }
}

const versions = new Map<string, { next: number; known: Map<string, number> }>()

/** Tags are hashes of versions, so the versions are tried one after the other. */
function versionOf(id: string, etag: string): number {
  const entry = versions.get(id) ?? { next: 1, known: new Map<string, number>() }
  versions.set(id, entry)
  for (const last = entry.next + 10_000; !entry.known.has(etag); entry.next++) {
    if (entry.next > last) throw new Error(`the tag ${etag} is not of a version of ${id}`)
    entry.known.set(etagOf({ id, version: entry.next }), entry.next)
  }
  return entry.known.get(etag)!
}
