// Requests that the token endpoint refuses, by client and by code.

import { ask } from '../../server/src/testing/ask.ts'
import { authorize, REDIRECT_URI, redeem, tokensOf } from '../../server/src/testing/oauth.ts'
import type { Case } from './cases.ts'
import { basic, type OauthScene, PROGRAM, refusal, secretOf, sendForm, TOKEN } from './scene.ts'

const OTHER_CLIENT = 'cli_01h455vb4pex5vsknk084sn02q'

export async function tryRefusals(scene: OauthScene): Promise<Case[]> {
  return [...(await refuseClients(scene)), ...(await refuseCodes(scene))]
}

type Refusal = [
  rule: string,
  sentence: string,
  expected: string,
  params: Parameters<typeof sendForm>[2],
  headers?: Record<string, string>,
]

async function refuse(scene: OauthScene, table: readonly Refusal[]): Promise<Case[]> {
  const cases: Case[] = []
  for (const [rule, sentence, expected, params, headers] of table)
    cases.push([rule, sentence, refusal(await sendForm(scene, TOKEN, params, headers)), expected])
  return cases
}

function refuseClients(scene: OauthScene): Promise<Case[]> {
  const { program, web, app } = scene
  const secret = program.secret ?? ''
  return refuse(scene, [
    ['RFC 6749, 5.2', 'no client', '400 invalid_request', PROGRAM],
    [
      'RFC 6749, 5.2',
      'an unknown client',
      '401 invalid_client',
      { ...PROGRAM, client_id: OTHER_CLIENT, client_secret: secret },
    ],
    ['RFC 6749, 5.2', 'no secret', '401 invalid_client', { ...PROGRAM, client_id: program.id }],
    [
      'RFC 6749, 5.2',
      'a wrong secret',
      '401 invalid_client',
      { ...PROGRAM, ...secretOf(program), client_secret: `${secret}x` },
    ],
    [
      'RFC 6749, 5.2',
      'an empty secret',
      '401 invalid_client',
      { ...PROGRAM, client_id: program.id, client_secret: '' },
    ],
    [
      'RFC 6749, 5.2',
      'the secret of another client',
      '401 invalid_client',
      { ...PROGRAM, client_id: program.id, client_secret: web.secret ?? '' },
    ],
    [
      'RFC 6749, 2.3',
      'two ways to authenticate',
      '400 invalid_request',
      { ...PROGRAM, ...secretOf(program) },
      basic(program.id, secret),
    ],
    ['RFC 6749, 2.3.1', 'a wrong secret in the header', '401 invalid_client', PROGRAM, basic(program.id, `${secret}x`)],
    ['RFC 6749, 2.3.1', 'a header that is not base64', '400 invalid_request', PROGRAM, { authorization: 'Basic !' }],
    ['RFC 6749, 4.4', 'a public client by itself', '400 unauthorized_client', { ...PROGRAM, client_id: app.id }],
    [
      'RFC 6749, 5.2',
      'a grant that the client did not register',
      '400 unauthorized_client',
      { ...PROGRAM, ...secretOf(web) },
    ],
    [
      'RFC 9700, 2.4',
      'the password grant',
      '400 unsupported_grant_type',
      { ...secretOf(web), grant_type: 'password', username: 'ada', password: 'x' },
    ],
    [
      'RFC 7523, 2.1',
      'the JWT grant',
      '400 unsupported_grant_type',
      { ...secretOf(web), grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' },
    ],
    [
      'RFC 8693, 2.1',
      'token exchange',
      '400 unsupported_grant_type',
      { ...secretOf(web), grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
    ],
    ['RFC 6749, 5.2', 'no grant type', '400 invalid_request', secretOf(program)],
    [
      'RFC 6749, 5.2',
      'a repeated parameter',
      '400 invalid_request',
      [
        ...Object.entries({ ...PROGRAM, ...secretOf(program) }),
        ['scope', 'projects:read'],
        ['scope', 'documents:read'],
      ],
    ],
    [
      'RFC 6749, 3.3',
      'a scope that is not registered',
      '400 invalid_scope',
      { ...PROGRAM, ...secretOf(program), scope: 'documents:write' },
    ],
    [
      'RFC 6749, 3.3',
      'a management scope',
      '400 invalid_scope',
      { ...PROGRAM, ...secretOf(program), scope: 'members:manage' },
    ],
    [
      'RFC 8707, 2',
      'an unknown resource',
      '400 invalid_target',
      { ...PROGRAM, ...secretOf(program), resource: 'https://evil.example.com' },
    ],
    [
      'RFC 8707, 2',
      'a resource with a fragment',
      '400 invalid_target',
      { ...PROGRAM, ...secretOf(program), resource: `${scene.api.url}/api#x` },
    ],
    [
      'RFC 6749, 3.2',
      'a body that is no form',
      '400 invalid_request',
      { ...PROGRAM, ...secretOf(program) },
      { 'content-type': 'application/json' },
    ],
  ])
}

/** Each request fails and leaves the code usable, except for the last one, which is the second use. */
async function refuseCodes(scene: OauthScene): Promise<Case[]> {
  const { api, browser, web, other } = scene
  const code = (await authorize(browser, web)).get('code') ?? ''
  const found = async (client: typeof web, changes: Record<string, string>) =>
    refusal(await redeem(api, client, code, changes))
  const without = { ...secretOf(web), grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }
  const refused: Case[] = [
    ['RFC 6749, 4.1.3', 'the code of another client', await found(other, {}), '400 invalid_grant'],
    [
      'RFC 6749, 4.1.3',
      'another redirect URI',
      await found(web, { redirect_uri: 'https://app.example.com/' }),
      '400 invalid_grant',
    ],
    ['RFC 7636, 4.6', 'another verifier', await found(web, { code_verifier: 'x'.repeat(43) }), '400 invalid_grant'],
    ['RFC 7636, 4.1', 'a verifier that is too short', await found(web, { code_verifier: 'x' }), '400 invalid_request'],
    ['RFC 9700, 2.1.1', 'no verifier', refusal(await sendForm(scene, TOKEN, without)), '400 invalid_grant'],
    ['RFC 6749, 5.2', 'an unknown code', await found(web, { code: `${code}x` }), '400 invalid_grant'],
    [
      'RFC 6749, 5.2',
      'no code',
      refusal(await sendForm(scene, TOKEN, { ...secretOf(web), grant_type: 'authorization_code' })),
      '400 invalid_request',
    ],
  ]
  const tokens = tokensOf(await redeem(api, web, code))
  const before = await ask(api, '/api/v1/projects', { key: tokens.access_token })
  const second = refusal(await redeem(api, web, code))
  const after = await ask(api, '/api/v1/projects', { key: tokens.access_token })
  const refreshed = await sendForm(scene, TOKEN, {
    ...secretOf(web),
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  })
  const last = (await authorize(browser, web)).get('code') ?? ''
  return [
    ...refused,
    ['RFC 6749, 4.1.3', 'failed requests leave the code usable', before.status, 200],
    ['RFC 6749, 4.1.2', 'a code works once', second, '400 invalid_grant'],
    ['RFC 9700, 4.5', 'a second use ends the access token', after.status, 401],
    [
      'RFC 8707, 2.2',
      'a resource that was not asked for',
      refusal(await redeem(api, web, last, { resource: 'https://evil.example.com' })),
      '400 invalid_target',
    ],
    ['RFC 9700, 4.5', 'a second use ends the refresh token', refusal(refreshed), '400 invalid_grant'],
  ]
}
