// The people and programs of the matrix, and what they may see.

import { randomBytes } from 'node:crypto'
import type { Scope } from '@octavo/contract'
import { Octavo } from '@octavo/sdk'
import type { SignedLink } from '../../server/src/files/signed-links.ts'
import { uuidOf } from '../../server/src/lib/ids.ts'
import { giveAccess } from '../lib/authorizations.ts'
import type { Belongings } from '../lib/belongings.ts'
import type { ProofCaller } from '../lib/call.ts'
import type { World } from '../lib/world.ts'

export interface Attacker {
  name: string
  caller: ProofCaller
  /** A key of the whole tenant, whose results for the attacker's project the attacker can read. */
  colleague: ProofCaller
  /** The project that limits the attacker; null: the attacker sees its whole tenant. */
  project_id: string | null
  /** Operations beyond these scopes are refused with 403. */
  scopes: ReadonlySet<Scope>
  own: Belongings
  mark: string
  /** Its tenant's uuid. */
  tenant: string
  /** Uuids that its rows carry: its tenant, or its project and its key. */
  seeds: string[]
}

/** In the victim's tenant, limited to another project. */
export const isInside = ({ project_id }: Attacker): boolean => project_id !== null

export interface IsolationVictim {
  tenant: string
  caller: ProofCaller
  marks: string[]
  sets: Belongings[]
  /** For each set, further requests with keys. */
  spares: Belongings['keyed'][]
  /** By operation, one for each set. */
  cursors: Record<string, (string | null)[]>
  /** For each set, the stored picture of a page. */
  image_ids: string[]
}

/** A credential without access, or with too few scopes. */
export interface Powerless {
  name: string
  caller: ProofCaller
  status: 401 | 403
  /** Only operations beyond these scopes are tried; all operations if null. */
  scopes: ReadonlySet<Scope> | null
  /** Resources that the credentials would give access to. */
  target: Belongings
}

export interface IsolationStage {
  victim: IsolationVictim
  attackers: Attacker[]
  /** Attackers with the access token of a user. */
  people: Attacker[]
  powerless: Powerless[]
  /** Users and applications of the victim's tenant, with credentials that allow less or nothing. */
  limited: Powerless[]
  suspended: { tenant: string; mark: string }
  /** As the server itself would sign it: what a link opens must not hang on the signature alone. */
  signedPath: (link: SignedLink) => string
}

export const sdkOf = ({ url, secret }: ProofCaller): Octavo => new Octavo({ base_url: url, api_key: secret ?? '' })
export const newMark = (): string => `canary${randomBytes(6).toString('hex')}`
export const accessOf = (world: World, tenant: string) => (user_id: string, client_id: string) =>
  giveAccess(world.app, tenant, user_id, client_id)
export const uuidOfTenant = (id: string): string => uuidOf('ten', id)
