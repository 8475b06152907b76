// Messages between a worker and the extract process: a kind, a length and bytes. Neither side trusts a length.

const messageKinds = ['hello', 'task', 'input', 'end', 'output', 'errors', 'used', 'exit', 'failed'] as const
export type MessageKind = (typeof messageKinds)[number]

export interface Message {
  kind: MessageKind
  bytes: Buffer
}

const HEAD_BYTES = 5
/** Longer output is split. */
export const MAX_MESSAGE_BYTES = 1024 * 1024
const EMPTY = Buffer.alloc(0)

export class InvalidMessage extends Error {}

export function encodeMessage(kind: MessageKind, bytes: Uint8Array = EMPTY): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt8(messageKinds.indexOf(kind), 0)
  head.writeUInt32LE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

export const encodeJson = (kind: MessageKind, value: unknown): Buffer =>
  encodeMessage(kind, Buffer.from(JSON.stringify(value)))

/** One message for each part of the bytes that is short enough. */
export function* splitMessages(kind: MessageKind, bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += MAX_MESSAGE_BYTES)
    yield encodeMessage(kind, bytes.subarray(at, at + MAX_MESSAGE_BYTES))
}

/** Feed it chunks; it gives whole messages. */
export class MessageReader {
  #rest: Buffer = EMPTY;

  *push(chunk: Buffer): Generator<Message> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= HEAD_BYTES) {
      const kind = messageKinds[this.#rest.readUInt8(0)]
      const length = this.#rest.readUInt32LE(1)
      if (kind === undefined || length > MAX_MESSAGE_BYTES) throw new InvalidMessage('The message is invalid')
      if (this.#rest.length < HEAD_BYTES + length) return
      const bytes = this.#rest.subarray(HEAD_BYTES, HEAD_BYTES + length)
      this.#rest = this.#rest.subarray(HEAD_BYTES + length)
      yield { kind, bytes }
    }
  }
}
