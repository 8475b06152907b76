// A name server with names that resolve to internal addresses, and names that change with every lookup.

import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { change } from '../lib/change.ts'
import type { Plant } from '../lib/proof.ts'

/** The addresses of a name at its nth lookup, from 0. */
export type Zone = Record<string, (nth: number) => readonly string[]>

export interface Names {
  /** Puts this name server in the place of the machine's own. */
  plant: Plant
  close(): void
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const
const NO_SUCH_NAME = 3

export async function openNames(zone: Zone): Promise<Names> {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, end } = readName(query)
    const type = TYPES[query.readUInt16BE(end) as keyof typeof TYPES]
    const key = `${name} ${type}`
    const nth = asked.get(key) ?? 0
    asked.set(key, nth + 1)
    const all = zone[name.toLowerCase()]?.(nth)
    const fitting = (all ?? []).filter((address) => address.includes(':') === (type === 'AAAA'))
    socket.send(answerTo(query.subarray(0, end + 4), all ? fitting : null), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return { plant: plantOf(port), close: () => socket.close() }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  while (query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    at += query[at]! + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

function answerTo(question: Buffer, addresses: readonly string[] | null): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | (addresses === null ? NO_SUCH_NAME : 0), 2)
  for (const [at, count] of [1, addresses?.length ?? 0, 0, 0].entries()) head.writeUInt16BE(count, 4 + at * 2)
  const records = (addresses ?? []).map((address) => {
    const data = bytesOf(address)
    // The name by reference to the question, type, class, no time to live, length.
    return Buffer.from([0xc0, 12, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length, ...data])
  })
  return Buffer.concat([head, ...records])
}

function bytesOf(address: string): number[] {
  if (!address.includes(':')) return address.split('.').map(Number)
  const [left = [], right = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((side) => side.split(':').filter(Boolean))
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  )
  return groups.flatMap((group) => [group >> 8, group & 255])
}

const plantOf = (port: number): Plant =>
  change(
    'systemLookup',
    'const systemLookup: Lookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)',
    `const systemLookup: Lookup = async (name) => {
    const { Resolver } = await import('node:dns/promises')
    const resolver = new Resolver({ timeout: 2_000, tries: 1 })
    resolver.setServers(['127.0.0.1:${port}'])
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length === 0) throw (answers[0] as PromiseRejectedResult).reason
    return found
  }`,
  )
