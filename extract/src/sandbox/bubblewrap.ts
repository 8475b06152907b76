// Bubblewrap: own user, PID, network, IPC and mount namespaces, and a file system that holds only what is bound here.

import { lstatSync, readlinkSync } from 'node:fs'
import { FILTER_FD } from './filter.ts'
import type { SandboxTask } from './process.ts'
import { LIBRARIES } from './programs.ts'

let library_args: string[] | undefined

export function bubblewrapCommand(bwrap: string, { program, args, reads, env = {} }: SandboxTask): string[] {
  library_args ??= LIBRARIES.flatMap(bindLibraries)
  return [
    bwrap,
    '--unshare-all',
    '--die-with-parent',
    '--as-pid-1',
    '--clearenv',
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...library_args,
    ...[program, ...reads].flatMap((path) => ['--ro-bind', path, path]),
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    '--seccomp',
    String(FILTER_FD),
    '--',
    program,
    ...args,
  ]
}

function bindLibraries(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return []
  return stat.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}
