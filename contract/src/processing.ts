import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OpenEnum, Text } from './schema.ts'

export const ocrModes = ['auto', 'always', 'never'] as const
export type OcrMode = (typeof ocrModes)[number]

export const attachmentModes = ['none', 'documents'] as const

const ATTACHMENTS =
  '`none` (default) lists the attachments of an email in `warnings`; `documents` creates a document for each attachment, up to 100, including attachments of attached emails.'
const OCR =
  '`auto` (default) uses OCR for pages without readable text; `always` for every page that can be rendered; `never` disables OCR.'

/** How pages are read. */
export const Processing = Type.Object(
  {
    reader: Type.Optional(
      Text(1, 100, {
        description: 'The reader: an id from `GET /models` whose `kind` is `reader`; default `built_in`.',
      }),
    ),
    ocr: Type.Optional(
      OneOf(ocrModes, {
        title: 'OcrMode',
        description: OCR,
      }),
    ),
    attachments: Type.Optional(OneOf(attachmentModes, { title: 'AttachmentMode', description: ATTACHMENTS })),
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

const { reader, languages } = Processing.properties
/** The same object in a merge patch: null resets a field to its default. */
export const ProcessingPatch = Type.Object(
  {
    reader: Type.Optional(Nullable(reader)),
    // A pattern, since generators do not understand an enum that may be null.
    ocr: Type.Optional(Nullable(OpenEnum(ocrModes, { pattern: `^(${ocrModes.join('|')})$`, description: OCR }))),
    attachments: Type.Optional(
      Nullable(OpenEnum(attachmentModes, { pattern: `^(${attachmentModes.join('|')})$`, description: ATTACHMENTS })),
    ),
    languages: Type.Optional(Nullable(languages)),
  },
  {
    title: 'ProcessingPatch',
    description: 'Merged into the stored settings; null resets a field to its default.',
  },
)
export type ProcessingPatch = Static<typeof ProcessingPatch>

/** The same in responses, where new values may be added. */
export const ShownProcessing = Type.Object(
  {
    reader: Type.Optional(Text(0, 100)),
    ocr: Type.Optional(OpenEnum(ocrModes)),
    attachments: Type.Optional(OpenEnum(attachmentModes)),
    languages: Type.Optional(Type.Array(Text(0, 35), { maxItems: 10 })),
  },
  { title: 'ProcessingSettings', description: 'How Octavo reads the pages.' },
)
