// Requests that would reach further than the attacker: a key of the whole tenant, an invitation to it, the address of
// another invitation, and a conversation of others.

import { api } from '@octavo/contract'
import { newId } from '../../server/src/lib/ids.ts'
import { fillPath } from '../lib/belongings.ts'
import type { ProofRequest } from '../lib/call.ts'
import { fillBody } from '../lib/shapes.ts'
import * as allow from './allow.ts'
import { cell, fillingOf, type IsolationCell, type IsolationScene } from './cell.ts'

export function* rightsCells(scene: IsolationScene): Generator<IsolationCell> {
  const { endpoint } = scene.operation
  const isForProjects = endpoint === api.api_keys.create || endpoint === api.invitations.create
  if (isForProjects && scene.attacker.project_id !== null) yield* widerCells(scene)
  if (endpoint === api.answers.create) yield followUpCell(scene)
  // Another tenant's invitations have no part in a conflict.
  if (endpoint === api.invitations.create && scene.attacker.project_id !== null) yield sameAddressCell(scene)
}

/** An address that has an invitation from others already. */
function sameAddressCell(scene: IsolationScene): IsolationCell {
  const { operation, attacker, victims } = scene
  const { endpoint } = operation
  const email = victims.things.invitation?.row.email
  const project_ids = attacker.project_id === null ? undefined : [attacker.project_id]
  const body = JSON.stringify({ ...fillBody(endpoint, fillingOf(attacker)), email, project_ids })
  const request = { method: 'POST', path: fillPath(endpoint, {}), body }
  return cell(scene, 'body', 'the address of their invitation', {
    request,
    absent: null,
    allows: allow.ownEffect(endpoint, attacker),
  })
}

/** Without projects, a key or an invitation is for the whole tenant. */
function* widerCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims } = scene
  const own = attacker.project_id
  for (const [what, project_ids] of [
    ['to all projects', null],
    ['without named projects', undefined],
    ['to an own and a foreign project', [own, victims.ids.project_id]],
  ] as const) {
    const body = JSON.stringify({ ...fillBody(operation.endpoint, fillingOf(attacker)), project_ids })
    const request = { method: 'POST', path: fillPath(operation.endpoint, {}), body }
    yield cell(scene, 'body', `access ${what}`, { request, absent: null, allows: allow.refusedReference })
  }
}

/** Without a project the question takes that of the earlier answer. */
function followUpCell(scene: IsolationScene): IsolationCell {
  const { operation, victims } = scene
  const make = (previous_answer_id: string): ProofRequest => ({
    method: 'POST',
    path: fillPath(operation.endpoint, {}),
    body: JSON.stringify({ question: 'And when is it due?', previous_answer_id }),
  })
  return cell(scene, 'body', 'a question after an answer of theirs', {
    request: make(victims.ids.answer_id ?? ''),
    absent: make(newId('ans')),
    allows: allow.refusedReference,
  })
}
