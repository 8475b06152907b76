// Failures that only the disk store has.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { readdir, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { bytesOf, listBegunOf, MiB, newKey, PDF, sendPart, streamOf, streamText } from '../testing/files.ts'
import { openDisk } from './disk.ts'
import { StorageUnavailable, UploadGone } from './store.ts'

const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)

function newRoot(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'octavo-disk-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return root
}

test('stored files are not readable by other users', async (t) => {
  const root = newRoot(t)
  const files = openDisk(join(root, 'files'))
  const key = newKey()
  await files.put(key, streamOf(Buffer.from('secret')), PDF)
  const upload = await files.beginParts(newKey(), PDF.media_type).then(() => files.beginParts(key, PDF.media_type))
  await sendPart(files, { key, upload, number: 1 }, Buffer.from('part'))

  const modes = new Map<string, number>()
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name))
    modes.set(
      entry.isDirectory() ? 'folder' : 'file',
      (modes.get(entry.isDirectory() ? 'folder' : 'file') ?? 0) | (mode & 0o777),
    )
  }

  assert.deepEqual(Object.fromEntries(modes), { folder: 0o700, file: 0o600 })
})

test('removing a file leaves no empty folders', async (t) => {
  const root = newRoot(t)
  const files = openDisk(root)
  const key = newKey()
  await files.put(key, streamOf(Buffer.from('x')), PDF)

  await files.remove(key)

  assert.deepEqual((await readdir(root, { recursive: true })).sort(), ['begun', 'objects'])
})

test('concurrent puts and removals in one folder do not interfere', async (t) => {
  const files = openDisk(newRoot(t))
  const key = newKey()
  const other = `${key}.png`
  for (let round = 0; round < 50; round++) {
    await files.put(key, streamOf(Buffer.from('x')), PDF)
    await Promise.all([files.remove(key), files.put(other, streamOf(Buffer.from('y')), PDF)])
    assert.equal(await streamText(await files.get(other)), 'y')
    await files.remove(other)
  }
})

test('a missing disk is an error, not an empty store', async (t) => {
  const root = newRoot(t)
  const files = openDisk(root)
  const key = newKey()
  await files.put(key, streamOf(Buffer.from('x')), PDF)
  const away = `${root}-away`
  renameSync(root, away)
  t.after(() => rmSync(away, { recursive: true, force: true }))

  await assert.rejects(files.find(key), StorageUnavailable)
  await assert.rejects(files.get(key), StorageUnavailable)
  await assert.rejects(files.list('', null), StorageUnavailable)
  await assert.rejects(files.listBegun(null), StorageUnavailable)
  await assert.rejects(files.put(key, streamOf(Buffer.from('y')), PDF), StorageUnavailable)

  renameSync(away, root)
  assert.equal(await streamText(await files.get(key)), 'x')
})

test('a truncated file fails the reader', async (t) => {
  const root = newRoot(t)
  const files = openDisk(root)
  const key = newKey()
  await files.put(key, streamOf(bytesOf(MiB)), PDF)
  const reader = (await files.get(key))!
  const [file] = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(key.slice(37)))
  await writeFile(join(root, file!), 'short')

  await assert.rejects(buffer(reader), StorageUnavailable)
})

