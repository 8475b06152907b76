// Programs of the system that confine others.

import { existsSync } from 'node:fs'

/** Shared libraries. On most systems the last two are links. */
export const LIBRARIES = ['/usr/lib', '/usr/lib64', '/lib', '/lib64']

const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin']
const found = new Map<string, string | null>()

/** Its path; null where it is not installed, and on other systems than Linux. */
export function findProgram(name: string): string | null {
  const known = found.get(name)
  if (known !== undefined) return known
  const path = FOLDERS.map((folder) => `${folder}/${name}`).find((one) => existsSync(one))
  const result = process.platform === 'linux' && path ? path : null
  found.set(name, result)
  return result
}
