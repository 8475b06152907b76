// A second OpenID provider in its own process, with accounts that a test chooses: the login name is the subject.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { recordOf } from '@octavo/base/unknown.ts'
import { scopeNames } from '@octavo/contract'
import { Provider } from 'oidc-provider'
import { freePort } from './port.ts'

export interface TestProvider {
  issuer: string
  client_id: string
  client_secret: string
}

export interface TestProviderAccount {
  email?: string
  name?: string
  groups?: string[]
}

const CLIENT = { client_id: 'octavo', client_secret: 'a secret of the test provider' }

/** Starts the provider; `accounts` by subject. */
export async function startProvider(
  t: { after(end: () => void): void },
  redirect_uri: string,
  accounts: Record<string, TestProviderAccount>,
): Promise<TestProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const settings = JSON.stringify({ issuer, port, redirect_uri, accounts })
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  await once(child.stdout, 'data')
  return { issuer, ...CLIENT }
}

interface ProviderSettings {
  issuer: string
  port: number
  redirect_uri: string
  accounts: Record<string, unknown>
}

function serve({ issuer, port, redirect_uri, accounts }: ProviderSettings): void {
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirect_uri], grant_types: ['authorization_code', 'client_credentials'] }],
    // An authorization server for other services: the subject and the tenant of a token are those of its request.
    extraParams: ['subject', 'tenant'],
    scopes: [...scopeNames],
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: scopeNames.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    formats: {
      customizers: {
        jwt: ({ oidc }, _token, { payload }) => {
          const { subject, tenant } = recordOf(oidc.body)
          Object.assign(payload, { sub: subject }, tenant ? { tenant } : {})
        },
      },
    },
    claims: { openid: ['sub', 'email', 'email_verified', 'name', 'groups'], email: [], profile: [] },
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email_verified: true, ...recordOf(accounts[sub]) }),
    }),
  })
  provider.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'))
}

function parseSettings(text: string): ProviderSettings {
  const { issuer, port, redirect_uri, accounts } = recordOf(JSON.parse(text))
  return {
    issuer: String(issuer),
    port: Number(port),
    redirect_uri: String(redirect_uri),
    accounts: recordOf(accounts),
  }
}

if (import.meta.main) serve(parseSettings(process.argv[2] ?? '{}'))
