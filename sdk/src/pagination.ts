import { type Answered, Call, type CallOptions, type Fresh, type Operation, type Send } from './call.ts'

/** One page of a list. */
export interface ListPage<T> {
  data: T[]
  has_next_page: boolean
  /** Fetches the next page; null on the last one. */
  cursor?: string | null
  /** Only with numbered pages. */
  page?: number
  /** Only with numbered pages. */
  per_page?: number
}

function nextQuery<T>(query: { page?: unknown; per_page?: unknown }, page: ListPage<T>): object | null {
  if (!page.has_next_page) return null
  if (query.page !== undefined || query.per_page !== undefined) return { ...query, page: (page.page ?? 1) + 1 }
  return page.cursor ? { ...query, cursor: page.cursor } : null
}

/** A promise of the first page. It can also be iterated: over every item with `for await`, or over whole pages with `pages()`. */
export class Listing<T, O = object> extends Call<Fresh<ListPage<T>, O>> {
  readonly #follow: (query: object) => Call<ListPage<T>>
  readonly #query: object

  constructor(send: Send, operation: Operation, options: CallOptions = {}) {
    super(send<Fresh<ListPage<T>, O>>(operation, options).withResponse())
    // The condition is about the first page only.
    const { if_none_match: _, ...rest } = options
    this.#follow = (query) => send<ListPage<T>>({ ...operation, query }, rest)
    this.#query = operation.query ?? {}
  }

  async *pages(): AsyncGenerator<ListPage<T>, void, undefined> {
    const { data } = (await this.withResponse()) as Answered<ListPage<T> | null>
    let page = data
    while (page) {
      yield page
      const query = nextQuery(this.#query, page)
      page = query && (await this.#follow(query))
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}
