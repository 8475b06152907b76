// What went wrong, in the words of the person at the terminal: what happened, what to do next, and the id of the request.

import { OctavoError } from '@octavo/sdk'
import type { CommanderError } from 'commander'
import { exits, Interrupted, Refusal } from './exits.ts'
import { normalUrl } from './login.ts'
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
export const LOG = 'docker compose logs octavo; without containers what npm start prints'

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
  Boolean(process.env['OCTAVO_URL']) && normalUrl(process.env['OCTAVO_URL']!) === url
const otherAddress = (url: string): string =>
  isOfVariable(url)
    ? 'correct or unset OCTAVO_URL, which names this address'
    : `name another address: ${SELF} login <url>`

/** What is to be checked, or named anew. */
const connectionTroubles: Record<string, readonly [why: string, check: string]> = {
  ECONNREFUSED: ['nothing listens there', 'Start it (docker compose up -d --wait; without containers npm start)'],
  ENOTFOUND: ['there is no host of that name', 'Check the name'],
  EAI_AGAIN: ['its name cannot be looked up', 'Check the network'],
  ETIMEDOUT: ['it does not answer', 'Check the network'],
  EHOSTUNREACH: ['there is no way to that host', 'Check the network'],
  ENETUNREACH: ['there is no way to that network', 'Check the network'],
}
const CUT_OFF = [
  'the connection was cut off',
  `Try again; if it stays, look at the log of the server (${LOG})`,
] as const
const NOT_TLS = /wrong[ _]version[ _]number|packet length too long/i
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/

function explainConnection(error: OctavoError, url: string): Explanation {
  const { code: cause, message } = causeOf(error.cause)
  // The name of the service is known only while it runs.
  const code = reachable(url) !== url && (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN') ? 'ECONNREFUSED' : cause
  const certificate = [
    `its certificate is not accepted: ${clean(message)}`,
    'Let NODE_EXTRA_CA_CERTS name the certificate of its authority',
  ] as const
  const plainUrl = url.replace(/^https:/i, 'http:')
  const retry = isOfVariable(url) ? `OCTAVO_URL=${plainUrl}` : `${SELF} login ${plainUrl}`
  const unencrypted = ['it speaks http, not https', `Try ${plainUrl}: ${retry}`] as const
  const known = connectionTroubles[code]
  const [why, hint] = (known && ([known[0], `${known[1]}, or ${otherAddress(url)}`] as const)) ??
    (code === 'ECONNRESET' ? CUT_OFF : null) ??
    (NOT_TLS.test(`${code} ${message}`) ? unencrypted : null) ??
    (CERTIFICATE.test(code) ? certificate : null) ?? [
      error.code === 'timed_out' ? 'no answer came in time' : clean(message) || 'the connection failed',
      `Check the address and the network: ${SELF} doctor`,
    ]
  return plain(error.code, exits.unreachable, `The server at ${url} cannot be reached: ${why}.`, hint)
}

/** The scope that was missing, as the server names it. */
const scopeOf = (error: OctavoError): string | null =>
  /scope="([^"]+)"/.exec(error.headers?.get('www-authenticate') ?? '')?.[1] ?? null

/** What to do about a key that is not the right one. */
const otherKey = (which: string, is_given: boolean): string =>
  process.env['OCTAVO_API_KEY'] && !is_given
    ? `Let OCTAVO_API_KEY have a key that ${which}, or unset it to use your login`
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
      `What answers at ${url} is not Octavo (status ${status}).`,
      `Check the address, or ${otherAddress(url)}`,
      exits.unreachable,
    ]
  if (status === 401) return ['The key was not accepted.', otherKey('works', is_given), exits.not_allowed]
  if (status === 403) {
    const scope = scopeOf(error)
    return scope
      ? [
          `This key may not do that: it lacks the scope ${scope}.`,
          `${otherKey('has it', is_given)}; or make one: ${SELF} keys create <name> --scopes ${scope}`,
          exits.not_allowed,
        ]
      : [message, `Ask someone with wider rights, or: ${otherKey('may do it', is_given)}`, exits.not_allowed]
  }
  if (status === 404) return ['There is nothing by that id that this key may see.', 'Check the id.', exits.not_found]
  if (status === 410) return [message, null, exits.not_found]
  if (status === 429) return [message, after ? `Try again in ${after} s.` : 'Try again later.', exits.failed]
  if (status === 400 || status === 413 || status === 415 || status === 422)
    return [message, detailsOf(error), exits.wrong_usage]
  if (status === 502 || status === 503 || status === 504)
    return [`The server cannot answer now: ${message}`, `Try again later; ${SELF} doctor says more.`, exits.unreachable]
  if (status !== null && status >= 500)
    return [message, 'The log of the server says more; it has the id of the request.', exits.failed]
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
  if (error.status === null && error.code !== 'unexpected_answer') return explainConnection(error, url)
  const [message, hint, exit] = explainStatus(error, url, is_given)
  return { message, hint, exit, code: error.code, request_id: error.request_id }
}

export const explainUsage = ({ code, message }: CommanderError): Explanation =>
  plain(
    'wrong_usage',
    exits.wrong_usage,
    code === 'commander.help' ? 'A command is missing.' : clean(message.replace(/^error: /, '')),
  )
