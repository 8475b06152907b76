// The answers that clients got, and when: everything acknowledged before the moment must be restored.

/** Times of the local clock, which the database shares. */
export interface RestoreAct {
  sent_at: number
  acked_at: number
}
interface DocumentAct extends RestoreAct {
  /** null: deleted. */
  title: string | null
}

export interface LedgerDocument {
  id: string
  tenant: number
  acts: DocumentAct[]
  /** Hash of the uploaded bytes; null if the document was created from text. */
  sha256: string | null
  file_id: string | null
}

export interface LedgerSecret {
  key: string
  tenant: number
  secret: string
  made: RestoreAct
  /** Revoked or replaced. */
  ended: RestoreAct | null
}

export class RestoreLedger {
  readonly documents: LedgerDocument[] = []
  readonly secrets: LedgerSecret[] = []
  /** Requests that failed while nothing was broken. */
  readonly troubles: string[] = []

  get count(): number {
    return (
      this.secrets.length +
      this.secrets.filter(({ ended }) => ended).length +
      this.documents.flatMap(({ acts }) => acts).length
    )
  }
}

/** The order of commits within some milliseconds is the database's own. */
const BLUR_MS = 5

export const isBefore = (act: RestoreAct, moment: number): boolean => act.acked_at < moment - BLUR_MS
export const isAfter = (act: RestoreAct, moment: number): boolean => act.sent_at > moment + BLUR_MS

/** The titles that it may have at that moment; null among them: it may be gone. */
export function titlesAt({ acts }: LedgerDocument, moment: number): (string | null)[] {
  const sure = acts.filter((act) => isBefore(act, moment))
  const open = acts.filter((act) => !isBefore(act, moment) && !isAfter(act, moment))
  return [sure.at(-1)?.title ?? null, ...open.map(({ title }) => title)]
}
