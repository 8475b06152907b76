// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  no_filter: {
    what: 'bubblewrap installs no seccomp filter',
    plants: [change('bubblewrapCommand', "'--seccomp', String(FILTER_FD),", '')],
  },
  more_files: {
    what: 'bubblewrap shows files that the parser does not need',
    plants: [change('bubblewrapCommand', "'--clearenv',", "'--clearenv', '--ro-bind', '/etc', '/etc',")],
  },
  processes_allowed: {
    what: 'the filter allows new processes',
    plants: [change('buildFilter', '[JUMP_ANY_BIT, 1, 0, CLONE_THREAD]', '[JUMP_ANY_BIT, 1, 1, CLONE_THREAD]')],
  },
  writes_allowed: {
    what: 'the filter allows files to be created',
    plants: [change('WRITES', 'const WRITES = 0o1 | 0o2 | 0o100 | 0o1000', 'const WRITES = 0x80000000')],
  },
  no_landlock: {
    what: 'the level landlock does not restrict files',
    plants: [change('detect.ts', "has_landlock: level === 'landlock'", 'has_landlock: false')],
  },
  no_memory_limit: {
    what: 'memory is not limited',
    plants: [change('limiter', '`--data=${data_bytes}`', "'--data=unlimited'")],
  },
  no_cpu_limit: {
    what: 'CPU time is not limited',
    plants: [change('limiter', '`--cpu=${cpu_seconds}`', "'--cpu=unlimited'")],
  },
  no_permissions: {
    what: 'the parser runs without the permission model',
    plants: [change('spawnParser', "'--permission', ...reads.map((path) => `--allow-fs-read=${path}`),", '')],
  },
  databases: {
    what: 'the parser can load node:sqlite',
    plants: [change('spawnParser', "'--no-experimental-sqlite',", '')],
  },
}
