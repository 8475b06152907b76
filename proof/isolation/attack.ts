// One run of the whole matrix against one server.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { eachOf } from '../lib/call.ts'
import type { Plant } from '../lib/proof.ts'
import { openWorld } from '../lib/world.ts'
import { compareAccess } from './access.ts'
import type { IsolationCell, IsolationPart } from './cell.ts'
import { cellsOf } from './cells.ts'
import { findFailedControls } from './controls.ts'
import { compareFigures } from './figures.ts'
import { findGaps } from './gaps.ts'
import { startGenerator } from './generator.ts'
import { judge, type Leak } from './judge.ts'
import { castParties } from './parties.ts'
import { type Attacker, type IsolationStage, isInside } from './party.ts'
import { compareRows, formsOf, hashRows, type IsolationRow, mentions, openAdmin, readRows, splitRows } from './rows.ts'
import { findEmptyTables, probeTables } from './tables.ts'
import { removeRowSecurity } from './walls.ts'

const WIDTH = 8
const SETTLE_MS = 60_000
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Tables that any request of the tenant changes. */
const SHARED = new Set(['idempotency_keys', 'tenant_positions', 'tenant_slots', 'chunk_configs', 'budget_days'])
/** Counters of the whole tenant. */
const COUNTERS = new Set(['tenant_positions', 'tenant_slots', 'budget_days'])
/** Tables shared by the whole tenant: rows of every project refer to them. */
const COMMON = new Set(['tenants', 'embedding_spaces'])

export interface Mode {
  name: string
  plants: readonly Plant[]
  has_row_security: boolean
  /** SQL that plants a fault in the database. */
  statements?: readonly string[]
  /** The part that must catch a planted fault; all parts if it is left out. */
  caught_by?: IsolationPart
  /** Only cells of this resource's operations run; those of all resources if it is left out. */
  resource?: string
  /** People try a sample of the cells. */
  is_sampled?: boolean
  /** Only the cells: without both walls there is nothing to compare. */
  is_control?: boolean
}

export interface IsolationResult {
  cells: number
  actors: number
  leaks: Leak[]
  /** Operations that the matrix does not cover, and those that fail when nothing is attacked. */
  gaps: string[]
}

export async function attack(mode: Mode): Promise<IsolationResult> {
  const generator = await startGenerator()
  const world = await openWorld(mode.plants, { TRUSTED_PROXIES: '127.0.0.1', ...generator.env })
  const admin = await openAdmin(world.database)
  try {
    const { url } = await world.startApi()
    // A process without cached numbers, for the figures. It would not start without row security.
    const fresh = await world.startApi()
    const worker = await world.startWorker({ WORKER_SLOTS: '8' })
    const stage = await castParties(world, url)
    for (const text of mode.statements ?? []) await admin.query(text)
    if (!mode.has_row_security) await removeRowSecurity(admin)
    const { caught_by: part, resource, is_control = false, is_sampled = false } = mode
    const isWhole = !part && !is_control
    const all = [...cellsOf(stage, is_sampled)]
    const gaps = part || resource ? [] : [...findGaps(all, stage, is_sampled), ...(await findFailedControls(stage))]
    if (!is_control) gaps.push(...(await findEmptyTables(stage, admin)))
    const cells = all.filter(
      ({ kind, operation }) =>
        (part === undefined || kind === part) && (resource === undefined || operation.startsWith(`${resource}.`)),
    )
    await settle(admin)
    const leaks: Leak[] = []
    if (isWhole || part === 'tables') leaks.push(...(await probeTables(world, stage, admin, mode.has_row_security)))
    if (cells.length > 0) leaks.push(...(await attackFromOutside(cells, stage, admin)))
    if (cells.length > 0) leaks.push(...(await attackFromInside(cells, stage, admin)))
    // After the cells: it adds users and an application to the victim's tenant.
    if (isWhole || part === 'access') {
      leaks.push(...(await compareAccess({ world, stage })))
      await settle(admin)
    }
    if (isWhole || part === 'figures') leaks.push(...(await compareFigures({ world, fresh, worker, stage, admin })))
    return { cells: cells.length, actors: new Set(cells.map(({ actor }) => actor)).size, leaks, gaps }
  } finally {
    await admin.end()
    await world.close()
    await generator.close()
  }
}

/**
 * Waits until every job has ended, every chunk has its vector and every event its position, so that writes of the
 * worker and the sequencer do not look like an attack.
 */
async function settle(admin: pg.Client): Promise<void> {
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await sleep(50)) {
    const { rowCount } = await admin.query(
      'select from events where position is null union all select from jobs where place is not null union all select from embedding_gaps limit 1',
    )
    if (rowCount === 0) return
  }
  throw new Error('jobs did not end, or events were left without a position')
}

const idsOf = (rows: readonly IsolationRow[]): string[] =>
  rows.flatMap((row) => (row.id === null || row.table === 'tenants' ? [] : [row.id]))

