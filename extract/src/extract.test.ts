import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Busy } from '@octavo/base/busy.ts'
import { MAX_BLOCKS, MAX_CELLS } from '@octavo/contract'
import { type ExtractConfig, openExtract } from './extract.ts'
import { MAX_PAGE_BLOCKS, MAX_TABLE_CELLS } from './protocol.ts'
import { childrenOf, descendantsOf } from './testing/descendants.ts'
import type { Unreadable } from './types.ts'

const usual: ExtractConfig = {
  max_read_bytes: 64 * 1024 * 1024,
  max_pages: 9,
  parser_heap_mb: 128,
  parser_resident_mb: 300,
  parser_open_seconds: 10,
  parser_page_seconds: 10,
  max_inflated_bytes: 64 * 1024 * 1024,
  max_pixels: 1_000_000,
}
const PLANTED = new URL('./testing/planted-parser.ts', import.meta.url)
const { signal } = new AbortController()
const claims = { media_type: null, file_name: null, signal }

function start(t: TestContext, config: Partial<ExtractConfig> = {}) {
  const extract = openExtract({ ...usual, ...config }, PLANTED)
  t.after(() => extract.close())
  let times_read = 0
  const open = (orders: string[], given = claims) => {
    const bytes = Buffer.from(orders.join('\n'))
    const source = async () => {
      times_read++
      return Readable.from([bytes])
    }
    return extract.open(source, { ...given, size_bytes: bytes.length })
  }
  const said = async (reading: Awaited<ReturnType<typeof open>>, number: number) =>
    (await reading.page(number)).blocks[0]?.text
  return { extract, open, said, timesRead: () => times_read }
}

const about = (code: string, page: number | null, words: RegExp) => (error: Unreadable) => {
  assert.equal(error.code, code)
  assert.equal(error.page, page)
  assert.match(error.message, words)
  assert.doesNotMatch(error.message, /\/|stack|Error|lib/)
  return true
}

test('a child that cannot start in time is no fault of the file', async (t) => {
  const { open } = start(t, { parser_start_seconds: 0.001 })

  await assert.rejects(open(['1 behave']), Busy)
})

test('reads single pages in any order, up to the page limit', async (t) => {
  const { open, said } = start(t)

  const reading = await open(['1 behave'])

  assert.deepEqual(await Promise.all([3, 1, 2].map((number) => said(reading, number))), [
    'This is page 3.',
    'This is page 1.',
    'This is page 2.',
  ])
  assert.equal(reading.page_count, 10)
  assert.deepEqual(reading.warnings, ['Only the first 9 of 10 pages are read.'])
  await assert.rejects(reading.page(10), RangeError)
  const image = await reading.image(4, 100)
  assert.deepEqual([image.width, image.height, image.pixels.length, image.pixels[399]], [100, 4, 400, 4])
})

test('a child cannot access files, processes, threads, the network, add-ons or its parent', async (t) => {
  const denied = [
    'read a secret',
    'list a folder',
    'write a file',
    'write beside itself',
    'start a process',
    'start a thread',
    'open a socket',
    'open a unix socket',
    'send a datagram',
    'ask for a name',
    'load an add-on',
    'open an inspector',
    'open a database',
  ]
  const { open, said } = start(t, { max_pages: 50 })
  const reading = await open(denied.map((deed, index) => `${index + 1} ${deed}`))

  const answers: [string, string | undefined][] = []
  for (const [index, deed] of denied.entries()) answers.push([deed, await said(reading, index + 1)])

  for (const [deed, answer] of answers)
    assert.match(answer ?? '', /^(ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_UNKNOWN_BUILTIN_MODULE)$/, deed)
})

test('a child has no environment, runs at low priority and cannot stop its parent', async (t) => {
  const { open, said } = start(t)
  const reading = await open([
    '1 see the environment',
    '2 priority',
    '3 end its parent',
    '4 run words as code',
    '5 print',
  ])

  assert.deepEqual({ PWD: '/', ...JSON.parse((await said(reading, 1)) ?? '') }, { PWD: '/' })
  assert.equal(await said(reading, 2), '19')
  await assert.rejects(reading.page(3), about('document_unreadable', 3, /cannot be read/))
  await assert.rejects(reading.page(4), about('document_unreadable', 4, /cannot be read/))
  assert.equal(await said(reading, 5), 'printed')
  assert.equal(await said(reading, 6), 'This is page 6.')
})

