// Decides which addresses a caller-supplied URL may reach. An address that is not known to be public is not allowed.

import { BlockList, isIP } from 'node:net'

/** IPv4 ranges that are not public: IANA's special-purpose registry, and a cloud provider's internal service. */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's agent of every virtual machine: secrets behind an address that looks public.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** IPv6: the range that is allocated, and the parts of it that are not public (Teredo, 6to4, documentation …). */
const OPEN_V6 = ['2000::/3']
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20']
/** IPv4 addresses in IPv6 form. Always closed: write the IPv4 address instead. */
const DISGUISED = ['::ffff:0:0/96', '::/96']

export interface Ranges {
  /** Two lists: one `BlockList` takes 127.0.0.1 for ::ffff:127.0.0.1, so that opening `::/0` would open every IPv4 address. */
  v4: BlockList
  v6: BlockList
}

const closed = rangesOf([...CLOSED_V4, ...CLOSED_V6])
const open = rangesOf(OPEN_V6)
const disguised = rangesOf(DISGUISED)

export function rangesOf(cidrs: readonly string[]): Ranges {
  const ranges = { v4: new BlockList(), v6: new BlockList() }
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    const version = isIP(address)
    if (version === 0) throw new Error(`'${cidr}' is not an IP address or a CIDR.`)
    if (version === 4) ranges.v4.addSubnet(address, Number(bits ?? 32), 'ipv4')
    else ranges.v6.addSubnet(address, Number(bits ?? 128), 'ipv6')
  }
  return ranges
}

/** `allowed` holds ranges that the operator opens, such as a private network. */
export function mayReach(address: string, allowed: Ranges): boolean {
  const version = isIP(address)
  // A scope (`fe80::1%eth0`) names an interface of this machine.
  if (version === 0 || address.includes('%')) return false
  if (version === 4) return allowed.v4.check(address, 'ipv4') || !closed.v4.check(address, 'ipv4')
  if (disguised.v6.check(address, 'ipv6') && address !== '::1') return false
  return allowed.v6.check(address, 'ipv6') || (open.v6.check(address, 'ipv6') && !closed.v6.check(address, 'ipv6'))
}
