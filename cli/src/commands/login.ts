import { addAbortSignal, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ApiKey, type Capabilities, type Octavo, OctavoError } from '@octavo/sdk'
import { openClient } from '../client.ts'
import { exits, Refusal } from '../exits.ts'
import {
  DEFAULT_URL,
  findInText,
  findSoundLogin,
  type Login,
  loginPath,
  normalUrl,
  refuseStrangeKey,
  removeLogin,
  saveLogin,
} from '../login.ts'
import { askPerson } from '../question.ts'
import { SELF } from '../self.ts'
import { clean } from '../width.ts'
import { plural, spoken } from '../words.ts'
import type { Session } from './session.ts'

export interface Identity {
  version: string
  /** null: the key may not look at keys. */
  key: ApiKey | null
  tier: string | null
}

/** Whom the server takes us for. A key that may not look at keys learns only that it is accepted. */
export async function readIdentity(client: Octavo, api_key: string, signal?: AbortSignal): Promise<Identity> {
  const capabilities: Capabilities = await client.capabilities.get({}, { signal })
  const tier = await client.rateLimits.get('tenant', {}, { signal }).then(
    (limit) => limit.tier,
    () => null,
  )
  try {
    const preview = `${api_key.slice(0, 12)}…${api_key.slice(-4)}`
    for await (const key of client.apiKeys.list({ limit: 100 }, { signal }))
      if (key.key_preview === preview) return { version: capabilities.version, key, tier }
  } catch (error) {
    if (!(error instanceof OctavoError) || error.status !== 403) throw error
  }
  return { version: capabilities.version, key: null, tier }
}

/** Two words of the command line, in either order. */
function fromArguments(words: readonly string[]): Partial<Login> {
  const api_key = words.find((word) => word.startsWith('oct_'))
  const [url, ...more] = words.filter((word) => word !== api_key)
  if (more.length > 0)
    throw new Refusal('No API key found in the arguments.', exits.wrong_usage, 'Keys start with oct_key_.')
  return { ...(url !== undefined && { url: normalUrl(url) }), ...(api_key && { api_key }) }
}

/** The key alone, or any text with the key in it, such as the log of the first start. */
async function fromPipe(signal: AbortSignal): Promise<Partial<Login>> {
  const piped = await text(addAbortSignal(signal, process.stdin))
  const found = findInText(piped)
  if (found.api_key) return found
  const line = piped.trim()
  if (/^\S+$/.test(line)) return { api_key: line }
  throw new Refusal(
    'No API key found on stdin.',
    exits.not_allowed,
    'The server prints the key once, on its first start. The operator can create another one: admin create-key <tenant_id>.',
  )
}

async function fromPerson(known: Partial<Login>, signal: AbortSignal): Promise<Partial<Login>> {
  // The key must not be seen; the question must.
  const screen = { is_muted: false }
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!screen.is_muted) process.stderr.write(chunk)
      done()
    },
  })
  return askPerson(output, signal, async (ask) => {
    const proposed = findSoundLogin().login.url ?? DEFAULT_URL
    const url = known.url ?? normalUrl((await ask(`URL of the server [${proposed}]: `)) || proposed)
    process.stderr.write('API key (not shown): ')
    screen.is_muted = true
    const api_key = (await ask('')).trim()
    process.stderr.write('\n')
    return { url, api_key }
  })
}

export async function login(session: Session, words: readonly string[]): Promise<number> {
  const { terminal, signal } = session
  const given = fromArguments(words)
  const said = !given.api_key && process.stdin.isTTY ? await fromPerson(given, signal) : given
  const piped = said.api_key === undefined ? await fromPipe(signal) : {}
  const { api_key } = { ...piped, ...said }
  if (!api_key) throw new Refusal('You did not enter a key.', exits.not_allowed, 'Keys start with oct_key_.')
  refuseStrangeKey(api_key)
  // The address in a piped log, such as localhost, may not work from here; OCTAVO_URL takes precedence.
  const known = findSoundLogin().login.url ?? DEFAULT_URL
  const url = said.url ?? piped.url ?? known
  session.url = said.url ?? (process.env['OCTAVO_URL'] ? known : url)
  const identity = await readIdentity(openClient({ login: { url: session.url, api_key } }), api_key, signal)
  saveLogin({ url, api_key })
  const { key, tier, version } = identity
  if (terminal.is_json) {
    terminal.json({ url, version, tier, key, path: loginPath() })
    return exits.fine
  }
  terminal.line(`Logged in to ${url} (Octavo ${clean(version)}${tier ? `, ${clean(spoken(tier))}` : ''}).`)
  if (key) terminal.line(`Key ${clean(key.id)}, “${clean(key.name)}”, ${plural(key.scopes.length, 'scope')}.`)
  const used = findSoundLogin().login
  if (used.url !== url) terminal.remark('OCTAVO_URL is set: commands use it instead of the login.')
  if (used.api_key !== api_key) terminal.remark('OCTAVO_API_KEY is set: commands use it instead of the login.')
  terminal.remark(`Next: ${SELF} documents add <file> --summary`)
  return exits.fine
}

export function logout({ terminal }: Session): number {
  const wasThere = removeLogin()
  if (terminal.is_json) terminal.json({ was_logged_in: wasThere })
  else
    terminal.line(
      wasThere
        ? `Logged out. The key is still valid; to revoke it, use ${SELF} keys revoke.`
        : 'You were not logged in.',
    )
  if (process.env['OCTAVO_API_KEY']) terminal.remark('OCTAVO_API_KEY is set: commands use it instead of the login.')
  return exits.fine
}
