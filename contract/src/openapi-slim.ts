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

function slimOperation(operation: DescribedOperation): DescribedOperation {
  const responses = Object.entries(operation.responses).filter(([status]) => !isError(status))
  return { ...operation, responses: mapValues(Object.fromEntries(responses), slimResponse) }
}

const mapValues = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/**
 * The description for generators of clients. `default` is the only error response: all errors have the same body, but some
 * generators write code for each status of each operation. Bytes have one media type.
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
