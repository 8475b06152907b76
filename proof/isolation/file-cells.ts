// Leaks through bytes and links: the victim's bytes, the victim's words in a form, a link with another party's ids.

import { api } from '@octavo/contract'
import type { SignedLink } from '../../server/src/files/signed-links.ts'
import { newId } from '../../server/src/lib/ids.ts'
import { fillPath } from '../lib/belongings.ts'
import type { ProofAnswer, ProofRequest } from '../lib/call.ts'
import { fillBody } from '../lib/shapes.ts'
import * as allow from './allow.ts'
import { cell, fillingOf, type IsolationCell, type IsolationScene } from './cell.ts'
import { isInside } from './party.ts'

/** Only for documents and files: the answer must not depend on other parties' documents. */
export function* documentCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims, nth } = scene
  const { endpoint } = operation
  if (endpoint === api.files.create) yield* formCells(scene)
  if (endpoint !== api.documents.create) return
  const make = (what: string, more: object, allows: IsolationCell['allows']): IsolationCell => {
    const body = JSON.stringify({ ...fillBody(endpoint, fillingOf(attacker)), ...more })
    return cell(scene, 'body', what, {
      request: { method: 'POST', path: fillPath(endpoint, {}), body },
      absent: null,
      allows,
    })
  }
  const source = { type: 'base64', media_type: 'text/plain', data: Buffer.from(victims.file_text).toString('base64') }
  yield make(
    'their bytes, on_duplicate: reject',
    { source, on_duplicate: 'reject' },
    (answer) => answer.status === endpoint.status || allow.ownConflict(answer),
  )
  // An earlier request may have created the same document for the attacker, which is then returned.
  const theirs = (JSON.parse(victims.keyed[operation.name]!.body) as { source: object }).source
  const isOwn = (answer: ProofAnswer): boolean =>
    answer.status === endpoint.status || answer.status === endpoint.unchanged_status
  yield make('their text, on_duplicate: return_existing', { source: theirs, on_duplicate: 'return_existing' }, isOwn)
  // Outside all projects, repeating the victim's own request succeeds and would already have claimed the value.
  const { external_id } = victims.things.document!.row
  if (nth === 0) yield make('their external_id', { external_id }, allow.ownEffect(endpoint, attacker))
  yield* formCells(scene)
}

const BOUNDARY = 'a-boundary'

function formBody(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nA file.\r\n`
  return `${parts.join('')}${file}--${BOUNDARY}--\r\n`
}

function* formCells(scene: IsolationScene): Generator<IsolationCell> {
  const { endpoint } = scene.operation
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const form = (project_id: string): ProofRequest => ({
    method: 'POST',
    path: fillPath(endpoint, {}),
    headers,
    body: formBody({ project_id }),
  })
  yield cell(scene, 'form', 'foreign project_id', {
    request: form(scene.victims.ids.project_id!),
    absent: form(newId('proj')),
    allows: allow.refusedReference,
  })
}

/** Altered links, and links that are signed as they should be, with ids that are not of their tenant. */
export function* linkCells(scene: IsolationScene): Generator<IsolationCell> {
  const { endpoint } = scene.operation
  const isFile = endpoint === api.files.contents
  if (!isFile && endpoint !== api.uploads.get) return
  const { attacker, victims } = scene
  const may: SignedLink['may'] = isFile ? 'read_file' : 'put_upload'
  const [own, theirs, nobodys] = isFile
    ? [attacker.own.ids.file_id!, victims.ids.file_id!, newId('file')]
    : [attacker.own.ids.upload_id!, victims.ids.upload_id!, newId('upl')]
  const size = Number(victims.things.upload!.row.size_bytes)
  const sendTo = (path: string): ProofRequest =>
    isFile ? { method: 'GET', path } : { method: 'PUT', path, body: 'x'.repeat(size) }
  const link = (id: string): SignedLink => ({ may, tenant: attacker.tenant, id, expires_at: Date.now() + 300_000 })
  const nowhere = { absent: null, allows: (answer: ProofAnswer) => answer.status === 404 }
  const like = (what: string, path: string): IsolationCell => ({
    ...cell(scene, 'link', what, { request: sendTo(path), ...nowhere }),
    caller: { ...attacker.caller, secret: null },
  })
  // Links are checked per tenant: another project of the same tenant is kept out because it never gets one.
  if (!isInside(attacker))
    yield {
      ...like('own tenant, their id', scene.signedPath(link(theirs))),
      absent: sendTo(scene.signedPath(link(nobodys))),
    }
  const [kid, , signature] = scene.signedPath(link(own)).slice('/signed/'.length).split('.')
  for (const [what, forged] of [
    ['their id', link(theirs)],
    ['their id and tenant', { ...link(theirs), tenant: scene.tenant }],
    ['for longer', { ...link(theirs), expires_at: Date.now() + 86_400_000 }],
  ] as [string, SignedLink][])
    yield like(
      `own signature, ${what}`,
      `/signed/${kid}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`,
    )
  const other: SignedLink = { ...link(own), may: isFile ? 'put_upload' : 'read_file' }
  yield like('a link for something else', scene.signedPath(other))
}

/** The stored picture of a page is a file that no list shows. */
export function* imageCells(scene: IsolationScene): Generator<IsolationCell> {
  const { endpoint } = scene.operation
  if (endpoint !== api.files.get && endpoint !== api.files.contents) return
  const get = (file_id: string): ProofRequest => ({ method: 'GET', path: fillPath(endpoint, { file_id }) })
  yield cell(scene, 'bytes', 'the picture of a page', {
    request: get(scene.image_id),
    absent: get(newId('file')),
    allows: allow.refusal,
  })
}
