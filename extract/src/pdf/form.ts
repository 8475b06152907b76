// Form fields of a page: their values are no part of its text layer.

import type { FormField } from '../layout/types.ts'
import { type Frame, seenX, seenY } from './frame.ts'
import type { Pdfium } from './module.ts'

const WIDGET = 20
const PUSH_BUTTON = 1
const CHECKBOX = 2
const RADIO_BUTTON = 3
const MAX_FIELDS = 2_000
const MAX_CHARACTERS = 20_000
/** FPDF_FORMFILLINFO of version 2, without callbacks: nothing is shown or run. */
const FORM_INFO_BYTES = 512

/** pdfium reads fields only through a form environment, which is opened where a page has fields. */
export function readForm(
  pdfium: Pdfium,
  { document, page, frame }: { document: number; page: number; frame: Frame },
): FormField[] {
  const widgets = Math.min(MAX_FIELDS, pdfium.FPDFPage_GetAnnotCount(page))
  const indexes = Array.from({ length: Math.max(0, widgets) }, (_, index) => index).filter((index) =>
    onAnnotation(pdfium, page, index, (annotation) => pdfium.FPDFAnnot_GetSubtype(annotation) === WIDGET),
  )
  if (indexes.length === 0) return []
  const info = pdfium.malloc(FORM_INFO_BYTES)
  pdfium.bytes(info, FORM_INFO_BYTES).fill(0)[0] = 2
  const form = pdfium.FPDFDOC_InitFormFillEnvironment(document, info)
  const fields = indexes.flatMap(
    (index) => (form && onAnnotation(pdfium, page, index, (one) => readField(pdfium, form, one, frame))) || [],
  )
  if (form !== 0) pdfium.FPDFDOC_ExitFormFillEnvironment(form)
  pdfium.free(info)
  return fields
}

function onAnnotation<T>(pdfium: Pdfium, page: number, index: number, read: (annotation: number) => T): T | null {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index)
  if (annotation === 0) return null
  const result = read(annotation)
  pdfium.FPDFPage_CloseAnnot(annotation)
  return result
}

function readField(pdfium: Pdfium, form: number, annotation: number, frame: Frame): FormField | null {
  const type = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
  const { scratch } = pdfium
  if (type === PUSH_BUTTON || type < 0 || pdfium.FPDFAnnot_GetRect(annotation, scratch) === 0) return null
  // FS_RECTF: left, top, right, bottom
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => pdfium.f32(scratch + at))
  const [x0, x1] = [seenX(frame, left, bottom), seenX(frame, right, top)]
  const [y0, y1] = [seenY(frame, left, top), seenY(frame, right, bottom)]
  const box = { x0: Math.min(x0, x1), y0: Math.min(y0, y1), x1: Math.max(x0, x1), y1: Math.max(y0, y1) }
  const is_box = type === CHECKBOX || type === RADIO_BUTTON
  const textBy = (read: (buffer: number, bytes: number) => number) => readText(pdfium, read)
  const state = is_box && isOn(pdfium, annotation) ? 'checked' : 'unchecked'
  const value = is_box
    ? state
    : textBy((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes))
  const title = textBy((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, bytes))
  const name = textBy((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, bytes))
  return { ...box, is_box, value, name: title || name }
}

/** The state that is shown; its name is free, but for `Off`. */
function isOn(pdfium: Pdfium, annotation: number): boolean {
  const key = pdfium.scratch + 200
  pdfium.bytes(key, 3).set([0x41, 0x53, 0])
  const state = readText(pdfium, (buffer, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes))
  return state !== '' && state !== 'Off'
}

/** UTF-16 with a zero at its end. */
function readText(pdfium: Pdfium, read: (buffer: number, bytes: number) => number): string {
  const bytes = Math.min(MAX_CHARACTERS * 2, read(0, 0))
  if (bytes <= 2) return ''
  const buffer = pdfium.malloc(bytes)
  if (buffer === 0) return ''
  try {
    read(buffer, bytes)
    return Buffer.from(pdfium.bytes(buffer, bytes - 2))
      .toString('utf16le')
      .replace(/\s+/g, ' ')
      .trim()
  } finally {
    pdfium.free(buffer)
  }
}
