// Explains errors to the user: what happened, what to do next, and the request id.

import { OctavoError } from '@octavo/sdk'
import type { CommanderError } from 'commander'
import { exits, Interrupted, Refusal } from './exits.ts'
import { findSoundLogin, normalUrl } from './login.ts'
import { reachable } from './reach.ts'
import { SELF } from './self.ts'
import { clean } from './width.ts'

export interface Explanation {
  /** null: there is nothing to say. */
  message: string | null
  hint: string | null
  request_id: string | null
  code: string
  exit: number
}

/** Where it is read. */
export const LOG = 'docker compose logs octavo; without containers, the output of npm start'

const plain = (code: string, exit: number, message: string | null, hint: string | null = null): Explanation => ({
  message,
  hint,
  request_id: null,
  code,
  exit,
})

/** The innermost reason that the runtime gives, such as ECONNREFUSED. */
function causeOf(error: unknown): { code: string; message: string } {
  let [code, message] = ['', '']
  for (let one = error; one instanceof Error; one = one.cause) {
    const inner: unknown = one instanceof AggregateError ? one.errors[0] : one
    if (!(inner instanceof Error)) continue
    message = inner.message
    if ('code' in inner && typeof inner.code === 'string') code = inner.code
  }
  return { code, message }
}

/** A login would change nothing while the variable is set. */
const isOfVariable = (url: string): boolean =>
  Boolean(process.env['OCTAVO_URL']) && normalUrl(process.env['OCTAVO_URL'] ?? '') === url
const otherAddress = (url: string): string =>
  isOfVariable(url) ? 'correct or unset OCTAVO_URL, which has this address' : `use another address: ${SELF} login <url>`

/** Connection errors: the cause, and what to check. */
const connectionTroubles: Record<string, readonly [why: string, check: string]> = {
  ECONNREFUSED: ['connection refused', 'Start the server (docker compose up -d --wait; without containers, npm start)'],
  ENOTFOUND: ['unknown host', 'Check the name'],
  EAI_AGAIN: ['DNS lookup failed', 'Check the network'],
  ETIMEDOUT: ['no response', 'Check the network'],
  EHOSTUNREACH: ['no route to the host', 'Check the network'],
  ENETUNREACH: ['no route to the network', 'Check the network'],
}
const CUT_OFF = ['the connection was closed', `Try again; if it fails again, read the server's log (${LOG})`] as const
const NOT_TLS = /wrong[ _]version[ _]number|packet length too long/i
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/

function explainConnection(error: OctavoError, url: string): Explanation {
  const { code: cause, message } = causeOf(error.cause)
  // The name of the service is known only while it runs.
  const code = reachable(url) !== url && (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN') ? 'ECONNREFUSED' : cause
  const certificate = [
    `its certificate is not trusted: ${clean(message)}`,
    'Set NODE_EXTRA_CA_CERTS to the certificate of its certificate authority',
  ] as const
  const plainUrl = url.replace(/^https:/i, 'http:')
  const retry = isOfVariable(url) ? `OCTAVO_URL=${plainUrl}` : `${SELF} login ${plainUrl}`
  const unencrypted = ['it uses http, not https', `Try ${plainUrl}: ${retry}`] as const
  const known = connectionTroubles[code]
  const [why, hint] = (known && ([known[0], `${known[1]}, or ${otherAddress(url)}`] as const)) ??
    (code === 'ECONNRESET' ? CUT_OFF : null) ??
    (NOT_TLS.test(`${code} ${message}`) ? unencrypted : null) ??
    (CERTIFICATE.test(code) ? certificate : null) ?? [
      error.code === 'timed_out' ? 'no response in time' : clean(message) || 'the connection failed',
      `Check the address and the network: ${SELF} doctor`,
    ]
  return plain(error.code, exits.unreachable, `The server at ${url} cannot be reached: ${why}.`, hint)
}

/** The scope that was missing, as the server names it. */
const scopeOf = (error: OctavoError): string | null =>
  /scope="([^"]+)"/.exec(error.headers?.get('www-authenticate') ?? '')?.[1] ?? null

/** The credential is a user's, not a key. */
const isOfUser = (is_given: boolean): boolean => !is_given && findSoundLogin().login.tokens !== undefined

