import { type Static, Type } from 'typebox'
import { MAX_BLOCKS } from './block-limits.ts'
import { Block } from './blocks.ts'
import { defineResource } from './definition.ts'
import { MAX_PAGE_CHARACTERS } from './documents.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import {
  AnyOf,
  IdOf,
  Metadata,
  MetadataPatch,
  Nullable,
  NullableRef,
  OneOf,
  OpenEnum,
  Resource,
  Text,
} from './schema.ts'

/** Limited, so that a page number and a position in the page fit in one number. */
export const MAX_PAGE_NUMBER = 2_147_483_647
export const pageStatuses = ['queued', 'running', 'succeeded', 'failed'] as const

export const textSources = ['embedded', 'ocr', 'supplied', 'corrected'] as const
const PageReader = Type.Object(
  { id: Text(0, 100), version: Text(0, 100) },
  { title: 'PageReader', description: 'The reader of the page.' },
)
const PageError = Type.Object(
  { code: Text(0, 64), message: Text(0, 1000) },
  { title: 'PageError', description: 'Why the page could not be read.' },
)
export type PageError = Static<typeof PageError>

export const pageResource = defineResource({
  title: 'Page',
  object: 'page',
  prefix: 'page',
  description: 'One page of a document, with its text.',
  scopes: {},
  events: ['created', 'updated', 'deleted'],
})

export const Page = Resource(pageResource, {
  document_id: IdOf('doc'),
  number: Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE_NUMBER,
    description: 'Page number, starting at 1. Deletions leave gaps.',
  }),
  status: OpenEnum(pageStatuses, { title: 'PageStatus' }),
  text: Text(0, MAX_PAGE_CHARACTERS, {
    description: 'The text of the blocks, in order, without running headers and footers.',
  }),
  markdown: Type.String({ description: 'The text with its structure, derived from the blocks.' }),
  text_source: OpenEnum(textSources, { description: 'The origin of the text.' }),
  language: Nullable(Text(0, 35, { description: 'BCP 47 tag; null if there is too little text.' })),
  confidence: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "The reader's confidence in the text; null if unknown.",
    }),
  ),
  width: Nullable(Type.Number({ minimum: 0, description: 'In points (1/72 inch); null if the format has no pages.' })),
  height: Nullable(Type.Number({ minimum: 0 })),
  blocks: Type.Array(Block, { maxItems: MAX_BLOCKS, description: 'In reading order.' }),
  reader: NullableRef(PageReader),
  image_file_id: Nullable(IdOf('file', { description: 'The image that the text was recognized in.' })),
  error: NullableRef(PageError),
  sha256: Text(0, 64, { description: 'SHA-256 of the text as UTF-8, in hexadecimal.' }),
})
export type Page = Static<typeof Page>

const { text, number } = Page.properties
export const NewPage = Type.Object(
  { text, number: Type.Optional(number), metadata: Type.Optional(Metadata) },
  { title: 'NewPage', description: 'Default: after the last page.' },
)
export type NewPage = Static<typeof NewPage>
export const PageReplacement = Type.Object({ text, metadata: Type.Optional(Metadata) }, { title: 'PageReplacement' })
export type PageReplacement = Static<typeof PageReplacement>
export const PagePatch = Type.Object(
  {
    text: Type.Optional(text),
    status: Type.Optional(
      OneOf(['queued'], { title: 'PageTargetStatus', description: 'Reads the page again from the file.' }),
    ),
    metadata: Type.Optional(MetadataPatch),
  },
  { title: 'PagePatch', description: 'Corrected text, or only `status` to read the page again.' },
)
export type PagePatch = Static<typeof PagePatch>

const fixed = ['number', 'document_id'] as const

export const pages = {
  list: endpoint({
    method: 'GET',
    path: '/documents/{document_id}/pages',
    scope: 'documents:read',
    summary: 'List the pages of a document',
    ...listOf(Page, {
      sorts: ['number'],
      key: 'number',
      filters: { status: Type.Optional(AnyOf(OneOf(pageStatuses))) },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/documents/{document_id}/pages',
    scope: 'documents:write',
    summary: 'Add a page to a document',
    is_large: true,
    body: NewPage,
    success: { 201: Page },
    fails: ['conflict', 'invalid_state'],
    events: ['page.created'],
    bumps_parent: true,
    example: { text: 'Annex A: inventory', metadata: { kind: 'annex' } },
  }),
  get: endpoint({
    method: 'GET',
    path: '/documents/{document_id}/pages/{page_id}',
    scope: 'documents:read',
    summary: 'Get a page',
    query: GetQuery,
    success: { 200: Page },
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/documents/{document_id}/pages/{page_id}',
    scope: 'documents:write',
    summary: 'Replace the text of a page',
    is_large: true,
    body: PageReplacement,
    fixed,
    success: { 200: Page },
    fails: ['invalid_state'],
    events: ['page.updated'],
    bumps_parent: true,
    example: { text: 'Annex A: inventory, corrected' },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/documents/{document_id}/pages/{page_id}',
    scope: 'documents:write',
    summary: 'Correct a page or read it again',
    is_large: true,
    body: PagePatch,
    fixed,
    success: { 200: Page },
    fails: ['invalid_state', 'rate_limit_exceeded'],
    events: ['page.updated'],
    may_record: ['job.queued', 'document.updated'],
    bumps_parent: true,
    example: { text: 'Annex A: the inventory' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/documents/{document_id}/pages/{page_id}',
    scope: 'documents:write',
    summary: 'Delete a page',
    success: { 204: null },
    fails: ['invalid_state'],
    events: ['page.deleted'],
    bumps_parent: true,
  }),
}
