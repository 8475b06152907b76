// Lists up to `--limit` items, or all with `--all`.

import { InvalidArgumentError } from 'commander'
import { exits } from '../exits.ts'
import type { CliColumn } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export interface ListOptions {
  limit: number
  all?: boolean
}

/** The largest `--limit`. */
export const MOST = 100_000
const LARGEST_PAGE = 100

/** Page size to request from the server. */
export const pageSize = ({ limit, all }: ListOptions): number => (all ? LARGEST_PAGE : Math.min(limit, LARGEST_PAGE))

async function take<T>(
  listing: AsyncIterable<T>,
  { limit, all }: ListOptions,
): Promise<{ items: T[]; has_more: boolean }> {
  const items: T[] = []
  for await (const item of listing) {
    if (!all && items.length === limit) return { items, has_more: true }
    items.push(item)
  }
  return { items, has_more: false }
}

interface CliView<T> {
  columns: readonly CliColumn[]
  cellsOf: (item: T) => string[]
  /** Shown for an empty list. */
  none: string
}

export async function showList<T>(
  terminal: Terminal,
  listing: AsyncIterable<T>,
  options: ListOptions,
  view: CliView<T>,
): Promise<number> {
  const { items, has_more } = await take(listing, options)
  if (terminal.is_json) for (const item of items) terminal.json(item)
  else if (items.length > 0) terminal.table(view.columns, items.map(view.cellsOf))
  if (items.length === 0) terminal.remark(view.none)
  const larger = Math.min(options.limit * 5, MOST)
  if (has_more) terminal.remark(`There are more: ${larger > options.limit ? `--limit ${larger}, or ` : ''}--all`)
  return exits.fine
}

/** Numbers of an option, such as --limit. */
export function numberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`)
    return value
  }
}