for (const deed of ['take memory', 'take memory at once', 'take the heap'])
  test(`a child ordered to ${deed} is stopped with a memory error`, async (t) => {
    const { open, said, timesRead } = start(t)

    await assert.rejects(open([`0 ${deed}`]), about('document_too_large', null, /more memory than the limit of 300 MB/))
    const reading = await open([`2 ${deed}`])
    await assert.rejects(reading.page(2), about('document_too_large', 2, /Page 2 needs more memory/))

    assert.equal(await said(reading, 3), 'This is page 3.')
    assert.equal(timesRead(), 3)
  })

for (const deed of ['loop for ever', 'wait for ever'])
  test(`a child ordered to ${deed} is stopped in time, and its other pages are read`, async (t) => {
    const { open, said } = start(t, { parser_open_seconds: 1, parser_page_seconds: 1 })

    await assert.rejects(open([`0 ${deed}`]), about('document_too_large', null, /longer than the limit of 1 seconds/))
    const reading = await open([`2 ${deed}`])
    await assert.rejects(reading.page(2), about('document_too_large', 2, /Page 2 takes longer/))

    assert.equal(await said(reading, 3), 'This is page 3.')
  })

test('the time limit shrinks with each page that kills its child', async (t) => {
  const { open } = start(t, { parser_open_seconds: 4, parser_page_seconds: 4 })
  const reading = await open([1, 2, 3, 4].map((number) => `${number} loop for ever`))
  const words: string[] = []

  for (const number of [1, 2, 3, 4])
    await reading.page(number).catch((error: unknown) => words.push((error as Error).message))

  assert.deepEqual(
    words.map((message) => /longer than the limit of (\d) seconds/.exec(message)?.[1]),
    ['4', '2', '1', '1'],
  )
})

test('stops a file whose pages together exceed the total time limit', async (t) => {
  const { open, said } = start(t, { parser_open_seconds: 1, parser_page_seconds: 1 })
  const pages = [1, 2, 3, 4, 5, 6, 7, 8]
  const reading = await open(pages.map((number) => `${number} take a while`))
  let read = 0

  const end = await (async () => {
    for (const number of pages) {
      // The one that the time runs out on is its own affair.
      const text = await said(reading, number).catch((error: unknown) =>
        (error as Unreadable).page === null ? Promise.reject(error as Error) : null,
      )
      if (text === 'at last') read++
    }
  })().catch((error: unknown) => error)

  assert.ok(read >= 2 && read <= 6, `${read} pages were read`)
  assert.ok(
    about(
      'document_too_large',
      null,
      new RegExp(`stopped after ${read} pages because the file takes much longer`),
    )(end as Unreadable),
  )
})

test('a child never exceeds its memory limit', { skip: process.platform !== 'linux' }, async (t) => {
  const { open } = start(t)
  let peak_kb = 0
  const look = setInterval(() => {
    for (const pid of descendantsOf(process.pid)) {
      const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'latin1') : ''
      peak_kb = Math.max(peak_kb, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    }
  }, 5)
  t.after(() => clearInterval(look))

  await assert.rejects(open(['0 take memory at once']), about('document_too_large', null, /memory/))

  assert.ok(peak_kb > 150 * 1024 && peak_kb <= 300 * 1024, `it had ${Math.round(peak_kb / 1024)} MB`)
})

test('a crash, exit, error or invalid result fails one page and reveals no content', async (t) => {
  const { open, said, timesRead } = start(t)
  const reading = await open(['1 crash', '2 leave', '3 throw', '4 refuse', '5 say too much'])

  await assert.rejects(reading.page(1), about('document_unreadable', 1, /damaged or unusual/))
  await assert.rejects(reading.page(2), about('document_unreadable', 2, /damaged or unusual/))
  await assert.rejects(reading.page(3), about('document_unreadable', 3, /damaged or unusual/))
  await assert.rejects(reading.page(4), about('document_unreadable', 4, /The ink is dry/))
  await assert.rejects(reading.page(5), about('document_too_large', 5, /too much text/))

  assert.equal(await said(reading, 6), 'This is page 6.')
  assert.equal(timesRead(), 3)
})

test('reads a file without the page comparison if that crashes the child', async (t) => {
  const { open, said, timesRead } = start(t)

  for (const deed of ['crash', 'take memory at once', 'throw', 'forge an answer']) {
    const reading = await open([`-1 ${deed}`])

    assert.equal(await said(reading, 1), 'This is page 1.')
    assert.equal(await said(reading, 9), 'This is page 9.')
  }
  assert.ok(timesRead() <= 8)
})

