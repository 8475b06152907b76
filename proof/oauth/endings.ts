// Refresh, revocation and introspection: RFC 6749 section 6, RFC 9700, RFC 7009, RFC 7662.

import * as oauth from 'oauth4webapi'
import { ask } from '../../server/src/testing/ask.ts'
import { getTokens, registerWebApp, type TestClient, tokensOf } from '../../server/src/testing/oauth.ts'
import { type Case, refusalOf } from './cases.ts'
import { basic, bodyOf, INSECURE, type OauthScene, refusal, secretOf, sendForm, TOKEN } from './scene.ts'

export async function tryEndings(scene: OauthScene): Promise<Case[]> {
  return [...(await tryRefresh(scene)), ...(await tryRevocation(scene)), ...(await tryIntrospection(scene))]
}

const refreshWith = (scene: OauthScene, client: TestClient, refresh_token: string, more: Record<string, string> = {}) =>
  sendForm(scene, TOKEN, { ...secretOf(client), grant_type: 'refresh_token', refresh_token, ...more })
const statusOf = async ({ api }: OauthScene, token: string): Promise<number> =>
  (await ask(api, '/api/v1/projects', { key: token })).status

async function tryRefresh(scene: OauthScene): Promise<Case[]> {
  const { api, browser, owner, other } = scene
  const client = await registerWebApp(owner)
  const first = await getTokens(api, browser, client)
  const refused: Case[] = [
    [
      'RFC 6749, 6',
      'the refresh token of another client',
      refusal(await refreshWith(scene, other, first.refresh_token)),
      '400 invalid_grant',
    ],
    [
      'RFC 6749, 6',
      'more scopes than the user gave',
      refusal(await refreshWith(scene, client, first.refresh_token, { scope: 'projects:read documents:read' })),
      '400 invalid_scope',
    ],
    [
      'RFC 6749, 6',
      'a wrong secret',
      refusal(await refreshWith(scene, { ...client, secret: 'x' }, first.refresh_token)),
      '401 invalid_client',
    ],
    [
      'RFC 6749, 6',
      'no secret',
      refusal(await refreshWith(scene, { ...client, secret: null }, first.refresh_token)),
      '401 invalid_client',
    ],
    ['RFC 6749, 6', 'an unknown refresh token', refusal(await refreshWith(scene, client, 'x')), '400 invalid_grant'],
    [
      'RFC 8707, 2.2',
      'a resource that the user did not give',
      refusal(await refreshWith(scene, client, first.refresh_token, { resource: 'https://evil.example.com' })),
      '400 invalid_target',
    ],
    ['RFC 9068, 4', 'a refresh token is no access token', await statusOf(scene, first.refresh_token), 401],
  ]
  const second = tokensOf(await refreshWith(scene, client, first.refresh_token))
  const repeated = tokensOf(await refreshWith(scene, client, first.refresh_token))
  const third = tokensOf(await refreshWith(scene, client, second.refresh_token))
  const works = await statusOf(scene, third.access_token)
  const replay = refusal(await refreshWith(scene, client, first.refresh_token))
  return [
    ...refused,
    ['RFC 9700, 4.14.2', 'a refresh token is replaced', second.refresh_token === first.refresh_token, false],
    ['RFC 9700, 4.14.2', 'a repeated request gets the same successor', repeated.refresh_token, second.refresh_token],
    ['RFC 6749, 6', 'the scope stays', third.scope, 'projects:read'],
    ['RFC 6749, 6', 'the new access token works', works, 200],
    ['RFC 9700, 4.14.2', 'a replay is refused', replay, '400 invalid_grant'],
    [
      'RFC 9700, 4.14.2',
      'a replay ends the newest refresh token',
      refusal(await refreshWith(scene, client, third.refresh_token)),
      '400 invalid_grant',
    ],
    ['RFC 9700, 4.14.2', 'a replay ends the newest access token', await statusOf(scene, third.access_token), 401],
  ]
}

