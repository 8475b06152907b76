// Which addresses exist and what they offer, from the contract: for 405, `Allow` and OPTIONS.

import { firstOf } from '@octavo/base/required.ts'
import { operations } from '@octavo/contract'

export const API_ROOT = '/api/v1'

interface RoutePattern {
  pattern: RegExp
  methods: string[]
}

const addresses = new Map<string, RoutePattern>()
for (const { endpoint } of operations) {
  const pattern = new RegExp(`^${API_ROOT}${endpoint.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
  const address = addresses.get(endpoint.path) ?? { pattern, methods: [] }
  address.methods.push(endpoint.method)
  addresses.set(endpoint.path, address)
}

const pathFromUrl = (url: string): string => firstOf(url.split('?', 1))

export function allowedMethods(url: string): string[] | null {
  const path = pathFromUrl(url)
  const address = [...addresses.values()].find(({ pattern }) => pattern.test(path))
  if (!address) return null
  return [...address.methods, ...(address.methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
}

export const versionOf = (url: string): string => pathFromUrl(url).split('/')[2] ?? ''

/** `/documents/{document_id}` → `/documents/:document_id`. */
export const routePath = (path: string): string => API_ROOT + path.replace(/\{(\w+)\}/g, ':$1')
