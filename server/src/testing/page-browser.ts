// A browser without JavaScript: it keeps cookies, follows redirects and submits the forms of a page.

import type { TestApi } from './api.ts'
import { ask, type TestAnswer } from './ask.ts'

export interface TestPage {
  path: string
  answer: TestAnswer
  /** Without tags and repeated white space. */
  text: string
  /** Values of the hidden fields, of all forms. */
  hidden: Record<string, string>
}

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

function pageOf(path: string, answer: TestAnswer): TestPage {
  const inputs = answer.text.matchAll(/<input type="hidden" name="(\w+)"(?: autocomplete="\w+")? value="([^"]*)">/g)
  const text = answer.text
    .replaceAll(/<head>[^]*<\/head>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return {
    path,
    answer,
    text: unescape(text).trim(),
    hidden: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescape(value)])),
  }
}

export class PageBrowser {
  readonly cookies = new Map<string, string>()
  private readonly api: Pick<TestApi, 'url' | 'owner_key'>
  private readonly headers: Record<string, string>
  private readonly other_site: string | null
  private page: TestPage | null = null

  /** `other_site`: the origin of another server; redirects to it are not followed. */
  constructor(
    api: Pick<TestApi, 'url' | 'owner_key'>,
    headers: Record<string, string> = {},
    other_site: string | null = null,
  ) {
    this.api = api
    this.headers = headers
    this.other_site = other_site
  }

  open(path: string): Promise<TestPage> {
    return this.send(path, {})
  }

  /** Sends the hidden fields of the current page and the given ones. */
  submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<TestPage> {
    const body = new URLSearchParams({ ...this.page?.hidden, ...fields }).toString()
    return this.send(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  private async send(
    path: string,
    request: { method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<TestPage> {
    const headers = { ...this.headers, ...request.headers, cookie: this.cookieHeader }
    const answer = await ask(this.api, path, { ...request, headers, key: null })
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = cookie.split(';', 1)
      const [name = '', value = ''] = pair.split('=')
      if (cookie.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const { location } = answer.headers
    const isOther = this.other_site !== null && location?.startsWith(this.other_site)
    if (location !== undefined && answer.status === 303 && !isOther) return this.send(location, {})
    this.page = pageOf(path, answer)
    return this.page
  }
}
