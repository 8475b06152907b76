// Faults in what users, applications and links give access to, written from the source of the server without a look at
// the proof.

import { change } from '../lib/change.ts'
import type { IsolationFault } from './fault.ts'

export const accessFaults: Record<string, IsolationFault> = {
  projects_of_user_ignored: {
    what: 'a user who is assigned to projects sees the whole tenant',
    resource: 'projects',
    caught_by: 'path',
    plants: [change('effectiveAccess', "projects: project_access === 'all' ? null : memberships", 'projects: null')],
  },
  projects_of_application_ignored: {
    what: "a user's token sees more projects than its application",
    resource: 'documents',
    caught_by: 'path',
    plants: [change('commonProjects', 'return ofUser ?? ofClient', 'return ofUser')],
  },
  authorizations_of_other_users: {
    what: 'a user who manages no members sees the authorizations of others',
    caught_by: 'access',
    plants: [change('onlyUser', "actor.type === 'user' && !scopes.has('members:manage') ? actor.id : null", 'null')],
  },
  consent_for_other_tenants: {
    what: "a user is asked for consent by another tenant's application",
    caught_by: 'access',
    plants: [change('visit', 'client.tenant !== undefined && client.tenant !== account', 'account === account')],
  },
  user_of_all_projects: {
    what: 'a user is read with all projects',
    resource: 'users',
    plants: [
      change(
        'findUser',
        'id === findSelfId(db.caller) ? store.findSelf(db, id) : store.findUser(db, id)',
        'store.findSelf(db, id)',
      ),
    ],
  },
  hidden_invitation_named: {
    what: 'a conflict of invitations names one of another project',
    resource: 'invitations',
    plants: [
      change('FIND_OPEN', 'accepted_at is null and ${WITHIN_PROJECTS}', 'accepted_at is null'),
      change(
        'invitationExists',
        'await store.findOpenId(tx, email)',
        'await tx.allProjects((all) => store.findOpenId(all, email))',
      ),
    ],
  },
  duplicate_of_all_projects: {
    what: 'a document of another project is a duplicate',
    resource: 'documents',
    plants: [
      change('FIND_DUPLICATE', 'and ($2::uuid[] is null or project_id = any($2)) order by', 'order by'),
      change(
        'findDuplicate',
        'await store.findDuplicate(tx, sha256)',
        'await tx.allProjects((all) => store.findDuplicate(all, sha256))',
      ),
    ],
  },
  file_used_by_other_projects: {
    what: 'a document is made from a file of another project',
    resource: 'documents',
    plants: [
      change('readUnused', 'await store.findFile(db, id)', 'await db.allProjects((all) => store.findFile(all, id))'),
      change('UNUSED', 'and ${VISIBLE} and expires_at', 'and expires_at'),
      change(
        'useFile',
        'if (await store.useFile(tx, id, document)) return',
        'if (await tx.allProjects(() => store.useFile(tx, id, document))) return',
      ),
    ],
  },
  graph_as_owner: {
    what: "search_graph runs with its owner's rights",
    plants: [],
    statements: ['alter function search_graph security definer'],
    caught_by: 'tables',
  },
  open_link_secrets: {
    what: 'links are visible without their secret',
    plants: [],
    statements: ['alter policy link_secrets_bearer on link_secrets using (true)'],
    caught_by: 'tables',
  },
}
