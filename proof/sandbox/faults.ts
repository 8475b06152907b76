// Faults that the proof must catch.

import type { Plant, Proof } from '../lib/proof.ts'

const inFile =
  (file: string) =>
  (find: string, replace: string): Plant => ({ file: `server/src/extract/${file}`, find, replace })
const bubblewrap = inFile('sandbox/bubblewrap.ts')
const seccomp = inFile('sandbox/seccomp.ts')
const launch = inFile('sandbox/launch.ts')
const spawned = inFile('spawn.ts')

export const faults: Proof['faults'] = {
  no_filter: {
    what: 'bubblewrap installs no seccomp filter',
    plants: [bubblewrap("'--seccomp', String(FILTER_FD),", '')],
  },
  more_files: {
    what: 'bubblewrap shows files that the parser does not need',
    plants: [bubblewrap("'--clearenv',", "'--clearenv', '--ro-bind', '/etc', '/etc',")],
  },
  processes_allowed: {
    what: 'the filter allows new processes',
    plants: [seccomp('[JUMP_ANY_BIT, 1, 0, CLONE_THREAD]', '[JUMP_ANY_BIT, 1, 1, CLONE_THREAD]')],
  },
  writes_allowed: {
    what: 'the filter allows files to be created',
    plants: [seccomp('const WRITES = 0o1 | 0o2 | 0o100 | 0o1000', 'const WRITES = 0x80000000')],
  },
  no_landlock: {
    what: 'the level landlock does not restrict files',
    plants: [inFile('sandbox/detect.ts')("has_landlock: level === 'landlock'", 'has_landlock: false')],
  },
  no_memory_limit: {
    what: 'memory is not limited',
    plants: [launch('`--data=${data_bytes}`', "'--data=unlimited'")],
  },
  no_cpu_limit: {
    what: 'CPU time is not limited',
    plants: [launch('`--cpu=${cpu_seconds}`', "'--cpu=unlimited'")],
  },
  no_permissions: {
    what: 'the parser runs without the permission model',
    plants: [spawned("'--permission', ...reads.map((path) => `--allow-fs-read=${path}`),", '')],
  },
  databases: {
    what: 'the parser can load node:sqlite',
    plants: [spawned("'--no-experimental-sqlite',", '')],
  },
}
