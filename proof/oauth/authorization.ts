// The authorization endpoint: a table of requests, and the response that a browser gets.

import * as oauth from 'oauth4webapi'
import { ask } from '../../server/src/testing/ask.ts'
import { answerConsent, authorizationPath, authorize, REDIRECT_URI } from '../../server/src/testing/oauth.ts'
import { PageBrowser } from '../../server/src/testing/page-browser.ts'
import { type Case, refusalOf } from './cases.ts'
import type { OauthScene } from './scene.ts'

const OTHER_CLIENT = 'cli_01h455vb4pex5vsknk084sn02q'

/** The browser stays on a page of the server. */
const SHOWN: [rule: string, sentence: string, params: Record<string, string>, error: string][] = [
  [
    'RFC 6749, 3.1.2.4',
    'another redirect URI',
    { redirect_uri: 'https://evil.example.com/callback' },
    'invalid_redirect_uri',
  ],
  ['RFC 9700, 2.1', 'a redirect URI with a longer path', { redirect_uri: `${REDIRECT_URI}/x` }, 'invalid_redirect_uri'],
  ['RFC 9700, 2.1', 'a redirect URI with a query', { redirect_uri: `${REDIRECT_URI}?x=1` }, 'invalid_redirect_uri'],
  ['RFC 6749, 3.1.2', 'a redirect URI with a fragment', { redirect_uri: `${REDIRECT_URI}#x` }, 'invalid_redirect_uri'],
  [
    'RFC 9700, 2.1',
    'a redirect URI in upper case',
    { redirect_uri: REDIRECT_URI.replace('callback', 'CALLBACK') },
    'invalid_redirect_uri',
  ],
  [
    'RFC 9700, 2.1',
    'a redirect URI with a parent directory',
    { redirect_uri: 'https://app.example.com/x/../callback' },
    'invalid_redirect_uri',
  ],
  [
    'RFC 9700, 4.1.1',
    'a redirect URI with user information',
    { redirect_uri: 'https://app.example.com@evil.example.com/callback' },
    'invalid_redirect_uri',
  ],
  [
    'RFC 9700, 2.6',
    'a redirect URI without TLS',
    { redirect_uri: 'http://app.example.com/callback' },
    'invalid_redirect_uri',
  ],
  ['RFC 6749, 4.1.2.1', 'an unknown client', { client_id: OTHER_CLIENT }, 'invalid_client'],
  ['RFC 6749, 4.1.2.1', 'no client', { client_id: '' }, 'invalid_request'],
]

