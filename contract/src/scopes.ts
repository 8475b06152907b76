// `<collection>:read` and `<collection>:write`; write does not imply read.

import { scopes } from './generated/tables.ts'
import { namesOf } from './names.ts'

export type Scope = keyof typeof scopes
export const scopeNames = namesOf(scopes)

export type ApplicationScope = Exclude<Scope, `${string}:manage`>
const isForApplications = (scope: Scope): scope is ApplicationScope => !scope.endsWith(':manage')
/** The scopes that an OAuth application can get: management is for users and API keys. */
export const applicationScopes = scopeNames.filter(isForApplications)
