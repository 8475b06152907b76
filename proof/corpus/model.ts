// One model of a document, written by many tools into many formats. The model alone determines what a reader must find.

import type { Cell, Table } from '@octavo/contract'

export const languages = ['en', 'de', 'fr', 'es', 'pl', 'ru', 'ar', 'zh', 'ja'] as const
export type Language = (typeof languages)[number]

/** `rows`: lines between rows and none between columns. `header`: lines above and below the head and below the last row only. */
export const rulings = ['ruled', 'rows', 'header', 'unruled'] as const
export type Ruling = (typeof rulings)[number]

export interface ModelTable extends Table {
  name: string
  ruling: Ruling
  /** How wide each column is, beside the others. */
  widths: number[]
  /** Number columns are right-aligned. */
  is_number: boolean[]
  head_rows: number
  /** No wider than its text, where the format leaves that open. */
  is_compact: boolean
}

export type CorpusPiece =
  | { type: 'title'; text: string }
  | { type: 'heading'; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'list'; items: string[] }
  | { type: 'table'; table: ModelTable }

type PieceKind = 'heading' | 'paragraph' | 'list_item'

export interface CorpusModel {
  language: Language
  pages: CorpusPiece[][]
  columns: 1 | 2
  /** Justified text is hyphenated. */
  is_justified: boolean
  /** At the head and the foot of every page. */
  running: { header: string; footer: string } | null
}

export type Scan = 'clean' | 'tilted' | 'noisy' | '100 dpi'

/** A file of the corpus and what is in it. */
export interface CorpusSpecimen {
  /** From the folder of the corpus. */
  path: string
  format: string
  made_by: string
  language: Language
  page_count: number
  /** In reading order. */
  text: string
  tables: (Table & { name: string; ruling: Ruling })[]
  /** Text outside tables, with its block kind. Empty if the format does not mark kinds. */
  pieces: { kind: PieceKind; text: string }[]
  /** How it was scanned, if it was. */
  scan: Scan | null
  columns: 1 | 2
}

export const newModel = (language: Language, pages: CorpusPiece[][], rest: Partial<CorpusModel> = {}): CorpusModel => ({
  language,
  pages,
  columns: 1,
  is_justified: false,
  running: null,
  ...rest,
})

export const isRightToLeft = (language: Language): boolean => language === 'ar'

const inOrder = (cells: readonly Cell[]): Cell[] => cells.toSorted((a, b) => a.row - b.row || a.column - b.column)

/** The cells of each row, in order. A place that a span covers has none. */
export const cellRows = ({ rows, cells }: Table): Cell[][] => {
  const ordered = inOrder(cells)
  return Array.from({ length: rows }, (_, index) => ordered.filter(({ row }) => row === index + 1))
}

const textOfPiece = (piece: CorpusPiece): string => {
  if (piece.type === 'list') return piece.items.join('\n')
  if (piece.type === 'table')
    return inOrder(piece.table.cells)
      .map(({ text }) => text)
      .join('\n')
  return piece.text
}

export function textOfModel({ pages, running }: CorpusModel): string {
  const texts = pages.map((page) => page.map(textOfPiece).join('\n'))
  return texts.map((text) => (running ? `${running.header}\n${text}\n${running.footer}` : text)).join('\n')
}

export const tablesOf = ({ pages }: CorpusModel): ModelTable[] =>
  pages.flat().flatMap((piece) => (piece.type === 'table' ? [piece.table] : []))

export const piecesOf = ({ pages }: CorpusModel): CorpusSpecimen['pieces'] =>
  pages.flat().flatMap((piece): CorpusSpecimen['pieces'] => {
    if (piece.type === 'table') return []
    if (piece.type === 'list') return piece.items.map((text) => ({ kind: 'list_item', text }))
    return [{ kind: piece.type === 'paragraph' ? 'paragraph' : 'heading', text: piece.text }]
  })
