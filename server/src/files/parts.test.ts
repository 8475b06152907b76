// Uploads in parts, on both drivers.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import {
  assertNothing,
  bytesOf,
  listAllBegun,
  listBegunOf,
  MiB,
  newKey,
  openStores,
  sendPart,
  sourceOf,
  streamOf,
} from '../testing/files.ts'
import { UploadGone, WrongSize } from './store.ts'

for (const { files } of openStores()) {
  describe(`parts on ${files.driver}`, () => {
    const sizes = [5 * MiB, 5 * MiB, 123]

    test('joins parts in order, even if sent out of order or twice', async () => {
      const key = newKey()
      const parts = sizes.map((size, i) => bytesOf(size, i + 2))
      const upload = await files.beginParts(key, 'application/pdf')
      assert.deepEqual(await files.listParts(key, upload), [])
      await sendPart(files, { key, upload, number: 3 }, parts[2]!)
      await sendPart(files, { key, upload, number: 1 }, bytesOf(5 * MiB, 99))
      await sendPart(files, { key, upload, number: 1 }, parts[0]!)
      assert.deepEqual(await files.listParts(key, upload), [
        { number: 1, size_bytes: 5 * MiB },
        { number: 3, size_bytes: 123 },
      ])
      await sendPart(files, { key, upload, number: 2 }, parts[1]!)
      assert.equal(await files.find(key), null)

      assert.equal(await files.endParts(key, upload), 10 * MiB + 123)

      assert.ok((await buffer((await files.get(key))!)).equals(Buffer.concat(parts)))
      assert.equal(await files.endParts(key, upload), 10 * MiB + 123)
      await files.abortParts(key, upload)
      assert.ok((await buffer((await files.get(key))!)).equals(Buffer.concat(parts)))
      await assert.rejects(files.listParts(key, upload), UploadGone)
      assert.deepEqual(await listBegunOf(files, key), [])
    })

    test('two concurrent completions both succeed', async () => {
      const key = newKey()
      const upload = await files.beginParts(key, 'application/pdf')
      const parts = sizes.map((size, i) => bytesOf(size, i + 2))
      for (const [i, part] of parts.entries()) await sendPart(files, { key, upload, number: i + 1 }, part)

      const counts = await Promise.all([files.endParts(key, upload), files.endParts(key, upload)])

      assert.deepEqual(counts, [10 * MiB + 123, 10 * MiB + 123])
      assert.ok((await buffer((await files.get(key))!)).equals(Buffer.concat(parts)))
    })

    test('an interrupted part is not stored and can be sent again', async () => {
      const key = newKey()
      const upload = await files.beginParts(key, 'application/pdf')
      await files.putPart(key, upload, { number: 1, size_bytes: 5 * MiB, bytes: streamOf(bytesOf(5 * MiB)) })
      async function* source(): AsyncGenerator<Buffer> {
        yield bytesOf(MiB)
        throw new Error('the client went away')
      }
      const broken = { number: 2, size_bytes: 2 * MiB, bytes: sourceOf(source()) }
      await assert.rejects(files.putPart(key, upload, broken), { message: 'the client went away' })
      const short = { number: 2, size_bytes: 2 * MiB, bytes: streamOf(bytesOf(MiB)) }
      await assert.rejects(files.putPart(key, upload, short), WrongSize)
      const long = { number: 2, size_bytes: 2 * MiB, bytes: streamOf(bytesOf(2 * MiB), bytesOf(1)) }
      await assert.rejects(files.putPart(key, upload, long), WrongSize)
      const signal = AbortSignal.timeout(30)
      const silent = { number: 2, size_bytes: 2 * MiB, bytes: new Readable({ read() {} }), signal }
      await assert.rejects(files.putPart(key, upload, silent), { name: 'TimeoutError' })
      assert.deepEqual(await files.listParts(key, upload), [{ number: 1, size_bytes: 5 * MiB }])

      await files.putPart(key, upload, { number: 2, size_bytes: 2 * MiB, bytes: streamOf(bytesOf(2 * MiB)) })

      assert.equal(await files.endParts(key, upload), 7 * MiB)
    })

    test('lists started uploads in order until they are aborted, then refuses parts', async () => {
      const keys = [newKey(), newKey(), newKey()].sort()
      const before = Date.now()
      const begun = new Map<string, string>()
      for (const key of keys.toReversed()) begun.set(key, await files.beginParts(key, 'application/pdf'))
      await sendPart(files, { key: keys[0]!, upload: begun.get(keys[0]!)!, number: 1 }, bytesOf(100))

      const listed = (await listAllBegun(files)).filter(({ key }) => begun.has(key))
      assert.deepEqual(
        listed.map(({ key, upload }) => [key, upload]),
        keys.map((key) => [key, begun.get(key)]),
      )
      assert.ok(listed.every(({ begun_at }) => Math.abs(begun_at.getTime() - before) < 5_000))
      assert.deepEqual(
        (await files.listBegun(listed[1]!.key)).map(({ key }) => key).filter((key) => begun.has(key)),
        [keys[2]],
      )

      for (const [key, upload] of begun) await files.abortParts(key, upload)
      for (const [key, upload] of begun) await files.abortParts(key, upload)
      for (const [key, upload] of begun) {
        await assertNothing(files, key)
        await assert.rejects(files.listParts(key, upload), UploadGone)
        await assert.rejects(files.endParts(key, upload), UploadGone)
        const part = { number: 1, size_bytes: 3, bytes: streamOf(Buffer.from('abc')) }
        await assert.rejects(files.putPart(key, upload, part), UploadGone)
      }
    })

    test('an upload without parts cannot be completed', async () => {
      const key = newKey()
      const upload = await files.beginParts(key, 'application/pdf')

      await assert.rejects(files.endParts(key, upload), UploadGone)

      await files.abortParts(key, upload)
    })
  })
}
