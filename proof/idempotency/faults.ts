import type { Plant } from '../lib/proof.ts'

const FILE = 'server/src/http/route/idempotency.ts'

/** The key is looked up first and inserted at the end: two that come at the same time both find nothing. */
export const lookUpThenInsert: readonly Plant[] = [
  {
    file: FILE,
    find: 'await tx.find<{ is_claimed: boolean }>(CLAIM, [key.hash, key.fingerprint])',
    replace: '!(await findAnswer(tx, key, keyring))',
  },
  { file: FILE, find: 'tx.queue(STORE,', replace: 'tx.queue(CLAIM, [key.hash, key.fingerprint])\n  tx.queue(STORE,' },
]
