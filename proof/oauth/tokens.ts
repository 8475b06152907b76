// The token endpoint: its responses, and tokens that strict clients accept.

import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { recordOf } from '../../base/src/unknown.ts'
import { ask } from '../../server/src/testing/ask.ts'
import { authorize, REDIRECT_URI, redeem, tokensOf } from '../../server/src/testing/oauth.ts'
import { type Case, refusalOf } from './cases.ts'
import { basic, bodyOf, INSECURE, type OauthScene, PROGRAM, secretOf, sendForm, TOKEN } from './scene.ts'

export async function tryTokens(scene: OauthScene): Promise<Case[]> {
  return [...(await readAnswer(scene)), ...(await readTokens(scene)), ...(await useLibraries(scene))]
}

async function readAnswer(scene: OauthScene): Promise<Case[]> {
  const { program, api } = scene
  const secret = program.secret ?? ''
  const good = await sendForm(scene, TOKEN, PROGRAM, basic(program.id, secret))
  const bad = await sendForm(scene, TOKEN, PROGRAM, basic(program.id, `${secret}x`))
  const fewer = bodyOf(await sendForm(scene, TOKEN, { ...PROGRAM, ...secretOf(program), scope: 'projects:read' }))
  const extra = await sendForm(scene, TOKEN, { ...PROGRAM, ...secretOf(program), unknown: 'x' })
  const get = await ask(api, `${TOKEN}?grant_type=client_credentials&client_id=${program.id}&client_secret=${secret}`, {
    key: null,
  })
  const inQuery = await ask(api, `/api/v1/projects?access_token=${String(bodyOf(good).access_token)}`, { key: null })
  const lower = await ask(api, '/api/v1/projects', {
    key: null,
    headers: { authorization: `bearer ${String(bodyOf(good).access_token)}` },
  })
  return [
    ['RFC 6749, 5.1', 'the response is JSON', good.headers['content-type'], /^application\/json/],
    ['RFC 6749, 5.1', 'the response is not cached', good.headers['cache-control'], 'no-store'],
    ['RFC 6749, 5.1', 'the token type', bodyOf(good).token_type, 'Bearer'],
    ['RFC 6749, 5.1', 'the lifetime', bodyOf(good).expires_in, 900],
    ['RFC 6749, 3.3', 'the scope', bodyOf(good).scope, 'documents:read projects:read'],
    ['RFC 6749, 3.3', 'a narrower scope', fewer.scope, 'projects:read'],
    ['RFC 6749, 4.4.3', 'a program gets no refresh token', bodyOf(good).refresh_token, undefined],
    ['RFC 6749, 5.2', 'a refused header is answered with a challenge', bad.headers['www-authenticate'], /^Basic /],
    ['RFC 6749, 5.2', 'an error is not cached', bad.headers['cache-control'], 'no-store'],
    ['RFC 6749, 5.2', 'an error has a description', typeof bodyOf(bad).error_description, 'string'],
    ['RFC 6749, 3.2', 'unknown parameters are ignored', extra.status, 200],
    ['RFC 6749, 3.2', 'GET is refused', [404, 405].includes(get.status), true],
    ['RFC 9700, 4.3.2', 'a token in the query is refused', inQuery.status, 401],
    ['RFC 7235, 2.1', 'the scheme has no case', lower.status, 200],
  ]
}

