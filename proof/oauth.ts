// The authorization server keeps to the RFCs, as strict clients and tables of requests see it.

import { change } from './lib/change.ts'
import { type Part, type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'
import { tryAuthorization } from './oauth/authorization.ts'
import { type Case, judgeCases } from './oauth/cases.ts'
import { tryDevices } from './oauth/devices.ts'
import { discover } from './oauth/discovery.ts'
import { tryEndings } from './oauth/endings.ts'
import { tryRefusals } from './oauth/refusals.ts'
import { type OauthScene, openScene } from './oauth/scene.ts'
import { tryTokens } from './oauth/tokens.ts'

const GOAL = 120

const parts: Record<string, (scene: OauthScene) => Promise<Case[]>> = {
  discovery: discover,
  authorization: tryAuthorization,
  refusals: tryRefusals,
  tokens: tryTokens,
  endings: tryEndings,
  devices: tryDevices,
}

export const proof: Proof = {
  promise: 'Standard OAuth 2.0 clients work with the authorization server, and it refuses what the RFCs forbid.',
  goal: `at least ${GOAL} assertions over RFC 6749, 6750, 7009, 7636, 7662, 8414, 8628, 8707, 9068, 9207, 9700 and 9728, with oauth4webapi and openid-client: 0 fail`,
  faults: {
    no_pkce: {
      what: 'PKCE is optional',
      plants: [change('configure', 'pkce: { required: () => true }', 'pkce: { required: () => false }')],
    },
    surviving_grant: {
      what: 'a replayed code or refresh token ends nothing',
      plants: [
        change('revokeByGrantId', 'await removeGrant(this.app, grant_id)', 'void grant_id'),
        change('openAdapter', 'destroy: (id) => removeGrant(app, id)', 'destroy: none'),
      ],
    },
    constant_refresh_token: {
      what: 'a refresh token is not replaced',
      plants: [change('configure', 'rotateRefreshToken: true', 'rotateRefreshToken: false')],
    },
    one_audience: {
      what: 'every token is for the API',
      plants: [change('configure', 'audience: resource', "audience: resourceUrl(base_url, 'api')")],
    },
    talkative_introspection: {
      what: 'a client can look at the tokens of others',
      plants: [
        change(
          'configure',
          "client.clientAuthMethod !== 'none' && token.clientId === client.clientId",
          'client !== token',
        ),
      ],
    },
    wrong_issuer: {
      what: 'the metadata name another token endpoint',
      plants: [change('authorizationServerMetadata', 'url(oauthPaths.token)', "url('/token')")],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off' })
  const scene = await openScene(world)
  let count = 0
  const measured = Object.entries(parts)
    .filter(([name]) => run.only === null || run.only === name)
    .map(([name, work]) => async (): Promise<Part> => {
      const part = judgeCases(name, await work(scene))
      count += part.count
      return part
    })
  const { figure, is_met } = await proveParts(run, measured)
  const isEnough = run.only !== null || count >= GOAL
  return { figure: run.fault === null ? `${count} assertions (${figure})` : figure, is_met: is_met && isEnough }
}
