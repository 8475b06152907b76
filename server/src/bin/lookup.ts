// DNS lookups. The system resolves all names of a process in two threads, and while a DNS server does not respond, a lookup
// occupies one of them for half a minute. All retries would queue behind it: a database that is back would not be found, and one
// unavailable server would block connections to all others. So each name is looked up once at a time, and while a lookup is slow,
// the previous result is used.

import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import { codeOf } from '@octavo/base/unknown.ts'

const TIMEOUT_MS = 500

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
type LookupFunction = (hostname: string, options: LookupOptions & { all: true }, answer: LookupCallback) => void
type Callback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

const isGone = (error: unknown): boolean => codeOf(error) === 'ENOTFOUND'

export function newLookup(ask: LookupFunction, timeout_ms = TIMEOUT_MS) {
  const asked = new Map<string, Promise<LookupAddress[]>>()
  const known = new Map<string, LookupAddress[]>()

  function find(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const question = JSON.stringify([hostname, options.family, options.hints, options.order])
    const answer = asked.get(question) ?? start(question, hostname, options)
    const last = known.get(question)
    return last ? orLast(answer, last) : answer
  }

  function start(question: string, hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const answer = new Promise<LookupAddress[]>((resolve, reject) => {
      ask(hostname, { ...options, all: true }, (error, addresses) => {
        asked.delete(question)
        if (!error) known.set(question, addresses)
        // There is no such name any more: what had its address may be someone else.
        if (isGone(error)) known.delete(question)
        if (error) reject(error)
        else resolve(addresses)
      })
    })
    asked.set(question, answer)
    return answer
  }

  function orLast(answer: Promise<LookupAddress[]>, last: LookupAddress[]): Promise<LookupAddress[]> {
    return Promise.race([answer, sleep(timeout_ms, last, { ref: false })]).catch((error: unknown) => {
      if (isGone(error)) throw error
      return last
    })
  }

  /** As dns.lookup is called, with or without options. */
  return (hostname: string, given: LookupOptions | number | Callback, then?: Callback): void => {
    const callback = (then ?? given) as Callback
    const family: LookupOptions = typeof given === 'number' ? { family: given } : {}
    const { all, ...options } = typeof given === 'object' ? given : family
    find(hostname, options).then(
      (addresses) =>
        all ? callback(null, addresses) : callback(null, firstOf(addresses).address, firstOf(addresses).family),
      (error: unknown) => callback(error as NodeJS.ErrnoException, all ? [] : ''),
    )
  }
}

/** Replaces `dns.lookup` globally, because the clients of Valkey and object stores have no option for it. */
export function shareLookups(): void {
  dns.lookup = newLookup(dns.lookup) as typeof dns.lookup
}
