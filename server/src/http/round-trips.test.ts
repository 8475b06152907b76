// Round trips to the database that a request waits for, one after the other: a database that is 2 ms away adds 2 ms for
// each. docs/scale.md has these numbers.

import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import type { NewDocument } from '@octavo/contract'
import { Batch } from '../db/batch.ts'
import { startApi } from '../testing/api.ts'

const models_dir = process.env.OCTAVO_MODELS_DIR
assert.ok(models_dir, 'OCTAVO_MODELS_DIR must name the directory with the weights. See CONTRIBUTING.md.')
const { owner } = await startApi({ after }, { OCTAVO_MODELS_DIR: models_dir })
// The job of a new document would add its own statements.
const { owner: unattended } = await startApi({ after }, {}, undefined, false)
const lease: NewDocument = {
  title: 'Lease',
  source: { type: 'pages', pages: [{ text: 'The rent is 1,200 a month.' }] },
}
const document = await owner.documents.createAndWait(lease)

/** So far away that the model embeds a query while the words are looked up. */
const DISTANCE_MS = 100
/** The longest chain: a batch waits for those that were answered before it was sent, and not for others under way. */
let longest = 0
// oxlint-disable-next-line typescript/unbound-method -- it is called with its object below
const { submit } = Batch.prototype
mock.method(Batch.prototype, 'submit', function (this: Batch, ...args: Parameters<Batch['submit']>) {
  const at = longest + 1
  const answered = (): void => {
    longest = Math.max(longest, at)
  }
  this.result.then(answered, answered)
  setTimeout(() => submit.apply(this, args), DISTANCE_MS)
})

/** The lowest count of several requests: a remembered credential or count is sometimes looked up again. */
async function countTrips(request: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let i = 0; i < 5; i++) {
    longest = 0
    await request()
    counts.push(longest)
  }
  return Math.min(...counts)
}

test('a read takes one round trip', async () => {
  assert.equal(await countTrips(() => owner.documents.get(document.id)), 1)
  assert.equal(await countTrips(() => owner.documents.list({ limit: 50 })), 1)
})

test('a new document takes three round trips', async () => {
  assert.equal(await countTrips(() => unattended.documents.create(lease)), 3)
})

test('a search takes three round trips', async () => {
  assert.equal(await countTrips(() => owner.searches.create({ query: 'rent', mode: 'keyword' })), 3)
  assert.equal(await countTrips(() => owner.searches.create({ query: 'rent' })), 3)
})
