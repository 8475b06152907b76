import { isIPv6 } from 'node:net'
import { firstOf, itemAt } from '@octavo/base/required.ts'

/** The address range that one client controls: a single IPv4 address, or the /64 of an IPv6 address. */
export function addressBlock(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return itemAt(mapped, 1)
  if (!isIPv6(ip)) return ip
  const [head = '', tail = ''] = firstOf(ip.split('%')).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = ip.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left
  return groups.slice(0, 4).join(':')
}
