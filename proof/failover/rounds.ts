// One round: the primary is lost under load, another one takes over, and the lost one comes back as a standby.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../crash/ledger.ts'
import type { Sender } from '../crash/send.ts'
import { round } from '../lib/proof.ts'
import type { Cluster } from './cluster.ts'
import { DirectWriter } from './direct-writer.ts'
import { followSlowJob } from './followers.ts'
import { isPartition, type OutageKind, outages } from './outages.ts'

const WARM_MS = 3_000
/** How long the former primary stays lost at least, and how long to wait for a new one. */
const LOST_MS = 30_000
const MOST_LOST_MS = 120_000
const LOOK_MS = 200

export interface RoundScene {
  cluster: Cluster
  database: string
  ledger: Ledger
  /** Belongs to a tenant that has no other jobs. */
  sender: Sender
  /** Jobs whose event streams are read during the outage. */
  streams: number
  say: (line: string) => void
}

export interface RoundResult {
  kind: OutageKind
  /** The longest time without an acknowledged write. */
  outage_ms: number
  writer: DirectWriter
  /** Rows that the former primary acknowledged after the cut. */
  split: string[]
  broken_streams: string[]
}

export async function runRound(scene: RoundScene, kind: OutageKind, number: number): Promise<RoundResult> {
  const { cluster, ledger, sender } = scene
  const primary = await cluster.waitUntilWhole()
  const writer = new DirectWriter(scene.database, primary.at.address, `round-${number}`)
  writer.start()
  await sleep(WARM_MS)
  const streams = Array.from({ length: scene.streams }, (_, i) => followSlowJob(sender, ledger, `${number}-${i}`))
  await sleep(WARM_MS / 2)
  const direct_before = writer.acks.length

  await outages[kind].strike(cluster, primary)
  const at = Date.now()
  await waitForSuccessor(cluster, primary.at.name, at)
  const healed_at = Date.now()
  outages[kind].heal(cluster, primary)
  const next = await cluster.waitUntilWhole()
  const whole_at = Date.now()
  const broken = await Promise.all(streams)
  await writer.stop()

  const result = {
    kind,
    outage_ms: longestGap(ledger, at, whole_at),
    writer,
    split: isPartition(kind)
      ? writer.acks.filter(({ begun_at }) => begun_at > at && begun_at < healed_at).map(({ id }) => `${kind}: ${id}`)
      : [],
    broken_streams: broken.filter((one) => one !== null),
  }
  scene.say(
    `${kind}: primary ${primary.at.name}, then ${next.at.name}; no write for ${round(result.outage_ms / 1000, 1)} s; ` +
      `${direct_before} rows written directly before, ${writer.acks.length - direct_before} after; ` +
      `whole again ${round((whole_at - healed_at) / 1000, 1)} s after it came back`,
  )
  return result
}

/** A server with a full disk may work for a while, so no successor is not an error. */
async function waitForSuccessor(cluster: Cluster, former: string, at: number): Promise<void> {
  for (;;) {
    const lost_ms = Date.now() - at
    const members = await cluster.listMembers(former)
    const hasNext = members.some(({ name, role, state }) => name !== former && role === 'leader' && state === 'running')
    if ((hasNext && lost_ms > LOST_MS) || lost_ms > MOST_LOST_MS) return
    await sleep(LOOK_MS)
  }
}

function longestGap({ times }: Ledger, from: number, to: number): number {
  const acked = times.flatMap(({ begun_at, acked_at }) => (begun_at >= from && acked_at <= to ? [acked_at] : []))
  const sorted = [from, ...acked.sort((a, b) => a - b)]
  return sorted.reduce((longest, time, index) => Math.max(longest, time - (sorted[index - 1] ?? time)), 0)
}
