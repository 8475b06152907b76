// pdfium as WebAssembly. Its functions are called without the wrappers of the package: they are called for each
// character, and the wrappers would cost more than the functions.

import { PDFiumModule } from '@hyzyla/pdfium'

type Call = (...given: number[]) => number
interface Memory {
  readonly buffer: ArrayBuffer
}

const names = [
  'FPDF_InitLibrary',
  'FPDF_LoadMemDocument',
  'FPDF_CloseDocument',
  'FPDF_GetLastError',
  'FPDF_GetPageCount',
  'FPDF_GetMetaText',
  'FPDF_LoadPage',
  'FPDF_ClosePage',
  'FPDF_GetPageWidthF',
  'FPDF_GetPageHeightF',
  'FPDF_GetPageBoundingBox',
  'FPDF_GetPageSizeByIndexF',
  'FPDF_RenderPageBitmap',
  'FPDFPage_GetRotation',
  'FPDFPage_CountObjects',
  'FPDFPage_GetObject',
  'FPDFPageObj_GetType',
  'FPDFPageObj_GetBounds',
  'FPDFPageObj_GetMatrix',
  'FPDFPageObj_GetFillColor',
  'FPDFPageObj_GetStrokeColor',
  'FPDFPageObj_GetStrokeWidth',
  'FPDFImageObj_GetImagePixelSize',
  'FPDFFormObj_CountObjects',
  'FPDFFormObj_GetObject',
  'FPDFPath_CountSegments',
  'FPDFPath_GetPathSegment',
  'FPDFPath_GetDrawMode',
  'FPDFPathSegment_GetPoint',
  'FPDFPathSegment_GetType',
  'FPDFPathSegment_GetClose',
  'FPDFBitmap_CreateEx',
  'FPDFBitmap_FillRect',
  'FPDFBitmap_GetStride',
  'FPDFBitmap_GetBuffer',
  'FPDFBitmap_Destroy',
  'FPDFText_LoadPage',
  'FPDFText_ClosePage',
  'FPDFText_CountChars',
  'FPDFText_GetUnicode',
  'FPDFText_HasUnicodeMapError',
  'FPDFText_GetTextObject',
  'FPDFText_GetCharBox',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetMatrix',
  'FPDFText_GetFontSize',
  'FPDFText_GetFontWeight',
  'FPDFTextObj_GetFont',
  'FPDFFont_GetFlags',
  'FPDFFont_GetBaseFontName',
  'FPDFDOC_InitFormFillEnvironment',
  'FPDFDOC_ExitFormFillEnvironment',
  'FPDFPage_GetAnnotCount',
  'FPDFPage_GetAnnot',
  'FPDFPage_CloseAnnot',
  'FPDFAnnot_GetSubtype',
  'FPDFAnnot_GetRect',
  'FPDFAnnot_GetFormFieldType',
  'FPDFAnnot_GetFormFieldValue',
  'FPDFAnnot_GetFormFieldName',
  'FPDFAnnot_GetFormFieldAlternateName',
  'FPDFAnnot_GetStringValue',
  'malloc',
  'free',
] as const

type Name = (typeof names)[number]

/** The functions, and the memory that they write their answers to. */
export type Pdfium = Readonly<Record<Name, Call>> & {
  /** Room for a few numbers that a function answers by pointer. */
  readonly scratch: number
  f32(address: number): number
  f64(address: number): number
  i32(address: number): number
  bytes(address: number, length: number): Uint8Array
}

let loading: Promise<Pdfium> | null = null

export function loadPdfium(): Promise<Pdfium> {
  loading ??= start()
  return loading
}

/** After a crash in the middle of an operation, its memory cannot be trusted: the next load creates a new instance. */
export function forgetPdfium(): void {
  loading = null
}

/** A trap of WebAssembly, or an abort of pdfium. */
export const isFatal = (reason: unknown): boolean =>
  reason instanceof Error && reason.constructor.name === 'RuntimeError'

const silent = () => undefined

async function start(): Promise<Pdfium> {
  // Its types leave these two out.
  const options: object = { print: silent, printErr: silent }
  const { wasmExports } = await PDFiumModule(options)
  const { memory, ...exported } = wasmExports as unknown as { memory: Memory; [name: string]: unknown }
  const calls = Object.fromEntries(
    names.map((name) => {
      const call = exported[name]
      if (typeof call !== 'function') throw new Error(`pdfium has no ${name}`)
      return [name, call]
    }),
  ) as Record<Name, Call>
  calls.FPDF_InitLibrary()
  return { ...calls, scratch: calls.malloc(256), ...viewsOf(memory) }
}

/** Memory that grows is another buffer, and views of the old one have no length any more. */
function viewsOf(memory: Memory) {
  let f32s = new Float32Array(memory.buffer)
  let f64s = new Float64Array(memory.buffer)
  let i32s = new Int32Array(memory.buffer)
  function renew(): void {
    const buffer = memory.buffer
    f32s = new Float32Array(buffer)
    f64s = new Float64Array(buffer)
    i32s = new Int32Array(buffer)
  }
  return {
    f32(address: number): number {
      if (f32s.length === 0) renew()
      return f32s[address >> 2] ?? 0
    },
    f64(address: number): number {
      if (f64s.length === 0) renew()
      return f64s[address >> 3] ?? 0
    },
    i32(address: number): number {
      if (i32s.length === 0) renew()
      return i32s[address >> 2] ?? 0
    },
    bytes: (address: number, length: number) => new Uint8Array(memory.buffer, address, length),
  }
}
