import type { DescribedOperation, Description } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'

const isError = (status: string): boolean => /^[45]/.test(status)

const ANY_TYPE = '*/*'
const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

/** Generators choose one of the media types, so an operation that returns bytes has no other. */
function slimResponse(response: Json): Json {
  const { content } = response
  const isBytes = typeof content === 'object' && content !== null && ANY_TYPE in content
  return isBytes ? { ...response, content: bytes } : response
}

/** Clients of some generators ask for JSON if any response has it, and would not get the bytes or the text. */
const jsonlessFailure = { description: 'Any error, with the body of other errors as JSON.' }

function slimOperation(operation: DescribedOperation): DescribedOperation {
  const kept = Object.entries(operation.responses).filter(([status]) => !isError(status))
  const responses = mapValues(Object.fromEntries(kept), slimResponse)
  const types = Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {}))
  const hasJson = types.length === 0 || types.includes('application/json')
  return { ...operation, responses: hasJson ? responses : { ...responses, default: jsonlessFailure } }
}

const mapValues = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/**
 * The description for generators of clients. `default` is the only error response: all errors have the same body, but some
 * generators write code for each status of each operation. Bytes have one media type. Operations that return bytes or text
 * do not mention JSON.
 */
export function slimDescription(description: Description): Description {
  const { components } = description
  const { Failure: failure } = components.responses
  const responses = failure ? { Failure: failure } : {}
  const paths = mapValues(description.paths, (operations) => mapValues(operations, slimOperation))
  const used = JSON.stringify([paths, responses])
  const headers = Object.entries(components.headers).filter(([name]) => used.includes(`"#/components/headers/${name}"`))
  return { ...description, paths, components: { ...components, responses, headers: Object.fromEntries(headers) } }
}
