import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMB, blockLines, openWith, pagesWith, zipOf } from '../testing/office-files.ts'
import { epub } from './epub.ts'

const book = (chapters: Record<string, string>, parts: Record<string, string> = {}) => {
  const names = Object.keys(chapters)
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "http://example.com/x.dtd">
      <package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The book</dc:title></metadata>
      <manifest>${names.map((name, i) => `<item id="i${i}" href="text/${encodeURIComponent(name)}"/>`).join('')}</manifest>
      <spine>${names.map((_, i) => `<itemref idref="i${i}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(names.map((name) => [`OPS/text/${name}`, `<html><body>${chapters[name]}</body></html>`])),
    ...parts,
  })
}

test('reads chapters as pages in reading order', async () => {
  const bytes = book({
    'z 1.xhtml': '<h1>One</h1><h2>Part</h2><p>Text</p><ul><li>dot</li></ul>',
    'a.xhtml': '<p>Two</p>',
    'cover.xhtml': '<img src="x.png"/>',
  })

  const opened = await openWith(epub, bytes)
  const pages = await pagesWith(epub, bytes)

  assert.equal(opened.title, 'The book')
  assert.deepEqual(
    pages.map((page) => blockLines(page)),
    [['heading 1: One', 'heading 2: Part', 'paragraph: Text', 'list_item 1: dot'], ['paragraph: Two'], ['figure: ']],
  )
  assert.equal(pages[2]?.warnings.length, 1)
})

test('splits a long chapter into several pages', async () => {
  const pages = await pagesWith(epub, book({ 'a.xhtml': `<p>${'word '.repeat(1000)}</p>`.repeat(20) }))

  assert.ok(pages.length >= 5, `${pages.length}`)
})

test('refuses a bomb, a truncated file and a DRM-locked book, but allows scrambled fonts', async () => {
  const lock = (name: string) => ({
    'META-INF/encryption.xml': `<encryption xmlns:enc="x"><enc:CipherReference URI="${name}"/></encryption>`,
  })
  const whole = book({ 'a.xhtml': '<p>x</p>' })

  await assert.rejects(openWith(epub, book({ 'a.xhtml': BOMB })), { code: 'document_too_large' })
  await assert.rejects(openWith(epub, whole.subarray(0, whole.length - 20)), { code: 'document_unreadable' })
  await assert.rejects(openWith(epub, book({ 'a.xhtml': 'x' }, lock('OPS/text/a.xhtml'))), { message: /DRM/ })
  assert.equal((await openWith(epub, book({ 'a.xhtml': 'x' }, lock('OPS/fonts/a.ttf')))).page_count, 1)
})
