// Two owners leave at the same time.

import type { Octavo } from '@octavo/sdk'
import { call } from '../lib/call.ts'
import { newUser } from '../lib/people.ts'
import type { Part } from '../lib/proof.ts'

interface OwnerRaces {
  urls: readonly string[]
  secret: string
  owner: Octavo
  rounds: number
  parallel: number
}

export async function raceOwners({ urls, secret, owner, rounds, parallel }: OwnerRaces): Promise<Part> {
  const findings: string[] = []
  let left_once = 0
  let last = await newUser(owner, { role: 'owner' })
  for (let round = 0; round < rounds; round++) {
    const pair = [last, await newUser(owner, { role: 'owner' })]
    const requests = Array.from({ length: parallel }, (_, i) => ({
      url: urls[(i >> 1) % urls.length] ?? '',
      path: `/api/v1/users/${pair[i % 2]?.id}`,
    }))
    const answers = await Promise.all(
      requests.map(({ url, path }) => call({ url, secret }, { method: 'DELETE', path })),
    )
    const left = await owner.users.list({ role: 'owner' })
    const other = answers.find(({ status }) => ![204, 404, 409, 503].includes(status))
    if (other) findings.push(`owners, round ${round}: answered ${other.status} ${other.text.slice(0, 100)}`)
    const [kept, ...others] = left.data
    if (!kept) findings.push(`owners, round ${round}: no owner stayed`)
    if (kept && others.length === 0) left_once++
    // A busy server executed none of the requests.
    for (const { id } of others) await owner.users.remove(id)
    last = kept ?? (await newUser(owner, { role: 'owner' }))
  }
  return { figure: `two owners: one stayed in ${left_once} of ${rounds} rounds`, findings }
}
