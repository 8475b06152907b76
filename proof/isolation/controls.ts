// The same requests with nothing foreign in them succeed: a refusal of an attack is then not one of a bad request.

import { type ObjectName, objectPrefixes, operations } from '@octavo/contract'
import {
  canMake,
  fillPath,
  idParamsOf,
  makeThing,
  newRefs,
  objectOf,
  paramOf,
  paramsOf,
  refsOf,
} from '../lib/belongings.ts'
import { callPatiently as call } from '../lib/call.ts'
import { fillBody } from '../lib/shapes.ts'
import type { IsolationStage } from './party.ts'

export async function findFailedControls(stage: IsolationStage): Promise<string[]> {
  const { caller, own, mark } = stage.attackers.find(({ name }) => name === 'stranger')!
  const failed: string[] = []
  for (const [nth, { name, endpoint }] of operations.entries()) {
    const filling = { mark: `${mark}c${nth}`, refs: { proj: null }, own: refsOf(own.ids) }
    const ids = { ...own.ids }
    const last = idParamsOf(endpoint).at(-1)
    const object = (Object.keys(objectPrefixes) as ObjectName[]).find((candidate) => paramOf(candidate) === last)
    if (endpoint.method === 'DELETE' && object && last) {
      // The attacks need the only one that there is.
      if (!canMake(object)) continue
      // Delete a resource created for this purpose, so that nothing depends on it.
      ids[last] = (await makeThing(caller, object, { ids, keyed: {} }, filling)).id
    }
    if (!paramsOf(endpoint).every((param) => param in ids)) continue
    const refs = { ...filling.refs, ...(await newRefs(caller, endpoint)) }
    const body = fillBody(endpoint, { ...filling, refs })
    const answer = await call(caller, {
      method: endpoint.method,
      path: fillPath(endpoint, ids),
      body: body && JSON.stringify(body),
    })
    if (answer.status !== endpoint.status)
      failed.push(
        `${name} of one's own ${objectOf(endpoint) ?? ''} was answered ${answer.status}: ${answer.text.slice(0, 200)}`,
      )
  }
  return failed
}
