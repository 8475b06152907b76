import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayReach, rangesOf } from './addresses.ts'

const nothing = rangesOf([])

const INSIDE = [
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ['link-local', '169.254.1.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['metadata', '169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
  ['carrier', '100.64.0.1', '100.127.255.255'],
  ['local', 'fc00::1', 'fdff::1', 'fec0::1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['benchmarking', '198.18.0.1', '198.19.255.255', '2001:2::1'],
  ['reserved', '240.0.0.1', '255.255.255.255', '192.88.99.1', '::', '4000::1', '100::1', '5f00::1'],
  ['IPv4 in IPv6', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1'],
  ['gateways to IPv4', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  ['tunnels to IPv4', '2002:7f00:1::', '2001:0:7f00:1::', '2001:0:53aa:64c:0:7fff:80ff:fffe'],
  ['no addresses', '', 'localhost', '127.1', '0x7f000001', '2130706433', '127.0.0.1 ', '8.8.8.8/32'],
] as const

for (const [kind, ...addresses] of INSIDE) {
  test(`refuses addresses of kind ${kind}`, () => {
    for (const address of addresses) assert.equal(mayReach(address, nothing), false, address)
  })
}

test('allows public addresses up to the edges of the blocked ranges', () => {
  const edges = [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
  ]
  const more = [
    '172.32.0.0',
    '169.253.255.255',
    '192.0.1.1',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1',
    '2a00::1',
  ]

  for (const address of [...edges, ...more, '2001:200::1', '2003::1'])
    assert.equal(mayReach(address, nothing), true, address)
})

test("an operator's range allows its addresses and no others", () => {
  const own = rangesOf(['10.1.0.0/16', 'fd12::/32', '192.168.7.7', '::1'])

  for (const address of ['10.1.2.3', 'fd12::1', '192.168.7.7', '::1'])
    assert.equal(mayReach(address, own), true, address)
  for (const address of ['10.2.0.1', 'fd13::1', '192.168.7.8', '127.0.0.1', '::2'])
    assert.equal(mayReach(address, own), false, address)
})

test('allowing every IPv6 address allows no IPv4 address, embedded or not', () => {
  const all = rangesOf(['::/0'])

  for (const address of ['127.0.0.1', '10.0.0.1', '::ffff:127.0.0.1', '::127.0.0.1'])
    assert.equal(mayReach(address, all), false, address)
  assert.equal(mayReach('fd00::1', all), true)
})

test('allowing an IPv4 range does not allow its IPv6 forms', () => {
  assert.equal(mayReach('::ffff:127.0.0.1', rangesOf(['127.0.0.0/8'])), false)
})

test('refuses an invalid range', () => {
  assert.throws(() => rangesOf(['inside']), /'inside' is not an IP address/)
})
