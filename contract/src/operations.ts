import type { Endpoint } from './endpoint.ts'
import { api } from './generated/resources.ts'

/** Every operation with its name: `documents.create` and so on. */
export const operations: readonly { name: string; endpoint: Endpoint }[] = Object.entries(api).flatMap(
  ([resource, endpoints]) =>
    Object.entries(endpoints).map(([verb, endpoint]) => ({
      name: `${resource}.${verb}`,
      endpoint: endpoint as unknown as Endpoint,
    })),
)
