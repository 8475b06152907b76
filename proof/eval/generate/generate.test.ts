import assert from 'node:assert/strict'
import test from 'node:test'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { makePaperPdf } from './paper-pdf.ts'
import { makePapers } from './papers.ts'

test('the PDF of a paper contains the text of the paper', async () => {
  const paper = makePapers().find(({ layout, language }) => layout === 'two_pages' && language === 'de')
  assert.ok(paper)
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(makePaperPdf(paper))
  const texts = paper.pages.map((_, at) => document.getPage(at).getText())
  document.destroy()

  assert.deepEqual(
    texts.map((text) => text.replace(/\s+/g, ' ').trim()),
    paper.pages.map((text) => text.replace(/\s+/g, ' ').trim()),
  )
})
