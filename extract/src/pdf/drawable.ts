// Checks in advance whether a page can be drawn, by its size and by the pixels of its images.

import { Unreadable } from '../types.ts'
import { MAX_POINTS } from './frame.ts'
import type { Pdfium } from './module.ts'

const IMAGE = 3
const FORM = 5
const MAX_OBJECTS = 20_000
const MAX_DEPTH = 8
/** Images of a page are decoded line by line and drawn much smaller than they are: together they may have more pixels than one that is held. */
const IMAGE_SHARE = 4

interface Walk {
  pdfium: Pdfium
  objects_left: number
  pixels: number
}

export function checkDrawable(pdfium: Pdfium, page: number, max_pixels: number): void {
  const points = Math.max(pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page))
  if (!(points <= MAX_POINTS))
    throw new Unreadable(
      'document_too_large',
      'The page is wider or higher than 200 inches and cannot be rendered. Save it in a smaller size.',
    )
  const walk: Walk = { pdfium, objects_left: MAX_OBJECTS, pixels: 0 }
  const count = pdfium.FPDFPage_CountObjects(page)
  for (let index = 0; index < count && walk.objects_left > 0; index++)
    visit(walk, pdfium.FPDFPage_GetObject(page, index), 0)
  if (walk.pixels > max_pixels * IMAGE_SHARE) {
    const most = Math.floor((max_pixels * IMAGE_SHARE) / 1_000_000)
    const message = `The images on the page exceed the limit of ${most} million pixels. Save it with smaller images.`
    throw new Unreadable('document_too_large', message)
  }
}

function visit(walk: Walk, object: number, depth: number): void {
  const { pdfium } = walk
  walk.objects_left--
  const type = object === 0 ? 0 : pdfium.FPDFPageObj_GetType(object)
  if (type === IMAGE) {
    const { scratch } = pdfium
    // Both are what the file says; nothing is decoded for it.
    if (pdfium.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4) !== 0)
      walk.pixels += (pdfium.i32(scratch) >>> 0) * (pdfium.i32(scratch + 4) >>> 0)
  } else if (type === FORM && depth < MAX_DEPTH) {
    const count = pdfium.FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count && walk.objects_left > 0; index++)
      visit(walk, pdfium.FPDFFormObj_GetObject(object, index), depth + 1)
  }
}
