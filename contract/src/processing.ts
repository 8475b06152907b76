import { type Static, Type } from 'typebox'
import { OneOf, OpenEnum, Text } from './schema.ts'

export const ocrModes = ['auto', 'always', 'never'] as const
export type OcrMode = (typeof ocrModes)[number]

/** How pages are read. */
export const Processing = Type.Object(
  {
    reader: Type.Optional(
      Text(1, 100, {
        description: 'The reader: an id from `GET /models` with the kind `reader`; default `built_in`.',
      }),
    ),
    ocr: Type.Optional(
      OneOf(ocrModes, {
        title: 'OcrMode',
        description:
          '`auto` (if absent) recognises the text of pages that have none; `always` of every page that can be drawn; `never` of none.',
      }),
    ),
    languages: Type.Optional(
      Type.Array(Text(2, 35, { pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' }), {
        maxItems: 10,
        description: 'Languages of the pages, as BCP 47 tags; improves OCR.',
      }),
    ),
  },
  { title: 'Processing', description: 'How Octavo reads the pages.' },
)
export type Processing = Static<typeof Processing>

/** The same in answers, where new words may come. */
export const ShownProcessing = Type.Object(
  {
    reader: Type.Optional(Text(0, 100)),
    ocr: Type.Optional(OpenEnum(ocrModes)),
    languages: Type.Optional(Type.Array(Text(0, 35), { maxItems: 10 })),
  },
  { title: 'ProcessingSettings', description: 'How Octavo reads the pages.' },
)