/** The server refused tokens of a user. */
function explainUser(error: OctavoError, url: string): readonly [message: string, hint: string, exit: number] {
  const again = `Log in again: ${SELF} login ${url}`
  if (error.code === 'insufficient_user_authentication')
    return ['You must have signed in within the last 15 minutes.', again, exits.not_allowed]
  if (error.status === 401) return ['Your login has ended.', again, exits.not_allowed]
  const scope = scopeOf(error)
  const message = scope ? `Your role does not have the scope ${scope}.` : error.message
  return [message, 'Ask an owner or an admin of your tenant to do it, or to change your role.', exits.not_allowed]
}

/** The hint for a key that does not work or lacks access. */
const otherKey = (which: string, is_given: boolean): string =>
  process.env['OCTAVO_API_KEY'] && !is_given
    ? `Set OCTAVO_API_KEY to a key that ${which}, or unset it to use your login`
    : `Log in with a key that ${which}: ${SELF} login`

function explainStatus(
  error: OctavoError,
  url: string,
  is_given: boolean,
): readonly [message: string, hint: string | null, exit: number] {
  const { status, message } = error
  const after = error.headers?.get('retry-after')
  if (error.code === 'unexpected_answer')
    return [
      `The server at ${url} is not Octavo (status ${status}).`,
      `Check the address, or ${otherAddress(url)}`,
      exits.unreachable,
    ]
  if ((status === 401 || status === 403) && isOfUser(is_given)) return explainUser(error, url)
  if (status === 401) return ['The server rejected the key.', otherKey('works', is_given), exits.not_allowed]
  if (status === 403) {
    const scope = scopeOf(error)
    return scope
      ? [
          `This key does not have the scope ${scope}.`,
          `${otherKey('has it', is_given)}; or create one: ${SELF} keys create <name> --scopes ${scope}`,
          exits.not_allowed,
        ]
      : [message, `Use a key with more permissions: ${otherKey('may do it', is_given)}`, exits.not_allowed]
  }
  if (status === 404)
    return [
      `Not found, or ${isOfUser(is_given) ? 'you have no access' : 'this key does not give access'}.`,
      'Check the id.',
      exits.not_found,
    ]
  if (status === 410) return [message, null, exits.not_found]
  if (status === 429) return [message, after ? `Try again in ${after} s.` : 'Try again later.', exits.failed]
  if (status === 400 || status === 413 || status === 415 || status === 422)
    return [message, detailsOf(error), exits.wrong_usage]
  if (status === 502 || status === 503 || status === 504)
    return [`The server is unavailable: ${message}`, `Try again later, or run ${SELF} doctor.`, exits.unreachable]
  if (status !== null && status >= 500)
    return [message, "The server's log has the cause, with this request id.", exits.failed]
  return [message, detailsOf(error), exits.failed]
}

const detailsOf = ({ details }: OctavoError): string | null =>
  details.length === 0 ? null : details.map(({ field, message }) => `${field}: ${message}`).join(' ')

/** `is_given`: the key was given to the command, so that no variable goes before it. */
export function explain(error: unknown, url: string, is_given = false): Explanation {
  if (error instanceof Interrupted) return plain('interrupted', exits.interrupted, null)
  if (error instanceof Refusal) return plain('refused', error.exit, error.message, error.hint)
  if (!(error instanceof OctavoError)) {
    const text = error instanceof Error ? error.message : String(error)
    return plain(
      'unexpected',
      exits.failed,
      text,
      process.env['OCTAVO_DEBUG'] && error instanceof Error ? (error.stack ?? null) : null,
    )
  }
  // The refresh of a login failed; the cause has the reason.
  if (error.code === 'token_failed' && error.cause !== undefined) return explain(error.cause, url, is_given)
  if (error.status === null && error.code !== 'unexpected_answer') return explainConnection(error, url)
  const [message, hint, exit] = explainStatus(error, url, is_given)
  return { message, hint, exit, code: error.code, request_id: error.request_id }
}

export const explainUsage = ({ code, message }: CommanderError): Explanation =>
  plain(
    'wrong_usage',
    exits.wrong_usage,
    code === 'commander.help' ? 'No command given.' : clean(message.replace(/^error: /, '')),
  )