/** Values that must not leak: ids in both forms, words, secrets and tags. */
function secretsOf(stage: IsolationStage, rows: readonly IsolationRow[]): string[] {
  const things = stage.victim.sets.flatMap((set) => Object.values(set.things))
  // Credentials: key secrets and upload URLs.
  const secrets = things
    .flatMap(({ row }) => [row.secret, (row.put as { url?: string } | null)?.url])
    .filter((secret) => typeof secret === 'string')
  const tags = things.flatMap(({ etag }) => (etag === null ? [] : [etag]))
  return [
    ...idsOf(rows).flatMap(formsOf),
    ...formsOf(stage.victim.tenant),
    ...stage.victim.marks,
    stage.suspended.mark,
    ...secrets,
    ...tags,
  ]
}

/** By another tenant and with credentials that must not work: nothing of the victim's changes. */
async function attackFromOutside(
  cells: readonly IsolationCell[],
  stage: IsolationStage,
  admin: pg.Client,
): Promise<Leak[]> {
  const isVictims = (row: IsolationRow): boolean =>
    row.tenant === stage.victim.tenant || row.tenant === stage.suspended.tenant
  const before = (await readRows(admin)).filter(isVictims)
  const inside = insidersOf(stage).map(({ name }) => name)
  const chosen = cells.filter((cell) => !inside.includes(cell.actor))
  const leaks = await judgeAll(chosen, secretsOf(stage, before))
  await settle(admin)
  const all = await readRows(admin)
  const after = all.filter(isVictims)
  if (hashRows(before) !== hashRows(after)) leaks.push(...changes(before, after))
  const others = all.filter((row) => !isVictims(row))
  return [
    ...leaks,
    ...mentions(others, idsOf(before)).map((row) => ({
      operation: '',
      what: `a row of another tenant names the victim's: ${show(row)}`,
    })),
  ]
}

/** The neighbor and the people who are limited to its project. */
const insidersOf = ({ attackers, people }: IsolationStage): Attacker[] => [...attackers, ...people].filter(isInside)

/** By credentials of another project: what was there and is not of that project stays, and nothing new names it. */
async function attackFromInside(
  cells: readonly IsolationCell[],
  stage: IsolationStage,
  admin: pg.Client,
): Promise<Leak[]> {
  const insiders = insidersOf(stage)
  const seeds = insiders.flatMap((one) => one.seeds)
  const isVictims = (row: IsolationRow): boolean => row.tenant === stage.victim.tenant
  const before = splitRows((await readRows(admin)).filter(isVictims), seeds)
  const chosen = cells.filter((cell) => insiders.some(({ name }) => name === cell.actor))
  const leaks = await judgeAll(chosen, secretsOf(stage, before.others))
  await settle(admin)
  const after = (await readRows(admin)).filter(isVictims)
  const theirs = new Set(splitRows(after, [...seeds, ...reindexing(after)]).theirs)
  const { lost, added } = compareRows(before.others, after)
  const known = new Set(before.theirs.map((row) => row.text))
  const fresh = added.filter((row) => !known.has(row.text) && !SHARED.has(row.table))
  const strange = [
    ...fresh.filter((row) => !theirs.has(row)),
    ...mentions(fresh, idsOf(before.others.filter(({ table }) => !COMMON.has(table)))),
  ]
  const gone = lost.filter((row) => !COUNTERS.has(row.table))
  return [
    ...leaks,
    ...[...gone, ...strange].map((row) => ({ operation: '', what: `a row of the victim's changed: ${show(row)}` })),
  ]
}

/** Jobs that make up for vectors that are missing, whoever's they are. */
const reindexing = (rows: readonly IsolationRow[]): string[] =>
  rows.flatMap(({ table, id, text }) =>
    table === 'jobs' && (JSON.parse(text) as { type: string }).type === 'reindex' ? [id!] : [],
  )

const show = (row: IsolationRow): string => `${row.table} ${row.text.slice(0, 200)}`

function changes(before: readonly IsolationRow[], after: readonly IsolationRow[]): Leak[] {
  const { lost, added } = compareRows(before, after)
  return [...lost, ...added].map((row) => ({ operation: '', what: `a row of the victim's changed: ${show(row)}` }))
}

/** Deleting one also deletes resources outside its path. */
const PARENTS = new Set(['/documents/{document_id}', '/projects/{project_id}'])

/**
 * Searches for the victim's words run before requests that repeat them, and requests that claim such a word run after.
 */
function rank({ kind, what, endpoint: { method, path } }: IsolationCell): number {
  if (kind === 'search' || kind === 'made') return 0
  const order = METHODS.indexOf(method) * 1_000
  if (method === 'DELETE') return order - (PARENTS.has(path) ? 0 : path.length)
  return what.startsWith('their external_id') ? order + 1 : order
}

/** Reads first and deletions last, children before parents: where a wall is missing, a deletion must not hide the rest. */
async function judgeAll(cells: readonly IsolationCell[], secrets: readonly string[]): Promise<Leak[]> {
  const leaks: Leak[] = []
  const groups = Map.groupBy(cells, rank)
  for (const group of [...groups.keys()].sort((a, b) => a - b))
    await eachOf(groups.get(group)!, WIDTH, async (cell) => void leaks.push(...(await judge(cell, secrets))))
  return leaks
}
