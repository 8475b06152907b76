import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { recognise } from './sniff.ts'
import { compoundOf } from './testing/compound-files.ts'
import type { Unreadable } from './types.ts'

const bounds = { max_bytes: 1e8, max_pages: 10, max_inflated_bytes: 1e8, max_pixels: 1e8 }
const nothing = { media_type: null, file_name: null }
const see = (bytes: string | Uint8Array, claims: { media_type?: string; file_name?: string } = {}) =>
  recognise(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, {
    claims: { ...nothing, ...claims },
    bounds,
  })
const text = (value: string) => Buffer.from(value)
const refused = (code: string, words: RegExp) => (error: Unreadable) => {
  assert.equal(error.code, code)
  assert.match(error.message, words)
  return true
}

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const office = (type: string, more: Record<string, Uint8Array> = {}) =>
  zipSync({
    '[Content_Types].xml': text(`<Types><Override PartName="/x" ContentType="application/${type}"/></Types>`),
    ...more,
  })

test('recognizes files by their signature', async () => {
  const found = async (bytes: string | Uint8Array) => (await see(bytes)).format
  assert.equal(await found('%PDF-1.7\n'), 'pdf')
  assert.equal(await found('\xef\xbb\xbf\r\n%PDF-1.4\n'), 'pdf')
  assert.equal(await found(PNG), 'png')
  assert.equal(await found('\xff\xd8\xff\xe0'), 'jpeg')
  assert.equal(await found('II*\0\x08\0\0\0'), 'tiff')
  assert.equal(await found('RIFF\0\0\0\0WEBPVP8 '), 'webp')
  assert.equal(await found(compoundOf({ '__properties_version1.0': text('x') })), 'msg')
  assert.equal(await found('{\\rtf1\\ansi hello}'), 'rtf')
  assert.equal(await found(zipSync({ mimetype: text('application/epub+zip') })), 'epub')
  assert.equal(await found(zipSync({ mimetype: text('application/vnd.oasis.opendocument.text') })), 'odt')
  assert.equal(
    await found(zipSync({ mimetype: text('application/vnd.oasis.opendocument.spreadsheet-template') })),
    'ods',
  )
  assert.equal(await found(office('vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml')), 'docx')
  assert.equal(await found(office('vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml')), 'pptx')
  assert.equal(await found(office('vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml')), 'xlsx')
})

test('a PDF header may appear anywhere in the first 1 KiB', async () => {
  const end = 'startxref\n0\n%%EOF\n'
  const found = async (bytes: string) => (await see(bytes)).format
  assert.equal(await found(`\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.4\n${end}`), 'pdf')
  assert.equal(await found(`<br />\n<b>Warning</b>: x in y.php\n%PDF-1.4\n${end}`), 'pdf')
  assert.equal(await found(`${'\x01\x02'.repeat(500)}%PDF-1.4\n${end}\x1b%-12345X`), 'pdf')

  assert.equal(await found(`${'x'.repeat(1100)}%PDF-1.4\n${end}`), 'text')
  assert.equal(await found('A PDF begins with %PDF-1.4.\n'), 'text')
  const mail = 'From: a@example.com\nTo: b@example.com\nSubject: x\nMIME-Version: 1.0\n\n'
  assert.equal(await found(`${mail}%PDF-1.4\n${end}`), 'eml')
  const archive = zipSync({ 'a.pdf': [text(`%PDF-1.4\n${end}`), { level: 0 }] })
  await assert.rejects(see(archive), refused('unsupported_format', /ZIP archive/))
})

test('ignores macros with a warning', async () => {
  const docm = office('vnd.ms-word.document.macroEnabled.main+xml', { 'word/vbaProject.bin': text('x') })

  const { format, warnings } = await see(docm, { file_name: 'a.docm' })

  assert.equal(format, 'docx')
  assert.deepEqual(warnings, ['The file contains macros. They were ignored.'])
})

