import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InvitationWithLink } from '@octavo/sdk'
import { uuidOf } from '../../lib/ids.ts'
import { resume, suspend } from '../../tenants/tenants.suspend.ts'
import { startApi } from '../../testing/api.ts'
import { failed, summaryOf } from '../../testing/ask.ts'
import { change, until } from '../../testing/jobs.ts'
import { callerOf, newEmail, newUser, writeAs } from '../../testing/user-callers.ts'
import { findOpenInvitation, redeemInvitation } from './invitations.redeem.ts'
import { createInvitation } from './invitations.service.ts'

const api = await startApi({ after })
const { app, owner, owner_tenant, newTenant, newKey, otherTenant } = api

const secretOf = ({ url }: InvitationWithLink): string => url.slice(url.lastIndexOf('/') + 1)
const ada = { name: 'Ada', password_hash: null }
const unusable = { code: 'not_found', message: /used, has expired or is incomplete/ }

test('only the response to the creation contains the link', async () => {
  const invitation = await owner.invitations.create({ email: newEmail(), role: 'editor' })
  const { url, ...rest } = invitation

  assert.match(url, /\/sign-in\/invitations\/oct_inv_[0-9A-Za-z]{46}$/)
  assert.deepEqual(await owner.invitations.get(invitation.id), rest)
  assert.ok(!JSON.stringify((await owner.invitations.list()).data).includes('oct_inv_'))
  const days = (Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)) / 86_400_000
  assert.equal(Math.round(days), 7)
  await assert.rejects(otherTenant.invitations.get(invitation.id), { code: 'not_found' })
})

test('the bearer of the link becomes a user with the offered role and projects', async () => {
  const { tenant, client } = await newTenant()
  const [one, two] = [await client.projects.create({ name: 'One' }), await client.projects.create({ name: 'Two' })]
  const email = newEmail()
  const invitation = await client.invitations.create({ email, role: 'editor', project_ids: [one.id, two.id] })
  await client.projects.remove(two.id)

  assert.deepEqual(await findOpenInvitation(app, secretOf(invitation)), {
    email,
    role: 'editor',
    tenant_name: 'Test',
  })
  const user = await redeemInvitation(app, secretOf(invitation), ada)

  assert.deepEqual([user.email, user.name, user.role, user.project_access], [email, 'Ada', 'editor', 'assigned'])
  assert.deepEqual((await callerOf(api, tenant, user.id)).projects, [uuidOf('proj', one.id)])
  const accepted = await client.invitations.get(invitation.id)
  assert.equal(accepted.user_id, user.id)
  assert.notEqual(accepted.accepted_at, null)
  await until(async () => (await client.events.list({ type: 'invitation.accepted' })).data.length === 1)
  const [event] = (await client.events.list({ type: 'invitation.accepted' })).data
  assert.deepEqual(event?.actor, { type: 'user', id: user.id })
})

test('a link works once, also for many requests at once', async () => {
  const { client } = await newTenant()
  const secret = secretOf(await client.invitations.create({ email: newEmail(), role: 'viewer' }))

  const results = await Promise.allSettled(Array.from({ length: 8 }, () => redeemInvitation(app, secret, ada)))

  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await client.users.list()).data.length, 1)
  assert.equal(await findOpenInvitation(app, secret), null)
  await assert.rejects(redeemInvitation(app, secret, ada), unusable)
})

test('a link that is wrong, deleted, expired or of a suspended tenant does not work', async () => {
  const { tenant, client } = await newTenant()
  const create = () => client.invitations.create({ email: newEmail(), role: 'viewer' })
  const [deleted, expired, kept] = [await create(), await create(), await create()]
  await client.invitations.remove(deleted.id)
  await change(
    app,
    tenant,
    `with old as (delete from link_secrets where tenant_id = $1 and subject_id = $3 returning *)
    insert into link_secrets select hash, tenant_id, kind, subject_id, now() - interval '1 s' from old`,
    [uuidOf('inv', expired.id)],
  )

  for (const secret of ['', 'oct_inv_', secretOf(kept).slice(0, -1), secretOf(deleted), secretOf(expired)]) {
    assert.equal(await findOpenInvitation(app, secret), null)
    await assert.rejects(redeemInvitation(app, secret, ada), unusable)
  }
  await suspend(app, tenant)
  assert.equal(await findOpenInvitation(app, secretOf(kept)), null)
  await assert.rejects(redeemInvitation(app, secretOf(kept), ada), unusable)
  await resume(app, tenant)
  assert.equal((await redeemInvitation(app, secretOf(kept), ada)).role, 'viewer')
})

