import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKeyring, seal, unseal } from './keyring.ts'

const OLD = `1:${'ab'.repeat(32)}`
const NEW = `2:${'cd'.repeat(32)}`
const keyring = parseKeyring(OLD)

test('opens a sealed value', () => {
  const sealed = seal(keyring, 'cursor', 'position 7')

  assert.equal(unseal(keyring, 'cursor', sealed)?.toString(), 'position 7')
  assert.equal(unseal(keyring, 'cursor', seal(keyring, 'cursor', ''))?.toString(), '')
  assert.ok(!sealed.includes('position'))
})

test('detects a change of any byte', () => {
  const sealed = seal(keyring, 'cursor', 'position 7', 'context')

  for (let i = 0; i < sealed.length; i++) {
    for (const bit of [1, 0x80, 0xff]) {
      const changed = Buffer.from(sealed)
      changed[i]! ^= bit
      assert.equal(unseal(keyring, 'cursor', changed, 'context'), null, `a change of byte ${i} passed`)
    }
  }
})

test('does not open a truncated or extended value', () => {
  const sealed = seal(keyring, 'cursor', 'position 7')

  for (let i = 0; i < sealed.length; i++) assert.equal(unseal(keyring, 'cursor', sealed.subarray(0, i)), null)
  assert.equal(unseal(keyring, 'cursor', Buffer.concat([sealed, Buffer.from([0])])), null)
})

test('does not open a value with another purpose, context or server secret', () => {
  const sealed = seal(keyring, 'cursor', 'position 7', 'context')

  assert.equal(unseal(keyring, 'stored_answer', sealed, 'context'), null)
  assert.equal(unseal(keyring, 'cursor', sealed, 'other'), null)
  assert.equal(unseal(keyring, 'cursor', sealed), null)
  assert.equal(unseal(parseKeyring(`1:${'ef'.repeat(32)}`), 'cursor', sealed, 'context'), null)
  assert.equal(unseal(parseKeyring(NEW), 'cursor', sealed, 'context'), null)
})

test('sealing the same text twice gives different bytes', () => {
  const sealed = Array.from({ length: 100 }, () => seal(keyring, 'cursor', 'position 7').toString('hex'))

  assert.equal(new Set(sealed).size, 100)
})

test('after a rotation the new secret seals and the old one still opens', () => {
  const before = seal(keyring, 'cursor', 'position 7')
  const rotated = parseKeyring(`${NEW},${OLD}`)
  const after = seal(rotated, 'cursor', 'position 8')

  assert.equal(unseal(rotated, 'cursor', before)?.toString(), 'position 7')
  assert.equal(unseal(parseKeyring(NEW), 'cursor', after)?.toString(), 'position 8')
})

test('refuses a malformed list of secrets without repeating it', () => {
  for (const text of [
    '',
    '1',
    `1:${'ab'.repeat(31)}`,
    `256:${'ab'.repeat(32)}`,
    `1:${'xy'.repeat(32)}`,
    `${OLD},`,
    `-1:${'ab'.repeat(32)}`,
  ]) {
    assert.throws(() => parseKeyring(text), {
      message: /^OCTAVO_SECRETS must be a comma-separated list of <0-255>:<64 hex digits>$/,
    })
  }
})
