// Files that are not what they say, that are several things at once, or whose names are the attack.

import { plainDocx } from './archives.ts'
import { type HostileFile, inGroup, MEDIA_TYPES } from './file.ts'
import { onePage, pdf } from './pdf.ts'

const file = inGroup('types')
const EXE = Buffer.concat([
  Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1'),
  Buffer.alloc(4_096),
  Buffer.from('PE\0\0'),
])
const ELF = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), Buffer.alloc(4_096)])
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)
const plainPdf = (): Buffer => pdf(onePage({}))

/** mulberry32 again, as bytes. */
function noise(length: number): Buffer {
  let state = 7
  return Buffer.from(
    Array.from({ length }, () => {
      state = (state + 0x6d2b79f5) | 0
      const mixed = Math.imul(state ^ (state >>> 15), state | 1)
      return (mixed ^ (mixed >>> 14)) & 0xff
    }),
  )
}

const polyglots: HostileFile[] = [
  file('pdf_and_docx', {
    group: 'polyglots',
    expected: 'either',
    make: () => Buffer.concat([plainPdf(), plainDocx()]),
  }),
  file('docx_behind_pdf', {
    group: 'polyglots',
    expected: 'either',
    make: () => Buffer.concat([plainPdf(), plainDocx()]),
  }),
  file('gif_and_script', {
    group: 'polyglots',
    expected: 'refused',
    codes: ['unsupported_format', 'document_unreadable'],
    make: () =>
      Buffer.from(
        'GIF89a/*\x01\0\x01\0\0\0\0;*/=1;require("node:fs").writeFileSync("octavo-hostile-canary","")',
        'latin1',
      ),
  }),
  file('html_and_pdf', {
    group: 'polyglots',
    expected: 'either',
    make: () => Buffer.concat([Buffer.from('<!doctype html><script>while(1){}</script><!--\n'), plainPdf()]),
  }),
]

const types: HostileFile[] = [
  file('pdf_program', { expected: 'refused', make: () => EXE }),
  file('txt_program', { expected: 'refused', make: () => ELF }),
  file('docx_picture', { expected: 'either', make: () => PNG }),
  file('pdf_header_alone', { expected: 'refused', make: () => Buffer.from('%PDF-1.7\n%%EOF') }),
  file('docx_old_container', {
    expected: 'refused',
    make: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504), Buffer.alloc(4_096, 0xff)]),
  }),
  file('txt_empty', { expected: 'refused', codes: ['document_empty'], make: () => Buffer.alloc(0) }),
  file('txt_one_byte', { expected: 'either', make: () => Buffer.from('A') }),
  file('txt_zeros', { expected: 'refused', make: () => Buffer.alloc(1_000_000) }),
  file('pdf_noise', { expected: 'refused', make: () => noise(65_536) }),
]

const named = inGroup('names')
const readable = { expected: 'read', shows: 'Plain text', make: () => Buffer.from('Plain text\n') } as const

const names: HostileFile[] = [
  named('txt_up', { ...readable, file_name: '../../../../../../../../tmp/octavo-hostile-canary' }),
  named('txt_up_backwards', { ...readable, file_name: '..\\..\\..\\octavo-hostile-canary.txt' }),
  named('txt_control_characters', { ...readable, file_name: 'a\u0000b\r\nX-Octavo: canary\u001b[2J.txt' }),
  named('txt_long_name', { ...readable, file_name: `${'long'.repeat(300)}.txt` }),
  named('pdf_turned_name', {
    ...readable,
    file_name: 'invoice\u202efdp.exe',
    media_type: MEDIA_TYPES.pdf,
    make: plainPdf,
  }),
  named('txt_command', {
    ...readable,
    file_name: '"; touch octavo-hostile-canary; $(id) <img src=x onerror=alert(1)>.txt',
  }),
]

export const oddities: readonly HostileFile[] = [...polyglots, ...types, ...names]
