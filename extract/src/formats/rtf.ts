// Rich Text Format. Read by hand: the library tried (officeparser) loses page breaks before paragraphs and the spans of cells.

import { pageOf } from '../office/flow.ts'
import { RtfReader } from '../office/rtf-reader.ts'
import { type Format, type OpenFormat, Unreadable } from '../types.ts'
import { splitLong } from './split-long.ts'

export const rtf: Format = {
  name: 'rtf',
  media_types: ['application/rtf', 'text/rtf'],
  open(bytes): OpenFormat {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    if (!text.startsWith('{\\rtf'))
      throw new Unreadable(
        'document_unreadable',
        'The file is not valid RTF. Save it as RTF again and upload the new file.',
      )
    const reader = new RtfReader()
    reader.read(text)
    const pages = reader.flow.pages().flatMap(splitLong)
    const { width, height } = reader.size
    const size = width > 0 && height > 0 ? { width, height } : null
    return {
      title: reader.title.trim().slice(0, 1000) || null,
      page_count: pages.length,
      warnings: [],
      page: (number) => pageOf(pages[number - 1]?.blocks ?? [], pages[number - 1]?.size ?? size),
    }
  },
}