test('the bytes win over the declared type, with a warning', async () => {
  const png = await see(PNG, { media_type: 'application/pdf', file_name: 'scan.pdf' })
  assert.deepEqual([png.format, png.media_type], ['png', 'image/png'])
  assert.deepEqual(png.warnings, ['Declared as application/pdf, but it is a PNG image.'])

  assert.deepEqual((await see('%PDF-1.7', { file_name: 'x.docx' })).warnings, [
    'Named as if it were a Word document, but it is a PDF.',
  ])
  assert.deepEqual((await see('%PDF-1.7 <html>', { media_type: 'application/pdf; a=b' })).warnings, [])
  assert.deepEqual((await see('<!DOCTYPE html><p>x', { file_name: 'export.csv' })).format, 'html')
  assert.equal((await see('just words', { media_type: 'application/pdf' })).format, 'text')
})

test('distinguishes text formats by name and type, or by content without them', async () => {
  const found = async (bytes: string, claims = {}) => (await see(bytes, claims)).format
  assert.equal(await found('a,b', { file_name: 'x.csv' }), 'csv')
  assert.equal(await found('a b', { file_name: 'x.md' }), 'markdown')
  assert.equal(await found('a b', { file_name: 'x.MD', media_type: 'text/plain' }), 'markdown')
  assert.equal(await found('a b', { media_type: 'text/html; charset=utf-8' }), 'html')
  assert.equal(await found('name,age\nAda,36\nBob,41\n'), 'csv')
  assert.equal((await see('name\tage\nAda\t36\nBob\t41\n')).media_type, 'text/tab-separated-values')
  assert.equal(await found('# Hello\n\nSee [this](http://example.com).\n'), 'markdown')
  assert.equal(await found('<?xml version="1.0"?>\n<!-- x -->\n<html xmlns="x"><body/></html>'), 'html')
  assert.equal(await found('From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\nDate: now\r\n\r\nHello'), 'eml')
  assert.equal(await found('From: here\nit is, as they say, far.\n\nWell, yes, no.\n'), 'text')
  assert.equal(await found('One, two.\nThree, four, five.\nSix.\n'), 'text')
  assert.equal((await see(Buffer.from('Grüße aus Köln', 'utf16le'))).format, 'text')
  assert.equal((await see(Buffer.from([0xff, 0xfe, ...Buffer.from('你好世界', 'utf16le')]))).format, 'text')
})

test('names an unsupported format and says what to do', async () => {
  const wide = (name: string) => compoundOf({ [name]: text('x') })
  await assert.rejects(
    see(wide('WordDocument')),
    refused('unsupported_format', /old Word document .* Save it as \.docx/),
  )
  await assert.rejects(see(wide('Workbook')), refused('unsupported_format', /old Excel workbook .* Save it as \.xlsx/))
  await assert.rejects(see(wide('PowerPoint Document')), refused('unsupported_format', /Save it as \.pptx/))
  await assert.rejects(see(wide('EncryptedPackage')), refused('document_unreadable', /protected by a password/))
  await assert.rejects(see(zipSync({ 'a.txt': text('x') })), refused('unsupported_format', /ZIP archive.*Unpack/))
  await assert.rejects(see('\x7fELF\x02\x01\x01'.padEnd(200, '\0')), refused('unsupported_format', /a program/))
  await assert.rejects(see('MZ\x90\0\x03\0\0\0'.padEnd(200, '\0')), refused('unsupported_format', /a program/))
  await assert.rejects(see('\x1f\x8b\x08\0'.padEnd(200, '\0')), refused('unsupported_format', /an archive \(\.gz\)/))
  await assert.rejects(see('GIF89a'.padEnd(200, '\0')), refused('unsupported_format', /an image \(\.gif\)/))
  await assert.rejects(see('\x01\x02\0\x03'.repeat(100)), refused('unsupported_format', /unknown.*PDF, DOCX/))
})
