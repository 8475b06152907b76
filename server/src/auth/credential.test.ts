import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, isWellFormedSecret, newSecret, previewSecret } from './credential.ts'

test('a new secret has the published format and passes its checksum', () => {
  const secrets = Array.from({ length: 1_000 }, () => newSecret('key'))

  for (const secret of secrets) {
    assert.match(secret, /^oct_key_[0-9A-Za-z]{46}$/)
    assert.ok(isWellFormedSecret(secret))
  }
  assert.equal(new Set(secrets).size, secrets.length)
})

test('a secret contains its cell', () => {
  assert.match(newSecret('key', 'b7'), /^oct_key_b7/)
  assert.match(newSecret('key'), /^oct_key_00/)
})

test('detects a typo anywhere in a secret', () => {
  const secret = newSecret('key')

  for (let i = 0; i < secret.length; i++) {
    const wrong = secret.slice(0, i) + (secret[i] === 'x' ? 'y' : 'x') + secret.slice(i + 1)
    assert.ok(!isWellFormedSecret(wrong), `a change at ${i} passed`)
  }
})

test('detects a secret that is truncated, extended or transposed', () => {
  const secret = newSecret('key')

  assert.ok(!isWellFormedSecret(secret.slice(0, -1)))
  assert.ok(!isWellFormedSecret(`${secret}0`))
  assert.ok(!isWellFormedSecret(`${secret}\n`))
  assert.ok(!isWellFormedSecret(` ${secret}`))
  assert.ok(!isWellFormedSecret(''))
})

test('all characters are about equally likely', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 2_000; i++) {
    for (const digit of newSecret('key').slice(10, 48)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  }

  const mean = (2_000 * 38) / 62
  assert.equal(counts.size, 62)
  for (const count of counts.values()) assert.ok(Math.abs(count - mean) < mean * 0.25, `${count} is far from ${mean}`)
})

test('a preview shows the start and the end of a secret and hides the rest', () => {
  const secret = newSecret('key')
  const preview = previewSecret(secret)

  assert.equal(preview, `${secret.slice(0, 12)}…${secret.slice(-4)}`)
  assert.ok(preview.length < 20)
  assert.equal(hashSecret(secret).length, 32)
})
