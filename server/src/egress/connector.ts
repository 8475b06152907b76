// Opens the connection of one request: a name is resolved once, and what is connected to is what was checked.

import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { codeOf, toError } from '@octavo/base/unknown.ts'
import { mayReach, type Ranges } from './addresses.ts'
import { EgressFailed, EgressRefused } from './errors.ts'

/** The addresses of a name. */
export type Lookup = (name: string) => Promise<string[]>

export interface Target {
  is_tls: boolean
  /** A name, or an address without brackets. */
  host: string
  port: number
}

export interface ConnectOptions {
  /** null: wherever the name leads, as for addresses that the operator configures. */
  allowed: Ranges | null
  connect_ms: number
  signal: AbortSignal
  lookup?: Lookup | undefined
}

const systemLookup: Lookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

// The same message for "resolves to a private address" and "does not exist", so that callers cannot probe internal
// names.
const notPublic = (host: string, cause?: unknown): EgressRefused =>
  new EgressRefused(`'${host}' does not have a public address.`, { cause })

/** Every address must be allowed, not only the first: the name server decides which of them is used. */
async function resolveTarget({ host }: Target, { allowed, lookup = systemLookup }: ConnectOptions): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await findAddresses(host, lookup, allowed === null)
  if (allowed !== null && !addresses.every((address) => mayReach(address, allowed))) throw notPublic(host)
  return addresses
}

async function findAddresses(host: string, lookup: Lookup, is_operators: boolean): Promise<string[]> {
  let cause: unknown
  try {
    const addresses = await lookup(host)
    if (addresses.length > 0) return addresses
  } catch (error) {
    cause = error
  }
  throw lookupError(host, cause, is_operators)
}

function lookupError(host: string, error: unknown, is_operators: boolean): Error {
  const code = codeOf(error) || 'ENODATA'
  // A name of the operator's own may be away while its service is.
  if (!is_operators && (code === 'ENOTFOUND' || code === 'ENODATA')) return notPublic(host, error)
  return new EgressFailed(`DNS lookup of '${host}' failed.`, { cause: error })
}

/** Tries the addresses one after the other; lookup, connections and handshakes share `connect_ms`. */
export async function openSocket(target: Target, given: ConnectOptions): Promise<Socket> {
  const deadline = performance.now() + given.connect_ms
  const addresses = await before(deadline, target.host, given.signal, () => resolveTarget(target, given))
  let last: unknown
  for (const [i, address] of addresses.entries()) {
    const share = (deadline - performance.now()) / (addresses.length - i)
    try {
      return await connectTo(address, target, { ...given, connect_ms: share })
    } catch (error) {
      if (error instanceof EgressRefused || given.signal.aborted) throw error
      last = error
    }
  }
  throw last
}

async function connectTo(
  address: string,
  target: Target,
  { allowed, connect_ms, signal }: ConnectOptions,
): Promise<Socket> {
  const deadline = performance.now() + connect_ms
  const plain = connect({ host: address, port: target.port, noDelay: true })
  try {
    await before(deadline, target.host, signal, () => opened(plain, 'connect', target.host))
    // Asked again of the socket itself: whatever led here, nothing has been sent yet.
    if (allowed !== null && !mayReach(plain.remoteAddress ?? '', allowed)) throw notPublic(target.host)
    if (!target.is_tls) return plain
    const secure = connectTls({ socket: plain, ...namesOf(target.host), ALPNProtocols: ['http/1.1'] })
    await before(deadline, target.host, signal, () => opened(secure, 'secureConnect', target.host))
    return secure
  } catch (error) {
    plain.destroy()
    throw error
  }
}

/** The certificate must be the name's, wherever it was resolved to. An address is not a name that may be indicated. */
function namesOf(host: string): { host: string; servername?: string } {
  const name = host.replace(/\.$/, '')
  return isIP(name) ? { host: name } : { host: name, servername: name }
}

function opened(socket: Socket | TLSSocket, event: 'connect' | 'secureConnect', host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const broken = (error: NodeJS.ErrnoException): void =>
      reject(new EgressFailed(connectText(host, error), { cause: error }))
    // Never removed: an error after the promise settles is reported elsewhere, but needs a listener to not crash the
    // process.
    socket.on('error', broken)
    socket.once(event, () => resolve())
    socket.once('close', () => broken(new Error('closed')))
  })
}

function connectText(host: string, { code = '' }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return `'${host}' does not accept connections on this port.`
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) return `'${host}' has no valid certificate.`
  return `'${host}' could not be reached.`
}

/** Work that cannot be interrupted, such as a DNS lookup, is left to finish by itself. */
async function before<T>(deadline: number, host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new EgressFailed(`'${host}' did not respond in time.`)),
    Math.max(0, deadline - performance.now()),
  )
  const abort = (): void => reject(toError(signal.reason))
  signal.addEventListener('abort', abort, { once: true })
  const working = work()
  working.catch(() => {})
  try {
    return await Promise.race([working, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
