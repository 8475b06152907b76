// Round trips to the database that a request waits for: a database that is 2 ms away adds 2 ms for each. docs/scale.md
// has these numbers.

import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import type { NewDocument } from '@octavo/contract'
import { Batch } from '../db/batch.ts'
import { startApi } from '../testing/api.ts'

const { owner } = await startApi({ after })
// The job of a new document would add its own statements.
const { owner: unattended } = await startApi({ after }, {}, undefined, false)
const lease: NewDocument = {
  title: 'Lease',
  source: { type: 'pages', pages: [{ text: 'The rent is 1,200 a month.' }] },
}
const document = await owner.documents.createAndWait(lease)
const submit = mock.method(Batch.prototype, 'submit')

/** The lowest count of several requests: a remembered credential is sometimes looked up again. */
async function countTrips(request: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let i = 0; i < 4; i++) {
    submit.mock.resetCalls()
    await request()
    counts.push(submit.mock.callCount())
  }
  return Math.min(...counts)
}

test('a read takes one round trip', async () => {
  assert.equal(await countTrips(() => owner.documents.get(document.id)), 1)
  assert.equal(await countTrips(() => owner.documents.list({ limit: 50 })), 1)
})

test('a new document takes five round trips', async () => {
  assert.equal(await countTrips(() => unattended.documents.create(lease)), 5)
})

test('a search for words takes eight round trips', async () => {
  assert.equal(await countTrips(() => owner.searches.create({ query: 'rent' })), 8)
})
