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
  /** Sent unchanged; they replace headers that the client sets. */
  headers?: Record<string, string> | undefined
  /** Aborts the call, its retries and the pauses between them; the call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Time limit of one attempt. */
  timeout_ms?: number | undefined
  max_retries?: number | undefined
  /**
   * POST and GET: the server delays its response until the work has ended, for at most this many seconds (1 to 50). The form
   * of the response stays the same, and the time limit of an attempt grows by as much. 0 turns off the client's default.
   */
  wait_seconds?: number | undefined
  /** POST only. By default each call gets a new one. */
  idempotency_key?: string | undefined
  /** The ETag of the resource, or of the parent of a new resource: the call fails with 412 if it has changed since. */
  if_match?: string | undefined
  /** GET only. The ETag that you have: the call returns null if it is still current. */
  if_none_match?: string | undefined
}

export interface ResponseInfo {
  status: number
  headers: Headers
  /** The id of the request in the server's log. */
  request_id: string | null
}
export interface Answered<T> {
  data: T
  response: ResponseInfo
}

/** T, or null if the caller passed `if_none_match` and the server responded with 304. */
export type Fresh<T, O> = 'if_none_match' extends keyof O ? T | null : T

export type Send = <T>(operation: Operation, options?: CallOptions) => Call<T>

/** A promise of the response's body; `withResponse()` also returns status and headers. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answered<T>>

  // `then` must return an ordinary promise, because this constructor takes no executor.
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
    // The caller awaits the other promise; this one must not cause an unhandled rejection.
    this.catch(() => undefined)
    return this.#answer
  }
}

/** One id as a path segment. An empty id or dots would address another resource. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`'${id}' is not an id.`)
  return encodeURIComponent(id)
}
