// Credentials of every kind, each with the way to end it.

import { suspendTenant } from '../../server/src/tenants/tenants.service.ts'
import { registerWebApp } from '../../server/src/testing/oauth.ts'
import { newUser } from '../lib/people.ts'
import { giveToken } from '../lib/user-tokens.ts'
import type { RevocationScene } from './scene.ts'

export interface RevocableCredential {
  secret: string
  /** Through another process. Returns the secret that takes over, if there is one. */
  end: () => Promise<string | null>
}
export type NewCredential = (scene: RevocationScene) => Promise<RevocableCredential>

export const revokedKey: NewCredential = async ({ world, tenant, admin }) => {
  const key = await world.newKey(tenant)
  return { secret: key.secret, end: () => done(admin.apiKeys.remove(key.id)) }
}

export const rotatedKey: NewCredential = async ({ world, tenant, admin }) => {
  const key = await world.newKey(tenant)
  return { secret: key.secret, end: async () => (await admin.apiKeys.rotate(key.id, { overlap_seconds: 0 })).secret }
}

const suspendedUser: NewCredential = async (scene) => {
  const { id, secret } = await newUserToken(scene)
  return { secret, end: () => done(scene.admin.users.update(id, { status: 'suspended' })) }
}

const removedUser: NewCredential = async (scene) => {
  const { id, secret } = await newUserToken(scene)
  return { secret, end: () => done(scene.admin.users.remove(id)) }
}

const revokedGrant: NewCredential = async (scene) => {
  const { secret, grant_id } = await newUserToken(scene)
  return { secret, end: () => done(scene.admin.authorizations.remove(grant_id)) }
}

const removedClient: NewCredential = async (scene) => {
  const client = await registerWebApp(scene.admin)
  const { secret } = await newUserToken(scene, client.id)
  return { secret, end: () => done(scene.admin.oauthClients.remove(client.id)) }
}

/** A separate tenant, because the others must stay active. */
const suspendedTenant: NewCredential = async (scene) => {
  const { tenant, key } = await scene.world.newTenant()
  const { secret } = await newUserToken({ ...scene, tenant, admin: key.client() })
  return { secret, end: () => done(suspendTenant(scene.world.app.system, tenant, true)) }
}

/** The kinds of access tokens, by the change that ends them. */
export const tokenKinds: Readonly<Record<string, NewCredential>> = {
  'user suspended': suspendedUser,
  'user removed': removedUser,
  'authorization revoked': revokedGrant,
  'application removed': removedClient,
  'tenant suspended': suspendedTenant,
}

async function newUserToken({ world, tenant, admin, other }: RevocationScene, client_id: string | null = null) {
  const { id } = await newUser(admin, { role: 'viewer' })
  return { id, ...(await giveToken(world, other, { tenant_id: tenant, user_id: id, client_id })) }
}

async function done(work: Promise<unknown>): Promise<null> {
  await work
  return null
}
