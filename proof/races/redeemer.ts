// A process of the server without HTTP: it uses links as the sign-in pages do, without their slow password hashes.

import { openApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { isPassing } from '../../server/src/db/errors.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { Failure } from '../../server/src/lib/failure.ts'
import { findLink, redeemLink } from '../../server/src/links/links.service.ts'
import { redeemInvitation } from '../../server/src/resources/invitations/invitations.redeem.ts'

export interface RedeemOrder {
  kind: 'invitation' | 'password_reset'
  secret: string
  parallel: number
}
export interface RedeemResult {
  used: number
  refused: number
  /** Not executed: the database was too busy. */
  unserved: number
  /** Codes of other failures. */
  other: string[]
}

const app = openApp(readConfig(process.env))
const NEW_USER = { name: 'Ada Okafor', password_hash: null }

async function redeemOnce({ kind, secret }: RedeemOrder): Promise<boolean> {
  if (kind === 'invitation') {
    await redeemInvitation(app, secret, NEW_USER)
    return true
  }
  const link = await findLink(app, secret, kind)
  if (!link) return false
  const subject = await app.db.transaction(operator(link.tenant, []), (tx) => redeemLink(tx, secret, kind))
  return subject !== null
}

async function redeem(order: RedeemOrder): Promise<RedeemResult> {
  const result: RedeemResult = { used: 0, refused: 0, unserved: 0, other: [] }
  const attempt = async (): Promise<void> => {
    try {
      if (await redeemOnce(order)) result.used++
      else result.refused++
    } catch (error) {
      const code = error instanceof Failure ? error.code : String(error)
      if (code === 'not_found') result.refused++
      else if (isPassing(error)) result.unserved++
      else result.other.push(code)
    }
  }
  await Promise.all(Array.from({ length: order.parallel }, attempt))
  return result
}

process.on('message', (order: RedeemOrder) => void redeem(order).then((result) => process.send?.(result)))
process.once('disconnect', () => void app.close())
process.send?.('ready')