/** The browser returns to the application with an error. */
const RETURNED: typeof SHOWN = [
  ['RFC 7636, 4.4.1', 'no code challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
  ['RFC 9700, 2.1.1', 'the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['RFC 7636, 4.3', 'no method, which means plain', { code_challenge_method: '' }, 'invalid_request'],
  ['RFC 7636, 4.2', 'a code challenge that is too short', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
  ['RFC 7636, 4.2', 'a code challenge that is too long', { code_challenge: 'x'.repeat(129) }, 'invalid_request'],
  ['RFC 7636, 4.2', 'a code challenge with other characters', { code_challenge: '='.repeat(43) }, 'invalid_request'],
  ['RFC 6749, 4.1.2.1', 'no response type', { response_type: '' }, 'invalid_request'],
  ['RFC 9700, 2.1.2', 'the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
  ['RFC 6749, 4.1.2.1', 'an unknown response type', { response_type: 'unknown' }, 'unsupported_response_type'],
  ['RFC 6749, 3.3', 'an unknown scope', { scope: 'unknown' }, 'invalid_scope'],
  ['RFC 6749, 3.3', 'a scope that the client did not register', { scope: 'documents:write' }, 'invalid_scope'],
  ['RFC 6749, 3.3', 'a management scope', { scope: 'api_keys:manage' }, 'invalid_scope'],
  ['RFC 8707, 2', 'an unknown resource', { resource: 'https://evil.example.com' }, 'invalid_target'],
  ['RFC 8707, 2', 'a relative resource', { resource: '/api' }, 'invalid_target'],
  ['RFC 9101, 5', 'a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  [
    'RFC 9101, 5',
    'a request object by reference',
    { request_uri: 'https://evil.example.com/r' },
    'request_uri_not_supported',
  ],
  ['OpenID Connect Core, 3.1.2.6', 'prompt none without a session', { prompt: 'none' }, 'login_required'],
]

export async function tryAuthorization(scene: OauthScene): Promise<Case[]> {
  const { browser, other } = scene
  const cases: Case[] = []
  for (const [rule, sentence, params, error] of SHOWN) {
    const page = await browser.open(authorizationPath(other, params))
    const isHere = page.path.startsWith('/oauth/') && page.answer.status >= 400
    cases.push([rule, `${sentence} stays here`, [isHere, page.text.includes(error)], [true, true]])
  }
  for (const [rule, sentence, params, error] of RETURNED) {
    const { path } = await browser.open(authorizationPath(other, params))
    const { searchParams, hash, origin, pathname } = new URL(path, scene.api.url)
    const found = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
    cases.push([rule, `${sentence} returns`, `${origin}${pathname} ${found}`, `${REDIRECT_URI} ${error}`])
  }
  return [...cases, ...(await readResponse(scene)), ...(await readPages(scene))]
}

async function readResponse({ browser, web, as }: OauthScene): Promise<Case[]> {
  const params = await authorize(browser, web)
  const client = { client_id: web.id }
  const validate = (changes: Record<string, string>, state = 'state-1') => {
    const changed = new URLSearchParams({ ...Object.fromEntries(params), ...changes })
    for (const [name, value] of Object.entries(changes)) if (value === '') changed.delete(name)
    return refusalOf(async () => oauth.validateAuthResponse(as, client, changed, state))
  }
  const refused = await browser.open(authorizationPath(web, { prompt: 'consent' }))
  const back = new URL((await answerConsent(browser, refused, 'deny')).path)
  return [
    ['RFC 6749, 4.1.2', 'a response has a code', params.get('code'), /^oct_ac_[0-9A-Za-z]{46}$/],
    ['RFC 6749, 4.1.2', 'a response has the state', params.get('state'), 'state-1'],
    ['RFC 6749, 4.1.2', 'a response has nothing else', [...params.keys()].toSorted(), ['code', 'iss', 'state']],
    ['RFC 9207, 2', 'a response names the issuer', params.get('iss'), as.issuer],
    ['RFC 9207, 2.4', 'oauth4webapi accepts the response', await validate({}), null],
    ['RFC 9207, 2.4', 'it refuses another issuer', await validate({ iss: 'https://evil.example.com' }), /iss/],
    ['RFC 9207, 2.4', 'it refuses a missing issuer', await validate({ iss: '' }), /iss/],
    ['RFC 6749, 10.12', 'it refuses another state', await validate({}, 'state-2'), /state/],
    ['RFC 6749, 4.1.2.1', 'the user can refuse', back.searchParams.get('error'), 'access_denied'],
    ['RFC 6749, 4.1.2.1', 'an error has the state', back.searchParams.get('state'), 'state-1'],
    ['RFC 9207, 2', 'an error names the issuer', back.searchParams.get('iss'), as.issuer],
    ['RFC 6749, 4.1.2.1', 'an error has no code', back.searchParams.get('code'), null],
  ]
}

async function readPages({ api, browser, web, other }: OauthScene): Promise<Case[]> {
  const path = authorizationPath(web)
  const headers = { cookie: browser.cookieHeader, origin: 'https://evil.example.com' }
  const direct = await ask(api, path, { key: null, headers })
  const consent = await browser.open(authorizationPath(other))
  const stranger = new PageBrowser(api)
  const signIn = await stranger.open(path)
  const forged = await browser.submit(consent.path, { answer: 'allow' }, { 'sec-fetch-site': 'cross-site' })
  const loopback = authorizationPath(web, { redirect_uri: 'http://127.0.0.1:4000/callback' })
  return [
    ['RFC 9700, 4.12', 'the redirect is 303, so that no form is sent again', direct.status, 303],
    [
      'RFC 9700, 2.1',
      'scripts of other sites cannot read it',
      direct.headers['access-control-allow-origin'],
      undefined,
    ],
    [
      'RFC 9700, 4.2.4',
      'the code does not leak by Referer',
      consent.answer.headers['referrer-policy'],
      /^(no-referrer|same-origin)$/,
    ],
    [
      'RFC 9700, 4.16',
      'the consent page cannot be framed',
      consent.answer.headers['content-security-policy'],
      /frame-ancestors 'none'/,
    ],
    ['RFC 6749, 10.12', 'consent from another site is refused', forged.answer.status, 400],
    ['RFC 6749, 3.1', 'a visitor signs in first', signIn.path, /^.*\/sign-in\?return_to=/],
    ['RFC 8252, 7.3', 'a loopback URI must be registered', (await browser.open(loopback)).answer.status, 400],
    [
      'RFC 6749, 3.1',
      'repeated parameters are refused',
      (await browser.open(`${path}&scope=documents:read`)).path,
      /error=invalid_request/,
    ],
    [
      'RFC 6749, 3.1.2.3',
      'the only registered redirect URI can be omitted',
      (await browser.open(authorizationPath(web, { redirect_uri: '' }))).path,
      /^https:\/\/app\.example\.com\/callback\?code=/,
    ],
  ]
}
