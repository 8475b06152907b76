// The programs of server/src/bin as somebody starts them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

export function start(door: string, env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [new URL(`../bin/${door}.ts`, import.meta.url).pathname, ...args], { env, timeout: 60_000 })
  const said = { out: '', error: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.error += part.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return { child, said, ended }
}

export const run = (door: string, env: Record<string, string>, ...args: string[]) => start(door, env, ...args).ended
