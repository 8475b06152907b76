// Environment for checking one operation: two separate tenants, a request function, and the rules for every answer.

import { type Endpoint, type ErrorCode, ErrorResponse, operations, type Scope, statusOf } from '@octavo/contract'
import { mismatchOf } from '../../server/src/testing/answers.ts'
import { FORM_CONTENT_TYPE, formFrom } from '../lib/form-only.ts'
import type { World } from '../lib/world.ts'
import { ask, type ContractAnswer, type ContractJson } from './http.ts'
import type { Tally } from './tally.ts'

export type Params = Readonly<Record<string, string>>

/** A successful write: its events must be there in the end, and no others. */
export interface ContractWrittenRow {
  operation: string
  request_id: string
  types: readonly string[]
  key_id: string
  /** The answer's body; {} for a deletion. */
  body: ContractJson
  subject_id: string
}

export interface Party {
  tenant: string
  key_id: string
  secret: string
  /** Writes of the whole tenant. */
  written: ContractWrittenRow[]
}

export interface ContractInput {
  params?: Params
  search?: string
  /** undefined leaves out a header that would be sent. */
  headers?: Record<string, string | undefined>
  /** Text and bytes are sent as they are, everything else as JSON. */
  body?: unknown
  /** null: without a credential; the owner if absent. */
  as?: Party | null
  /** Another method at the same address. */
  method?: string
  /** Another address: from the root of the server. */
  path?: string
  /** The write changes nothing, and so writes no event. */
  is_unchanged?: boolean
  /** Expected events if they differ from those of the example. */
  events?: readonly string[]
}

export const ROOT = '/api/v1'

export const fillPath = (path: string, params: Params): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')

const endpointName = (endpoint: Endpoint): string =>
  operations.find((operation) => operation.endpoint === endpoint)?.name ?? endpoint.path

export const contentTypeOf = ({ is_form_only }: Endpoint): string =>
  is_form_only ? FORM_CONTENT_TYPE : 'application/json'

function encodeBody({ is_form_only }: Endpoint, body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Buffer) return body
  return is_form_only ? formFrom(body as object) : JSON.stringify(body)
}

export class ContractStage {
  readonly endpoint: Endpoint
  readonly name: string
  readonly url: string
  readonly world: World
  /** Ids that examples name, made once for each tenant. */
  readonly references = new Map<string, string>()
  owner!: Party
  stranger!: Party
  private readonly tally: Tally
  private readonly tags = new Map<string, string>()

  constructor(setting: { world: World; url: string; tally: Tally }, name: string, endpoint: Endpoint) {
    this.world = setting.world
    this.url = setting.url
    this.tally = setting.tally
    this.name = name
    this.endpoint = endpoint
  }

  async open(): Promise<void> {
    const [owner, otherTenant] = await Promise.all([this.world.newTenant(), this.world.newTenant()])
    this.owner = { tenant: owner.tenant, key_id: owner.key.id, secret: owner.key.secret, written: [] }
    this.stranger = {
      tenant: otherTenant.tenant,
      key_id: otherTenant.key.id,
      secret: otherTenant.key.secret,
      written: [],
    }
  }

  /** Another key of the owner's tenant. */
  async newKey(scopes: Scope[]): Promise<Party> {
    const key = await this.world.newKey(this.owner.tenant, { scopes })
    return { ...this.owner, key_id: key.id, secret: key.secret }
  }

  check(what: string, is_good: boolean, seen?: unknown): void {
    this.tally.check(this.name, what, is_good, seen)
  }

  expect(what: string, answer: ContractAnswer, status: number): void {
    this.check(`${what} → ${status}`, answer.status === status, { status: answer.status, body: answer.body })
  }

  refused(what: string, answer: ContractAnswer, code: ErrorCode): void {
    const is_good = answer.status === statusOf(code) && answer.body.code === code
    this.check(`${what} → ${statusOf(code)} ${code}`, is_good, { status: answer.status, body: answer.body })
  }

