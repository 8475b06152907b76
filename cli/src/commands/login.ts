import { addAbortSignal, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { explain } from '../errors.ts'
import { exits, Refusal } from '../exits.ts'
import { type Identity, readIdentity } from '../identity.ts'
import {
  DEFAULT_URL,
  findInText,
  findSoundLogin,
  loginPath,
  normalUrl,
  type PartialLogin,
  readSound,
  refuseStrangeKey,
  removeLogin,
} from '../login.ts'
import { revokeAccess } from '../oauth.ts'
import { askPerson } from '../question.ts'
import { SELF } from '../self.ts'
import { withLoginLock } from '../tokens.ts'
import { clean } from '../width.ts'
import { spoken } from '../words.ts'
import { logInWithBrowser } from './device-login.ts'
import { replaceLogin } from './replace-login.ts'
import type { Session } from './session.ts'
import { introduce } from './whoami.ts'

export interface LoginOptions {
  /** Log in with a key from a prompt or a pipe. */
  key?: boolean
  /** Also opens the page in a browser. */
  open?: boolean
}

/** The URL and the key, in either order. */
function fromArguments(words: readonly string[]): PartialLogin {
  const api_key = words.find((word) => word.startsWith('oct_'))
  const [url, ...more] = words.filter((word) => word !== api_key)
  if (more.length > 0)
    throw new Refusal('No API key found in the arguments.', exits.wrong_usage, 'Keys start with oct_key_.')
  return { ...(url !== undefined && { url: normalUrl(url) }), ...(api_key && { api_key }) }
}

/** The key alone, or any text with the key in it, such as the log of the first start; nothing if the pipe is empty. */
async function fromPipe(signal: AbortSignal): Promise<PartialLogin> {
  const piped = await text(addAbortSignal(signal, process.stdin))
  const found = findInText(piped)
  if (found.api_key) return found
  const line = piped.trim()
  if (line === '') return {}
  if (/^\S+$/.test(line)) return { api_key: line }
  throw new Refusal('No API key found on stdin.', exits.not_allowed, NO_KEY)
}

const NO_KEY =
  'The server prints the key once, on its first start. The operator can create another one: admin create-key <tenant_id>.'

async function fromPerson(known: PartialLogin, signal: AbortSignal): Promise<PartialLogin> {
  // The prompt is shown, but not the key.
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

async function askUrl(signal: AbortSignal): Promise<string> {
  const { url } = findSoundLogin().login
  if (url !== undefined || !process.stdin.isTTY) return url ?? DEFAULT_URL
  return askPerson(process.stderr, signal, async (ask) =>
    normalUrl((await ask(`URL of the server [${DEFAULT_URL}]: `)) || DEFAULT_URL),
  )
}

/** A key from the arguments, from a pipe, or on request from the keyboard; otherwise the browser. */
export async function login(session: Session, words: readonly string[], options: LoginOptions): Promise<number> {
  const { signal } = session
  const given = fromArguments(words)
  const isAsked = !given.api_key && options.key === true && process.stdin.isTTY
  const said = isAsked ? await fromPerson(given, signal) : given
  const piped = said.api_key === undefined && !process.stdin.isTTY ? await fromPipe(signal) : {}
  const { api_key } = { ...piped, ...said }
  if (api_key) return logInWithKey(session, { said, piped, api_key })
  if (options.key) throw new Refusal('You did not enter a key.', exits.not_allowed, NO_KEY)
  const url = said.url ?? (await askUrl(signal))
  session.url = url
  const saved = await logInWithBrowser(session, url, options.open ?? false)
  return welcome(session, url, await readIdentity(saved, signal))
}

interface GivenLogin {
  said: PartialLogin
  piped: PartialLogin
  api_key: string
}

async function logInWithKey(session: Session, { said, piped, api_key }: GivenLogin): Promise<number> {
  refuseStrangeKey(api_key)
  // The address in a piped log, such as localhost, may not work from here; OCTAVO_URL takes precedence.
  const known = findSoundLogin().login.url ?? DEFAULT_URL
  const url = said.url ?? piped.url ?? known
  session.url = said.url ?? (process.env['OCTAVO_URL'] ? known : url)
  const identity = await readIdentity({ url: session.url, api_key }, session.signal)
  await replaceLogin(session, { url, api_key })
  return welcome(session, url, identity)
}

function welcome({ terminal }: Session, url: string, identity: Identity): number {
  const { key, user, tier, version } = identity
  if (terminal.is_json) {
    terminal.json({ url, version, tier, key, user, path: loginPath() })
    return exits.fine
  }
  terminal.line(`Logged in to ${url} (Octavo ${clean(version)}${tier ? `, ${clean(spoken(tier))}` : ''}).`)
  const introduction = introduce(identity)
  if (introduction) terminal.line(clean(introduction))
  if (process.env['OCTAVO_URL'] && findSoundLogin().login.url !== url)
    terminal.remark('OCTAVO_URL is set: commands use it instead of the login.')
  if (process.env['OCTAVO_API_KEY']) terminal.remark('OCTAVO_API_KEY is set: commands use it instead of the login.')
  terminal.remark(`Next: ${SELF} documents add <file> --summary`)
  return exits.fine
}

/** The login on this machine ends in any case; the access of a user also ends at the server. */
export async function logout(session: Session): Promise<number> {
  const { terminal } = session
  return withLoginLock(async () => {
    const { url = DEFAULT_URL, tokens } = readSound()
    const wasThere = removeLogin()
    session.url = url
    const trouble = tokens ? await revokeAccess(url, tokens).catch((error: unknown) => explain(error, url)) : null
    if (terminal.is_json) terminal.json({ was_logged_in: wasThere, is_revoked: tokens !== undefined && !trouble })
    else terminal.line(farewell(wasThere, tokens !== undefined))
    if (process.env['OCTAVO_API_KEY']) terminal.remark('OCTAVO_API_KEY is set: commands use it instead of the login.')
    if (!trouble) return exits.fine
    const hint = `The access still exists. Revoke it at ${url}/sign-in/account. (${trouble.message})`
    terminal.complain({ ...trouble, message: 'The server did not revoke your access.', hint })
    return trouble.exit
  })
}

function farewell(wasThere: boolean, isUser: boolean): string {
  if (!wasThere) return 'You were not logged in.'
  return isUser ? 'Logged out.' : `Logged out. The key is still valid; to revoke it, use ${SELF} keys revoke.`
}