test('gives up a file after the fourth page that kills its child', async (t) => {
  const { open, timesRead } = start(t)
  const reading = await open(['1 crash', '2 crash', '3 crash', '4 crash'])

  for (const number of [1, 2, 3, 4])
    await assert.rejects(reading.page(number), about('document_unreadable', number, /cannot be read/))
  await assert.rejects(reading.page(5), about('document_unreadable', null, /stopped after 4 unreadable pages/))
  await assert.rejects(reading.page(6), about('document_unreadable', null, /stopped after 4 unreadable pages/))

  assert.equal(timesRead(), 4)
})

test('rejects forged results from a child', async (t) => {
  const { open, said } = start(t)
  const reading = await open(['1 forge an answer', '2 forge a large answer'])

  await assert.rejects(reading.page(1), about('document_unreadable', 1, /damaged or unusual/))
  await assert.rejects(reading.page(2), about('document_too_large', 2, /too much content/))

  assert.equal(await said(reading, 3), 'This is page 3.')
})

test('the child and the contract agree on the limits of a page', () => {
  assert.deepEqual([MAX_PAGE_BLOCKS, MAX_TABLE_CELLS], [MAX_BLOCKS, MAX_CELLS])
})

test('refuses a file that is too large, empty or not of the announced format', async (t) => {
  const { extract } = start(t, { max_read_bytes: 10 })
  const open = (text: string, size_bytes: number) =>
    extract.open(async () => Readable.from([Buffer.from(text)]), { ...claims, size_bytes })

  await assert.rejects(open('12345678901', 11), about('document_too_large', null, /larger than/))
  await assert.rejects(open('', 0), about('document_empty', null, /empty/))
  await assert.rejects(open('123', 4), /fewer bytes/)
  await assert.rejects(open('12345', 4), /more bytes/)
})

test('an abort rejects at once and kills the child', async (t) => {
  const { open } = start(t)
  const stop = new AbortController()
  const reading = await open(['1 loop for ever'], { ...claims, signal: stop.signal })
  const before = performance.now()
  void setTimeout(200).then(() => stop.abort(new Error('enough')))

  await assert.rejects(reading.page(1), /enough/)

  assert.ok(performance.now() - before < 1000)
  await assert.rejects(reading.page(2), /enough/)
  await reading.close()
})

test('closing stops every child, busy or spare', async (t) => {
  const { extract, open } = start(t)
  const reading = await open(['1 loop for ever'])
  const page = assert.rejects(reading.page(1), /closed/)
  assert.equal(childrenOfThis().length, 2)

  await extract.close()

  await page
  assert.deepEqual(childrenOfThis(), [])
})

test('a child does not outlive a killed parent', { skip: process.platform !== 'linux' }, async () => {
  const host = spawn(process.execPath, [
    fileURLToPath(new URL('./testing/doomed-host.ts', import.meta.url)),
    PLANTED.href,
  ])
  const [told] = (await once(host.stdout, 'data')) as [Buffer]
  const pids = JSON.parse(told.toString()) as number[]
  assert.ok(pids.length >= 1 && pids.every(isAlive), told.toString())

  host.kill('SIGKILL')
  await once(host, 'close')

  for (let tries = 0; tries < 300 && pids.some(isAlive); tries++) await setTimeout(100)
  assert.deepEqual(pids.filter(isAlive), [])
})

test('reports a failing source as its own error, not as an unreadable file', async (t) => {
  const { extract } = start(t)
  async function* broken() {
    yield Buffer.alloc(100)
    throw new Error('the store is away')
  }

  const opened = extract.open(async () => Readable.from(broken()), { ...claims, size_bytes: 200 })

  await assert.rejects(opened, /the store is away/)
})

test('streams a large file without holding it in memory', async (t) => {
  const { extract } = start(t, { max_read_bytes: 256 * 1024 * 1024, parser_resident_mb: 600 })
  const size_bytes = 200 * 1024 * 1024
  const part = Buffer.alloc(1024 * 1024, 32)
  let most = 0
  function* parts() {
    for (let sent = 0; sent < size_bytes; sent += part.length) {
      most = Math.max(most, process.memoryUsage().rss)
      yield part
    }
  }
  const before = process.memoryUsage().rss

  const reading = await extract.open(async () => Readable.from(parts(), { objectMode: true, highWaterMark: 1 }), {
    ...claims,
    size_bytes,
  })

  assert.ok(most - before < 48 * 1024 * 1024, `it grew by ${Math.round((most - before) / 1024 / 1024)} MiB`)
  await reading.close()
})

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

const childrenOfThis = (): number[] => childrenOf(process.pid)
