// Outcomes against the ledger: there, ended, made once, and paid for once.

import { findUuid } from '../../server/src/lib/ids.ts'
import type { CrashFindings } from './findings.ts'
import type { Entry, Ledger, OutcomeKind } from './ledger.ts'
import { outcomeMix } from './outcomes.ts'
import type { CrashOutcomeRow, CrashRows } from './rows.ts'

/** Records of the ledger: of what a model was asked (null: none where there is nothing to search in yet), and of all. */
const bills: Readonly<Record<OutcomeKind, { asked: number | null; all: number }>> = {
  extract: { asked: 0, all: 1 },
  summary: { asked: 1, all: 2 },
  classification: { asked: 1, all: 2 },
  search: { asked: null, all: 1 },
  analysis: { asked: 0, all: 1 },
}
const uuidOf = (id: string): string => findUuid(id.split('_')[0] as 'sum', id) ?? id
const isOutcome = (kind: string): kind is OutcomeKind => kind in outcomeMix

export function compareOutcomes(ledger: Ledger, rows: CrashRows, findings: CrashFindings): void {
  const removed = new Set(ledger.entries.filter(({ kind }) => kind === 'remove').map(({ id }) => id))
  const byId = new Map(rows.outcomes.map((row) => [row.id, row]))
  for (const entry of ledger.entries) {
    if (!isOutcome(entry.kind)) continue
    const name = `${entry.kind} ${entry.marker} ${entry.id}`
    const row = byId.get(uuidOf(entry.id))
    // A search is removed with the documents that it found, and the ledger does not know which those were.
    const isMortal = entry.kind === 'search' || (entry.document_id !== null && removed.has(entry.document_id))
    if (row) compareOne(entry, row, { rows, findings, name })
    else if (!isMortal) findings.add('lost', `${name}: no row`)
    if (row && entry.document_id !== null && removed.has(entry.document_id))
      findings.add('left_outcomes', `${name}: its document is deleted`)
  }
  for (const { kind, marker, id } of ledger.gone)
    if (byId.has(uuidOf(id))) findings.add('wrong_replies', `${kind} ${marker} ${id}: executed again, but it exists`)
  for (const { id, unfound } of rows.documents)
    if (unfound > 0) findings.add('unfound', `${unfound} chunks of ${id} have no vector`)
}

function compareOne(
  entry: Entry,
  row: CrashOutcomeRow,
  { rows, findings, name }: { rows: CrashRows; findings: CrashFindings; name: string },
): void {
  const kind = entry.kind as OutcomeKind
  if (row.status !== 'succeeded') {
    findings.add('stuck_outcomes', `${name}: ${row.status}, ${row.error}`)
    return
  }
  const { asked, all } = bills[kind]
  if (row.asked !== (asked ?? row.asked) || row.records !== all)
    findings.add(
      'wrong_bills',
      `${name}: paid ${row.asked} times for a model and ${row.records} times in all, which is not once`,
    )
  const uuid = uuidOf(entry.id)
  for (const word of kind === 'search' ? ['created'] : ['created', 'succeeded']) {
    const times = rows.events.get(`${row.object}.${word} ${uuid}`) ?? 0
    if (times !== 1) findings.add('wrong_events', `${name}: ${times} × ${row.object}.${word}`)
  }
}
