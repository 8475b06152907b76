// Sheets of OpenDocument. Read by hand and row by row: what a cell shows is written in it, and a row may claim to repeat a million times.

import { OdfSheets } from '../office/odf-sheets.ts'
import { openOdf } from '../office/odf-styles.ts'
import { macroWarnings } from '../office/package.ts'
import { openSheets } from '../office/sheets.ts'
import { type Format, type OpenFormat, Unreadable } from '../types.ts'

export const ods: Format = {
  name: 'ods',
  media_types: [
    'application/vnd.oasis.opendocument.spreadsheet',
    'application/vnd.oasis.opendocument.spreadsheet-template',
  ],
  open(bytes, { bounds }): OpenFormat {
    const { archive, content, title, styles } = openOdf(bytes, bounds)
    const sheets = new OdfSheets(content)
    if (sheets.heads.length === 0) throw new Unreadable('document_empty', 'The file has no sheets.')
    const opened = openSheets(
      sheets.heads.map(({ name, style }, i) => ({
        name,
        is_hidden: styles.find('table', style, 'is_hidden') === true,
        rows: () => sheets.rows(i),
        others: () => sheets.others[i] ?? [],
      })),
    )
    const cut = sheets.was_cut ? ['Cells with very many repetitions were repeated fewer times.'] : []
    return { title, warnings: [...macroWarnings(archive), ...cut], ...opened }
  },
}
