// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  page_dropped: {
    what: 'the last page of a PDF is left out',
    plants: [
      change(
        'openDocument',
        'pdfium.FPDF_GetPageCount(opened.document)',
        'Math.max(1, pdfium.FPDF_GetPageCount(opened.document) - 1)',
      ),
    ],
  },
  columns_interleaved: {
    what: 'lines of two columns are read across the page',
    plants: [change('regionsOf', 'if (depth >= MAX_DEPTH)', 'if (depth >= 0)')],
  },
  cells_mirrored: {
    what: 'columns of ruled tables are counted from the right',
    plants: [change('tableFromPlaces', 'column: column + 1,', 'column: columns - column - column_span + 1,')],
  },
  cells_swapped: {
    what: 'columns of Office tables are counted from the right',
    plants: [change('tableBlock', 'column: cell.column,', 'column: columns - cell.column + 1,')],
  },
  hyphens_kept: {
    what: 'words that were cut at the end of a line stay cut',
    plants: [change('joined', '(cut[1]?.length ?? 0) < 2', '(cut[1]?.length ?? 0) < 200')],
  },
  encoding_assumed: {
    what: 'text that is not UTF-8 is taken for windows-1252',
    plants: [
      change(
        'decodeUnmarked',
        'return guessedDecoder(bytes).decode(bytes)',
        "return new TextDecoder('windows-1252').decode(bytes)",
      ),
    ],
  },
  tilt_kept: {
    what: 'a tilted scan is not turned upright',
    plants: [change('toPageImage', 'const tilt = findTilt(clean)', 'const tilt = 0')],
  },
  boxes_lost: {
    what: 'blocks of a page have no boxes',
    plants: [change('layoutPage', '{ ...block, bbox: bboxOf(box) }', 'block')],
  },
}
