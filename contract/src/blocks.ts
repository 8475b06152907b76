// Blocks, the content of a page.

import { type Static, Type } from 'typebox'
import { MAX_INTEGER, OpenEnum, Text } from './schema.ts'

export const blockTypes = [
  'title',
  'heading',
  'paragraph',
  'list_item',
  'table',
  'figure',
  'header',
  'footer',
  'code',
] as const
export type BlockType = (typeof blockTypes)[number]
export const MAX_BLOCKS = 20_000
export const MAX_CELLS = 100_000
const MAX_BLOCK_CHARACTERS = 1_000_000

const Place = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description })

const Cell = Type.Object(
  {
    row: Place('From 1.'),
    column: Place('From 1.'),
    row_span: Place('Number of rows it spans.'),
    column_span: Place('Number of columns it spans.'),
    text: Text(0, MAX_BLOCK_CHARACTERS),
  },
  { title: 'TableCell', description: 'One cell of a table. Positions that a span covers have no cell.' },
)
export type Cell = Static<typeof Cell>

const Table = Type.Object(
  {
    rows: Type.Integer({ minimum: 0, maximum: MAX_INTEGER }),
    columns: Type.Integer({ minimum: 0, maximum: MAX_INTEGER }),
    cells: Type.Array(Cell, { maxItems: MAX_CELLS }),
  },
  { title: 'Table', description: 'The cells of a table, row by row.' },
)
export type Table = Static<typeof Table>

export const Block = Type.Object(
  {
    type: OpenEnum(blockTypes, { title: 'BlockType' }),
    text: Text(0, MAX_BLOCK_CHARACTERS),
    level: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 9, description: 'The level of a heading or a list item, starting at 1.' }),
    ),
    bbox: Type.Optional(
      Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
        minItems: 4,
        maxItems: 4,
        description: 'Left, top, right, bottom, as parts of the width and the height of the page.',
      }),
    ),
    table: Type.Optional(Table),
  },
  { title: 'Block', description: 'A part of a page, such as a paragraph or a table.' },
)
export type Block = Static<typeof Block>
