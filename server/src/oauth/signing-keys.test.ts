// docs/operations.md (server secrets) and docs/backup.md (lost secrets) describe these steps.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Keyring, parseKeyring } from '../lib/keyring.ts'
import { startApi } from '../testing/api.ts'
import { openSigningKeys, rotateSigningKeys } from './signing-keys.ts'

const api = await startApi({ after }, {}, undefined, false)
const { system, config } = api.app

const replacement = parseKeyring(`77:${'7'.repeat(64)}`)
const both: Keyring = {
  current: replacement.current,
  keyOf: (kid, purpose) => replacement.keyOf(kid, purpose) ?? config.keyring.keyOf(kid, purpose),
}
const withKeyring = (keyring: Keyring) => ({ system, config: { ...config, keyring } })

test('after two rotations and an hour, signing keys no longer need the old secret', async () => {
  await openSigningKeys(withKeyring(config.keyring))

  await rotateSigningKeys(withKeyring(both))
  await assert.rejects(openSigningKeys(withKeyring(replacement)), /cannot be decrypted/)
  await rotateSigningKeys(withKeyring(both))
  await system.query("update oauth_signing_keys set starts_at = starts_at - interval '2 hours'")
  await openSigningKeys(withKeyring(both))

  assert.equal((await openSigningKeys(withKeyring(replacement))).length, 2)
})

test('if the secret is lost, new signing keys are created once the old ones are deleted', async () => {
  const other = withKeyring(parseKeyring(`78:${'8'.repeat(64)}`))
  await openSigningKeys(withKeyring(both))

  await assert.rejects(openSigningKeys(other), /cannot be decrypted/)
  await system.query('delete from oauth_signing_keys')

  assert.equal((await openSigningKeys(other)).length, 2)
})
