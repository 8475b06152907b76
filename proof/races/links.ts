// One link, used by two processes at the same time.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Octavo } from '@octavo/sdk'
import { operator } from '../../server/src/lib/caller.ts'
import { uuid, uuidOf } from '../../server/src/lib/ids.ts'
import { createPasswordReset } from '../../server/src/resources/users/users.resets.ts'
import { newUser } from '../lib/people.ts'
import type { Part } from '../lib/proof.ts'
import { owned } from '../lib/scope.ts'
import type { World } from '../lib/world.ts'
import type { RedeemOrder, RedeemResult } from './redeemer.ts'

const PROGRAM = fileURLToPath(new URL('./redeemer.ts', import.meta.url))
const PLANT = new URL('../lib/plant.ts', import.meta.url).href

interface LinkRaces {
  world: World
  tenant: string
  owner: Octavo
  rounds: number
  parallel: number
}

async function startRedeemer({ env }: World): Promise<{ child: ChildProcess; close(): Promise<void> }> {
  const child = fork(PROGRAM, [], { env: { ...process.env, ...env }, execArgv: ['--import', PLANT] })
  const [ready] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[]
  if (ready !== 'ready') throw new Error(`the process ended with ${String(ready)}`)
  return {
    child,
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function send(child: ChildProcess, order: RedeemOrder): Promise<RedeemResult> {
  const answered = once(child, 'message')
  child.send(order)
  const [result] = (await answered) as [RedeemResult]
  return result
}

export async function raceLinks(races: LinkRaces): Promise<Part[]> {
  const { world, tenant, owner } = races
  await using first = owned(await startRedeemer(world))
  await using second = owned(await startRedeemer(world))
  const children = [first.child, second.child]
  const { id: user_id } = await newUser(owner, { role: 'viewer' })
  const newReset = () =>
    world.app.db.transaction(operator(uuidOf('ten', tenant), []), async (tx) =>
      createPasswordReset(world.app, tx, uuid(user_id)),
    )
  return [
    await raceLink(races, children, 'password_reset', async () => secretOf((await newReset()).url)),
    await raceLink(races, children, 'invitation', async (round) => {
      const { url } = await owner.invitations.create({ email: `invited${round}@example.com`, role: 'viewer' })
      return secretOf(url ?? '')
    }),
  ]
}

const secretOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

async function raceLink(
  { rounds, parallel }: LinkRaces,
  children: readonly ChildProcess[],
  kind: RedeemOrder['kind'],
  newSecret: (round: number) => Promise<string>,
): Promise<Part> {
  const findings: string[] = []
  for (let round = 0; round < rounds; round++) {
    const order = { kind, secret: await newSecret(round), parallel: parallel / children.length }
    const results = await Promise.all(children.map((child) => send(child, order)))
    const used = results.reduce((sum, result) => sum + result.used, 0)
    const other = results.flatMap((result) => result.other)
    const unserved = results.reduce((sum, result) => sum + result.unserved, 0)
    // A busy database served no request.
    if (used !== 1 && !(used === 0 && unserved === parallel))
      findings.push(`${kind}, round ${round}: used ${used} times`)
    if (other.length > 0) findings.push(`${kind}, round ${round}: ${other[0]}`)
  }
  return { figure: `${kind}: ${rounds} links, ${rounds - findings.length} used exactly once`, findings }
}
