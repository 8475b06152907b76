// Brings a database up to date: our tables, then the engine's.

import { migrate } from './db/migrate.ts'
import { installEngine } from './work/pg-boss.ts'

export async function install(owner_url: string, say: (line: string) => void = () => {}): Promise<number> {
  const count = await migrate(owner_url, say)
  await installEngine(owner_url)
  return count
}
