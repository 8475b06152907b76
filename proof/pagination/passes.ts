// One pass through a list while it changes, and what must be true of it.

import type { LiveList, PaginationRow } from './lists.ts'

export interface PaginationPass {
  is_descending: boolean
  limit: number
  /** Nothing changes ahead of the reader, so the number of pages is known. */
  is_exact: boolean
}

export interface PaginationTally {
  pages: number
  changes: number
  /** Rows that existed during the whole pass. */
  missed: number
  /** All rows. */
  repeated: number
  disordered: number
  /** Pages that were too many, too short, or did not say that they were the last. */
  misshapen: number
}

export const newTally = (): PaginationTally => ({
  pages: 0,
  changes: 0,
  missed: 0,
  repeated: 0,
  disordered: 0,
  misshapen: 0,
})

class PaginationReader {
  readonly seen = new Map<string, number>()
  readonly rows: PaginationRow[] = []
  readonly sizes: number[] = []

  add(rows: readonly PaginationRow[]): void {
    this.sizes.push(rows.length)
    for (const row of rows) {
      this.rows.push(row)
      this.seen.set(row.id, (this.seen.get(row.id) ?? 0) + 1)
    }
  }
}

class Changer {
  changes = 0
  readonly removed = new Set<string>()
  private readonly list: LiveList
  private readonly alive: string[]

  constructor(list: LiveList) {
    this.list = list
    this.alive = [...list.ids]
  }

  /** Several changes at once; what is removed here is not also updated. */
  async change(pass: PaginationPass, reader: PaginationReader, removals: (string | undefined)[]): Promise<void> {
    const others = pass.is_exact ? this.alive.filter((id) => reader.seen.has(id)) : this.alive
    const removed = [...removals, pick(others)].filter((id) => id !== undefined && !this.removed.has(id)) as string[]
    for (const id of new Set(removed)) this.take(id)
    const updated = new Set([pick(this.alive), pick(this.alive)].filter((id) => id !== undefined))
    const work = [
      ...[...new Set(removed)].map((id) => this.list.remove(id)),
      ...[...updated].map((id) => this.list.update(id)),
    ]
    // A new row is the last of an ascending list: it would come before the reader.
    if (!pass.is_exact || pass.is_descending) work.push(this.list.insert())
    this.changes += work.length
    await Promise.all(work)
  }

  private take(id: string): void {
    const at = this.alive.indexOf(id)
    if (at >= 0) this.alive.splice(at, 1)
    this.removed.add(id)
  }
}

const pick = (ids: readonly string[]): string | undefined => ids[Math.floor(Math.random() * ids.length)]

/** Between two pages the anchor goes, the last row that was read; more changes run while the next page is read. */
export async function passThrough(list: LiveList, pass: PaginationPass, tally: PaginationTally): Promise<void> {
  const reader = new PaginationReader()
  const changer = new Changer(list)
  const { is_descending, limit } = pass
  let page = await list.read({ is_descending, limit })
  reader.add(page.data)
  let misshapen = 0
  while (page.has_next_page) {
    if (!page.cursor || page.data.length !== limit) misshapen++
    if (!page.cursor) break
    await changer.change(pass, reader, [page.data.at(-1)?.id])
    const during = changer.change(pass, reader, [])
    page = await list.read({ is_descending, limit, cursor: page.cursor })
    await during
    reader.add(page.data)
  }
  if (page.cursor !== null) misshapen++
  // Pages may be added into gaps behind the reader, never before it, so only the seeded rows count here.
  if (pass.is_exact && reader.sizes.length !== Math.ceil(list.ids.length / limit)) misshapen++
  count(tally, { list, reader, changer, pass })
  tally.misshapen += misshapen
}

function count(
  tally: PaginationTally,
  { list, reader, changer, pass }: { list: LiveList; reader: PaginationReader; changer: Changer; pass: PaginationPass },
): void {
  const isExpected = (id: string): boolean => (pass.is_exact ? true : !changer.removed.has(id))
  tally.pages += reader.sizes.length
  tally.changes += changer.changes
  tally.missed += list.ids.filter((id) => isExpected(id) && !reader.seen.has(id)).length
  for (const times of reader.seen.values()) tally.repeated += times - 1
  for (const [i, { place }] of reader.rows.entries()) {
    const before = reader.rows[i - 1]?.place
    if (before !== undefined && (pass.is_descending ? place >= before : place <= before)) tally.disordered++
  }
}
