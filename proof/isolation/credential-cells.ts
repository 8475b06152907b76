// Credentials that must not work, or that lack a scope.

import { type BelongingsOperation, fillPath, isReachable } from '../lib/belongings.ts'
import { fillBody, type ShapesFillOptions } from '../lib/shapes.ts'
import { type IsolationCell, nextCount } from './cell.ts'
import type { Powerless } from './party.ts'

export function* credentialCells(
  { name, endpoint }: BelongingsOperation,
  { caller, status, scopes, target, ...powerless }: Powerless,
): Generator<IsolationCell> {
  if (scopes !== null && (endpoint.scope === null || scopes.has(endpoint.scope))) return
  if (!isReachable(endpoint, target.ids)) return
  const filling: ShapesFillOptions = { mark: `n${nextCount()}`, refs: {} }
  const request = {
    method: endpoint.method,
    path: fillPath(endpoint, target.ids),
    body: JSON.stringify(fillBody(endpoint, filling)),
  }
  yield {
    operation: name,
    endpoint,
    kind: 'credential',
    what: powerless.name,
    actor: powerless.name,
    caller,
    request: endpoint.body ? request : { ...request, body: null },
    absent: null,
    allows: (answer) => answer.status === status,
  }
}
