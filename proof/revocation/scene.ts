// Two processes: credentials end through one and are refused by the other.

import type { Octavo } from '@octavo/sdk'
import type { World } from '../lib/world.ts'

export interface RevocationScene {
  world: World
  tenant: string
  /** Manages keys through the first process. */
  admin: Octavo
  /** The process that is asked. */
  other: string
}
