import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HashQueueFull, Passwords } from './passwords.ts'

const passwords = new Passwords(4)
after(() => passwords.close())

test('accepts the right password and refuses others', async () => {
  const hash = await passwords.hash('a', 'correct horse battery')

  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.deepEqual(await passwords.verify('a', 'correct horse battery', [hash]), [true])
  assert.deepEqual(await passwords.verify('a', 'correct horse batterz', [hash]), [false])
  assert.notEqual(await passwords.hash('a', 'correct horse battery'), hash)
})

test('users without a password match no password', async () => {
  assert.deepEqual(await passwords.verify('a', '', [null]), [false])
  assert.deepEqual(await passwords.verify('a', '', []), [])
  assert.deepEqual(await passwords.verify('a', '', ['', '$argon2id$v=19$m=8,t=1,p=1$$']), [false, false])
})

test('hashes of one address share a salt, so one computation checks them all', async () => {
  const first = await passwords.hash('a', 'correct horse battery')
  const second = await passwords.hash('a', 'another password', [first])

  assert.equal(second.split('$')[4], first.split('$')[4])
  assert.deepEqual(await passwords.verify('a', 'another password', [first, second]), [false, true])
})

test('a client has few places in the queue, and the queue is short', async () => {
  const burst = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash('flood', 'x')))
  const isRefused = (result: PromiseSettledResult<string>, is_by_client: boolean): boolean =>
    result.status === 'rejected' &&
    result.reason instanceof HashQueueFull &&
    result.reason.is_by_client === is_by_client

  assert.equal(burst.filter((result) => isRefused(result, true)).length, 3)
  const crowd = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => passwords.hash(`client ${i}`, 'x')))
  // One runs and four wait.
  assert.equal(crowd.filter((result) => isRefused(result, false)).length, 3)
  assert.match(await passwords.hash('flood', 'x'), /^\$argon2id/)
})
