// A file to be made: what is in it, and which program makes it.

import { makeMarkdown } from './html.ts'
import {
  type CorpusModel,
  type CorpusPiece,
  type CorpusSpecimen,
  type Language,
  newModel,
  piecesOf,
  tablesOf,
  textOfModel,
} from './model.ts'
import { makeFodt } from './odf.ts'
import { readProse } from './texts.ts'
import { makePdf } from './typst.ts'

/** `own` and `typst` give bytes; the others have a source that a program turns into the file. */
export type Way =
  | { by: 'own' | 'typst'; make: () => string | Uint8Array | Promise<Uint8Array> }
  | { by: 'soffice'; source: string; ending: 'fodt' | 'fods' | 'fodp' }
  | { by: 'pandoc'; source: string }

export interface Order {
  specimen: CorpusSpecimen
  way: Way
}

const UNSTRUCTURED = new Set(['txt', 'csv', 'tsv', 'xlsx', 'ods', 'pptx', 'odp'])
const PAGED = new Set(['pdf', 'pptx', 'odp', 'xlsx', 'ods', 'png', 'jpg', 'tif', 'webp'])

/** LibreOffice writes the breaks of the model; elsewhere the text flows, and all of it fits on one page. */
function expectedPages(format: string, by: Way['by'], { pages }: CorpusModel): number {
  // Pandoc puts a page with the title before the text.
  if (format === 'epub') return 2
  return PAGED.has(format) || by === 'soffice' ? pages.length : 1
}

export function order(path: string, model: CorpusModel, way: Way, rest: Partial<CorpusSpecimen> = {}): Order {
  const format = path.slice(path.lastIndexOf('.') + 1)
  const specimen: CorpusSpecimen = {
    path,
    format,
    made_by: way.by,
    language: model.language,
    page_count: expectedPages(format, way.by, model),
    text: textOfModel(model),
    tables: tablesOf(model).map(({ name, ruling, rows, columns, cells }) => ({ name, ruling, rows, columns, cells })),
    pieces: UNSTRUCTURED.has(format) ? [] : piecesOf(model),
    scan: null,
    columns: model.columns,
    ...rest,
  }
  return { specimen, way }
}

/** The prose of a language on two pages. */
export function prose(language: Language, rest: Partial<CorpusModel> = {}): CorpusModel {
  const { pieces } = readProse(language)
  return newModel(language, [pieces.slice(0, 7), pieces.slice(7)], rest)
}

/** All of it on one page with two columns. */
export const proseInColumns = (language: Language): CorpusModel =>
  newModel(language, [readProse(language).pieces], { columns: 2 })

/** A heading and what follows it on each page. */
export function proseByHeading(language: Language): CorpusModel {
  const pages: CorpusPiece[][] = []
  for (const piece of readProse(language).pieces) {
    if (piece.type === 'title' || piece.type === 'heading') pages.push([])
    pages.at(-1)!.push(piece)
  }
  return newModel(language, pages)
}

export const byTypst = (path: string, model: CorpusModel): Order =>
  order(path, model, { by: 'typst', make: () => makePdf(model) })

export const byOffice = (path: string, model: CorpusModel): Order =>
  order(path, model, { by: 'soffice', source: makeFodt(model), ending: 'fodt' })

export const byPandoc = (path: string, model: CorpusModel): Order =>
  order(path, model, { by: 'pandoc', source: makeMarkdown(model) })

export const byHand = (path: string, model: CorpusModel, make: () => string | Uint8Array): Order =>
  order(path, model, { by: 'own', make })
