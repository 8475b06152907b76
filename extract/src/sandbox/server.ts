// The extract process: runs sandboxed programs for workers in other containers. Each connection is one program, which
// ends with its connection.

import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { messageOf, recordOf } from '@octavo/base/unknown.ts'
import { detectLevel } from './detect.ts'
import { openSandbox, type Sandbox } from './launch.ts'
import { encodeJson, MessageReader, splitMessages } from './messages.ts'
import type { SandboxProcess, SandboxTask } from './process.ts'

const MEASURE_MS = 25
/** Workers run as another user of the same group. */
const SOCKET_MODE = 0o660

/** `level` is shown to workers. Both are for tests; by default this machine's strongest level is used. */
export async function serveSandbox(
  path: string,
  sandbox: Sandbox = openSandbox(),
  level: string = detectLevel().level,
): Promise<Server> {
  const server = createServer((socket) => new Connection(socket, sandbox, level))
  // A process that was killed leaves its socket behind.
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, SOCKET_MODE)
  return server
}

class Connection {
  readonly #socket: Socket
  readonly #sandbox: Sandbox
  readonly #messages = new MessageReader()
  #child: SandboxProcess | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(socket: Socket, sandbox: Sandbox, level: string) {
    this.#socket = socket
    this.#sandbox = sandbox
    socket.on('error', () => {})
    socket.on('close', () => this.#end())
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.write(encodeJson('hello', { level }))
  }

  #receive(chunk: Buffer): void {
    try {
      for (const { kind, bytes } of this.#messages.push(chunk)) {
        if (kind === 'task' && this.#child === null) this.#start(readTask(bytes))
        else if (kind === 'input' && this.#child) send(this.#child.stdin, bytes, this.#socket)
        else if (kind === 'end' && this.#child) this.#child.stdin.end()
        else throw new Error(`A message '${kind}' was not expected`)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #start(task: SandboxTask): void {
    const child = this.#sandbox.launch(task)
    this.#child = child
    this.#forward('output', child.stdout)
    this.#forward('errors', child.stderr)
    this.#timer = setInterval(() => this.#measure(child), MEASURE_MS)
    child.ended.then(
      (code) => this.#socket.end(encodeJson('exit', { code })),
      (error: unknown) => this.#fail(error),
    )
  }

  #forward(kind: 'output' | 'errors', stream: Readable): void {
    stream.on('data', (bytes: Buffer) => {
      for (const message of splitMessages(kind, bytes)) send(this.#socket, message, stream)
    })
  }

  #measure(child: SandboxProcess): void {
    const used = child.used()
    if (used) this.#socket.write(encodeJson('used', used))
  }

  #fail(error: unknown): void {
    this.#socket.end(encodeJson('failed', { message: messageOf(error).slice(0, 1000) }))
  }

  #end(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#child?.kill()
  }
}

/** Pauses the source until the target has room. */
function send(target: Writable, bytes: Uint8Array, source: Readable): void {
  if (target.destroyed || target.write(bytes) || source.isPaused()) return
  source.pause()
  target.once('drain', () => source.resume())
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

function readTask(bytes: Buffer): SandboxTask {
  const { program, args, reads, env, data_bytes, cpu_seconds } = recordOf(JSON.parse(bytes.toString()))
  const isTask = typeof program === 'string' && isTexts(args) && isTexts(reads)
  if (!isTask || typeof data_bytes !== 'number' || typeof cpu_seconds !== 'number')
    throw new Error('The task is invalid')
  const variables = Object.entries(recordOf(env ?? {})).map(([name, value]) => [name, String(value)] as const)
  return { program, args, reads, env: Object.fromEntries(variables), data_bytes, cpu_seconds }
}
