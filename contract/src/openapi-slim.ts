import type { DescribedOperation, Description } from './openapi.ts'

const isError = (status: string): boolean => /^[45]/.test(status)

function slimOperation(operation: DescribedOperation): DescribedOperation {
  const responses = Object.entries(operation.responses).filter(([status]) => !isError(status))
  return { ...operation, responses: Object.fromEntries(responses) }
}

const mapValues = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/**
 * The description with `default` as the only error response. All errors have the same body, but some generators write code for
 * each status of each operation.
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