async function tryRevocation(scene: OauthScene): Promise<Case[]> {
  const { api, as, browser, owner, other } = scene
  const client = await registerWebApp(owner)
  const tokens = await getTokens(api, browser, client)
  const send = (params: Record<string, string>, headers?: Record<string, string>) =>
    sendForm(scene, '/oauth/revocation', params, headers)
  const token = tokens.refresh_token
  const unknown = await send({ ...secretOf(client), token: 'unknown' })
  const hint = await send({ ...secretOf(client), token: 'unknown', token_type_hint: 'unknown' })
  const missing = refusal(await send(secretOf(client)))
  const anonymous = refusal(await send({ token }))
  const wrong = refusal(await send({ token }, basic(client.id, 'x')))
  const foreign = await send({ ...secretOf(other), token })
  const before = await statusOf(scene, tokens.access_token)
  const revoke = async () => {
    const auth = oauth.ClientSecretPost(client.secret ?? '')
    const additionalParameters = { token_type_hint: 'access_token' }
    const answer = await oauth.revocationRequest(as, { client_id: client.id }, auth, token, {
      additionalParameters,
      ...INSECURE,
    })
    await oauth.processRevocationResponse(answer)
  }
  return [
    ['RFC 7009, 2.2', 'an unknown token', [unknown.status, unknown.text], [200, '']],
    ['RFC 7009, 2.2', 'an unknown hint', hint.status, 200],
    ['RFC 7009, 2.1', 'no token', missing, '400 invalid_request'],
    ['RFC 7009, 2.1', 'no client', anonymous, '400 invalid_request'],
    ['RFC 7009, 2.1', 'a wrong secret', wrong, '401 invalid_client'],
    [
      'RFC 7009, 2.1',
      'another client ends nothing',
      [foreign.status === 200 || foreign.status === 400, before],
      [true, 200],
    ],
    ['RFC 7009, 2.2', 'oauth4webapi revokes, with a wrong hint', await refusalOf(revoke), null],
    ['RFC 7009, 2.1', 'the refresh token ends', refusal(await refreshWith(scene, client, token)), '400 invalid_grant'],
    ['RFC 7009, 2.1', 'its access tokens end', await statusOf(scene, tokens.access_token), 401],
    ['RFC 7009, 2.2', 'a second revocation', (await send({ ...secretOf(client), token })).status, 200],
  ]
}

async function tryIntrospection(scene: OauthScene): Promise<Case[]> {
  const { api, as, browser, owner, other, app } = scene
  const client = await registerWebApp(owner)
  const { refresh_token: token } = await getTokens(api, browser, client)
  const send = (params: Record<string, string>, headers?: Record<string, string>) =>
    sendForm(scene, '/oauth/introspection', params, headers)
  const introspect = async () => {
    const auth = oauth.ClientSecretBasic(client.secret ?? '')
    const metadata = { client_id: client.id }
    const answer = await oauth.introspectionRequest(as, metadata, auth, token, INSECURE)
    return oauth.processIntrospectionResponse(as, metadata, answer)
  }
  const own = await introspect()
  const answer = await send({ ...secretOf(client), token })
  const foreign = await send({ ...secretOf(other), token })
  const unknown = await send({ ...secretOf(client), token: 'unknown' })
  const publicly = await send({ client_id: app.id, token })
  await sendForm(scene, '/oauth/revocation', { ...secretOf(client), token })
  return [
    ['RFC 7662, 2.2', 'oauth4webapi reads an active token', own.active, true],
    ['RFC 7662, 2.2', 'the client', own.client_id, client.id],
    ['RFC 7662, 2.2', 'the scope', own.scope, 'projects:read'],
    ['RFC 7662, 2.2', 'the expiry', Number(own.exp) > Date.now() / 1000, true],
    ['RFC 7662, 2.2', 'the response is JSON', answer.headers['content-type'], /^application\/json/],
    ['RFC 7662, 2.2', 'the response is not cached', answer.headers['cache-control'], 'no-store'],
    ['RFC 7662, 2.2', 'another client learns nothing', bodyOf(foreign), { active: false }],
    ['RFC 7662, 2.2', 'an unknown token', bodyOf(unknown), { active: false }],
    [
      'RFC 7662, 2.1',
      'a public client learns nothing',
      publicly.status === 200 ? bodyOf(publicly) : { active: false },
      { active: false },
    ],
    ['RFC 7662, 2.1', 'no client', refusal(await send({ token })), '400 invalid_request'],
    ['RFC 7662, 2.3', 'a wrong secret', refusal(await send({ token }, basic(client.id, 'x'))), '401 invalid_client'],
    ['RFC 7662, 2.1', 'no token', refusal(await send(secretOf(client))), '400 invalid_request'],
    ['RFC 7662, 2.2', 'a revoked token', bodyOf(await send({ ...secretOf(client), token })), { active: false }],
  ]
}
