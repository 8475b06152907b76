// Faults that the proof must catch, and the finding that must report each.

import { change } from '../lib/change.ts'
import type { Plant } from '../lib/proof.ts'
import type { RestoreKind } from './findings.ts'

interface RestoreFault {
  what: string
  plants: readonly Plant[]
  /** Anything else that goes wrong is no catch. */
  shows_as: readonly RestoreKind[]
}

export const faults: Readonly<Record<string, RestoreFault>> = {
  revocation_not_noted: {
    what: 'a revoked key is not noted outside the database',
    shows_as: ['revived'],
    plants: [change('removeKey', 'await recordRevocation(app, tx, id, null)', '')],
  },
  rotation_not_noted: {
    what: 'a replaced secret is not noted outside the database',
    shows_as: ['revived'],
    plants: [change('rotateKey', 'await recordRevocation(app, tx, id, overlap_seconds)', '')],
  },
  noted_later: {
    what: 'a revocation is noted a minute after its answer',
    shows_as: ['revived'],
    plants: [
      change(
        'recordRevocation',
        'await putTombstone(app.files, tombstone)',
        'setTimeout(() => void putTombstone(app.files, tombstone).catch(() => {}), 60_000)',
      ),
      change('recordPendingRevocations', 'await putTombstone(app.files, toTombstone(end))', ''),
    ],
  },
  no_guard: {
    what: 'processes start on a restored database before its revoked keys are removed',
    shows_as: ['not_guarded'],
    plants: [change('start.ts', 'await refuseRestored(app)', 'await Promise.resolve()')],
  },
  positions_again: {
    what: 'positions of events are given out a second time',
    shows_as: ['missed_events'],
    plants: [change('LEAP', 'const LEAP = 1_000_000_000', 'const LEAP = 0')],
  },
  young_not_missed: {
    what: 'only old files are looked for after a restore',
    shows_as: ['unmarked'],
    plants: [change('lookAfterFiles', 'is_quiet: true', 'is_quiet: false')],
  },
  tenant_released: {
    what: 'a tenant that was suspended is not suspended again',
    shows_as: ['revived'],
    plants: [
      change('afterRestore', 'await suspendAgain(app, say)', ''),
      change('refuseRestored', 'keys + secrets + tenants === 0', 'keys + secrets === 0'),
    ],
  },
}
