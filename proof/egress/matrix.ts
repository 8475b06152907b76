// URLs that an attacker may ask the server to import, and the expected results.

import { networkInterfaces } from 'node:os'
import { OUTSIDE } from './canary.ts'
import type { Zone } from './names.ts'

export interface EgressCase {
  url: string
  /** `any`: nothing inside may be reached, whatever else happens. */
  expected: 'refused' | 'answered' | 'any'
}

const words = (text: string): string[] => text.trim().split(/\s+/)

const LITERALS_V4 = words(`
  127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 127.65535 0 0.0.0.0 0.0 2130706433 0x7f000001 0X7F000001 017700000001
  0x7f.1 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.0.0.01 127.0x1 00000177.1 0x0000007f.0.1 127.0.0.1. 2130706433. %31%32%37.0.0.1
  127%2e0%2e0%2e1 ①②⑦.⓪.⓪.① 127。0。0。1 １２７.0.0.1 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 169.254.169.254 0xa9fea9fe
  2852039166 0251.0376.0251.0376 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 192.0.2.1 198.18.0.1 224.0.0.1
  255.255.255.255 240.1`)
const LITERALS_V6 = words(`
  ::1 0:0:0:0:0:0:0:1 0000::0001 :: ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:127.0.0.1 ::127.0.0.1 ::7f00:1
  ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2002:7f00:1::1 2001:0:7f00:1::
  ::ffff:169.254.169.254 fe80::1 fd00:ec2::254 fc00::1 fec0::1 ff02::1 2001:db8::1 100::1 2001:2::1 3fff::1`)
const NOT_URLS = [
  'http://[::1%25lo]',
  'http://[fe80::1%25eth0]',
  'http://127.0.0.1.1',
  'http://256.0.0.1',
  'http://0x7f.0.0.0.1',
  'http://[::1',
]

/** Names and their addresses; `nth` makes the answer of each lookup its own. */
export const zone: Zone = {
  'outside.test': () => [OUTSIDE],
  'loopback.test': () => ['127.0.0.1'],
  'loopback6.test': () => ['::1'],
  'any.test': () => ['0.0.0.0'],
  'any6.test': () => ['::'],
  'mapped.test': () => ['::ffff:127.0.0.1'],
  'compatible.test': () => ['::127.0.0.1'],
  'gateway.test': () => ['64:ff9b::7f00:1'],
  'tunnel.test': () => ['2002:7f00:1::'],
  'private.test': () => ['10.0.0.1'],
  'metadata.test': () => ['169.254.169.254'],
  'metadata6.test': () => ['fd00:ec2::254'],
  'local.test': () => ['fe80::1'],
  'outside-first.test': () => [OUTSIDE, '127.0.0.1'],
  'outside-last.test': () => ['127.0.0.1', OUTSIDE],
  'outside-and-6.test': () => [OUTSIDE, '::1'],
  'xn--nxasmq6b.test': () => ['127.0.0.1'],
  'turns-inside.test': (nth) => (nth === 0 ? [OUTSIDE] : ['127.0.0.1']),
  'turns-inside-6.test': (nth) => (nth === 0 ? [OUTSIDE] : ['::1']),
  'turns-outside.test': (nth) => (nth === 0 ? ['127.0.0.1'] : [OUTSIDE]),
  'flips.test': (nth) => (nth % 2 === 0 ? [OUTSIDE] : ['127.0.0.1']),
  'flips-slowly.test': (nth) => (nth % 3 === 0 ? [OUTSIDE] : ['127.0.0.1']),
  '127.0.0.1.outside.test': () => ['127.0.0.1'],
}
const TURNING = /turns|flips/

/** Addresses by which this machine itself is reached from its network. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const inside = all.filter(({ address }) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd]|fe80)/.test(address))
  return inside.map(({ address }) => address)
}

export function casesOf(port: number, rebindings: number): EgressCase[] {
  const own = ownAddresses()
  const v4 = [...LITERALS_V4, ...own.filter((address) => !address.includes(':'))]
  const v6 = [...LITERALS_V6, ...own.filter((address) => address.includes(':'))]
  const names = Object.keys(zone).filter((name) => !TURNING.test(name) && name !== 'outside.test')
  const hosts = [
    ...v4,
    ...v6.map((address) => `[${address}]`),
    ...names,
    'loopback.test.',
    'LOOPBACK.test',
    'absent.test',
    'localhost',
  ]
  const refused = [
    ...hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]),
    ...NOT_URLS.map((start) => `${start}:${port}/`),
    ...userInfos(port),
    ...odd(port),
    ...redirects(port),
    `http://turns-outside.test:${port}/`,
  ]
  const answered = [`http://${OUTSIDE}:${port}/`, `http://outside.test:${port}/`, `http://turns-inside.test:${port}/`]
  const flipping = Array.from(
    { length: rebindings },
    (_, i) => `http://flips${i % 2 ? '' : '-slowly'}.test:${port}/${i}`,
  )
  return [
    ...refused.map((url) => ({ url, expected: 'refused' as const })),
    ...[...answered, `http://turns-inside-6.test:${port}/`].map((url) => ({ url, expected: 'answered' as const })),
    ...flipping.map((url) => ({ url, expected: 'any' as const })),
  ]
}

const userInfos = (port: number): string[] => [
  `http://outside.test@127.0.0.1:${port}/`,
  `http://outside.test:${port}@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}@outside.test:${port}/`,
  `http://a:b@outside.test:${port}/`,
  `http://:b@${OUTSIDE}:${port}/`,
  `http://outside.test%40127.0.0.1:${port}/`,
  `http://loopback.test\\@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\\@outside.test/`,
  `http://127.0.0.1:${port}#@outside.test/`,
  `http://127.0.0.1:${port}?@outside.test/`,
]

const odd = (port: number): string[] => [
  `http:127.0.0.1:${port}/`,
  `http:/127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  ` http://127.0.0.1:${port}/ `,
  `ht\ntp://127.0.\t0.1:${port}/`,
  `HTTP://127.0.0.1:${port}/`,
  `http://127.0.0.1:0${port}/`,
  `http://127.0.0.1:99${port}/`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`,
  `blob:http://127.0.0.1:${port}/`,
  'file:///etc/hostname',
  'data:text/plain,inside',
]

const redirects = (port: number): string[] =>
  [301, 302, 303, 307, 308].flatMap((status) =>
    [`http://127.0.0.1:${port}/`, `http://[::1]:${port}/`, `//127.0.0.1:${port}/`, `http://loopback.test:${port}/`].map(
      (to) => `http://outside.test:${port}/?status=${status}&to=${encodeURIComponent(to)}`,
    ),
  )
