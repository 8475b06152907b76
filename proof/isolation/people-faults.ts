// Faults in the tokens of users: their scopes, their role, and their end.

import { change } from '../lib/change.ts'
import type { IsolationFault } from './fault.ts'

export const peopleFaults: Record<string, IsolationFault> = {
  scopes_of_token_ignored: {
    what: 'a token has all scopes of its user',
    resource: 'members',
    caught_by: 'path',
    plants: [change('findUserCredential', 'scopes: intersect(scope, allowed)', 'scopes: principal.scopes')],
  },
  every_role_is_owner: {
    what: 'every user has the scopes of an owner',
    resource: 'api_keys',
    caught_by: 'credential',
    plants: [
      change('effectiveAccess', 'roleScopes[role]', "roleScopes[role && 'owner']"),
      change('findUserCredential', 'scopes: intersect(scope, allowed)', 'scopes: principal.scopes'),
    ],
  },
  revoked_authorization_accepted: {
    what: 'the token of a revoked authorization still works',
    resource: 'projects',
    caught_by: 'credential',
    plants: [
      change(
        'findUserCredential',
        'const row = await findGrantAccess(this.db.for(operator(tenant, [])), { grant, user, ...subject })',
        'const row = (await findGrantAccess(this.db.for(operator(tenant, [])), { grant, user, ...subject })) ?? { grant_scopes: scope.split(" ") as Scope[], client_scopes: null, client_projects: null, last_used_at: null }',
      ),
    ],
  },
  suspended_user_accepted: {
    what: 'the token of a suspended user still works',
    resource: 'projects',
    caught_by: 'credential',
    plants: [
      change(
        'user-access.ts',
        'u.suspended_at is not null or t.suspended_at is not null as is_suspended',
        't.suspended_at is not null as is_suspended',
      ),
    ],
  },
}
