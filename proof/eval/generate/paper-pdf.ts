// A paper as a PDF, set line by line as it is written, so that columns stay columns.

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { EvalPaper } from './paper.ts'

/** Comes with Typst: the same PDF on every machine. */
const TEMPLATE = `#let pages = json(bytes(sys.inputs.pages))
#set page(paper: "a4", margin: 2cm)
#set text(font: "DejaVu Sans Mono", size: 9pt)
#for (at, page) in pages.enumerate() {
  if at > 0 { pagebreak() }
  for line in page.split("\\n") { block(spacing: 0.65em, if line == "" { " " } else { raw(line) }) }
}`

let compiler: NodeCompiler | undefined

export function makePaperPdf({ id, pages }: Pick<EvalPaper, 'id' | 'pages'>): Uint8Array {
  compiler ??= NodeCompiler.create()
  const compiled = compiler.compile({ mainFileContent: TEMPLATE, inputs: { pages: JSON.stringify(pages) } })
  if (compiled.result?.numOfPages !== pages.length) {
    throw new Error(
      `Typst cannot set ${id}: ${JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? 'another number of pages')}`,
    )
  }
  return compiler.pdf(compiled.result)
}
