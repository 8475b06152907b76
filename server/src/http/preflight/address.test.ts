import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBlock } from './address.ts'

const BLOCKS: [address: string, block: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
]
for (const [address, block] of BLOCKS) {
  test(`${address} is counted as ${block}`, () => assert.equal(addressBlock(address), block))
}
