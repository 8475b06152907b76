import { change } from '../lib/change.ts'
import type { Plant } from '../lib/proof.ts'

/** The key is looked up first and inserted at the end: two that come at the same time both find nothing. */
export const lookUpThenInsert: readonly Plant[] = [
  change('claimKey', 'if (tx.may_assume) {', 'if (tx.may_assume && false) {'),
  change(
    'claimKey',
    'await tx.find<{ is_claimed: boolean }>(CLAIM, [key.hash, key.fingerprint])',
    '!(await findAnswer(tx, key, keyring))',
  ),
  change('storeAnswer', 'tx.queue(STORE,', 'tx.queue(CLAIM, [key.hash, key.fingerprint])\n  tx.queue(STORE,'),
]
