// The ways in which a promise can be broken.

import { Findings } from '../lib/findings.ts'

const findingKinds = [
  'lost',
  'duplicated',
  'wrong_replies',
  'unanswered',
  'stuck_jobs',
  'failed_jobs',
  'processing',
  'wrong_pages',
  'unread',
  'rows_without_bytes',
  'orphans',
  'left_bytes',
  'stuck_outcomes',
  'left_outcomes',
  'wrong_bills',
  'unfound',
  'wrong_events',
  'wrong_batches',
  'leaked_slots',
  'torn',
  'steps_again',
  'zombie_writes',
  'needless_repairs',
  'repairs_again',
  'fallen',
] as const
export type FindingKind = (typeof findingKinds)[number]

const words = (kind: FindingKind): string => kind.replaceAll('_', ' ')

export type CrashFindings = Findings<FindingKind>
export const newFindings = (): CrashFindings =>
  new Findings(Object.fromEntries(findingKinds.map((kind) => [kind, words(kind)])) as Record<FindingKind, string>)
