// A caller who names a URL for Octavo to fetch can reach only what the caller could reach without Octavo.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Canary, OUTSIDE, openCanary } from './egress/canary.ts'
import { type Importer, openDirect } from './egress/importers.ts'
import { casesOf, type EgressCase, zone } from './egress/matrix.ts'
import { openNames } from './egress/names.ts'
import { openSystem } from './egress/system.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { owned } from './lib/scope.ts'

const REBINDINGS = { short: 50, normal: 300, long: 3_000 } as const
/** For connections that are made but not yet counted. */
const SETTLE_MS = 200

export const proof: Proof = {
  promise: 'An import from a URL never connects to a forbidden address.',
  goal:
    '≥ 200 addresses (every spelling, names, rebinding, redirects, user names), by egressFetch itself and by POST /documents: ' +
    '0 connections to an internal canary, 0 wrong verdicts',
  faults: {
    literals_unchecked: {
      what: 'only what names resolve to is checked, not addresses as such',
      plants: [
        change(
          'resolveTarget',
          'if (allowed !== null && !addresses',
          'if (!isIP(host) && allowed !== null && !addresses',
        ),
      ],
    },
    first_answer: {
      what: 'only the first address of a name is checked',
      plants: [change('resolveTarget', '!addresses.every(', '!addresses.slice(0, 1).every(')],
    },
    resolved_again: {
      what: 'the name is resolved again to connect',
      plants: [
        change(
          'connectTo',
          'const plain = connect({ host: address,',
          'const plain = connect({ host: isIP(target.host) ? address : (await systemLookup(target.host))[0]!,',
        ),
      ],
    },
    redirects: {
      what: 'redirects are followed',
      plants: [
        change(
          'send',
          'checkAnswer(target.host',
          `if (answer.statusCode >= 300 && answer.statusCode < 400)
            return await send(new URL(String(answer.headers.location), address), options, null)
          checkAnswer(target.host`,
        ),
      ],
    },
    ipv6_open: {
      what: 'IPv6 is open but for a list',
      plants: [change('mayReach', "(open.v6.check(address, 'ipv6') && ", '(')],
    },
    mapped: {
      what: 'IPv4 addresses written as IPv6 are taken for IPv6',
      plants: [
        change('mayReach', "if (disguised.v6.check(address, 'ipv6') && address !== '::1') return false", ''),
        change(
          'mayReach',
          "(open.v6.check(address, 'ipv6') && ",
          "(!address.startsWith('fe') && address !== '::1' && ",
        ),
      ],
    },
    other_way_out: {
      what: 'the worker fetches without egressFetch',
      plants: [
        change(
          'openApp',
          'egress: (url, bounds) => egressFetch(url, { ...config.egress, ...bounds })',
          `egress: async (url) => {
            const { Readable } = await import('node:stream')
            const answer = await fetch(url)
            return { status: answer.status, headers: {}, body: Readable.from(Buffer.from(await answer.arrayBuffer())) }
          }`,
        ),
      ],
    },
    user_names: {
      what: 'user names in addresses are ignored',
      plants: [change('parseAddress', 'if (address.username || address.password)', 'if (false)')],
    },
  },
  run: prove,
}

/** Both ways to the same wall: the function by itself, and `POST /documents` with a worker behind it. */
const WAYS = { 'by itself': openDirect, 'through the whole system': openSystem } as const

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const parts: ProofOutcome[] = []
  for (const [way, open] of Object.entries(WAYS)) {
    const { figure, is_met } = await proveWay(run, open)
    run.say(`${way}: ${figure}`)
    parts.push({ figure: `${way}: ${figure}`, is_met })
    // Where a fault is planted, one way that notices it is enough.
    if (run.fault !== null && !is_met) break
  }
  return { figure: parts.map(({ figure }) => figure).join('; '), is_met: parts.every(({ is_met }) => is_met) }
}

async function proveWay(run: ProofRun, open: (typeof WAYS)[keyof typeof WAYS]): Promise<ProofOutcome> {
  await using canary = owned(await openCanary())
  await using names = owned(await openNames(zone))
  await using importer = owned(await open([...run.plants, names.plant], [OUTSIDE]))
  return await measure(run, { canary, importer, cases: casesOf(canary.port, REBINDINGS[run.length]) })
}

interface EgressScene {
  canary: Canary
  importer: Importer
  cases: readonly EgressCase[]
}

/** Runs the cases one at a time, so that each hit belongs to a known case. */
async function measure({ say, fault }: ProofRun, { canary, importer, cases }: EgressScene): Promise<ProofOutcome> {
  const asked: EgressCase[] = []
  let wrong = 0
  for (const one of cases) {
    // A planted fault must be noticed, not pursued to every address that it opens.
    if (fault !== null && canary.hits + wrong > 0) break
    asked.push(one)
    const { url, expected } = one
    const hits_before = canary.hits
    const verdict = await importer.fetch(url)
    if (canary.hits > hits_before) say(`reached: ${JSON.stringify(url)}`)
    if (expected === 'any' || verdict === expected) continue
    wrong++
    say(`${verdict} instead of ${expected}: ${JSON.stringify(url)}`)
  }
  await sleep(SETTLE_MS)
  const rebindings = asked.filter(({ expected }) => expected === 'any').length
  return {
    figure:
      `${asked.length - rebindings} addresses and ${rebindings} lookups that change: ${canary.hits} connections to the canary` +
      `${canary.has_ipv6 ? '' : ' (IPv4 only)'}, ${wrong} wrong verdicts, ${canary.visits} visits where allowed`,
    is_met: canary.hits === 0 && wrong === 0 && canary.visits > 0,
  }
}
