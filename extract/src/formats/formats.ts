// Every format that can be read, one line each. Loaded on demand: a child reads one file, so it needs one of them.

import type { Format } from '../types.ts'

export const formats: Readonly<Record<string, () => Promise<Format>>> = {
  csv: async () => (await import('./csv.ts')).csv,
  docx: async () => (await import('./docx.ts')).docx,
  eml: async () => (await import('./eml.ts')).eml,
  epub: async () => (await import('./epub.ts')).epub,
  html: async () => (await import('./html.ts')).html,
  jpeg: async () => (await import('./jpeg.ts')).jpeg,
  markdown: async () => (await import('./markdown.ts')).markdown,
  msg: async () => (await import('./msg.ts')).msg,
  odp: async () => (await import('./odp.ts')).odp,
  ods: async () => (await import('./ods.ts')).ods,
  odt: async () => (await import('./odt.ts')).odt,
  pdf: async () => (await import('./pdf.ts')).pdf,
  png: async () => (await import('./png.ts')).png,
  pptx: async () => (await import('./pptx.ts')).pptx,
  rtf: async () => (await import('./rtf.ts')).rtf,
  text: async () => (await import('./text.ts')).text,
  tiff: async () => (await import('./tiff.ts')).tiff,
  webp: async () => (await import('./webp.ts')).webp,
  xlsx: async () => (await import('./xlsx.ts')).xlsx,
}
