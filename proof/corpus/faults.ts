// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  page_dropped: {
    what: 'the last page of a PDF is left out',
    plants: [
      {
        file: 'server/src/extract/formats/pdf.ts',
        find: 'pdfium.FPDF_GetPageCount(opened.document)',
        replace: 'Math.max(1, pdfium.FPDF_GetPageCount(opened.document) - 1)',
      },
    ],
  },
  columns_interleaved: {
    what: 'lines of two columns are read across the page',
    plants: [
      { file: 'server/src/extract/layout/columns.ts', find: 'if (depth >= MAX_DEPTH)', replace: 'if (depth >= 0)' },
    ],
  },
  cells_mirrored: {
    what: 'columns of ruled tables are counted from the right',
    plants: [
      {
        file: 'server/src/extract/layout/places.ts',
        find: 'column: column + 1,',
        replace: 'column: columns - column - column_span + 1,',
      },
    ],
  },
  cells_swapped: {
    what: 'columns of Office tables are counted from the right',
    plants: [
      {
        file: 'server/src/extract/office/table.ts',
        find: 'column: cell.column,',
        replace: 'column: columns - cell.column + 1,',
      },
    ],
  },
  hyphens_kept: {
    what: 'words that were cut at the end of a line stay cut',
    plants: [
      {
        file: 'server/src/extract/layout/lines.ts',
        find: '(cut[1]?.length ?? 0) < 2',
        replace: '(cut[1]?.length ?? 0) < 200',
      },
    ],
  },
  encoding_assumed: {
    what: 'text that is not UTF-8 is taken for windows-1252',
    plants: [
      {
        file: 'server/src/extract/decode.ts',
        find: 'return guessedDecoder(bytes).decode(bytes)',
        replace: "return new TextDecoder('windows-1252').decode(bytes)",
      },
    ],
  },
  tilt_kept: {
    what: 'a tilted scan is not turned upright',
    plants: [{ file: 'server/src/extract/raster.ts', find: 'const tilt = findTilt(clean)', replace: 'const tilt = 0' }],
  },
  boxes_lost: {
    what: 'blocks of a page have no boxes',
    plants: [
      {
        file: 'server/src/extract/layout/layout.ts',
        find: '{ ...block, bbox: bboxOf(box) }',
        replace: 'block',
      },
    ],
  },
}
