// The ways in which a promise can be broken.

export const findingKinds = [
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

export class CrashFindings {
  readonly found = new Map<FindingKind, string[]>(findingKinds.map((kind) => [kind, []]))
  add(kind: FindingKind, ...what: string[]): void {
    this.found.get(kind)!.push(...what)
  }
  count(kind: FindingKind): number {
    return this.found.get(kind)!.length
  }
}
