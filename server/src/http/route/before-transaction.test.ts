import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'

const { app, owner } = await startApi({ after }, {}, undefined, false)

/** Before the next look at an upload, something else happens. */
function beforeNextLook(work: () => Promise<unknown>): void {
  const open = app.db.for.bind(app.db)
  app.db.for = (caller) => {
    const db = open(caller)
    const find = db.find.bind(db)
    db.find = async (statement, values) => {
      if (/ from uploads /.test(statement.text) && app.db.for !== open) {
        app.db.for = open
        await work()
      }
      return find(statement, values) as never
    }
    return db
  }
}

test('a concurrent duplicate request returns the first result after the upload was used', async () => {
  const { id: upload_id } = await owner.uploads.createFromFile(new Blob(['Lease'], { type: 'text/plain' }), {
    file_name: 'lease.txt',
  })
  const create = (): Promise<{ id: string }> =>
    owner.documents.create({ title: 'Lease', source: { type: 'upload', upload_id } }, { idempotency_key: 'import-7' })
  let first: { id: string } | null = null
  beforeNextLook(async () => {
    first = await create()
  })

  const second = await create()

  assert.ok(first)
  assert.deepEqual(second, first)
})
