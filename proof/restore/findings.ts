// Problems after a restore.

import { Findings } from '../lib/findings.ts'

const kinds = {
  archive: 'segments archived wrongly',
  lost: 'acknowledged rows lost',
  wrong: 'rows of another state',
  from_later: 'rows of later',
  revived: 'ended keys and secrets alive',
  refused: 'living keys refused',
  not_guarded: 'starts before after-restore',
  unmarked: 'files without bytes unmarked',
  orphans: 'bytes without a row after the sweep',
  wrong_bytes: 'files with other bytes',
  stuck_jobs: 'jobs stuck or ended without a reason',
  missed_events: 'new events missed by followers',
  not_working: 'new work failed',
  troubles: 'requests failed before the damage',
} as const
export type RestoreKind = keyof typeof kinds

export type RestoreFindings = Findings<RestoreKind>
export const newFindings = (): RestoreFindings => new Findings(kinds)
