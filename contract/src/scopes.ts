// `<collection>:read` and `<collection>:write`; write does not imply read.

import { scopes } from './generated/tables.ts'
import { namesOf } from './names.ts'

export type Scope = keyof typeof scopes
export const scopeNames = namesOf(scopes)
