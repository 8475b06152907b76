// The format of event streams, as the WHATWG's HTML standard defines it.

export interface Message {
  /** The last `id` that the stream gave, by this message or one before. */
  id: string
  event: string
  data: string
}

/** Accepts the text of a stream in chunks of any size. A message that is cut off is dropped. */
export class MessageParser {
  /** How long to wait before the next connection, if the stream said so. */
  retry_ms: number | null = null
  #rest = ''
  #endedWithCr = false
  #id = ''
  #event = ''
  #data: string[] = []

  /** The messages that this piece completes. */
  push(piece: string): Message[] {
    if (piece === '') return []
    // A CR at the end of the piece before has ended its line already.
    const text = this.#endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#endedWithCr = piece.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    lines[0] = this.#rest + (lines[0] ?? '')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => (line === '' ? this.#dispatch() : this.#take(line)))
  }

  #dispatch(): Message[] {
    const message = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0
    this.#event = ''
    this.#data = []
    return isEmpty ? [] : [message]
  }

  #take(line: string): [] {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    if (field === 'event') this.#event = value
    if (field === 'id' && !value.includes('\0')) this.#id = value
    if (field === 'retry' && /^\d+$/.test(value)) this.retry_ms = Number(value)
    return []
  }
}
