import { type Static, Type } from 'typebox'
import { MAX_PAGE_CHARACTERS } from './documents.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { IdOf, MAX_INTEGER, Metadata, MetadataPatch, OneOf, OpenEnum, Resource, Text } from './schema.ts'

export const pageStatuses = ['queued', 'running', 'succeeded', 'failed'] as const

export const Page = Resource(
  { title: 'Page', object: 'page', prefix: 'page', description: 'One page of a document, with its text.' },
  {
    document_id: IdOf('doc'),
    number: Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'From 1. Gaps stay after a deletion.' }),
    status: OpenEnum(pageStatuses, { title: 'PageStatus' }),
    text: Text(0, MAX_PAGE_CHARACTERS),
    text_source: OpenEnum(['supplied', 'corrected'], { description: 'Where the text comes from.' }),
    sha256: Text(0, 64, { description: 'Of the text as UTF-8, in hexadecimal.' }),
  },
)
export type Page = Static<typeof Page>

const { text, number } = Page.properties
export const NewPage = Type.Object(
  { text, number: Type.Optional(number), metadata: Type.Optional(Metadata) },
  { title: 'NewPage', description: 'Without a number the page comes last.' },
)
export type NewPage = Static<typeof NewPage>
export const PageReplacement = Type.Object({ text, metadata: Type.Optional(Metadata) }, { title: 'PageReplacement' })
export type PageReplacement = Static<typeof PageReplacement>
export const PagePatch = Type.Object({ text: Type.Optional(text), metadata: Type.Optional(MetadataPatch) }, { title: 'PagePatch' })
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
      filters: { status: Type.Optional(Type.Unsafe<string>({ ...OneOf(pageStatuses), 'x-comma-list': true })) },
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
    summary: 'Correct a page',
    is_large: true,
    body: PagePatch,
    fixed,
    success: { 200: Page },
    fails: ['invalid_state'],
    events: ['page.updated'],
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