  async send(endpoint: Endpoint, given: ContractInput = {}): Promise<ContractAnswer> {
    const as = given.as === undefined ? this.owner : given.as
    const method = given.method ?? endpoint.method
    const path = given.path ?? ROOT + fillPath(endpoint.path, given.params ?? {})
    const body = encodeBody(endpoint, given.body)
    const headers: Record<string, string | undefined> = {
      ...(as ? { authorization: `Bearer ${as.secret}` } : {}),
      ...(body === undefined ? {} : { 'content-type': contentTypeOf(endpoint) }),
      ...(endpoint.is_bytes ? { accept: 'application/json' } : {}),
      // Wait until the result is complete, unless the answer is stored under an idempotency key.
      ...(method === 'POST' && endpoint.waits && !given.headers?.['idempotency-key'] ? { prefer: 'wait=20' } : {}),
      ...given.headers,
    }
    const present = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const url = given.search === undefined ? path : `${path}?${given.search}`
    const answer = await ask(this.url, url, {
      method,
      headers: Object.fromEntries(present),
      ...(body === undefined ? {} : { body }),
    })
    this.checkAnswer(`${method} ${url.slice(0, 100)}`, answer, method)
    if (answer.status < 300 && method === endpoint.method && given.path === undefined)
      this.checkSuccess(endpoint, answer, given, as)
    return answer
  }

  /** Rules for every answer of the server. */
  private checkAnswer(what: string, answer: ContractAnswer, method: string): void {
    const { status, headers, body } = answer
    const request_id = headers['request-id'] ?? ''
    this.check(`${what} has a Request-Id`, /^req_[0-9a-z]{26}$/.test(request_id), headers)
    this.check(`${what} is no failure of the server`, status < 500, { status, body })
    this.check(`${what} forbids sniffing`, headers['x-content-type-options'] === 'nosniff', headers)
    if (status < 400) return
    const is_plain =
      headers['content-type'] === 'application/json; charset=utf-8' && headers['cache-control'] === 'no-store'
    this.check(
      `${what}: an error is JSON, in English and not kept`,
      is_plain && headers['content-language'] === 'en',
      headers,
    )
    if (method === 'HEAD') return
    const mismatch = mismatchOf(ErrorResponse, body)
    this.check(`${what}: the error body matches ErrorResponse`, mismatch === null, mismatch ?? undefined)
    const code = body.code as ErrorCode
    const is_told = body.request_id === request_id && body.doc_url === `${this.url}/errors#${code}`
    this.check(`${what}: the error body names the request and the page of its code`, is_told, body)
  }

  /** Whether the resource has the tag that it had in the last answer: then nothing has changed. */
  private hasKnownTag({ headers: { etag }, body: { id } }: ContractAnswer): boolean {
    if (etag === undefined || typeof id !== 'string') return false
    const tag = etag.replace('W/', '')
    const isKnown = this.tags.get(id) === tag
    this.tags.set(id, tag)
    return isKnown
  }

  private checkSuccess(endpoint: Endpoint, answer: ContractAnswer, given: ContractInput, as: Party | null): void {
    // Bytes are looked at where they are asked for (bytes.ts).
    if (endpoint.is_bytes && given.headers && 'accept' in given.headers && given.headers.accept !== 'application/json')
      return
    const status = given.is_unchanged ? endpoint.unchanged_status : endpoint.status
    this.check(`${endpointName(endpoint)} answers ${status}`, answer.status === status, answer.status)
    if (endpoint.is_text) {
      const type = answer.headers['content-type'] ?? ''
      this.check(`${endpointName(endpoint)} answers a text`, /^text\/(markdown|plain); charset=utf-8$/.test(type), type)
    } else if (endpoint.answer) {
      const is_sparse = given.search?.includes('fields=') ?? false
      const mismatch = is_sparse ? null : mismatchOf(endpoint.answer, answer.body)
      this.check(
        `${endpointName(endpoint)}: the answer has exactly the declared members`,
        mismatch === null,
        mismatch ?? undefined,
      )
    } else {
      this.check(`${endpointName(endpoint)}: the answer has no body`, answer.text === '', answer.text)
    }
    const isKnown = this.hasKnownTag(answer)
    const isUnchanged = given.is_unchanged || (isKnown && (endpoint.method === 'PUT' || endpoint.method === 'PATCH'))
    if (endpoint.method === 'GET' || !as || answer.headers['idempotent-replayed'] !== undefined) return
    as.written.push({
      operation: endpointName(endpoint),
      request_id: answer.headers['request-id'] ?? '',
      types: isUnchanged ? [] : (given.events ?? endpoint.events),
      key_id: as.key_id,
      body: answer.body,
      subject_id: String(answer.body.id ?? Object.values(given.params ?? {}).at(-1) ?? ''),
    })
  }
}
