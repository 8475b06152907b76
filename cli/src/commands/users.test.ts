import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InvitationWithLink } from '@octavo/sdk'
import { startApi } from '../../../server/src/testing/api.ts'
import { Person, tableRows } from '../testing/run.ts'

const api = await startApi({ after }, {}, undefined, false)
const person = new Person({ OCTAVO_URL: api.url, OCTAVO_API_KEY: api.owner_key })
after(() => person.leave())

test('users invite prints only the link to stdout', async () => {
  const project = await api.owner.projects.create({ name: 'Leases' })
  const plain = await person.run(['users', 'invite', 'ada@example.com', '--role', 'editor', '--project', project.id])
  const json = await person.run(['users', 'invite', 'bo@example.com', '--role', 'viewer', '--expires', '2d', '--json'])
  const wrong = await person.run(['users', 'invite', 'cy@example.com', '--role', 'boss'])
  const none = await person.run(['users', 'invite', 'cy@example.com'])

  assert.match(plain.out, /^http\S+\/sign-in\/invitations\/oct_inv_\w{46}\n$/)
  assert.match(plain.err, /only to ada@example\.com/)
  assert.equal((JSON.parse(json.out) as InvitationWithLink).role, 'viewer')
  assert.deepEqual([plain.exit, json.exit, wrong.exit, none.exit], [0, 0, 2, 2])
})

test('users list and users remove work', async () => {
  const user = await api.owner.users.create({ email: 'dee@example.com', name: 'Dee', role: 'viewer' })

  const listed = await person.run(['users', 'list'])
  const removed = await person.run(['users', 'remove', user.id])

  assert.deepEqual(
    tableRows(listed.out).map((row) => row.slice(0, 4)),
    [[user.id, 'dee@example.com', 'viewer', 'active']],
  )
  assert.equal(removed.exit, 0)
  await assert.rejects(api.owner.users.get(user.id), { code: 'not_found' })
})
