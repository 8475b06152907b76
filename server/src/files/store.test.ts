// One suite for both drivers.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { newUuid } from '../lib/ids.ts'
import {
  assertNothing,
  bytesOf,
  listAll,
  listBegunOf,
  MiB,
  newKey,
  openStores,
  PDF,
  sourceOf,
  streamOf,
  streamText,
} from '../testing/files.ts'
import { WrongSize } from './store.ts'

const here = (file: string): string => new URL(file, import.meta.url).href

for (const { files, config } of openStores()) {
  describe(`objects on ${files.driver}`, () => {
    test('stores an object, reads it whole and in ranges, and removes it', async () => {
      const key = newKey()
      const before = Date.now()

      assert.equal(await files.find(key), null)
      assert.equal(await files.get(key), null)
      assert.equal(await files.put(key, streamOf(Buffer.from('hello '), Buffer.from('world')), PDF), 11)

      const found = await files.find(key)
      assert.deepEqual({ key: found?.key, size_bytes: found?.size_bytes }, { key, size_bytes: 11 })
      assert.ok(Math.abs(found!.modified_at.getTime() - before) < 5_000)
      assert.equal(await streamText(await files.get(key)), 'hello world')
      assert.equal(await streamText(await files.get(key, { first: 0, last: 0 })), 'h')
      assert.equal(await streamText(await files.get(key, { first: 6, last: 8 })), 'wor')
      assert.equal(await streamText(await files.get(key, { first: 6, last: 99 })), 'world')
      assert.equal(await streamText(await files.get(key, { first: 11, last: 20 })), '')

      await files.remove(key)
      await files.remove(key)
      await assertNothing(files, key)
      assert.equal(await files.get(key), null)
    })

    test('a copy is independent of its original', async () => {
      const [key, copy] = [newKey(), newKey()]
      await files.put(key, streamOf(Buffer.from('first')), PDF)

      assert.equal(await files.copy(key, copy), 5)
      await files.put(key, streamOf(Buffer.from('second')), PDF)

      assert.equal(await streamText(await files.get(copy)), 'first')
      await files.remove(key)
      assert.equal(await streamText(await files.get(copy)), 'first')
      assert.equal(await files.copy(key, newKey()), null)
      await files.remove(copy)
    })

    test('stores an empty object', async () => {
      const key = `${newKey()}.p-1.png`

      assert.equal(await files.put(key, streamOf(), { ...PDF, size_bytes: 0 }), 0)

      assert.equal((await files.find(key))?.size_bytes, 0)
      assert.equal(await streamText(await files.get(key)), '')
      assert.equal(await streamText(await files.get(key, { first: 0, last: 9 })), '')
    })

    test('streams 40 MiB in and out with little memory', async () => {
      setFlagsFromString('--expose-gc')
      const collect = runInNewContext('gc') as () => void
      // The second waits for what the first only began to give back.
      const gc = (): void => {
        collect()
        collect()
      }
      const chunk = bytesOf(64 * 1024)
      let most = 0
      const look = (): void => {
        gc()
        most = Math.max(most, process.memoryUsage().arrayBuffers)
      }
      function* source(): Generator<Buffer> {
        for (let i = 0; i < 640; i++) {
          if (i % 40 === 39) look()
          yield Buffer.from(chunk)
        }
      }
      const key = newKey()
      gc()
      const base = process.memoryUsage().arrayBuffers

      assert.equal(await files.put(key, sourceOf(source()), PDF), 40 * MiB)
      const put_mib = (most - base) / MiB
      // The memory of the last part is freed a little later.
      await files.find(key)
      most = 0
      let [count, is_equal] = [0, true]
      for await (const piece of (await files.get(key))! as AsyncIterable<Buffer>) {
        const expected = Buffer.concat([chunk, chunk]).subarray(
          count % chunk.length,
          (count % chunk.length) + piece.length,
        )
        is_equal &&= piece.equals(expected)
        if (Math.floor(count / MiB) !== Math.floor((count + piece.length) / MiB)) look()
        count += piece.length
      }

      assert.deepEqual({ count, is_equal }, { count: 40 * MiB, is_equal: true })
      // Two parts of 8 MiB with S3, a few chunks with a disk.
      assert.ok(put_mib < (files.driver === 's3' ? 20 : 3), `${put_mib} MiB while putting`)
      assert.ok((most - base) / MiB < 2, `${(most - base) / MiB} MiB while getting`)
      assert.deepEqual(await listBegunOf(files, key), [])
      const last = await buffer((await files.get(key, { first: 40 * MiB - 3, last: 40 * MiB - 1 }))!)
      assert.deepEqual(last, chunk.subarray(-3))
    })

    for (const [what, size] of [
      ['before the first part is full', MiB],
      ['after parts were sent', 20 * MiB],
    ] as const) {
      test(`a source that fails ${what} leaves nothing behind`, async () => {
        const key = newKey()
        const broken = Object.assign(new Error('the client went away'), { code: 'ECONNRESET', syscall: 'read' })
        async function* source(): AsyncGenerator<Buffer> {
          for (let sent = 0; sent < size; sent += MiB) yield bytesOf(MiB)
          throw broken
        }

        await assert.rejects(files.put(key, sourceOf(source()), PDF), (error) => error === broken)
        await assertNothing(files, key)
      })

      test(`a put aborted ${what} leaves nothing behind`, { timeout: 20_000 }, async () => {
        const key = newKey()
        const stop = new AbortController()
        async function* source(): AsyncGenerator<Buffer> {
          for (let sent = 0; sent < size; sent += MiB) yield bytesOf(MiB)
          setTimeout(() => stop.abort(new Error('enough')), 20)
          await sleep(60_000, undefined, { ref: false })
        }
        const bytes = sourceOf(source())

        await assert.rejects(files.put(key, bytes, { ...PDF, signal: stop.signal }), { message: 'enough' })
        assert.ok(bytes.destroyed)
        await assertNothing(files, key)
        await assert.rejects(files.put(key, streamOf(bytesOf(9)), { ...PDF, signal: stop.signal }), {
          message: 'enough',
        })
      })
    }

    test('refuses a body of the wrong size and keeps the previous object', async () => {
      const key = newKey()
      await files.put(key, streamOf(Buffer.from('first')), PDF)

      await assert.rejects(files.put(key, streamOf(Buffer.from('longer')), { ...PDF, size_bytes: 5 }), WrongSize)
      await assert.rejects(files.put(key, streamOf(Buffer.from('less')), { ...PDF, size_bytes: 5 }), WrongSize)
      await assert.rejects(
        files.put(key, streamOf(bytesOf(9 * MiB), bytesOf(MiB)), { ...PDF, size_bytes: 9 * MiB }),
        WrongSize,
      )
      await assert.rejects(files.put(key, streamOf(bytesOf(9 * MiB)), { ...PDF, size_bytes: 10 * MiB }), WrongSize)

      assert.equal(await streamText(await files.get(key)), 'first')
    })

    test('one of two concurrent puts wins and is complete', async () => {
      const key = newKey()
      const both = [bytesOf(9 * MiB, 3), bytesOf(10 * MiB, 5)]
      await Promise.all(both.map((bytes) => files.put(key, streamOf(bytes), PDF)))

      const kept = await buffer((await files.get(key))!)

      assert.ok(both.some((bytes) => bytes.equals(kept)))
    })

    test('a reader continues if the object is removed or replaced', async () => {
      const key = newKey()
      const bytes = bytesOf(10 * MiB)
      await files.put(key, streamOf(bytes), PDF)
      const replaced = (await files.get(key))!
      await once(replaced, 'readable')
      await files.put(key, streamOf(Buffer.from('new')), PDF)
      const removed = (await files.get(key))!
      await once(removed, 'readable')
      await files.remove(key)

      assert.ok((await buffer(replaced)).equals(bytes))
      assert.equal(await streamText(removed), 'new')
      assert.equal(await files.find(key), null)
    })

    test('closing a reader early releases it', async () => {
      const key = newKey()
      await files.put(key, streamOf(bytesOf(10 * MiB)), PDF)
      const reader = (await files.get(key))!
      await once(reader, 'readable')

      reader.destroy()
      await once(reader, 'close')

      assert.equal((await files.find(key))?.size_bytes, 10 * MiB)
    })

    test('a process killed during a put leaves nothing visible, and the sweeper finds the remains', async () => {
      const key = newKey()
      const program = `
        import { Readable } from 'node:stream'
        import { openFiles } from ${JSON.stringify(here('./open.ts'))}
        async function* source() {
          for (let i = 0; i < 20; i++) yield Buffer.alloc(${MiB})
          process.stdout.write('sent')
          await new Promise(() => setInterval(() => {}, 1_000))
        }
        await openFiles(${JSON.stringify(config)}).put('${key}', Readable.from(source(), { objectMode: false }), { media_type: 'a/b' })`
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'exit')

      assert.equal(await files.find(key), null)
      assert.deepEqual(await files.list(`${key.slice(0, 36)}/`, null), [])
      const left = await listBegunOf(files, key)
      assert.equal(left.length, 1)
      await files.abortParts(key, left[0]!.upload)
      await assertNothing(files, key)
    })

    test('refuses malformed keys', async () => {
      const [tenant = '', object = ''] = newKey().split('/')
      const wrong = [
        '',
        tenant,
        `${tenant}/`,
        `${tenant}/../${object}`,
        `../${object}`,
        `${tenant}/${object}/x`,
        `/${tenant}/${object}`,
      ]
      for (const key of [
        ...wrong,
        `${tenant}/${object}.a_b`,
        `${tenant}/${object}\n`,
        `${tenant.toUpperCase()}/${object}`,
      ]) {
        await assert.rejects(async () => files.find(key), TypeError, key)
        await assert.rejects(async () => files.get(key), TypeError, key)
        await assert.rejects(async () => files.put(key, streamOf(), PDF), TypeError, key)
        await assert.rejects(async () => files.remove(key), TypeError, key)
        await assert.rejects(async () => files.beginParts(key, 'a/b'), TypeError, key)
      }
      for (const prefix of [tenant, tenant.slice(0, 8), '..', `${tenant}/../`])
        await assert.rejects(files.list(prefix, null), TypeError)
    })
  })

  describe(`lists on ${files.driver}`, () => {
    test('lists over 1,000 objects in ordered pages, and only those of the tenant', async () => {
      const [tenant, other] = [newUuid(), newUuid()]
      const keys = Array.from({ length: 1_100 }, (_, i) => newKey(tenant) + (i % 10 === 0 ? '.png' : '')).sort()
      // Days apart, so that the disk store puts them into several folders.
      const early = Array.from(
        { length: 5 },
        (_, i) => `${tenant}/${newUuid(Date.parse('2020-01-01') + i * 86_400_000)}`,
      )
      keys.push(...early, `${keys[3]!.slice(0, 73)}.txt`)
      keys.sort()
      const foreign = Array.from({ length: 3 }, () => newKey(other))
      const todo = [...keys, ...foreign].reverse()
      const work = async (): Promise<void> => {
        for (let key = todo.pop(); key; key = todo.pop())
          await files.put(key, streamOf(Buffer.from(key.slice(-2))), PDF)
      }
      await Promise.all(Array.from({ length: 24 }, work))

      const first = await files.list(`${tenant}/`, null)
      const all = await listAll(files, `${tenant}/`)

      assert.equal(first.length, 1_000)
      assert.deepEqual(
        all.map(({ key }) => key),
        keys,
      )
      assert.ok(
        all.every(({ size_bytes, modified_at }) => size_bytes === 2 && Date.now() - modified_at.getTime() < 120_000),
      )
      assert.deepEqual(
        (await listAll(files, `${other}/`)).map(({ key }) => key),
        foreign.sort(),
      )
      assert.deepEqual(await files.list(`${newUuid()}/`, null), [])
      assert.deepEqual(await files.list(`${tenant}/`, keys.at(-1)!), [])
      const stem = keys[3]!.slice(0, 73)
      assert.deepEqual(
        (await files.list(stem, null)).map(({ key }) => key),
        keys.filter((key) => key.startsWith(stem)),
      )
      const everything = (await listAll(files, '')).map(({ key }) => key)
      assert.deepEqual(everything, everything.toSorted())
      assert.ok([...keys, ...foreign].every((key) => everything.includes(key)))
    })
  })
}
