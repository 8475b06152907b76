// Lists: so many as were asked for, or all of them.

import { InvalidArgumentError } from 'commander'

export interface ListOptions {
  limit: number
  all?: boolean
}

const LARGEST_PAGE = 100

/** What the server is asked for. */
export const pageSize = ({ limit, all }: ListOptions): number => (all ? LARGEST_PAGE : Math.min(limit, LARGEST_PAGE))

export async function take<T>(listing: AsyncIterable<T>, { limit, all }: ListOptions): Promise<{ items: T[]; has_more: boolean }> {
  const items: T[] = []
  for await (const item of listing) {
    if (!all && items.length === limit) return { items, has_more: true }
    items.push(item)
  }
  return { items, has_more: false }
}

/** Numbers of an option, such as --limit. */
export function numberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`)
    return value
  }
}
