// Parses settings, or explains what is wrong with them.

import { isIP } from 'node:net'
import { type Setting, type SettingName, settings } from './settings.ts'

export type Env = Record<string, string | undefined>
type NameWith<Member> = { [Name in SettingName]: (typeof settings)[Name] extends Member ? Name : never }[SettingName]

const settingOf = (name: SettingName): Setting => settings[name]

/** `fallback` is for defaults that depend on other settings. */
export function text(env: Env, name: SettingName, fallback = settingOf(name).fallback): string {
  const value = env[name] || fallback?.toString()
  if (value === undefined) throw new Error(`${name} is not set. See .env.example for an explanation.`)
  return value
}

export function whole(env: Env, name: NameWith<{ fallback: number }>): number
export function whole(env: Env, name: NameWith<{ follows: string }>, fallback: number): number
export function whole(env: Env, name: SettingName, followed?: number): number {
  const { fallback, least = 0, most = 999_999_999_999 } = settingOf(name)
  const value = env[name] || String(followed ?? fallback)
  if (!/^\d{1,12}$/.test(value) || Number(value) < least || Number(value) > most)
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not '${value}'.`)
  return Number(value)
}

export function oneOf<Name extends NameWith<{ words: readonly string[] }>>(
  env: Env,
  name: Name,
): (typeof settings)[Name]['words'][number] {
  const words: readonly (typeof settings)[Name]['words'][number][] = settings[name].words
  const value = env[name] || words[0]
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw new Error(`${name} must be one of ${words.join(', ')}, not '${value}'.`)
  return word
}

export const list = (env: Env, name: SettingName): string[] =>
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

export function networks(env: Env, name: SettingName): string[] {
  const items = list(env, name)
  const wrong = items.find((item) => !isNetwork(item))
  if (wrong !== undefined) throw new Error(`${name}: '${wrong}' is not an IP address or a CIDR such as 10.0.0.0/8.`)
  return items
}

export function httpUrl(env: Env, name: SettingName): string | null {
  const value = env[name] || null
  if (value !== null && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error(`${name} must be an http or https URL.`)
  return value
}
