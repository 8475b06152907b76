import type { Call, CallOptions, Operation, Send } from './call.ts'
import { Documents } from './documents.ts'
import { Resources } from './generated/resources.ts'
import { Jobs } from './jobs.ts'
import { type ClientOptions, createSend, settingsOf } from './request.ts'

/** A client of one server, with one credential. */
export class Octavo extends Resources {
  readonly #send: Send
  override readonly documents: Documents
  override readonly jobs: Jobs

  constructor(options: ClientOptions) {
    const settings = settingsOf(options)
    const send = createSend(settings)
    super(send)
    this.#send = send
    this.jobs = new Jobs(send, settings)
    this.documents = new Documents(send, this.jobs)
  }

  /** For operations that this version of the client does not know. */
  request<T>(operation: Operation, options: CallOptions = {}): Call<T> {
    return this.#send<T>(operation, options)
  }
}
