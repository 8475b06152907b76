// Settings as far as they are right. A wrong one is a finding, and the others are still of use.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@octavo/base/unknown.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { decodePercent } from '../lib/percent.ts'
import { codeOf, type Finding, reasonOf, skipped } from './finding.ts'

export interface Settings {
  /** Where a setting is wrong, its default or a value that means nothing. */
  config: Config
  /** Wrong settings, each with the sentence that the server ends with. */
  wrong: ReadonlyMap<string, string>
  /** Everything in one process, which makes for itself what is not set. */
  is_single: boolean
  /** A single process that was never started: its secret and its roles are yet to be made. */
  is_new: boolean
  env: Env
}

/**
 * Placeholders for required settings that are missing or invalid. Checks that need the real value call `lacking` first.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  BASE_URL: 'http://localhost',
  DATABASE_URL: 'postgres://127.0.0.1:1/',
  DATABASE_SYSTEM_URL: 'postgres://127.0.0.1:1/',
  OCTAVO_SECRETS: `0:${'0'.repeat(64)}`,
  S3_BUCKET: 'none',
  S3_ACCESS_KEY_ID: 'none',
  S3_SECRET_ACCESS_KEY: 'none',
}
const SHAPE = 'postgres://<role>:<password>@<host>:5432/<database>'
const NAMES = /^[A-Z][A-Z0-9_]+(?: and [A-Z][A-Z0-9_]+)*/

/** `derive` gives what a single process makes for itself. */
export function readSettings(env: Env, derive: (env: Env) => Env): Settings {
  const is_single = !env.DATABASE_URL && Boolean(env.DATABASE_OWNER_URL)
  const dir = env.OCTAVO_DATA_DIR || 'data'
  const is_new = is_single && !env.OCTAVO_SECRETS && !existsSync(join(dir, 'secrets'))
  if (!is_single) return { ...readAll(env), is_single, is_new, env }
  try {
    const whole = is_new ? unmade(env, dir) : derive(env)
    return { ...readAll(whole), is_single, is_new, env: whole }
  } catch (error) {
    const whole = unmade(env, dir)
    const { config, wrong } = readAll(whole)
    // Either the directory cannot be used, or the address is none.
    const [name, message] = codeOf(error)
      ? ['OCTAVO_DATA_DIR', `OCTAVO_DATA_DIR: '${dir}' cannot be used: ${reasonOf(error)}.`]
      : ['DATABASE_OWNER_URL', messageOf(error)]
    return { config, wrong: new Map([[name, message], ...wrong]), is_single, is_new: true, env: whole }
  }
}

/** Nothing is made here: that is for the first start, by the user that it runs as. */
const unmade = (env: Env, dir: string): Env => ({
  ...env,
  ...Object.fromEntries(
    ['DATABASE_URL', 'DATABASE_SYSTEM_URL', 'OCTAVO_SECRETS'].map((name) => [name, env[name] || STAND_INS[name]]),
  ),
  BASE_URL: env.BASE_URL || `http://localhost:${env.PORT || 3000}`,
  FILES_DIR: env.FILES_DIR || join(dir, 'files'),
})

/** Reads again and again, each time without what was wrong, until nothing is. */
function readAll(given: Env): Pick<Settings, 'config' | 'wrong'> {
  const env = { ...given }
  const wrong = new Map<string, string>()
  for (;;) {
    try {
      return { config: readConfig(env), wrong: new Map([...wrong, ...listMisshapen(given, wrong)]) }
    } catch (error) {
      const message = messageOf(error)
      // Every sentence begins with the variables that it is about.
      const names = NAMES.exec(message)?.[0].split(' and ') ?? []
      const [first] = names
      if (first === undefined || wrong.has(first)) throw error
      wrong.set(first, message)
      for (const name of names) env[name] = STAND_INS[name] ?? ''
    }
  }
}

/** The server leaves these to the driver, which takes any word for the name of a database. */
function listMisshapen(env: Env, wrong: ReadonlyMap<string, string>): [string, string][] {
  const names = ['DATABASE_URL', 'DATABASE_SYSTEM_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL']
  return names.flatMap((name): [string, string][] => {
    const problem = env[name] && !wrong.has(name) ? findMisshape(env[name]) : null
    return problem === null ? [] : [[name, `${name} ${problem}`]]
  })
}

function findMisshape(url: string): string | null {
  const parsed = URL.parse(url)
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol))
    return `must be a URL such as ${SHAPE}; percent-encode special characters of the password.`
  if ([parsed.username, parsed.password, parsed.pathname].every((part) => decodePercent(part) !== null)) return null
  return "has an invalid '%': percent-encode special characters of the password (% itself is %25)."
}

/** A finding where one of these settings is of no use, so that nothing can be said that depends on it. */
export function lacking({ wrong, is_new, env }: Settings, ...names: string[]): Finding | null {
  const name = names.find((one) => wrong.has(one))
  if (name !== undefined) return skipped(`Skipped: ${name} is not valid; see configuration.`)
  const unmade_name = is_new ? names.find((one) => env[one] !== undefined && env[one] === STAND_INS[one]) : undefined
  return unmade_name === undefined ? null : skipped('Skipped: the first start creates it.')
}
