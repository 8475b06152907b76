// The seccomp filter as an open file, as launchers read it.

import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFilter } from './seccomp.ts'

/** Launchers read the filter from this descriptor. */
export const FILTER_FD = 3

let kept: number | undefined

/** A new descriptor each time, because readers of one descriptor share its position. The caller closes it. */
export function openFilter(): number {
  kept ??= storeFilter()
  return openSync(`/proc/self/fd/${kept}`, 'r')
}

/** The file has no name any more once this returns. */
function storeFilter(): number {
  const filter = buildFilter()
  if (!filter) throw new Error(`There is no seccomp filter for the CPU '${process.arch}'`)
  const folder = mkdtempSync(join(tmpdir(), 'octavo-seccomp-'))
  try {
    const path = join(folder, 'filter')
    writeFileSync(path, filter, { mode: 0o400 })
    return openSync(path, 'r')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
