import { Answers } from './answers.ts'
import type { Call, CallOptions, Operation, Send } from './call.ts'
import { Documents } from './documents.ts'
import { Files } from './files.ts'
import { Resources } from './generated/resources.ts'
import { Jobs } from './jobs.ts'
import { type ClientOptions, createSend, settingsOf } from './request.ts'
import { Uploads } from './uploads.ts'

/** A client of one server, with one credential. */
export class Octavo extends Resources {
  readonly #send: Send
  override readonly answers: Answers
  override readonly documents: Documents
  override readonly jobs: Jobs
  override readonly uploads: Uploads
  override readonly files: Files

  constructor(options: ClientOptions) {
    const settings = settingsOf(options)
    const send = createSend(settings)
    super(send)
    this.#send = send
    this.answers = new Answers(send, settings)
    this.jobs = new Jobs(send, settings)
    this.uploads = new Uploads(send, settings)
    this.files = new Files(send, settings)
    this.documents = new Documents(send, settings, { jobs: this.jobs, uploads: this.uploads })
  }

  /** For operations that this version of the client does not know. */
  request<T>(operation: Operation, options: CallOptions = {}): Call<T> {
    return this.#send<T>(operation, options)
  }
}
