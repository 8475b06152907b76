// Login with the browser: the terminal shows a code, and the user enters it on a page of the server.

import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { exits, Refusal } from '../exits.ts'
import type { UserLogin } from '../login.ts'
import { checkIssuer, type DeviceCode, pollTokens, requestDeviceCode } from '../oauth.ts'
import { SELF } from '../self.ts'
import { clean } from '../width.ts'
import { replaceLogin } from './replace-login.ts'
import type { Session } from './session.ts'

/** RFC 8628: added to the pause after `slow_down`. */
const SLOWER_SECONDS = 5

export async function logInWithBrowser(session: Session, url: string, isOpening: boolean): Promise<UserLogin> {
  await checkIssuer(url)
  const code = await requestDeviceCode(url)
  show(session, code)
  if (isOpening) openBrowser(code.verification_uri_complete)
  const login = { url, tokens: await waitForTokens(session, url, code) }
  await replaceLogin(session, login)
  return login
}

function show(
  { terminal }: Session,
  { verification_uri, verification_uri_complete, user_code, expires_at }: DeviceCode,
) {
  if (terminal.is_json) terminal.json({ verification_uri, verification_uri_complete, user_code, expires_at })
  terminal.remark(`Open ${clean(verification_uri)} in a browser and enter the code ${clean(user_code)}`)
  terminal.remark('Waiting for your approval in the browser. Press Ctrl-C to cancel.')
}

async function waitForTokens({ signal }: Session, url: string, code: DeviceCode): Promise<UserLogin['tokens']> {
  let seconds = code.interval_seconds
  while (Date.now() < Date.parse(code.expires_at)) {
    await delay(seconds * 1000, undefined, { signal })
    const result = await pollTokens(url, code)
    if (typeof result === 'object') return result
    if (result === 'slow_down') seconds += SLOWER_SECONDS
  }
  throw new Refusal('The code has expired.', exits.not_allowed, `Try again: ${SELF} login ${url}`)
}

/** Failures are ignored: the address is already printed. */
function openBrowser(address: string): void {
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }
  const child = spawn(openers[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
