// Brings a database up to date: our tables, then the engine's.

import { type Logins, migrate } from './db/migrate.ts'
import { installEngine } from './jobs/pg-boss.ts'

export async function install(owner_url: string, say?: (line: string) => void, logins?: Logins): Promise<number> {
  const count = await migrate(owner_url, say, logins)
  await installEngine(owner_url)
  return count
}
