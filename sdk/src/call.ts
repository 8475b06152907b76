export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, such as `/documents`. */
  path: string
  query?: object | undefined
  body?: unknown
  /** Instead of a body: `multipart/form-data`. */
  form?: FormData | undefined
}

export interface CallOptions {
  /** Sent as they are; they win over the headers that the client sets itself. */
  headers?: Record<string, string> | undefined
  /** Ends the call, its retries and the waits between them; the call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take. */
  timeout_ms?: number | undefined
  max_retries?: number | undefined
  /**
   * POST and GET: the server holds its answer back until the work has ended, for so many seconds at most (1 to 50). The answer
   * is then the same as without it, only later; one attempt may take this much longer. 0: not, whatever the client says.
   */
  wait_seconds?: number | undefined
  /** POST only. Every call has its own if this is absent. */
  idempotency_key?: string | undefined
  /** The ETag of what is changed, or of the parent of what is created: fails with 412 if it has changed since. */
  if_match?: string | undefined
  /** GET only. The ETag of what you have: the call gives null if it is still the same. */
  if_none_match?: string | undefined
}

export interface ResponseInfo {
  status: number
  headers: Headers
  /** Names the request in the logs of the server. */
  request_id: string | null
}
export interface Answered<T> {
  data: T
  response: ResponseInfo
}

/** T, or null where the caller gave `if_none_match` and the server answered 304. */
export type Fresh<T, O> = 'if_none_match' extends keyof O ? T | null : T

export type Send = <T>(operation: Operation, options?: CallOptions) => Call<T>

/** A promise of the answer's body that can also give the response around it. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answered<T>>

  // `then` must give an ordinary promise: the constructor here takes no executor.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(answer: Promise<Answered<T>>) {
    super((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject)
    })
    this.#answer = answer
  }

  withResponse(): Promise<Answered<T>> {
    // The caller now waits for the other promise; this one must not cause an unhandled rejection.
    this.catch(() => undefined)
    return this.#answer
  }
}

/** One id as a path segment. An empty id or dots would address another resource. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`'${id}' is not an id.`)
  return encodeURIComponent(id)
}
