// The superuser of a proof's own database, for seeding and for looking from outside.

import pg from 'pg'
import { defer } from './scope.ts'

export function adminUrl(database: string): string {
  const url = new URL(process.env.DATABASE_ADMIN_URL ?? '')
  url.pathname = `/${database}`
  return url.href
}

export async function asAdmin<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl(database) })
  await client.connect()
  await using _client = defer(() => client.end())
  return await work(client)
}
