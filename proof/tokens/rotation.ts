// Programs request tokens and use them, at once or much later, while the operator rotates the signing keys. Three
// processes of one installation issue and verify them; the third starts after the first rotation.

import { setTimeout as sleep } from 'node:timers/promises'
import { itemAt } from '../../base/src/required.ts'
import { rotateSigningKeys } from '../../server/src/oauth/signing-keys.ts'
import { post, registerWebApp, type TestClient, tokensOf } from '../../server/src/testing/oauth.ts'
import { call } from '../lib/call.ts'
import type { Part, ProofRun } from '../lib/proof.ts'
import { openWorld } from '../lib/world.ts'

/** Every process signs with the next key within 30 seconds. */
const ROTATION_MS = 35_000
const CLIENTS = 4
const PAUSE_MS = 50
/** So many tokens wait for their first use, so that most outlive a rotation. */
const MOST_TOKENS = 2_000

interface Load {
  urls: readonly string[]
  client: TestClient
  until_ms: number
}

interface LoadResult {
  used: number
  /** Ids of the keys that signed the tokens in use. */
  keys: Set<string>
  findings: string[]
}

export async function rotateUnderLoad(run: ProofRun, rotations: number): Promise<Part> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off' })
  const { key } = await world.newTenant()
  const first = await world.startApi()
  const join = async (): Promise<string> => (await world.startApi({ BASE_URL: first.url })).url
  const urls = [first.url, await join()]
  const scopes = ['projects:read' as const]
  const client = await registerWebApp(key.client(), { grant_types: ['client_credentials'], redirect_uris: [], scopes })
  const result: LoadResult = { used: 0, keys: new Set(), findings: [] }
  const load = { urls, client, until_ms: Date.now() + (rotations + 1) * ROTATION_MS }
  const running = Promise.all(Array.from({ length: CLIENTS }, (_, seed) => useTokens(load, seed, result)))
  for (let rotation = 0; rotation < rotations; rotation++) {
    await sleep(ROTATION_MS / (rotation === 0 ? 2 : 1))
    await rotateSigningKeys(world.app)
    if (rotation === 0) urls.push(await join())
  }
  await running
  const { used, keys, findings } = result
  if (keys.size <= rotations) findings.push(`only ${keys.size} keys signed tokens that were used`)
  return {
    figure: `${rotations} rotations: ${used} requests with tokens of ${keys.size} keys, ${findings.length} refused`,
    findings,
  }
}

/** One program. Half of its tokens are used at once; the others wait. */
async function useTokens({ urls, client, until_ms }: Load, seed: number, result: LoadResult): Promise<void> {
  const waiting: string[] = []
  const use = async (token: string, url: string): Promise<void> => {
    const { status, text } = await call({ url, secret: token }, { method: 'GET', path: '/api/v1/projects' })
    result.used++
    result.keys.add(keyIdOf(token))
    if (status !== 200)
      result.findings.push(`a token of key ${keyIdOf(token)} was answered ${status}: ${text.slice(0, 200)}`)
  }
  for (let i = seed; Date.now() < until_ms; i++) {
    const issuer = { url: itemAt(urls, i % urls.length), owner_key: '' }
    const { access_token } = tokensOf(await post(issuer, '/oauth/token', client, { grant_type: 'client_credentials' }))
    const verifier = itemAt(urls, (i + 1 + (i >> 3)) % urls.length)
    if (i % 2 === 0) await use(access_token, verifier)
    else if (waiting.length < MOST_TOKENS) waiting.push(access_token)
    // The oldest of the waiting tokens have seen a rotation.
    const oldest = Date.now() + ROTATION_MS / 2 > until_ms ? waiting.shift() : undefined
    if (oldest !== undefined) await use(oldest, verifier)
    await sleep(PAUSE_MS)
  }
  for (const token of waiting) await use(token, itemAt(urls, seed % urls.length))
}

function keyIdOf(token: string): string {
  const header: unknown = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString())
  return typeof header === 'object' && header !== null && 'kid' in header ? String(header.kid) : ''
}
