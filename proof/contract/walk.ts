// Every operation of the contract, through every check that applies to it. A new resource needs nothing here.

import { type Endpoint, operations } from '@octavo/contract'
import type { World } from '../lib/world.ts'
import { checkAddresses } from './addresses.ts'
import { ignoreReadOnly, keepFixed, refuseShapes, refuseTypes, refuseValues } from './bodies.ts'
import { hideFromLists, hideFromStrangers, refuseWithoutToken, refuseWrongScope } from './credentials.ts'
import { followCursors, refuseCursors } from './cursors.ts'
import { checkEvents } from './events.ts'
import { paramNames } from './fixtures.ts'
import { obeyEnvelope, obeyFilters, obeyOrder } from './lists.ts'
import { bumpParent, ignoreKey, locate, nameSuccessor, replay } from './posts.ts'
import { answerFields, answerHead, answerUnchanged } from './reads.ts'
import { refuseHeaders, refuseInOrder, refuseOtherAddresses, refuseOtherMethods, refuseQueries } from './refusals.ts'
import { ContractStage } from './stage.ts'
import type { Tally } from './tally.ts'
import { bumpTag, obeyIfMatch, removeOnce } from './writes.ts'

const always = (): boolean => true
const isRead = ({ method }: Endpoint): boolean => method === 'GET'
const isList = ({ list }: Endpoint): boolean => list !== null
const isPost = ({ method }: Endpoint): boolean => method === 'POST'
const isChange = ({ method }: Endpoint): boolean => method !== 'GET' && method !== 'POST'
const hasBody = ({ body, is_form_only }: Endpoint): boolean => body !== null && !is_form_only

const checks: readonly [applies: (endpoint: Endpoint) => boolean, check: (stage: ContractStage) => Promise<void>][] = [
  [always, refuseWithoutToken],
  [always, refuseWrongScope],
  [always, hideFromStrangers],
  [always, refuseOtherMethods],
  [always, refuseOtherAddresses],
  [always, refuseQueries],
  [always, refuseHeaders],
  [always, refuseInOrder],
  [hasBody, refuseTypes],
  [hasBody, refuseShapes],
  [hasBody, refuseValues],
  [(endpoint) => endpoint.ignored.length > 0, ignoreReadOnly],
  [(endpoint) => isChange(endpoint) && hasBody(endpoint), keepFixed],
  [isRead, answerHead],
  [isRead, answerUnchanged],
  [({ query }) => Object.hasOwn(query?.properties ?? {}, 'fields'), answerFields],
  [isList, obeyEnvelope],
  [isList, obeyOrder],
  [isList, obeyFilters],
  [isList, followCursors],
  [isList, refuseCursors],
  [isList, hideFromLists],
  [isChange, bumpTag],
  [(endpoint) => !isRead(endpoint) && paramNames(endpoint.path).length > 0, obeyIfMatch],
  [({ method }) => method === 'DELETE', removeOnce],
  [isPost, locate],
  [isPost, replay],
  [isPost, bumpParent],
  [({ successor }) => successor !== null, nameSuccessor],
  [isChange, ignoreKey],
]

/** A check that cannot be made is a check that failed; the others go on. */
async function attempt(stage: ContractStage, check: (stage: ContractStage) => Promise<void>): Promise<void> {
  try {
    await check(stage)
  } catch (error) {
    stage.check(`${check.name} could not be made: ${(error as Error).message}`, false)
  }
}

const IN_PARALLEL = 4
type ContractOperation = (typeof operations)[number]

export async function walk(
  setting: { world: World; url: string; tally: Tally },
  say: (line: string) => void,
  chosen: readonly ContractOperation[] = operations,
): Promise<void> {
  const waiting = [...chosen]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const stage = new ContractStage(setting, next.name, next.endpoint)
      await stage.open()
      for (const [applies, check] of checks) if (applies(next.endpoint)) await attempt(stage, check)
      await attempt(stage, checkEvents)
      say(`${next.name}: ${setting.tally.countOf(next.name)} checks`)
    }
  }
  await Promise.all(Array.from({ length: IN_PARALLEL }, worker))
  await attempt(await addressStage(setting), checkAddresses)
}

async function addressStage(setting: { world: World; url: string; tally: Tally }): Promise<ContractStage> {
  const stage = new ContractStage(setting, 'addresses', operations[0]!.endpoint)
  await stage.open()
  return stage
}
