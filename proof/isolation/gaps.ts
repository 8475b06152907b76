// An operation that the matrix does not cover fails the proof: by whom, and in which of the ways that it offers.

import { type Endpoint, operations } from '@octavo/contract'
import { idParamsOf, objectOf } from '../lib/belongings.ts'
import { idPlaces } from '../lib/shapes.ts'
import type { IsolationCell, IsolationKind } from './cell.ts'
import type { IsolationStage } from './party.ts'

/** Made from everything that the caller sees, or from one project. */
const MADE = new Set(['search', 'answer', 'report'])
/** Callers that are limited to projects have none, and users only their own. */
const OUTSIDE_PROJECTS = new Set(['authorization'])

function kindsOf(endpoint: Endpoint): IsolationKind[] {
  const kinds: IsolationKind[] = []
  if (idParamsOf(endpoint).length > 0) kinds.push('path')
  if (idPlaces(endpoint.body).length > 0) kinds.push('body')
  if (endpoint.method === 'POST') kinds.push('key')
  if (endpoint.method === 'GET') kinds.push('list')
  if (endpoint.list && objectOf(endpoint)) kinds.push('cursor')
  if (endpoint.form) kinds.push('form')
  if (objectOf(endpoint) === 'search' && endpoint.method === 'POST') kinds.push('search')
  if (endpoint.is_bytes || (objectOf(endpoint) === 'upload' && endpoint.method === 'GET' && !endpoint.list))
    kinds.push('link')
  if (endpoint.is_bytes) kinds.push('bytes')
  if (endpoint.is_stream) kinds.push('stream')
  if (MADE.has(objectOf(endpoint) ?? '') && endpoint.method === 'POST') kinds.push('made')
  return kinds
}

/** Shows rows of tenants, so that it must leak when nothing holds it back. */
export const isStored = (endpoint: Endpoint): boolean =>
  idParamsOf(endpoint).length > 0 || (endpoint.list !== null && objectOf(endpoint) !== null)

/** In a sample, some of the people try each operation. */
export function findGaps(
  cells: readonly IsolationCell[],
  { attackers, people }: Pick<IsolationStage, 'attackers' | 'people'>,
  isSampled: boolean,
): string[] {
  const gaps: string[] = []
  for (const { name, endpoint } of operations) {
    const own = cells.filter((cell) => cell.operation === name)
    if (!own.some((cell) => cell.kind === 'credential')) gaps.push(`${name} is not tried without a credential`)
    if (!own.some((cell) => people.some((person) => person.name === cell.actor)))
      gaps.push(`${name} is not tried by any user`)
    for (const { name: attacker } of [...attackers, ...(isSampled ? [] : people)]) {
      const hasNone = attacker !== 'stranger' && OUTSIDE_PROJECTS.has(objectOf(endpoint) ?? '') && !endpoint.list
      const kinds = kindsOf(endpoint).filter(
        (kind) => !(hasNone && kind === 'list') && !own.some((cell) => cell.kind === kind && cell.actor === attacker),
      )
      gaps.push(...kinds.map((kind) => `${name} is not tried by the ${attacker}: ${kind}`))
      if (!own.some((cell) => cell.actor === attacker)) gaps.push(`${name} is not tried by the ${attacker}`)
    }
  }
  return gaps
}
