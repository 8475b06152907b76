// Names that the generated clients take from the contract.

import type { Endpoint } from '../contract/src/index.ts'
import type { Description } from '../contract/src/openapi.ts'
import type { Json } from '../contract/src/openapi-schemas.ts'

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function titleOf(schema: unknown): string {
  const { title } = schema as { title?: string }
  if (title === undefined) throw new Error('Request and response bodies need a title.')
  return title
}

/** The item of a list. Every list has the same envelope, which each client defines by hand. */
export function itemOf(endpoint: Endpoint): string {
  const { properties } = endpoint.answer as unknown as { properties: { data: { items: unknown } } }
  return titleOf(properties.data.items)
}

export function queryParameters(endpoint: Endpoint, description: Description): Json[] {
  const parameters = description.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.parameters as Json[] | undefined
  return (parameters ?? []).filter((parameter) => parameter.in === 'query')
}
