// Keeps the tokens of a login valid. Several commands can run at once, so the file is changed under a lock.

import { mkdirSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { TokenProvider } from '@octavo/sdk'
import { exits, Refusal } from './exits.ts'
import { loginPath, notLoggedIn, readSaved, saveLogin, type Tokens, type UserLogin } from './login.ts'
import { refreshTokens } from './oauth.ts'

/** Clocks differ, and a request takes time. */
const EARLY_MS = 60_000
/** Longer than a refresh can take: its process has ended. */
const STALE_MS = 30_000
const LOCK_WAIT_MS = 60_000
const LOCK_POLL_MS = 50

const isExpiring = ({ expires_at }: Tokens): boolean => Date.parse(expires_at) - Date.now() < EARLY_MS
const underWay = new Set<Promise<unknown>>()

/** An answer with new tokens must be saved: the old ones are used up. */
export async function finishRefreshing(): Promise<void> {
  await Promise.allSettled(underWay)
}

export function tokenProvider(login: UserLogin): TokenProvider {
  let { tokens } = login
  return async ({ refused }) => {
    if (refused === tokens.access_token || isExpiring(tokens)) tokens = await replace(login.url, tokens)
    return tokens.access_token
  }
}

/** Another command may have replaced them already. */
async function replace(url: string, old: Tokens): Promise<Tokens> {
  const work = withLoginLock(async () => {
    const saved = readSaved()
    if (!saved.tokens || saved.url !== url) throw notLoggedIn()
    if (saved.tokens.access_token !== old.access_token && !isExpiring(saved.tokens)) return saved.tokens
    const tokens = await refreshTokens(url, saved.tokens.refresh_token)
    saveLogin({ url, tokens })
    return tokens
  })
  underWay.add(work)
  try {
    return await work
  } finally {
    underWay.delete(work)
  }
}

/** One command at a time. A directory is created by one of them only. */
export async function withLoginLock<T>(work: () => Promise<T>): Promise<T> {
  const lock = `${loginPath()}.lock`
  const begun = Date.now()
  while (!takeLock(lock)) {
    if (Date.now() - begun > LOCK_WAIT_MS)
      throw new Refusal('Another command is using the login file.', exits.failed, `If none is running, remove ${lock}`)
    await delay(LOCK_POLL_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function takeLock(lock: string): boolean {
  // Returns the created directory, or undefined if there is one.
  if (mkdirSync(lock, { recursive: true, mode: 0o700 }) !== undefined) return true
  const taken = statSync(lock, { throwIfNoEntry: false })
  if (taken && Date.now() - taken.mtimeMs > STALE_MS) rmSync(lock, { recursive: true, force: true })
  return false
}
