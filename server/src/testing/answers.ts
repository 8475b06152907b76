// Every answer against its contract, more strictly than a client would: a member that is not declared is an error too.

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Endpoint, ErrorResponse } from '@octavo/contract'
import { failuresOf } from '@octavo/contract/openapi-failures'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true })
formats.default(ajv, ['date-time'])
for (const keyword of ['x-extensible-enum', 'x-comma-list', 'discriminator']) ajv.addKeyword(keyword)

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'examples' ? value : closed(value)]),
  )
  if (copy.type === 'object' && copy.properties !== undefined) copy.additionalProperties = false
  return copy
}

const compiled = new Map<object, ValidateFunction>()

/** null, or what is wrong. */
export function mismatchOf(schema: object, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object)
  compiled.set(schema, validate)
  if (validate(value)) return null
  return (validate.errors ?? []).map(problemText).join('; ')
}

function problemText({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty = '' } = params as { additionalProperty?: string }
  return `${instancePath || 'the answer'} ${message} ${additionalProperty}`.trim()
}

const WITHOUT_BODY = [204, 304]

function failureMismatch(endpoint: Endpoint | undefined, status: number, body: unknown): string | null {
  const mismatch = mismatchOf(ErrorResponse, body)
  if (mismatch !== null || !endpoint) return mismatch
  const { code } = body as ErrorResponse
  const declared: readonly string[] = failuresOf(endpoint).get(status) ?? []
  return declared.includes(code) ? null : `'${code}' is not among the failures that the contract declares`
}

function answerMismatch(endpoint: Endpoint, request: FastifyRequest, body: unknown): string | null {
  const { answer } = endpoint
  if (answer === null) return 'the contract declares no body'
  const isPart = 'fields' in (request.query as object)
  const shown = isPart ? partOf(answer, endpoint.list !== null) : answer
  return mismatchOf(shown, body)
}

interface ObjectSchema {
  properties?: Record<string, { items?: ObjectSchema }>
  required?: string[]
}
/** With `fields` no member is required any more. */
const parts = new Map<object, object>()

function partOf(answer: ObjectSchema, isList: boolean): object {
  const known = parts.get(answer)
  if (known) return known
  const { data } = answer.properties ?? {}
  const part = isList
    ? { ...answer, properties: { ...answer.properties, data: { ...data, items: { ...data?.items, required: [] } } } }
    : { ...answer, required: [] }
  parts.set(answer, part)
  return part
}

function textOfPayload(reply: FastifyReply, payload: string | Buffer): string {
  if (typeof payload === 'string') return payload
  const encoding = reply.getHeader('content-encoding')
  if (encoding === 'br') return brotliDecompressSync(payload).toString()
  return encoding === 'gzip' ? gunzipSync(payload).toString() : payload.toString()
}

function findMismatch(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | null {
  const { endpoint } = request.routeOptions.config
  const { statusCode } = reply
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
  if (request.method === 'HEAD' || WITHOUT_BODY.includes(statusCode) || !isJson) return null
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return null
  const body: unknown = JSON.parse(textOfPayload(reply, payload))
  if (statusCode >= 400) return failureMismatch(endpoint, statusCode, body)
  if (!endpoint) return null
  if (statusCode !== endpoint.status && statusCode !== endpoint.unchanged_status) return 'the status is not declared'
  return answerMismatch(endpoint, request, body)
}

/** Compares every answer of the server with the contract, except streams and bytes; the returned function fails when one differed. */
export function watchAnswers(server: FastifyInstance): () => void {
  const mismatches = new Set<string>()
  server.addHook('onSend', (request, reply, payload, done) => {
    // A client that has hung up gets no answer.
    const mismatch =
      request.raw.socket.destroyed || request.raw.readableAborted ? null : findMismatch(request, reply, payload)
    const path = request.routeOptions.config.endpoint?.path ?? request.url
    if (mismatch !== null) mismatches.add(`${request.method} ${path} ${reply.statusCode}: ${mismatch}`)
    done(null, payload)
  })
  return () => {
    if (mismatches.size > 0) throw new Error(`Answers differ from the contract:\n${[...mismatches].join('\n')}`)
  }
}
