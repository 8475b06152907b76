// The programs of server/src/bin as someone starts them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { TEST_SECRETS } from './api.ts'
import type { TestDatabase } from './database.ts'
import { freePort } from './port.ts'

export const settingsFor = (database: TestDatabase) => ({
  PATH: process.env.PATH!,
  BASE_URL: 'http://localhost',
  DATABASE_URL: database.app_url,
  DATABASE_SYSTEM_URL: database.system_url,
  DATABASE_OWNER_URL: database.owner_url,
  OCTAVO_SECRETS: TEST_SECRETS,
  DRAIN_MS: '0',
})

export const portText = async (): Promise<string> => String(await freePort())

export async function asOwner(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

export function start(program: string, env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [new URL(`../bin/${program}.ts`, import.meta.url).pathname, ...args], {
    env,
    timeout: 180_000,
  })
  const said = { out: '', error: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.error += part.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return { child, said, ended }
}

export const run = (program: string, env: Record<string, string>, ...args: string[]) =>
  start(program, env, ...args).ended
