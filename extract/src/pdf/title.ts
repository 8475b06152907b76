// The title that a file claims for itself, when a person would call it one.

import type { Pdfium } from './module.ts'

const MAX_BYTES = 2_000
const MAX_CHARACTERS = 300
const NO_TITLE =
  /^(untitled|unbenannt|sans titre|document\d*|title|microsoft (word|powerpoint|excel) - .*|.*\.(docx?|xlsx?|pptx?|pdf|tex|dvi|odt|indd|qxd|html?|rtf))$/i

export function readTitle(pdfium: Pdfium, document: number): string | null {
  const room = pdfium.malloc(MAX_BYTES + 8)
  if (room === 0) return null
  try {
    pdfium.bytes(room, 6).set([0x54, 0x69, 0x74, 0x6c, 0x65, 0])
    const length = pdfium.FPDF_GetMetaText(document, room, room + 8, MAX_BYTES)
    if (length <= 2 || length > MAX_BYTES) return null
    return sensible(new TextDecoder('utf-16le').decode(pdfium.bytes(room + 8, length - 2)))
  } finally {
    pdfium.free(room)
  }
}

function sensible(claimed: string): string | null {
  const title = claimed.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  if (title.length < 2 || title.length > MAX_CHARACTERS || title.includes('\ufffd')) return null
  return NO_TITLE.test(title) || !/\p{L}/u.test(title) ? null : title
}
