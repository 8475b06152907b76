// Checks that a client can make when something does not work: each reports its result and how to fix a problem.

import { OctavoError } from '@octavo/sdk'
import { hang } from './citations.ts'
import { openClient } from './client.ts'
import { explain, LOG } from './errors.ts'
import { exits } from './exits.ts'
import type { CliFinding } from './finding.ts'
import { readIdentity } from './identity.ts'
import { examineInstallation } from './installation.ts'
import { DEFAULT_URL, findSoundLogin, type Login, loginPath, readLogin, refuseStrangeKey } from './login.ts'
import { SELF } from './self.ts'
import type { CliStyle, Terminal } from './terminal.ts'
import { clean } from './width.ts'
import { plural } from './words.ts'

interface ClientFinding extends CliFinding {
  /** How the program ends if it failed. */
  exit: number
}

export interface DoctorOptions {
  terminal: Terminal
  signal: AbortSignal
}

const CLOCK_SECONDS = 60
const PROBE_MS = 10_000

const good = (name: string, says: string): ClientFinding => ({ name, status: 'ok', says, exit: exits.fine })
const failed = (name: string, exit: number, says: string, remedy: string | null): ClientFinding => ({
  name,
  status: 'failed',
  says,
  ...(remedy !== null && { remedy }),
  exit,
})

/** Does not suggest `octavo doctor` to a user who is running it. */
const remedyOf = (hint: string | null): string | null =>
  hint?.includes(`${SELF} doctor`) ? `Check the address and the network, and read the server's log (${LOG})` : hint

const skipped = (name: string, says: string): ClientFinding => ({ name, status: 'skipped', says, exit: exits.fine })

function checkLogin({ login: { url, api_key, tokens }, trouble }: ReturnType<typeof findSoundLogin>): ClientFinding {
  if (trouble) return failed('login', trouble.exit, trouble.message, trouble.hint)
  const from = process.env['OCTAVO_API_KEY'] ? 'OCTAVO_API_KEY' : loginPath()
  if (tokens) return good('login', `${url ?? DEFAULT_URL}, with the login of a user from ${from}`)
  if (!api_key) return failed('login', exits.not_allowed, 'You are not logged in.', `Log in: ${SELF} login`)
  try {
    refuseStrangeKey(api_key)
  } catch (error) {
    const { message, hint } = explain(error, '')
    return failed('login', exits.not_allowed, `${message} It comes from ${from}.`, hint)
  }
  return good('login', `${url ?? DEFAULT_URL}, with the key ${api_key.slice(0, 12)}… from ${from}`)
}

async function checkServer(url: string, signal: AbortSignal): Promise<ClientFinding[]> {
  const client = openClient({ login: { url, api_key: 'none' }, max_retries: 0 })
  const begun = Date.now()
  try {
    await client.capabilities.get({}, { signal, timeout_ms: PROBE_MS })
    return []
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OctavoError) || error.status !== 401) {
      const { message, hint, exit } = explain(error, url)
      return [failed('server', exit, message ?? 'The server does not respond.', remedyOf(hint))]
    }
    return [good('server', `${url} responds within ${Date.now() - begun} ms`), ...checkClock(error.headers)]
  }
}

/** Signed links and times of expiry are judged by the clock of the server. */
function checkClock(headers: Headers | null): ClientFinding[] {
  const there = Date.parse(headers?.get('date') ?? '')
  if (Number.isNaN(there)) return []
  const seconds = Math.round((Date.now() - there) / 1000)
  if (Math.abs(seconds) <= CLOCK_SECONDS) return [good('clock here', 'agrees with the server')]
  const says = `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the server's clock.`
  return [
    failed(
      'clock here',
      exits.failed,
      says,
      'Correct the wrong clock, for instance with NTP: timedatectl set-ntp true',
    ),
  ]
}

async function checkAccess(login: Login, signal: AbortSignal): Promise<ClientFinding[]> {
  const name = login.tokens ? 'user' : 'key'
  try {
    const { version, key, user, expires_at } = await readIdentity(login, signal, 0)
    const parts = user ? `${user.email}, ${user.role}` : key && `${key.id}, “${clean(key.name)}”`
    const expires = expires_at ? `, until ${expires_at}` : ''
    return [good(name, parts ? `accepted: ${parts}${expires}` : 'accepted'), good('version', `server ${version}`)]
  } catch (error) {
    signal.throwIfAborted()
    const { message, hint, exit } = explain(error, login.url)
    return [failed(name, exit, message ?? 'The server rejected the key.', remedyOf(hint))]
  }
}

async function examineClient(signal: AbortSignal): Promise<ClientFinding[]> {
  const found = findSoundLogin()
  const login = checkLogin(found)
  const { url = DEFAULT_URL } = found.login
  const server = await checkServer(url, signal)
  const isThere = server.every(({ name, status }) => name !== 'server' || status === 'ok')
  return [login, ...server, ...(isThere && login.status === 'ok' ? await checkAccess(readLogin(), signal) : [])]
}

/** Gives the exit code. */
export async function doctor({ terminal, signal }: DoctorOptions): Promise<number> {
  const { login, trouble } = findSoundLogin()
  const { url = DEFAULT_URL, api_key, tokens } = login
  const ofServer = await examineInstallation(url, signal)
  // Beside the server, and never logged in: the server is what is asked about.
  const isServerOnly = !api_key && !tokens && trouble === null && ofServer.some(({ name }) => name !== 'installation')
  const ofClient = isServerOnly
    ? [skipped('login', 'Not logged in, so only the server was checked.')]
    : await examineClient(signal)
  const checks: CliFinding[] = [...ofClient.map(({ exit: _, ...finding }) => finding), ...ofServer]
  const is_healthy = checks.every(({ status }) => status !== 'failed')
  if (terminal.is_json) terminal.json({ checks, is_healthy })
  else showFindings(terminal, checks)
  return ofClient.find(({ status }) => status === 'failed')?.exit ?? (is_healthy ? exits.fine : exits.failed)
}

const signs: Record<CliFinding['status'], readonly [sign: string, plain: string, style: CliStyle]> = {
  ok: ['✓', 'ok', 'green'],
  warning: ['!', '! ', 'yellow'],
  failed: ['✗', 'x ', 'red'],
  skipped: ['-', '- ', 'dim'],
}

function showFindings(terminal: Terminal, checks: readonly CliFinding[]): void {
  const widest = Math.max(...checks.map(({ name }) => name.length))
  for (const { name, status, says, remedy, commands = [] } of checks) {
    const [sign, plain, style] = signs[status]
    const mark = terminal.is_human ? sign : plain
    const indent = ' '.repeat(mark.length + widest + 3)
    const [first, ...rest] = hang(indent, clean(says), terminal.textColumns)
    terminal.line(`${terminal.style(style, mark)} ${name.padEnd(widest)}  ${first?.trimStart() ?? ''}`)
    for (const line of rest) terminal.line(line)
    if (remedy) for (const line of hang(`${indent}→ `, clean(remedy), terminal.textColumns)) terminal.line(line)
    // Not wrapped: it is copied.
    for (const command of commands) terminal.line(`${indent}    ${command}`)
  }
  const count = (wanted: CliFinding['status']): number => checks.filter(({ status }) => status === wanted).length
  const [bad, doubtful] = [count('failed'), count('warning')]
  const parts = [...(bad > 0 ? [plural(bad, 'problem')] : []), ...(doubtful > 0 ? [plural(doubtful, 'warning')] : [])]
  terminal.line(`\n${parts.join(', ') || 'No problems.'}`)
}
