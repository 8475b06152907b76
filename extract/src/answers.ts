// Checks the answers of a child. A file that took over its child could send anything; only valid answers pass.

import { Block, blockTypes, MAX_BLOCKS } from '@octavo/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Answer, MAX_ATTACHMENTS } from './protocol.ts'
import type { Verdict } from './types.ts'

const is = (type: string, more: object = {}) => ({ type, ...more })
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const record = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const answer = (name: string, properties: Record<string, object>) => record({ is: { const: name }, ...properties })

const size = orNull(is('number', { minimum: 0 }))
const warnings = is('array', { items: is('string', { maxLength: 2000 }), maxItems: 1000 })
const line = record({ x0: is('number'), y0: is('number'), x1: is('number'), y1: is('number') })
const verdicts: readonly Verdict[] = [
  'document_unreadable',
  'document_empty',
  'document_too_large',
  'unsupported_format',
]

const file = record({
  format: is('string', { maxLength: 100 }),
  media_type: is('string', { maxLength: 200 }),
  title: orNull(is('string', { maxLength: 1000 })),
  page_count: is('integer', { minimum: 1 }),
  warnings,
  attachments: is('array', {
    items: record({
      file_name: is('string', { maxLength: 1000 }),
      size_bytes: orNull(is('integer', { minimum: 0 })),
    }),
    maxItems: MAX_ATTACHMENTS,
  }),
})
const page = record({
  width: size,
  height: size,
  blocks: is('array', {
    items: { allOf: [Block, { properties: { type: { enum: blockTypes } } }] },
    maxItems: MAX_BLOCKS,
  }),
  has_image: is('boolean'),
  needs_ocr: is('boolean'),
  warnings,
})
const image = record({
  width: is('integer', { minimum: 1 }),
  height: is('integer', { minimum: 1 }),
  dpi: is('number', { minimum: 0 }),
  tilt: is('number'),
  rules: is('array', { items: line, maxItems: 100_000 }),
})

// Every process loads this file: validating our own schemas takes longer than compiling them.
const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false, code: { optimize: false } })
const checks = {
  ready: ajv.compile(answer('ready', {})),
  opened: ajv.compile(answer('opened', { file })),
  surveyed: ajv.compile(answer('surveyed', {})),
  page: ajv.compile(answer('page', { page })),
  image: ajv.compile(answer('image', { image })),
  attachment: ajv.compile(answer('attachment', {})),
  unreadable: ajv.compile(
    answer('unreadable', { code: { enum: verdicts }, message: is('string', { minLength: 1, maxLength: 2000 }) }),
  ),
  failed: ajv.compile(answer('failed', { is_memory: is('boolean'), where: is('string', { maxLength: 2000 }) })),
  broken: ajv.compile(answer('broken', { message: is('string', { maxLength: 2000 }) })),
}

export function findAnswer(header: unknown, binary: Uint8Array): Answer | null {
  const { is: name } = (header ?? {}) as { is?: keyof typeof checks }
  if (!name || !Object.hasOwn(checks, name) || !checks[name](header)) return null
  const own = header as Answer
  if (own.is === 'image' && own.image.width * own.image.height !== binary.length) return null
  return own
}