test('repeats an interrupted join, but not one that only lacks cleanup', async (t) => {
  const root = newRoot(t)
  const files = openDisk(root)
  const key = newKey()
  const upload = await files.beginParts(key, PDF.media_type)
  for (const number of [1, 2, 3]) await sendPart(files, { key, upload, number }, Buffer.from(`part ${number} `))
  const folder = join(root, 'begun', `${key.replace('/', '_')}_${upload}`)

  await writeFile(join(folder, 'half-joined'), 'part 1 pa')
  assert.equal(await files.find(key), null)
  cpSync(folder, `${root}-copy`, { recursive: true })
  t.after(() => rmSync(`${root}-copy`, { recursive: true, force: true }))
  assert.equal(await files.endParts(key, upload), 21)

  // Killed after the object was there and before anything of the parts was removed.
  cpSync(`${root}-copy`, folder, { recursive: true })
  assert.equal(await files.endParts(key, upload), 21)
  assert.equal(await streamText(await files.get(key)), 'part 1 part 2 part 3 ')

  // Killed while the parts were being removed: what is left of them is never joined.
  cpSync(`${root}-copy`, folder, { recursive: true })
  await rename(folder, `${folder}.gone`)
  rmSync(join(`${folder}.gone`, '00001'))
  assert.equal(await files.endParts(key, upload), 21)
  assert.equal(await streamText(await files.get(key)), 'part 1 part 2 part 3 ')
  assert.deepEqual(
    (await listBegunOf(files, key)).map((one) => one.upload),
    [upload],
  )
  await files.abortParts(key, upload)
  assert.deepEqual(await readdir(join(root, 'begun')), [])
  assert.equal(await streamText(await files.get(key)), 'part 1 part 2 part 3 ')
})

test('refuses unknown upload ids', async (t) => {
  const files = openDisk(newRoot(t))
  const key = newKey()
  for (const upload of ['', '..', '../../etc', newKey()]) {
    await assert.rejects(files.listParts(key, upload), UploadGone)
    await assert.rejects(files.endParts(key, upload), UploadGone)
    await assert.rejects(files.abortParts(key, upload), UploadGone)
  }
  const upload = await files.beginParts(key, PDF.media_type)
  for (const number of [0, -1, 1.5, 10_001])
    await assert.rejects(
      files.putPart(key, upload, { number, size_bytes: 1, bytes: streamOf(Buffer.from('x')) }),
      TypeError,
    )
})

test('reports a full disk and keeps stored files readable', (t) => {
  const root = newRoot(t)
  const program = `
    import { Readable } from 'node:stream'
    import { openDisk } from ${here('./disk.ts')}
    import { newUuid } from ${here('../lib/ids.ts')}
    const files = openDisk(${JSON.stringify(root)})
    const [small, large] = [newUuid() + '/' + newUuid(), newUuid() + '/' + newUuid()]
    const bytes = (size) => Readable.from(Array.from({ length: size / 65536 }, () => Buffer.alloc(65536)), { objectMode: false })
    await files.put(small, bytes(65536), { media_type: 'a/b' })
    const said = await files.put(large, bytes(8 * 1024 * 1024), { media_type: 'a/b' }).catch((error) => error.constructor.name)
    const upload = await files.beginParts(large, 'a/b')
    const part = { number: 1, size_bytes: 1_310_720, bytes: bytes(1_310_720) }
    await files.putPart(large, upload, part)
    const joined = await files.endParts(large, upload).catch((error) => error.constructor.name)
    const parts = await files.listParts(large, upload)
    console.log(JSON.stringify({ said, joined, parts, large: await files.find(large), small: (await files.find(small)).size_bytes }))`
  const script = `mount -t tmpfs -o size=2m tmpfs "${root}" && exec "${process.execPath}" --input-type=module -`
  const done = spawnSync('unshare', ['-rm', 'sh', '-c', script], { input: program, encoding: 'utf8' })
  if (done.error || /unshare:|mount:/.test(done.stderr)) return t.skip('this machine gives no mount namespace')

  return assert.deepEqual(JSON.parse(done.stdout || done.stderr), {
    said: 'StorageFull',
    joined: 'StorageFull',
    parts: [{ number: 1, size_bytes: 1_310_720 }],
    large: null,
    small: 65_536,
  })
})

test('a process that uses the disk does not load the S3 client', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) })
    const { openFiles } = await import(${here('./open.ts')})
    await openFiles({ dir: ${JSON.stringify(join(tmpdir(), 'octavo-none'))}, s3: null }).close()
    console.log(JSON.stringify([loaded.length > 5, loaded.filter((name) => /aws|smithy/.test(name))]))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })

  assert.deepEqual(JSON.parse(stdout || stderr), [true, []])
})
