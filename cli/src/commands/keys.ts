import type { Scope } from '@octavo/sdk'
import { exits, Refusal } from '../exits.ts'
import { scopes } from '../scopes.ts'
import { ago } from '../words.ts'
import { removeEach } from './documents.ts'
import { type ListOptions, pageSize, showList } from './lists.ts'
import type { Session } from './session.ts'

export interface KeyOptions {
  scopes?: string[]
  project?: string[]
  expires?: string
}

const LATEST = Date.parse('9999-12-31T00:00:00Z')

function scopesOf(given: readonly string[] = []): Scope[] {
  if (given.length === 0)
    throw new Refusal(
      'Name the scopes of the key.',
      exits.wrong_usage,
      `Use --scopes all, or some of these, comma-separated: ${scopes.join(', ')}`,
    )
  return given.includes('all') ? [...scopes] : (given as Scope[])
}

export function parseTime(text: string | undefined): string | null {
  if (text === undefined) return null
  const days = /^(\d+)d$/.exec(text)?.[1]
  const time = days === undefined ? Date.parse(text) : Date.now() + Number(days) * 86_400_000
  if (Number.isNaN(time) || time > LATEST)
    throw new Refusal(
      `'${text}' is not a valid expiry time.`,
      exits.wrong_usage,
      'For example: --expires 30d or --expires 2027-01-31',
    )
  return new Date(time).toISOString()
}

export async function createKey(
  { terminal, signal, client }: Session,
  name: string,
  { scopes: given, project, expires }: KeyOptions,
): Promise<number> {
  const body = {
    name,
    scopes: scopesOf(given),
    expires_at: parseTime(expires),
    ...(project && { project_ids: project }),
  }
  const key = await client().apiKeys.create(body, { signal })
  if (terminal.is_json) terminal.json(key)
  else {
    // Only the secret goes to stdout, so that scripts can capture it: KEY=$(octavo keys create …).
    terminal.line(key.secret)
    terminal.remark(`This is the secret of ${key.id}. It will not be shown again.`)
  }
  return exits.fine
}

export async function listKeys({ terminal, signal, client }: Session, options: ListOptions): Promise<number> {
  return showList(terminal, client().apiKeys.list({ limit: pageSize(options) }, { signal }), options, {
    columns: [
      { title: 'KEY' },
      { title: 'NAME', shrinks_to: 10 },
      { title: 'SCOPES', shrinks_to: 12 },
      { title: 'LAST USED' },
    ],
    cellsOf: ({ id, name, scopes, last_used_at }) => [
      id,
      name,
      scopes.join(','),
      lastUse(last_used_at, terminal.is_human),
    ],
    none: 'There are no keys, or you may not see them.',
  })
}

const lastUse = (at: string | null, isHuman: boolean): string => (isHuman && at !== null ? ago(at) : (at ?? 'never'))

export async function revokeKeys(session: Session, ids: readonly string[]): Promise<number> {
  const { signal } = session
  const client = session.client()
  return removeEach(session, ids, { remove: (id) => client.apiKeys.remove(id, { signal }), done: 'revoked' })
}
