// Last line of defense: redacts secrets and removes terminal control characters from every finding.

import { stripVTControlCharacters } from 'node:util'
import type { Env } from '../config/env.ts'
import { decodePercent } from '../lib/percent.ts'
import { legible } from '../text/legible.ts'
import type { Finding } from './finding.ts'

const SECRET = /SECRET|PASSWORD|TOKEN|_KEY$/
/** Shorter ones would be found inside of ordinary words. */
const SHORTEST = 6

function listSecrets(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (SECRET.test(name)) return value.split(',').flatMap((one) => [one, one.replace(/^\d+:/, '')])
    const { password = '', username = '' } = URL.parse(value) ?? {}
    // A password that is the name of its user is no secret, and that name must be said.
    return password === username ? [] : [password, decodePercent(password) ?? '']
  })
}

/** A finding is one line, and does nothing but to be read. */
const clean = (text: string): string =>
  legible(stripVTControlCharacters(text).replace(/[\t-\r\u0085\u2028\u2029]+/g, ' '))

export function hideSecrets(finding: Finding, env: Env): Finding {
  const secrets = listSecrets(env).filter((secret) => secret.length >= SHORTEST)
  const hide = (text: string): string => secrets.reduce((one, secret) => one.replaceAll(secret, '…'), clean(text))
  const { status, says, remedy, commands } = finding
  return {
    status,
    says: hide(says),
    ...(remedy === undefined ? {} : { remedy: hide(remedy) }),
    ...(commands === undefined ? {} : { commands: commands.map(hide) }),
  }
}
