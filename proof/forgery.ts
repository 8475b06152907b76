// No forged or misused access token gets in.

import { currentKey, openSigningKeys } from '../server/src/oauth/signing-keys.ts'
import { forgeTokens } from './forgery/tokens.ts'
import { call, parse } from './lib/call.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { openWorld, type World } from './lib/world.ts'

const REQUEST = { method: 'GET', path: '/api/v1/projects' }

export const proof: Proof = {
  promise: 'A forged, expired or misused access token gets 401.',
  goal: 'at least 60 bad tokens, all 401; the token that they were made from works before and after',
  faults: {
    no_signature_check: {
      what: 'the signature is not checked',
      plants: [change('isSignedBy', "verify('sha256', Buffer.from(signed), key, signature)", 'signature.length > 0')],
    },
    any_type: {
      what: 'the type of the token is not checked',
      plants: [change('parseAccessToken', '!/^(application\\/)?at\\+jwt$/i.test(typ)', 'false')],
    },
    any_audience: {
      what: 'the audience is not checked',
      plants: [
        change(
          'readValidity',
          'resourceNames.find((name) => audiences.includes(resourceUrl(base_url, name)))',
          "'api'",
        ),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants)
  const { url } = await world.startApi()
  const token = await requestToken(world, url)
  const keys = await openSigningKeys(world.app)
  const forged = forgeTokens({ token, private_key: currentKey(keys).private_key })
  const before = (await call({ url, secret: token }, REQUEST)).status
  const accepted: string[] = []
  for (const [name, secret] of forged) {
    const { status } = await call({ url, secret }, REQUEST)
    if (status !== 401) accepted.push(`${name}: ${status}`)
  }
  const after = (await call({ url, secret: token }, REQUEST)).status
  for (const line of accepted) run.say(`  ${line}`)
  return {
    figure: `${forged.length} bad tokens, ${accepted.length} not refused with 401; the valid one: ${before}, ${after}`,
    is_met: forged.length >= 60 && accepted.length === 0 && before === 200 && after === 200,
  }
}

async function requestToken(world: World, url: string): Promise<string> {
  const { key } = await world.newTenant()
  const { id, secret } = await key
    .client()
    .oauthClients.create({ name: 'Proof', grant_types: ['client_credentials'], scopes: ['projects:read'] })
  const answer = await call(
    { url, secret: null },
    {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret ?? '',
      }).toString(),
    },
  )
  return parse<{ access_token: string }>(answer).access_token
}