test('an address has at most one open invitation, and none if it belongs to a user', async () => {
  const email = newEmail()
  const first = await owner.invitations.create({ email, role: 'viewer' })

  const again = await failed(owner.invitations.create({ email: email.toUpperCase(), role: 'viewer' }))
  assert.deepEqual([summaryOf(again), again.details[0]?.id], [[409, 'email taken'], first.id])
  const user = await redeemInvitation(app, secretOf(first), ada)
  const late = await failed(owner.invitations.create({ email, role: 'viewer' }))
  assert.deepEqual([summaryOf(late), late.details[0]?.id], [[409, 'email taken'], user.id])
})

test('a failed redemption leaves the link usable', async () => {
  const email = newEmail()
  const invitation = await owner.invitations.create({ email, role: 'viewer' })
  const user = await owner.users.create({ email, name: 'First', role: 'viewer' })

  await assert.rejects(redeemInvitation(app, secretOf(invitation), ada), { code: 'conflict' })
  await owner.users.remove(user.id)

  assert.equal((await redeemInvitation(app, secretOf(invitation), ada)).email, email)
})

test('an open invitation can be changed and an accepted one cannot', async () => {
  const project = await owner.projects.create({ name: 'One' })
  const invitation = await owner.invitations.create({ email: newEmail(), role: 'viewer' })

  const changed = await owner.invitations.update(invitation.id, { role: 'editor', project_ids: [project.id] })
  const user = await redeemInvitation(app, secretOf(invitation), ada)

  assert.deepEqual([changed.role, changed.project_ids], ['editor', [project.id]])
  assert.deepEqual([user.role, user.project_access], ['editor', 'assigned'])
  await assert.rejects(owner.invitations.update(invitation.id, { role: 'viewer' }), { code: 'invalid_state' })
})

test('the end of a link lies in the next 30 days', async () => {
  const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
  const create = (expires_at: string) => owner.invitations.create({ email: newEmail(), role: 'viewer', expires_at })

  assert.deepEqual(summaryOf(await failed(create(at(-1)))), [422, 'expires_at too_small'])
  assert.deepEqual(summaryOf(await failed(create(at(31)))), [422, 'expires_at too_large'])
  const expires_at = at(2)
  assert.equal((await create(expires_at)).expires_at, expires_at)
})

test('a caller offers only roles and projects that it has itself', async () => {
  const { tenant, client } = await newTenant()
  const [one, two] = [await client.projects.create({ name: 'One' }), await client.projects.create({ name: 'Two' })]
  const admin = await newUser(client, 'admin')
  const { client: limited } = await newKey(tenant, { project_ids: [one.id] })
  const denied = { code: 'permission_denied', status: 403 }
  const invite = (role: 'owner' | 'editor', project_ids?: string[]) =>
    limited.invitations.create({ email: newEmail(), role, ...(project_ids && { project_ids }) })

  const asAdmin = (role: 'owner' | 'admin') =>
    writeAs(api, { tenant, user_id: admin.id }, (tx) => createInvitation(app, tx, { email: newEmail(), role }))
  const made = await asAdmin('admin')
  assert.equal(made.invited_by, admin.id)
  await assert.rejects(asAdmin('owner'), denied)

  await assert.rejects(invite('editor'), denied)
  assert.deepEqual(summaryOf(await failed(invite('editor', [two.id]))), [422, 'project_ids[0] reference_not_found'])
  assert.deepEqual(summaryOf(await failed(invite('owner', [one.id]))), [422, 'project_ids inconsistent'])
  const inside = await invite('editor', [one.id])
  assert.deepEqual(
    (await limited.invitations.list()).data.map(({ id }) => id),
    [inside.id],
  )
  await assert.rejects(limited.invitations.get(made.id), { code: 'not_found' })

  const hidden = limited.invitations.create({ email: admin.email, role: 'editor', project_ids: [one.id] })
  const { status, details } = await failed(hidden)
  assert.deepEqual([status, details[0]?.code, details[0]?.id], [409, 'taken', undefined])
})

test('the tenant of a link is found without knowing it', async () => {
  const { tenant, client } = await newTenant()
  const secret = secretOf(await client.invitations.create({ email: newEmail(), role: 'owner' }))

  const user = await redeemInvitation(app, secret, { name: 'Ada', password_hash: 'hash' })

  assert.notEqual(tenant, owner_tenant)
  assert.equal((await client.users.get(user.id)).role, 'owner')
  await assert.rejects(owner.users.get(user.id), { code: 'not_found' })
})
