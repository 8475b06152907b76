// Blocks, the content of a page.

import { type Static, Type } from 'typebox'
import { MAX_CELLS } from './block-limits.ts'
import { MAX_INTEGER, OpenEnum, Text } from './schema.ts'

export const blockTypes = [
  'title',
  'heading',
  'paragraph',
  'list_item',
  'table',
  'fields',
  'figure',
  'caption',
  'footnote',
  'header',
  'footer',
  'code',
] as const
export type BlockType = (typeof blockTypes)[number]
const MAX_BLOCK_CHARACTERS = 1_000_000

const Place = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description })

const Bbox = (description: string) =>
  Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 4, maxItems: 4, description })

const Cell = Type.Object(
  {
    row: Place('From 1.'),
    column: Place('From 1.'),
    row_span: Place('Number of rows it spans.'),
    column_span: Place('Number of columns it spans.'),
    text: Text(0, MAX_BLOCK_CHARACTERS),
    bbox: Type.Optional(Bbox('The box around the text of the cell, as in the block.')),
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

const Field = Type.Object(
  {
    label: Text(0, MAX_BLOCK_CHARACTERS, { description: 'The name of the field, without a trailing colon.' }),
    value: Text(0, MAX_BLOCK_CHARACTERS, {
      description: 'Empty if nothing is filled in; `checked` or `unchecked` for a checkbox.',
    }),
    label_bbox: Type.Optional(Bbox('The box around the label.')),
    value_bbox: Type.Optional(Bbox('The box around the value.')),
  },
  { title: 'Field', description: 'A label and its value, as in a form or at the head of an invoice.' },
)
export type Field = Static<typeof Field>

export const Block = Type.Object(
  {
    type: OpenEnum(blockTypes, { title: 'BlockType' }),
    text: Text(0, MAX_BLOCK_CHARACTERS),
    level: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 9, description: 'The level of a heading or a list item, starting at 1.' }),
    ),
    bbox: Type.Optional(Bbox("Left, top, right, bottom, as fractions of the page's width and height.")),
    confidence: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Confidence of OCR; absent for embedded text.' }),
    ),
    is_running: Type.Optional(
      Type.Boolean({
        description:
          'True for a page number, and for a header or footer that repeats one from an earlier page. Such blocks are not part of `text`.',
      }),
    ),
    table: Type.Optional(Table),
    caption: Type.Optional(
      Text(0, MAX_BLOCK_CHARACTERS, {
        description: 'The caption of a table or figure: the text of the `caption` block next to it.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Field, { maxItems: MAX_CELLS, description: 'The labels and values of a `fields` block.' }),
    ),
  },
  { title: 'Block', description: 'A part of a page, such as a paragraph or a table.' },
)
export type Block = Static<typeof Block>
