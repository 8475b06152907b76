// Problems after a restore.

const kinds = [
  'archive',
  'lost',
  'wrong',
  'from_later',
  'revived',
  'refused',
  'not_guarded',
  'unmarked',
  'orphans',
  'wrong_bytes',
  'stuck_jobs',
  'missed_events',
  'not_working',
  'troubles',
] as const
export type RestoreKind = (typeof kinds)[number]

const words: Record<RestoreKind, string> = {
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
}

export class RestoreFindings {
  private readonly found = new Map<RestoreKind, string[]>()

  add(kind: RestoreKind, ...what: string[]): void {
    this.found.set(kind, [...(this.found.get(kind) ?? []), ...what])
  }

  of(kind: RestoreKind): readonly string[] {
    return this.found.get(kind) ?? []
  }

  listKinds(): RestoreKind[] {
    return kinds.filter((kind) => this.of(kind).length > 0)
  }

  get isClean(): boolean {
    return this.listKinds().length === 0
  }

  get figure(): string {
    return kinds.map((kind) => `${this.of(kind).length} ${words[kind]}`).join(', ')
  }
}
