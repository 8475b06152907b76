import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKeyring } from '../lib/keyring.ts'
import { findSignedLink, type SignedLink, signedUrl } from './signed-links.ts'

const keyring = parseKeyring(`1:${'5a'.repeat(32)}`)
const link: SignedLink = { may: 'read_file', tenant: 'a', id: 'file_1', expires_at: 5 }
const tokenOf = (from = keyring): string =>
  signedUrl({ base_url: 'https://octavo.example', keyring: from }, link).split('/').at(-1)!

test('a link says what it was made for, and is the same text each time', () => {
  assert.deepEqual(findSignedLink(keyring, tokenOf()), link)
  assert.equal(tokenOf(), tokenOf())
})

test('no letter of it can be changed, and no other server can make one', () => {
  const token = tokenOf()
  for (let i = 0; i < token.length; i++) {
    for (const letter of ['A', 'B', '2', '.', '=']) {
      const altered = token.slice(0, i) + letter + token.slice(i + 1)
      if (altered !== token) assert.equal(findSignedLink(keyring, altered), null, `${i} ${letter}`)
    }
  }
  assert.equal(findSignedLink(keyring, tokenOf(parseKeyring(`1:${'6b'.repeat(32)}`))), null)
  for (const odd of ['', '.', '1..', `${token}A`, `${token}=`]) assert.equal(findSignedLink(keyring, odd), null)
})

test('a key that is only kept for old links still opens them', () => {
  assert.deepEqual(findSignedLink(parseKeyring(`2:${'6b'.repeat(32)},1:${'5a'.repeat(32)}`), tokenOf()), link)
})
