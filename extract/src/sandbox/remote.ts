// A sandbox in another container, reached through a Unix socket. The worker trusts nothing that it sends.

import { connect, type Socket } from 'node:net'
import { PassThrough, Writable } from 'node:stream'
import { recordOf } from '@octavo/base/unknown.ts'
import type { Used } from '../meter.ts'
import type { Sandbox } from './launch.ts'
import { type DetectedLevel, isBelow, isLocalLevel } from './levels.ts'
import { encodeJson, encodeMessage, type Message, MessageReader, splitMessages } from './messages.ts'
import type { SandboxProcess, SandboxTask } from './process.ts'

const HELLO_MS = 20_000

export const connectSandbox = (path: string): Sandbox => ({ launch: (task) => new RemoteProcess(connect(path), task) })

/** The level of the sandbox behind a socket. Throws if no extract process answers. */
export async function readRemoteLevel(path: string): Promise<DetectedLevel> {
  const level = await readHello(connect(path))
  if (!isLocalLevel(level)) throw new Error(`The extract process reports an unknown sandbox level '${level}'`)
  // A separate container does not keep parsers apart from each other: that takes Landlock or bubblewrap inside it.
  if (!isBelow(level, 'landlock')) return { level: 'container', because: null }
  return { level, because: `the extract process offers only ${level}` }
}

async function readHello(socket: Socket): Promise<string> {
  const messages = new MessageReader()
  const timer = setTimeout(() => socket.destroy(new Error('The extract process does not answer')), HELLO_MS)
  try {
    for await (const chunk of socket)
      for (const { kind, bytes } of messages.push(chunk as Buffer)) {
        if (kind !== 'hello') throw new Error(`The extract process sent '${kind}' instead of its level`)
        return String(recordOf(JSON.parse(bytes.toString())).level).slice(0, 50)
      }
    throw new Error('The extract process closed the connection')
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

class RemoteProcess implements SandboxProcess {
  readonly stdin: Writable
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly ended: Promise<number | null>
  readonly #socket: Socket
  readonly #messages = new MessageReader()
  #settle: { resolve: (code: number | null) => void; reject: (error: Error) => void }
  #used: Used | null = null
  #isOver = false

  constructor(socket: Socket, task: SandboxTask) {
    const { promise, resolve, reject } = Promise.withResolvers<number | null>()
    promise.catch(() => {})
    this.ended = promise
    this.#settle = { resolve, reject }
    this.#socket = socket
    this.stdin = openInput(socket)
    socket.on('error', (error) => this.#lose(error))
    socket.on('close', () => this.#lose(new Error('The extract process closed the connection')))
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.write(encodeJson('task', task))
  }

  used(): Used | null {
    return this.#isOver ? null : this.#used
  }

  kill(): void {
    void this.#finish(null)
  }

  hold(is_held: boolean): void {
    if (is_held) this.#socket.ref()
    else this.#socket.unref()
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#messages.push(chunk)) this.#take(message)
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #take({ kind, bytes }: Message): void {
    if (this.#isOver || kind === 'hello') return
    if (kind === 'output') this.#pass(this.stdout, bytes)
    else if (kind === 'errors') this.#pass(this.stderr, bytes)
    else if (kind === 'used') this.#used = readUsed(bytes)
    else if (kind === 'exit') void this.#finish(readCode(bytes))
    else throw new Error(`The sandboxed program did not start: ${bytes.toString().slice(0, 1000)}`)
  }

  #pass(stream: PassThrough, bytes: Buffer): void {
    if (stream.destroyed || stream.write(bytes)) return
    this.#socket.pause()
    stream.once('drain', () => this.#socket.resume())
  }

  /** As with a local process, the end is reported once all output has been read. */
  async #finish(code: number | null): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket.destroy()
    await Promise.all([endOf(this.stdout), endOf(this.stderr)])
    this.#settle.resolve(code)
  }

  /** The connection is gone although the program has not ended, which is no fault of the program. */
  #lose(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket.destroy()
    this.stdout.end()
    this.stderr.end()
    this.#settle.reject(error)
  }
}

function openInput(socket: Socket): Writable {
  const input = new Writable({
    write(bytes: Buffer, _encoding, done) {
      const messages = [...splitMessages('input', bytes)]
      const last = messages.pop()
      for (const message of messages) socket.write(message)
      if (last) socket.write(last, done)
      else done()
    },
    final(done) {
      socket.write(encodeMessage('end'), () => done())
    },
  })
  // The end of the process is reported by `ended`.
  input.on('error', () => {})
  return input
}

/** Output that has no reader is discarded. */
async function endOf(stream: PassThrough): Promise<void> {
  if (stream.destroyed || stream.readableEnded) return
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.once('end', resolve).once('close', resolve)
  stream.end()
  if (stream.readableFlowing === null) stream.resume()
  await promise
}

function readUsed(bytes: Buffer): Used {
  const { seconds, is_idle, resident_bytes } = recordOf(JSON.parse(bytes.toString()))
  return { seconds: Number(seconds), is_idle: is_idle === true, resident_bytes: Number(resident_bytes) }
}

function readCode(bytes: Buffer): number | null {
  const { code } = recordOf(JSON.parse(bytes.toString()))
  return typeof code === 'number' ? code : null
}
