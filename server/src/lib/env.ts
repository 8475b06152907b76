// Settings as texts → values, or a sentence that says what is wrong.

import { isIP } from 'node:net'

export type Env = Record<string, string | undefined>

export function text(env: Env, name: string, fallback?: string): string {
  const value = env[name] || fallback
  if (value === undefined) throw new Error(`${name} is not set. See .env.example for what it means.`)
  return value
}

export function whole(env: Env, name: string, fallback: number, { least = 0, most = 999_999_999_999 } = {}): number {
  const value = env[name] || String(fallback)
  if (!/^\d{1,12}$/.test(value) || Number(value) < least || Number(value) > most)
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not '${value}'.`)
  return Number(value)
}

export function oneOf<const T extends string>(env: Env, name: string, words: readonly [T, ...T[]]): T {
  const value = env[name] || words[0]
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw new Error(`${name} must be one of ${words.join(', ')}, not '${value}'.`)
  return word
}

export const list = (env: Env, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

function isNetwork(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export function networks(env: Env, name: string): string[] {
  const items = list(env, name)
  const wrong = items.find((item) => !isNetwork(item))
  if (wrong !== undefined) throw new Error(`${name}: '${wrong}' is not an IP address or a CIDR such as 10.0.0.0/8.`)
  return items
}

export function httpUrl(env: Env, name: string): string | null {
  const value = env[name] || null
  if (value !== null && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error(`${name} must be an http or https URL.`)
  return value
}
