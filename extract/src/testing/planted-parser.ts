// The main of a child whose files are orders to do harm: '<page, 0 for opening or -1 for the survey> <deed>', one a line.

import { Buffer } from 'node:buffer'
import { frameHead } from '../protocol.ts'
import { serve } from '../serve.ts'
import { type Format, Unreadable } from '../types.ts'

const write = process.stdout.write.bind(process.stdout)

type ParserAction = (number: number) => unknown

/** Its answer, or why it was refused, becomes the text of the page. */
const deeds: Record<string, ParserAction> = {
  'read a secret': async () => (await import('node:fs')).readFileSync('/etc/passwd', 'utf8'),
  'list a folder': async () => (await import('node:fs')).readdirSync('/').join(),
  'write a file': async () => (await import('node:fs')).writeFileSync('/tmp/planted', 'x'),
  'write beside itself': async () => (await import('node:fs')).writeFileSync(`${import.meta.dirname}/planted`, 'x'),
  'start a process': async () => (await import('node:child_process')).execFileSync('/bin/true'),
  'start a thread': async () => new (await import('node:worker_threads')).Worker('1', { eval: true }),
  'open a socket': async () => {
    const { connect } = await import('node:net')
    await new Promise((resolve, reject) => connect(9, '127.0.0.1').on('connect', resolve).on('error', reject))
  },
  'open a unix socket': async () => {
    const { connect } = await import('node:net')
    await new Promise((resolve, reject) => connect('/var/run/docker.sock').on('connect', resolve).on('error', reject))
  },
  'send a datagram': async () => {
    const socket = (await import('node:dgram')).createSocket('udp4')
    await new Promise((resolve, reject) => socket.on('error', reject).send('x', 9, '127.0.0.1', resolve))
  },
  'ask for a name': async () => (await import('node:dns/promises')).lookup('example.com'),
  fetch: async () => (await fetch('http://127.0.0.1:9/')).status,
  'load an add-on': async () => process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6'),
  'open a database': async () => Object.keys(await import('node:sqlite')).join(),
  'open an inspector': async () => (await import('node:inspector')).open(0),
  'end its parent': () => process.kill(process.ppid, 'SIGKILL'),
  // oxlint-disable-next-line no-eval
  'run words as code': () => (0, eval)('1') as unknown,
  'see the environment': () => JSON.stringify(process.env),
  priority: async () => String((await import('node:os')).getPriority()),
  print: () => {
    // oxlint-disable-next-line no-console
    console.log('a line')
    process.stdout.write('another')
    return 'printed'
  },
  'take memory': async () => {
    const taken: Buffer[] = []
    for (;;) {
      taken.push(Buffer.alloc(16 * 1024 * 1024, 1))
      await new Promise((go) => setTimeout(go, 5))
    }
  },
  'take memory at once': () => Array.from({ length: 1000 }, () => Buffer.alloc(16 * 1024 * 1024, 1)).length,
  'take the heap': () => {
    const taken: object[] = []
    for (;;) taken.push({ taken: [taken.length] })
  },
  'loop for ever': () => {
    for (;;);
  },
  'take a while': () => {
    const before = process.cpuUsage()
    for (let taken = 0; taken < 700_000; ) {
      // Asking is work too, for the kernel.
      for (let i = 0; i < 1e6; i++) Math.sqrt(i)
      const { user, system } = process.cpuUsage(before)
      taken = user + system
    }
    return 'at last'
  },
  'wait for ever': () => new Promise(() => setInterval(() => {}, 1000)),
  crash: () => process.abort(),
  leave: () => process.exit(0),
  throw: () => {
    throw new Error('at /secret/path.ts: libfoo: unexpected token <private text>')
  },
  refuse: () => {
    throw new Unreadable('document_unreadable', 'The ink is dry.')
  },
  'say too much': () => 'x'.repeat(40 * 1024 * 1024),
  'forge an answer': () => write(frameHead({ is: 'page', page: { blocks: 'none' } } as never)),
  'forge a large answer': () => write(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])),
  behave: (number) => `This is page ${number}.`,
}

async function doAll(orders: readonly (readonly [number, string])[], number: number): Promise<unknown> {
  const own = orders.filter(([page]) => page === number)
  let said: unknown = `This is page ${number}.`
  for (const [, deed] of own) {
    try {
      said = await deeds[deed]?.(number)
    } catch (error) {
      const { code } = error as { code?: string }
      if (!code || error instanceof Unreadable) throw error
      said = code
    }
  }
  return said
}

const planted: Format = {
  name: 'planted',
  media_types: ['text/x-planted'],
  async open(bytes, { bounds }) {
    const orders = Buffer.from(bytes.subarray(0, 4096))
      .toString()
      .split('\n')
      .map((line) => [Number(line.split(' ', 1)), line.slice(line.indexOf(' ') + 1)] as const)
    await doAll(orders, 0)
    return {
      title: null,
      page_count: bounds.max_pages + 1,
      warnings: [],
      async survey() {
        await doAll(orders, -1)
      },
      async page(number) {
        const text = await doAll(orders, number)
        const blocks = [
          { type: 'paragraph', text: typeof text === 'string' ? text : JSON.stringify(text ?? null) },
        ] as const
        return { width: null, height: null, blocks: [...blocks], has_image: true, needs_ocr: false, warnings: [] }
      },
      image: (number, dpi) => ({
        width: dpi,
        height: number,
        dpi,
        pixels: new Uint8Array(dpi * number).fill(number),
        tilt: 0,
        rules: [],
      }),
    }
  },
}

await serve(async () => ({ format: planted, media_type: 'text/x-planted', warnings: [] }))
