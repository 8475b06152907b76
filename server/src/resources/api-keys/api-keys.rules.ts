// No escalation: a key can only create or change keys with rights that it has itself.

import type { Scope } from '@octavo/contract'
import type { Caller } from '../../lib/caller.ts'
import { Failure } from '../../lib/failure.ts'
import { uuidOf } from '../../lib/ids.ts'

interface Rights {
  scopes: readonly Scope[]
  project_ids: readonly string[] | null
}

export function refuseEscalation(caller: Caller, rights: Rights): void {
  const scope = rights.scopes.find((name) => !caller.scopes.has(name))
  if (scope)
    throw new Failure(
      'permission_denied',
      `Your key does not have the scope '${scope}', so it cannot manage a key that has it.`,
    )
  const { projects } = caller
  if (projects === null) return
  if (rights.project_ids === null || rights.project_ids.some((id) => !projects.includes(uuidOf('proj', id)))) {
    throw new Failure(
      'permission_denied',
      'Your key is limited to projects, so it can manage only keys that are limited to these projects. Set project_ids.',
    )
  }
}