/** RFC 9068, checked by the validator of oauth4webapi against the published keys. */
async function readTokens(scene: OauthScene): Promise<Case[]> {
  const { api, as, browser, web, program, tenant } = scene
  const code = (await authorize(browser, web)).get('code') ?? ''
  const user = tokensOf(await redeem(api, web, code)).access_token
  const mcp = String(
    bodyOf(await sendForm(scene, TOKEN, { ...PROGRAM, ...secretOf(program), resource: `${api.url}/mcp` })).access_token,
  )
  const validate = (token: string, audience: string) => {
    const request = new Request(`${api.url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } })
    return oauth.validateJwtAccessToken(as, request, audience, INSECURE)
  }
  // Without claims every case below fails.
  const claims = recordOf(await validate(user, `${api.url}/api`).catch(() => null))
  const other = recordOf(await validate(mcp, `${api.url}/mcp`).catch(() => null))
  const { kid, alg, typ } = recordOf(JSON.parse(Buffer.from(user.split('.', 1)[0] ?? '', 'base64url').toString()))
  return [
    ['RFC 9068, 2.1', 'the header', [alg, typ, typeof kid], ['RS256', 'at+jwt', 'string']],
    ['RFC 9068, 2.2', 'the issuer', claims.iss, api.url],
    ['RFC 9068, 2.2', 'the audience', claims.aud, `${api.url}/api`],
    ['RFC 9068, 2.2', 'the subject of a user', claims.sub, /^usr_/],
    ['RFC 9068, 2.2', 'the client', claims.client_id, web.id],
    ['RFC 9068, 2.2', 'the lifetime', Number(claims.exp) - Number(claims.iat), 900],
    ['RFC 9068, 2.2', 'an id of the token', typeof claims.jti, 'string'],
    ['RFC 9068, 2.2.3', 'the scope', claims.scope, 'projects:read'],
    ['RFC 9068, 2.2.1', 'the time of the sign-in', typeof claims.auth_time, 'number'],
    ['RFC 9068, 2.2.3.1', 'the tenant', claims.tenant, tenant],
    ['RFC 9068, 2.2', 'the subject of a program is the client', other.sub, program.id],
    ['RFC 8707, 2.2', 'the audience is the resource', other.aud, `${api.url}/mcp`],
    [
      'RFC 9068, 4',
      'a strict resource refuses another audience',
      await refusalOf(() => validate(mcp, `${api.url}/api`)),
      /aud/,
    ],
    [
      'RFC 9700, 2.3',
      'the API refuses the token of /mcp',
      (await ask(api, '/api/v1/projects', { key: mcp })).status,
      401,
    ],
    [
      'RFC 6750, 3.1',
      'a missing scope',
      (await ask(api, '/api/v1/documents', { key: user })).headers['www-authenticate'],
      /error="insufficient_scope"/,
    ],
  ]
}

async function useLibraries({ as, browser, web, app }: OauthScene): Promise<Case[]> {
  const verifier = oauth.generateRandomCodeVerifier()
  const challenge = { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
  const params = await authorize(browser, app, challenge)
  const publicClient = { client_id: app.id }
  const exchange = async () => {
    const checked = oauth.validateAuthResponse(as, publicClient, params, 'state-1')
    const none = oauth.None()
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      publicClient,
      none,
      checked,
      REDIRECT_URI,
      verifier,
      INSECURE,
    )
    await oauth.processAuthorizationCodeResponse(as, publicClient, answer)
  }
  const config = new openid.Configuration(as, web.id, undefined, openid.ClientSecretPost(web.secret ?? ''))
  // oxlint-disable-next-line typescript/no-deprecated -- the server of the proof speaks plain HTTP
  openid.allowInsecureRequests(config)
  const again = await authorize(browser, web, challenge)
  const location = new URL(`${REDIRECT_URI}?${again}`)
  const checks = { expectedState: 'state-1', pkceCodeVerifier: verifier }
  let refresh_token = ''
  const withOpenid = async () => {
    const tokens = await openid.authorizationCodeGrant(config, location, checks)
    refresh_token = tokens.refresh_token ?? ''
  }
  return [
    ['RFC 6749, 4.1', 'oauth4webapi exchanges a code of a public client', await refusalOf(exchange), null],
    ['RFC 6749, 4.1', 'openid-client exchanges a code', await refusalOf(withOpenid), null],
    [
      'RFC 6749, 6',
      'openid-client refreshes',
      await refusalOf(() => openid.refreshTokenGrant(config, refresh_token)),
      null,
    ],
    ['RFC 9700, 2.1.1', 'openid-client finds PKCE in the metadata', config.serverMetadata().supportsPKCE(), true],
  ]
}
