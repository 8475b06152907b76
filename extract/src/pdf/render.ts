// Renders a page as gray pixels.

import { toPageImage } from '../raster.ts'
import { type Bounds, type PageImage, Unreadable } from '../types.ts'
import { checkDrawable } from './drawable.ts'
import { frameOf } from './frame.ts'
import type { Pdfium } from './module.ts'

const GREY = 1
const WHITE = 0xffffffff
// FPDF_ANNOT: notes, stamps and filled-in fields are seen by a reader as well
const FLAGS = 0x01
const MIN_SIDE = 8

export function renderPage(pdfium: Pdfium, page: number, dpi: number, { max_pixels }: Bounds): PageImage {
  checkDrawable(pdfium, page, max_pixels)
  const { width, height } = frameOf(pdfium, page)
  const wanted = dpi / 72
  const scale = Math.min(wanted, Math.sqrt(max_pixels / (width * height)))
  const across = Math.max(MIN_SIDE, Math.floor(width * scale))
  const down = Math.max(MIN_SIDE, Math.floor(height * scale))
  const bitmap = pdfium.FPDFBitmap_CreateEx(across, down, GREY, 0, 0)
  if (bitmap === 0) throw new Unreadable('document_too_large', 'The page is too large to render.')
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, WHITE)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, FLAGS)
    const stride = pdfium.FPDFBitmap_GetStride(bitmap)
    const source = pdfium.bytes(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * down)
    const pixels = new Uint8Array(across * down)
    for (let row = 0; row < down; row++) pixels.set(source.subarray(row * stride, row * stride + across), row * across)
    return toPageImage({ width: across, height: down, pixels }, scale * 72)
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap)
  }
}
