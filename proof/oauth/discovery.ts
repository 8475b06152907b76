// The published descriptions: RFC 8414, RFC 9728, the keys.

import { scopeNames } from '@octavo/contract'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { recordOf } from '../../base/src/unknown.ts'
import { ask } from '../../server/src/testing/ask.ts'
import { type Case, refusalOf } from './cases.ts'
import { bodyOf, INSECURE, type OauthScene } from './scene.ts'

const METADATA = '/.well-known/oauth-authorization-server'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const METHODS = ['client_secret_basic', 'client_secret_post']

export async function discover(scene: OauthScene): Promise<Case[]> {
  return [...(await readMetadata(scene)), ...(await readKeys(scene)), ...(await readResources(scene))]
}

async function readMetadata({ api, as, web }: OauthScene): Promise<Case[]> {
  const answer = await ask(api, METADATA, { key: null })
  const metadata = bodyOf(answer)
  const { url } = api
  const withOpenid = () =>
    openid.discovery(new URL(url), web.id, undefined, openid.None(), {
      algorithm: 'oauth2',
      // oxlint-disable-next-line typescript/no-deprecated -- the server of the proof speaks plain HTTP
      execute: [openid.allowInsecureRequests],
    })
  const wrongIssuer = async () => {
    const response = await fetch(`${url}${METADATA}`)
    await oauth.processDiscoveryResponse(new URL('https://other.example.com'), response)
  }
  const expected: Record<string, unknown> = {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorization`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revocation`,
    introspection_endpoint: `${url}/oauth/introspection`,
    device_authorization_endpoint: `${url}/oauth/device-authorization`,
    jwks_uri: `${url}/oauth/jwks`,
    scopes_supported: [...scopeNames, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
    token_endpoint_auth_methods_supported: ['none', ...METHODS],
    revocation_endpoint_auth_methods_supported: ['none', ...METHODS],
    introspection_endpoint_auth_methods_supported: METHODS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    protected_resources: [`${url}/api`, `${url}/mcp`],
  }
  return [
    ['RFC 8414, 3.2', 'the metadata is JSON', answer.headers['content-type'], /^application\/json/],
    ['RFC 8414, 3.3', 'oauth4webapi accepts the issuer', as.issuer, url],
    ['RFC 8414, 3.3', 'openid-client accepts the metadata', await refusalOf(withOpenid), null],
    ['RFC 8414, 3.3', 'a client of another issuer refuses it', await refusalOf(wrongIssuer), /issuer|unexpected/],
    ['RFC 8414, 2', 'there are no other members', Object.keys(metadata).toSorted(), Object.keys(expected).toSorted()],
    ...Object.entries(expected).map(
      ([name, value]): Case => ['RFC 8414, 2', `the member ${name}`, metadata[name], value],
    ),
  ]
}

async function readKeys({ api }: OauthScene): Promise<Case[]> {
  const answer = await ask(api, '/oauth/jwks', { key: null })
  const { keys } = bodyOf(answer)
  const all = Array.isArray(keys) ? keys.map(recordOf) : []
  const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi'].filter((name) => all.some((key) => Object.hasOwn(key, name)))
  return [
    [
      'RFC 7517, 4',
      'two signing keys are published',
      all.map(({ kty, use }) => `${String(kty)} ${String(use)}`),
      ['RSA sig', 'RSA sig'],
    ],
    ['RFC 7517, 4.5', 'each has its own id', new Set(all.map(({ kid }) => kid)).size, 2],
    ['RFC 7517, 9.2', 'no private member is published', secret, []],
    ['RFC 7518, 3.3', 'keys have at least 2048 bits', all.every(({ n }) => String(n).length >= 342), true],
  ]
}

async function readResources({ api }: OauthScene): Promise<Case[]> {
  const cases: Case[] = []
  for (const name of ['api', 'mcp']) {
    const resource = new URL(`${api.url}/${name}`)
    const accept = async () => {
      const response = await oauth.resourceDiscoveryRequest(resource, INSECURE)
      await oauth.processResourceDiscoveryResponse(resource, response)
    }
    const metadata = bodyOf(await ask(api, `/.well-known/oauth-protected-resource/${name}`, { key: null }))
    const path = name === 'api' ? '/api/v1/projects' : '/mcp'
    const method = name === 'api' ? 'GET' : 'POST'
    const none = await ask(api, path, { method, key: null })
    const wrong = await ask(api, path, { method, key: 'eyJhbGciOiJub25lIn0.e30.x' })
    const location = `resource_metadata="${api.url}/.well-known/oauth-protected-resource/${name}"`
    cases.push(
      ['RFC 9728, 3.3', `oauth4webapi accepts the metadata of /${name}`, await refusalOf(accept), null],
      ['RFC 9728, 2', `the identifier of /${name}`, metadata.resource, resource.href],
      ['RFC 9728, 2', `/${name} names its authorization server`, metadata.authorization_servers, [api.url]],
      ['RFC 9728, 2', `/${name} takes tokens in the header only`, metadata.bearer_methods_supported, ['header']],
      [
        'RFC 9728, 5.1',
        `the 401 of /${name} names the metadata`,
        none.headers['www-authenticate'],
        new RegExp(location),
      ],
      [
        'RFC 6750, 3.1',
        `/${name} without a token names no error`,
        /error=/.test(String(none.headers['www-authenticate'])),
        false,
      ],
      ['RFC 6750, 3.1', `/${name} with a bad token`, wrong.headers['www-authenticate'], /error="invalid_token"/],
      ['RFC 6750, 3', `/${name} without a token`, [none.status, wrong.status], [401, 401]],
    )
  }
  return cases
}
