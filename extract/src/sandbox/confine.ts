// octavo-confine (deploy/sandbox/octavo-confine.c): Landlock and seccomp, for containers that allow no user namespaces.

import { existsSync } from 'node:fs'
import { FILTER_FD } from './filter.ts'
import type { SandboxTask } from './process.ts'
import { LIBRARIES } from './programs.ts'

/** Node ends if this file exists and may not be read. */
const OPENSSL = '/etc/ssl/openssl.cnf'
/** In place of paths: the file system stays as it is. */
const ALL_FILES = ['-']

export function confineCommand(
  confine: string,
  { program, args, reads }: SandboxTask,
  { has_landlock }: { has_landlock: boolean },
): string[] {
  const paths = has_landlock
    ? [program, ...reads, ...[...LIBRARIES, OPENSSL].filter((path) => existsSync(path))]
    : ALL_FILES
  return [confine, String(FILTER_FD), ...paths, '--', program, ...args]
}
