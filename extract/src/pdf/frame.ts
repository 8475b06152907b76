// Page geometry: a page has a box in its own space (origin at the bottom left) and may be rotated.

import type { Pdfium } from './module.ts'

export interface Frame {
  /** As a person sees it, in points. */
  width: number
  height: number
  left: number
  bottom: number
  right: number
  top: number
  /** Quarter turns clockwise. */
  turns: number
}

/** 200 inches is the most that the standard allows. */
export const MAX_POINTS = 14_400

const within = (value: number): number => (Number.isFinite(value) ? Math.min(MAX_POINTS, Math.max(1, value)) : 1)

export function frameOf(pdfium: Pdfium, page: number): Frame {
  const { scratch } = pdfium
  const turns = pdfium.FPDFPage_GetRotation(page) & 3
  const width = within(pdfium.FPDF_GetPageWidthF(page))
  const height = within(pdfium.FPDF_GetPageHeightF(page))
  const [own_width, own_height] = turns % 2 === 1 ? [height, width] : [width, height]
  const has_box = pdfium.FPDF_GetPageBoundingBox(page, scratch) !== 0
  // FS_RECTF: left, top, right, bottom
  const left = has_box ? pdfium.f32(scratch) : 0
  const bottom = has_box ? pdfium.f32(scratch + 12) : 0
  return { width, height, left, bottom, right: left + own_width, top: bottom + own_height, turns }
}

/** A point of the page's own space → where a person sees it, origin at the top left. */
export function seenX(frame: Frame, x: number, y: number): number {
  if (frame.turns === 0) return x - frame.left
  if (frame.turns === 1) return y - frame.bottom
  return frame.turns === 2 ? frame.right - x : frame.top - y
}

export function seenY(frame: Frame, x: number, y: number): number {
  if (frame.turns === 0) return frame.top - y
  if (frame.turns === 1) return x - frame.left
  return frame.turns === 2 ? y - frame.bottom : frame.right - x
}
