import type { RoleChoice } from '@octavo/sdk'
import { exits } from '../exits.ts'
import { ago } from '../words.ts'
import { removeEach } from './documents.ts'
import { parseTime } from './keys.ts'
import { type ListOptions, pageSize, showList } from './lists.ts'
import type { Session } from './session.ts'

export const roles: readonly RoleChoice[] = ['owner', 'admin', 'editor', 'viewer']

export interface InviteOptions {
  role: RoleChoice
  project?: string[]
  expires?: string
}

export async function inviteUser(
  { terminal, signal, client }: Session,
  email: string,
  { role, project, expires }: InviteOptions,
): Promise<number> {
  const expires_at = parseTime(expires)
  const body = { email, role, ...(expires_at && { expires_at }), ...(project && { project_ids: project }) }
  const invitation = await client().invitations.create(body, { signal })
  if (terminal.is_json) terminal.json(invitation)
  else {
    // Only the link goes to stdout, so that scripts can capture it.
    terminal.line(invitation.url)
    terminal.remark(`Give this link only to ${email}. It works once, until ${invitation.expires_at}.`)
  }
  return exits.fine
}

export async function listUsers({ terminal, signal, client }: Session, options: ListOptions): Promise<number> {
  return showList(terminal, client().users.list({ limit: pageSize(options) }, { signal }), options, {
    columns: [
      { title: 'USER' },
      { title: 'EMAIL', shrinks_to: 12 },
      { title: 'ROLE' },
      { title: 'STATUS' },
      { title: 'SIGNED IN' },
    ],
    cellsOf: ({ id, email, role, status, signed_in_at }) => [
      id,
      email,
      role,
      status,
      terminal.is_human && signed_in_at !== null ? ago(signed_in_at) : (signed_in_at ?? 'never'),
    ],
    none: 'There are no users, or you may not see them.',
  })
}

export async function removeUsers(session: Session, ids: readonly string[]): Promise<number> {
  const { signal } = session
  const client = session.client()
  return removeEach(session, ids, { remove: (id) => client.users.remove(id, { signal }), done: 'removed' })
}
