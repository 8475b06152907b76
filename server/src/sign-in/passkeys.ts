// Passkeys (WebAuthn). The challenge is in the page, sealed for this browser and for ten minutes, so that the server
// keeps no state for a visitor; it remembers only the challenges that were answered. The user must be verified, by a fingerprint or a PIN.

import { createHash, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { isRecord, type Row, recordOf } from '@octavo/base/unknown.ts'
import { shortDigest } from '../lib/digest.ts'
import { newUuid } from '../lib/ids.ts'
import { seal, unseal } from '../lib/keyring.ts'
import { findPasskey, type ListedPasskey, type NewPasskey, touchPasskey } from './passkeys.store.ts'
import { dbOf } from './sessions.ts'
import { describeBrowser } from './sign-in.rules.ts'
import { readAccounts } from './sign-in.service.ts'
import type { Account } from './sign-in.store.ts'
import { PageProblem, type Visit } from './visit.ts'

const CHALLENGE_MS = 10 * 60_000
/** EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257]

/** WebAuthn needs a host name, and TLS except on localhost. */
export function supportsPasskeys(base_url: string): boolean {
  const { protocol, hostname } = new URL(base_url)
  return hostname === 'localhost' || (protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0)
}

/** The options for the browser, and the sealed challenge that its form sends back. */
export interface PasskeyOffer {
  options: string
  challenge: string
}

function newChallenge(visit: Visit, purpose: 'get' | 'create'): { challenge: string; sealed: string } {
  const challenge = randomBytes(32).toString('base64url')
  const text = JSON.stringify({ challenge, ends_ms: Date.now() + CHALLENGE_MS })
  const sealed = seal(visit.app.config.keyring, 'sign_in', text, `passkey ${purpose} ${visit.form_secret}`)
  return { challenge, sealed: sealed.toString('base64url') }
}

const relyingParty = (visit: Visit): string => new URL(visit.app.config.base_url).hostname

export function offerPasskey(visit: Visit): PasskeyOffer | null {
  if (!supportsPasskeys(visit.app.config.base_url)) return null
  const { challenge, sealed } = newChallenge(visit, 'get')
  const options = { challenge, rpId: relyingParty(visit), userVerification: 'required', timeout: CHALLENGE_MS }
  return { options: JSON.stringify(options), challenge: sealed }
}

/** `handle`: a uuid that the authenticator keeps with the passkey. */
export function offerNewPasskey(
  visit: Visit,
  user: { handle: string; email: string; name: string },
  existing: readonly Pick<ListedPasskey, 'credential_id'>[],
): PasskeyOffer | null {
  if (!supportsPasskeys(visit.app.config.base_url)) return null
  const { challenge, sealed } = newChallenge(visit, 'create')
  const options = {
    challenge,
    rp: { id: relyingParty(visit), name: 'Octavo' },
    user: {
      id: Buffer.from(user.handle.replaceAll('-', ''), 'hex').toString('base64url'),
      name: user.email,
      displayName: user.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: existing.map(({ credential_id }) => ({ type: 'public-key', id: credential_id })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: CHALLENGE_MS,
  }
  return { options: JSON.stringify(options), challenge: sealed }
}

const failed = (): PageProblem =>
  new PageProblem(422, 'The passkey did not work. Try again, or sign in with your password.')
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface PasskeyAnswer {
  id: string
  answer: Row
  /** The challenge, origin and host of this page, as the library names them. */
  expected: {
    expectedChallenge: string
    expectedOrigin: string
    expectedRPID: string
    requireUserVerification: true
  }
}

/** The browser's answer, and the challenge, origin and host that it must contain. */
async function readAnswer(visit: Visit, purpose: 'get' | 'create'): Promise<PasskeyAnswer> {
  const sealed = Buffer.from(visit.field('challenge'), 'base64url')
  const text = unseal(visit.app.config.keyring, 'sign_in', sealed, `passkey ${purpose} ${visit.form_secret}`)
  const { challenge, ends_ms } = recordOf(text && JSON.parse(text.toString()))
  const isValid = typeof challenge === 'string' && typeof ends_ms === 'number' && ends_ms >= Date.now()
  if (!isValid || !(await isFirstAnswer(visit, challenge)))
    throw new PageProblem(422, 'This page has expired. Reload it and try again.')
  const credential = parse(visit.field('credential'))
  if (!isRecord(credential)) throw failed()
  return {
    id: textOf(credential['id']),
    answer: recordOf(credential['response']),
    expected: {
      expectedChallenge: challenge,
      expectedOrigin: new URL(visit.app.config.base_url).origin,
      expectedRPID: relyingParty(visit),
      requireUserVerification: true,
    },
  }
}

/** An answer that someone recorded must not work a second time. */
async function isFirstAnswer({ app }: Visit, challenge: string): Promise<boolean> {
  const key = `passkey:${shortDigest(challenge)}`
  const once = { name: 'passkey_answers', key, quota: 1, window_ms: CHALLENGE_MS, cost: 1 }
  return (await app.limiter.take([once])).every(({ is_admitted }) => is_admitted)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The user whose passkey signed the challenge. */
export async function checkPasskey(visit: Visit): Promise<Account[]> {
  const { app, request } = visit
  const { id, answer, expected } = await readAnswer(visit, 'get')
  const passkey = await findPasskey(app.db, hashCredential(id))
  if (!passkey)
    throw new PageProblem(422, 'This passkey does not belong to an account here. Sign in with your password.')
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: textOf(answer['clientDataJSON']),
        authenticatorData: textOf(answer['authenticatorData']),
        signature: textOf(answer['signature']),
      },
    },
    ...expected,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.sign_count,
    },
  }).catch(() => {
    throw failed()
  })
  if (!verified) throw failed()
  await touchPasskey(dbOf(app, request, passkey.tenant), passkey.passkey, authenticationInfo.newCounter)
  return readAccounts(app, request, [passkey])
}

/** A new passkey from the browser's answer, ready to be stored. */
export async function readNewPasskey(visit: Visit): Promise<Omit<NewPasskey, 'user'>> {
  const { id, answer, expected } = await readAnswer(visit, 'create')
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: textOf(answer['clientDataJSON']),
        attestationObject: textOf(answer['attestationObject']),
      },
    },
    ...expected,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => {
    throw failed()
  })
  if (!verified) throw failed()
  const { id: credential_id, publicKey, counter } = registrationInfo.credential
  const { transports } = answer
  return {
    passkey: newUuid(),
    name: describeBrowser(visit.request.headers['user-agent'] ?? ''),
    hash: hashCredential(credential_id),
    credential_id,
    public_key: Buffer.from(publicKey),
    sign_count: counter,
    transports: Array.isArray(transports) ? transports.map(textOf).slice(0, 8) : [],
  }
}

const hashCredential = (credential_id: string): Buffer => createHash('sha256').update(credential_id).digest()
