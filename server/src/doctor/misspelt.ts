// Finds environment variables that are not settings but nearly match one.

import type { Env } from '../config/env.ts'
import { settings } from '../config/settings.ts'
import { type Finding, warning } from './finding.ts'

/** Below this, other programs' names are too near. */
const SHORTEST = 8
const MOST_EDITS = 2

export function findMisspelt(env: Env): Finding[] {
  const known = Object.keys(settings)
  const unset = known.filter((name) => !env[name])
  return Object.keys(env).flatMap((name) => {
    if (name.length < SHORTEST || known.includes(name)) return []
    const meant = unset.find((one) => editsBetween(name, one) <= MOST_EDITS)
    return meant === undefined
      ? []
      : [warning(`${name} is set, but no such setting exists.`, `If you mean ${meant}, rename it.`)]
  })
}

/** Letters to add, to remove or to change (Levenshtein). */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
