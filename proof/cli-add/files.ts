// Thirty files as they lie in a folder: of many kinds and languages, one with a long name, one with a wide one, two broken.

import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { zipOf } from '../../extract/src/testing/office-files.ts'
import { generate } from '../corpus/generate.ts'
import { makeBook } from '../lib/book.ts'

export const COUNT = 30
const BOOK_PAGES = 60

/** Expected terminal messages: the reason and the remedy. */
export const BROKEN: readonly { name: string; reason: RegExp; remedy: RegExp }[] = [
  { name: 'contract, signed.pdf', reason: /broken/, remedy: /Save or export it again/ },
  { name: 'minutes.docx', reason: /damaged|not complete/, remedy: /save it again/ },
]

const NAMES: Record<string, string> = {
  'pdf/typst-en.pdf': 'Annual report of the society for the preservation of old bridges, third draft with remarks.pdf',
  'pdf/typst-ja.pdf': '二〇二六年度第三四半期の売上報告書と今後の見通しについて.pdf',
  'html/own-ar.html': 'رسالة.html',
}

/** Those that LibreOffice and pandoc make come first; where they are missing, the ones at the end take their place. */
const WANTED = [
  'docx/office-en.docx',
  'docx/pandoc-de.docx',
  'xlsx/office-en.xlsx',
  'pptx/office-en.pptx',
  'odt/pandoc-es.odt',
  'odp/office-de.odp',
  'epub/pandoc-fr.epub',
  'rtf/pandoc-fr.rtf',
  'scan/clean-en.png',
  'pdf/typst-en.pdf',
  'pdf/typst-ja.pdf',
  'pdf/typst-de.pdf',
  'pdf/typst-columns-fr.pdf',
  'html/own-ar.html',
  'html/own-en.html',
  'html/own-ja.html',
  'txt/koi8-r-ru.txt',
  'txt/utf-8-es.txt',
  'txt/windows-1252-fr.txt',
  'txt/shift_jis-ja.txt',
  'csv/comma-en.csv',
  'csv/semicolon-de.csv',
  'tsv/tab-ru.tsv',
  'eml/plain-de.eml',
  'eml/alternative-ja.eml',
  'md/own-en.md',
  'md/own-ru.md',
  'html/own-windows-1252-fr.html',
  'md/own-ja.md',
  'txt/utf-8-ar.txt',
  'txt/gb18030-zh.txt',
  'txt/utf-16le-ja.txt',
  'eml/html-ru.eml',
  'tsv/tab-ja.tsv',
  'csv/comma-zh.csv',
]

export async function makeFiles(say: (line: string) => void): Promise<{ folder: string }> {
  const corpus = await generate(join(tmpdir(), 'octavo-corpus'), WANTED, say)
  const folder = mkdtempSync(join(tmpdir(), 'octavo-add-'))
  const good = WANTED.filter((path) => existsSync(join(corpus.folder, path))).slice(0, COUNT - BROKEN.length - 1)
  if (good.length < COUNT - BROKEN.length - 1) throw new Error(`Only ${good.length} files of the corpus are there.`)
  for (const path of good) copyFileSync(join(corpus.folder, path), join(folder, NAMES[path] ?? path.replace('/', '-')))
  // So that pages can be seen to be counted.
  writeFileSync(join(folder, 'book.pdf'), await makeBook({ pages: BOOK_PAGES }))
  for (const { name } of BROKEN) writeFileSync(join(folder, name), brokenOf(name, corpus.folder))
  return { folder }
}

/** A PDF of which only the beginning came over the line, and a Word file that was cut in the middle. */
function brokenOf(name: string, corpus: string): Uint8Array {
  if (extname(name) === '.pdf') return readFileSync(join(corpus, 'pdf/typst-de.pdf')).subarray(0, 200)
  const words = Array.from({ length: 5_000 }, (_, i) => `word ${(i * 7_919) % 10_007}`).join(' ')
  const whole = zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': `<w:document>${words}</w:document>` })
  return whole.subarray(0, Math.floor(whole.length / 2))
}
