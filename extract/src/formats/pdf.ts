// PDF by pdfium: text with places, lines and areas for the layout, and pages as pixels.

import type { Survey } from '../layout/types.ts'
import { readText } from '../pdf/chars.ts'
import { readForm } from '../pdf/form.ts'
import { frameOf } from '../pdf/frame.ts'
import { forgetPdfium, isFatal, loadPdfium, type Pdfium } from '../pdf/module.ts'
import { renderPage } from '../pdf/render.ts'
import { readShapes } from '../pdf/shapes.ts'
import { sampleText, surveyPages } from '../pdf/survey.ts'
import { readTitle } from '../pdf/title.ts'
import { layoutTurned } from '../pdf/turned.ts'
import { wantsOcr } from '../pdf/usable.ts'
import { type Format, type ParsedPage, Unreadable } from '../types.ts'

const PASSWORD = 4
const SECURITY = 5

export const pdf: Format = {
  name: 'pdf',
  media_types: ['application/pdf', 'application/x-pdf'],
  async open(bytes, { bounds, password = null }) {
    let opened = openDocument(await loadPdfium(), bytes, password)
    const { title, page_count } = opened
    let survey: Survey | null = null
    async function onPage<T>(number: number, read: (pdfium: Pdfium, page: number, document: number) => T): Promise<T> {
      if (!Number.isInteger(number) || number < 1 || number > Math.min(page_count, bounds.max_pages))
        throw brokenPage(number)
      if (opened.is_lost) opened = openDocument(await loadPdfium(), bytes, password)
      return readOn(opened, number, read)
    }
    return {
      title,
      page_count,
      warnings: [],
      async survey() {
        survey = await surveyPages(Math.min(page_count, bounds.max_pages), (number) => onPage(number, sampleText))
      },
      page: (number) =>
        onPage(number, (pdfium, page, document) => readPage(pdfium, page, { number, document, survey })),
      image: (number, dpi) => onPage(number, (pdfium, page) => renderPage(pdfium, page, dpi, bounds)),
      close: () => closeDocument(opened),
    }
  },
}

interface Opened {
  pdfium: Pdfium
  /** Its bytes, which pdfium reads from as long as it is open. */
  copy: number
  document: number
  title: string | null
  page_count: number
  is_lost: boolean
}

function openDocument(pdfium: Pdfium, bytes: Uint8Array, password: string | null): Opened {
  const copy = pdfium.malloc(Math.max(1, bytes.length))
  if (copy === 0) throw new Unreadable('document_too_large', 'The document is too large to be read as a PDF.')
  const opened: Opened = { pdfium, copy, document: 0, title: null, page_count: 0, is_lost: false }
  try {
    pdfium.bytes(copy, bytes.length).set(bytes)
    opened.document = loadDocument(pdfium, { copy, length: bytes.length, password })
    if (opened.document === 0) throw whyNot(pdfium.FPDF_GetLastError(), password !== null)
    opened.page_count = pdfium.FPDF_GetPageCount(opened.document)
    if (opened.page_count <= 0) throw new Unreadable('document_empty', 'The PDF has no pages.')
    opened.title = readTitle(pdfium, opened.document)
    return opened
  } catch (reason) {
    if (isFatal(reason)) lose(opened)
    closeDocument(opened)
    throw reason instanceof Unreadable ? reason : whyNot(0, false)
  }
}

function loadDocument(
  pdfium: Pdfium,
  { copy, length, password }: { copy: number; length: number; password: string | null },
): number {
  if (password === null) return pdfium.FPDF_LoadMemDocument(copy, length, 0)
  const text = Buffer.from(`${password}\0`)
  const place = pdfium.malloc(text.length)
  pdfium.bytes(place, text.length).set(text)
  try {
    return pdfium.FPDF_LoadMemDocument(copy, length, place)
  } finally {
    pdfium.bytes(place, text.length).fill(0)
    pdfium.free(place)
  }
}

function closeDocument(opened: Opened): void {
  if (opened.is_lost) return
  opened.is_lost = true
  if (opened.document !== 0) opened.pdfium.FPDF_CloseDocument(opened.document)
  opened.pdfium.free(opened.copy)
}

function lose(opened: Opened): void {
  opened.is_lost = true
  forgetPdfium()
}

function whyNot(error: number, has_password: boolean): Unreadable {
  if (error === PASSWORD)
    return new Unreadable(
      'document_unreadable',
      has_password
        ? 'The password of the PDF is wrong. Upload it again with the right `password`.'
        : 'The PDF is protected by a password. Upload it again with its `password`.',
    )
  if (error === SECURITY)
    return new Unreadable(
      'document_unreadable',
      'The PDF has a protection that Octavo does not support. Upload a copy without protection.',
    )
  return new Unreadable(
    'document_unreadable',
    'The PDF is damaged and cannot be opened. Save or export it again and upload the new file.',
  )
}

const brokenPage = (number: number) =>
  new Unreadable('document_unreadable', `Page ${number} of the PDF is damaged and cannot be read.`, number)

function readOn<T>(opened: Opened, number: number, read: (pdfium: Pdfium, page: number, document: number) => T): T {
  const { pdfium, document } = opened
  let page = 0
  try {
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if (page === 0) throw brokenPage(number)
    return read(pdfium, page, document)
  } catch (reason) {
    if (isFatal(reason)) lose(opened)
    throw reason instanceof Unreadable ? reason : Object.assign(brokenPage(number), { cause: reason })
  } finally {
    if (page !== 0 && !opened.is_lost) pdfium.FPDF_ClosePage(page)
  }
}

function readPage(
  pdfium: Pdfium,
  page: number,
  { number, document, survey }: { number: number; document: number; survey: Survey | null },
): ParsedPage {
  const frame = frameOf(pdfium, page)
  const text = readText(pdfium, page, frame)
  const shapes = readShapes(pdfium, page, frame)
  const warnings: string[] = []
  if (text.is_cut) warnings.push(`Page ${number} has too much text; the rest was skipped.`)
  if (shapes.is_cut) warnings.push(`Page ${number} has too many drawings; its tables may be missing lines.`)
  const form = readForm(pdfium, { document, page, frame })
  const blocks = layoutTurned(text, { ...shapes, form }, frame, {
    is_first_page: number === 1,
    survey,
    page_number: number,
  })
  return {
    width: frame.width,
    height: frame.height,
    blocks,
    has_image: true,
    needs_ocr: wantsOcr(text, shapes, frame),
    warnings,
  }
}
