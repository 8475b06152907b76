// Where a database is, as it may be shown.

import { decodePercent } from '../lib/percent.ts'

export interface Address {
  host: string
  port: string
  user: string
  database: string
}

const shown = (part = ''): string => decodePercent(part) ?? part

/** Never includes the password. A text that is not a URL is left to the driver, which accepts other formats. */
export function addressOf(url: string): Address {
  const parsed = URL.parse(url)
  return {
    host: parsed?.hostname || parsed?.searchParams.get('host') || 'localhost',
    port: parsed?.port || '5432',
    user: shown(parsed?.username) || 'this user',
    database: shown(parsed?.pathname.slice(1)) || 'its default',
  }
}
