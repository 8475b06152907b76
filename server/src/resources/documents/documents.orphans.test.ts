// Bytes that a reading stores for a document that is gone when it wants to name them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePng } from '@octavo/extract/raster.ts'
import type { FileStore } from '../../files/store.ts'
import { startApi } from '../../testing/api.ts'
import { until } from '../../testing/jobs.ts'

test('a document deleted while its page is stored leaves no image behind', async (t) => {
  const { app, owner } = await startApi(t)
  const { files } = app
  const put: FileStore['put'] = files.put.bind(files)
  const stored = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let count = 0
  files.put = async (...given) => {
    const size = await put(...given)
    // The first is the file itself, the second the picture of its page.
    if (++count === 2) {
      stored.resolve()
      await released.promise
    }
    return size
  }
  const width = 400
  const page = encodePng({ width, height: width, pixels: new Uint8Array(width * width).fill(255), dpi: 150 })

  const document = await owner.documents.createFromFile(
    new Blob([Buffer.from(page)], { type: 'image/png' }),
    {},
    { wait_seconds: 0 },
  )
  await stored.promise
  await owner.documents.remove(document.id)
  released.resolve()

  await until(async () => (await files.list('', null)).length === 0, 'an empty store')
  assert.equal(count, 2)
})
