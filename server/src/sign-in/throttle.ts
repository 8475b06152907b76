// Limits on failed sign-ins. They count failures per client address, alone and together with the email address, but never
// per account, so that one person cannot lock out another. A browser that has signed in before has separate limits, so that
// failures of others behind the same address do not affect it.

import type { Needs } from '../app.ts'
import { shortDigest } from '../lib/digest.ts'
import type { Policy } from '../lib/gcra.ts'
import { type Keyring, seal, unseal } from '../lib/keyring.ts'

const WINDOW_MS = 10 * 60_000
const FAILURES_BY_PAIR = 10
const FAILURES_BY_CLIENT = 100

export class TooManyFailures extends Error {
  readonly wait_ms: number
  constructor(wait_ms: number) {
    super('Too many failed sign-ins.')
    this.wait_ms = wait_ms
  }
}

/** The value of the cookie that a browser keeps after a sign-in. */
export const deviceCookie = (keyring: Keyring, email_key: string): string =>
  seal(keyring, 'sign_in', shortDigest(email_key), 'device').toString('base64url')

const isDeviceOf = (keyring: Keyring, cookie: string, email_key: string): boolean =>
  unseal(keyring, 'sign_in', Buffer.from(cookie, 'base64url'), 'device')?.toString() === shortDigest(email_key)

interface Attempt {
  client: string
  email_key: string
  device: string | null
}

function policies({ config }: Needs<'config'>, { client, email_key, device }: Attempt): Policy[] {
  // Several installations may share one Valkey.
  const prefix = `sign-in:${shortDigest(config.base_url)}`
  const common = { window_ms: WINDOW_MS, cost: 1, name: 'failed_sign_ins' }
  if (device !== null && isDeviceOf(config.keyring, device, email_key))
    return [{ ...common, key: `${prefix}:device:${shortDigest(device)}`, quota: FAILURES_BY_PAIR }]
  return [
    { ...common, key: `${prefix}:pair:${shortDigest(`${client} ${email_key}`)}`, quota: FAILURES_BY_PAIR },
    { ...common, key: `${prefix}:client:${client}`, quota: FAILURES_BY_CLIENT },
  ]
}

const RESETS_BY_PAIR = 5
const RESETS_BY_CLIENT = 30
const RESETS_BY_ADDRESS = 3
const ADDRESS_WINDOW_MS = 60 * 60_000

/**
 * Limits password reset emails. False if the address has received too many: no email is sent, but the page looks the
 * same.
 */
export async function takeResetRequest(
  app: Needs<'limiter' | 'config'>,
  { client, email_key }: Omit<Attempt, 'device'>,
): Promise<boolean> {
  const prefix = `reset:${shortDigest(app.config.base_url)}`
  const common = { window_ms: WINDOW_MS, cost: 1, name: 'reset_mails' }
  const states = await app.limiter.take([
    { ...common, key: `${prefix}:pair:${shortDigest(`${client} ${email_key}`)}`, quota: RESETS_BY_PAIR },
    { ...common, key: `${prefix}:client:${client}`, quota: RESETS_BY_CLIENT },
  ])
  const refused = states.find(({ is_admitted }) => !is_admitted)
  if (refused) throw new TooManyFailures(refused.wait_ms)
  const address = {
    ...common,
    key: `${prefix}:address:${shortDigest(email_key)}`,
    quota: RESETS_BY_ADDRESS,
    window_ms: ADDRESS_WINDOW_MS,
  }
  return (await app.limiter.take([address])).every(({ is_admitted }) => is_admitted)
}

/** Counts a failure in advance; the returned function takes it back after a success. */
export async function takeAttempt(app: Needs<'limiter' | 'config'>, attempt: Attempt): Promise<() => Promise<void>> {
  const taken = policies(app, attempt)
  const states = await app.limiter.take(taken)
  const refused = states.find(({ is_admitted }) => !is_admitted)
  if (refused) throw new TooManyFailures(refused.wait_ms)
  return async () => {
    for (const policy of taken) await app.limiter.giveBack(policy)
  }
}
