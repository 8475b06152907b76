import assert from 'node:assert/strict'
import test from 'node:test'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { makeClaims } from './claims.ts'
import { makePaperPdf } from './paper-pdf.ts'
import { makePapers } from './papers.ts'

test('half of the claims cite a passage that does not support them, and the halves share no passage', () => {
  const { tuning, held_out } = makeClaims()

  assert.ok(tuning.length + held_out.length >= 200)
  for (const half of [tuning, held_out]) {
    assert.equal(half.filter(({ is_supported }) => is_supported).length, half.length / 2)
    const true_passages = new Map(
      half.filter(({ is_supported }) => is_supported).map(({ claim, passage }) => [claim, passage]),
    )
    for (const { claim, passage, is_supported } of half)
      if (!is_supported) assert.notEqual(true_passages.get(claim), passage)
  }
  const passages = new Set(tuning.map(({ passage }) => passage))
  assert.ok(held_out.every(({ passage }) => !passages.has(passage)))
})

test('the same seed makes the same claims, another makes others', () => {
  assert.deepEqual(makeClaims(), makeClaims())
  assert.notDeepEqual(makeClaims(1), makeClaims(2))
})

test('a paper as PDF says what the paper says', async () => {
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
