import type { Call, CallOptions, Operation, Send } from './call.ts'
import { Resources } from './generated/resources.ts'
import { type ClientOptions, createSend } from './request.ts'

/** A client of one server, with one credential. */
export class Octavo extends Resources {
  readonly #send: Send

  constructor(options: ClientOptions) {
    const send = createSend(options)
    super(send)
    this.#send = send
  }

  /** For operations that this version of the client does not know. */
  request<T>(operation: Operation, options: CallOptions = {}): Call<T> {
    return this.#send<T>(operation, options)
  }
}
