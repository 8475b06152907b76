// The device flow: RFC 8628.

import * as oauth from 'oauth4webapi'
import { ask } from '../../server/src/testing/ask.ts'
import { answerConsent, CLI, enterDeviceCode, redeemDeviceCode, xsrfIn } from '../../server/src/testing/oauth.ts'
import { PageBrowser } from '../../server/src/testing/page-browser.ts'
import type { Case } from './cases.ts'
import { INSECURE, type OauthScene, refusal, secretOf, sendForm, TOKEN } from './scene.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const PATH = '/oauth/device-authorization'

export async function tryDevices(scene: OauthScene): Promise<Case[]> {
  const { api, as, browser, web } = scene
  const client = { client_id: CLI.id }
  const begin = async () => {
    const answer = await oauth.deviceAuthorizationRequest(
      as,
      client,
      oauth.None(),
      { scope: 'projects:read' },
      INSECURE,
    )
    return oauth.processDeviceAuthorizationResponse(as, client, answer)
  }
  const begun = await begin()
  const pending = refusal(await redeemDeviceCode(api, begun.device_code))
  const another = refusal(
    await sendForm(scene, TOKEN, { ...secretOf(web), grant_type: GRANT, device_code: begun.device_code }),
  )
  const visitor = await new PageBrowser(api).open('/oauth/device')
  const input = await browser.open('/oauth/device')
  const wrong = await browser.submit('/oauth/device', { xsrf: xsrfIn(input), user_code: 'BCDF-GHJK' })
  const unforged = await browser.submit('/oauth/device', { xsrf: 'x', user_code: begun.user_code })
  const lower = begun.user_code.toLowerCase().replace('-', ' ')
  const consent = await enterDeviceCode(browser, lower)
  const connected = await answerConsent(browser, consent, 'allow')
  const answer = await oauth.deviceCodeGrantRequest(as, client, oauth.None(), begun.device_code, INSECURE)
  const tokens = await oauth.processDeviceCodeResponse(as, client, answer)
  const works = await ask(api, '/api/v1/projects', { key: tokens.access_token })
  const refused = await begin()
  await answerConsent(browser, await enterDeviceCode(browser, refused.user_code), 'deny')
  return [
    ['RFC 8628, 3.2', 'oauth4webapi accepts the codes', begun.device_code.length > 20, true],
    ['RFC 8628, 3.2', 'the address for the user', begun.verification_uri, `${api.url}/oauth/device`],
    [
      'RFC 8628, 3.2',
      'the address with the code',
      begun.verification_uri_complete,
      `${api.url}/oauth/device?user_code=${begun.user_code}`,
    ],
    ['RFC 8628, 3.2', 'the lifetime', begun.expires_in, 600],
    [
      'RFC 8628, 6.1',
      'the code has no vowels and no digits',
      begun.user_code,
      /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/,
    ],
    ['RFC 8628, 3.5', 'the device waits', pending, '400 authorization_pending'],
    ['RFC 8628, 3.4', 'a client without this grant', another, '400 unauthorized_client'],
    [
      'RFC 8628, 3.1',
      'an unknown client',
      refusal(await sendForm(scene, PATH, { client_id: 'unknown' })),
      '401 invalid_client',
    ],
    [
      'RFC 8628, 3.1',
      'a client without this grant begins nothing',
      refusal(await sendForm(scene, PATH, secretOf(web))),
      '400 unauthorized_client',
    ],
    [
      'RFC 8628, 3.1',
      'an unknown scope',
      refusal(await sendForm(scene, PATH, { client_id: CLI.id, scope: 'unknown' })),
      '400 invalid_scope',
    ],
    ['RFC 8628, 3.3', 'the page is there for everyone', visitor.answer.status, 200],
    ['RFC 8628, 5.1', 'a wrong code', wrong.text, /wrong or has expired/],
    [
      'RFC 8628, 5.4',
      'a form of another site',
      unforged.answer.status >= 400 || /wrong|expired/.test(unforged.text),
      true,
    ],
    ['RFC 8628, 6.1', 'case and separators do not matter', consent.text, /Give Octavo command line access/],
    ['RFC 8628, 3.3', 'the user is told that it worked', connected.text, /connected/],
    ['RFC 8628, 3.5', 'the device gets tokens', [typeof tokens.refresh_token, works.status], ['string', 200]],
    [
      'RFC 8628, 3.5',
      'a code works once',
      refusal(await redeemDeviceCode(api, begun.device_code)),
      '400 invalid_grant',
    ],
    [
      'RFC 8628, 3.5',
      'the user can refuse',
      refusal(await redeemDeviceCode(api, refused.device_code)),
      '400 access_denied',
    ],
    ['RFC 8628, 3.5', 'an unknown device code', refusal(await redeemDeviceCode(api, 'unknown')), '400 invalid_grant'],
  ]
}
