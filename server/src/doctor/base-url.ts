// Whether the address that clients are given leads here.

import { recordOf } from '@octavo/base/unknown.ts'
import { isContainer } from './commands.ts'
import { type Check, codeOf, type Finding, failed, ok, reasonOf, skipped, warning } from './finding.ts'
import { isOctavo, METADATA } from './ports.ts'
import { lacking, type Settings } from './settings.ts'
import { ask, isSlow, parseJson, type WebAnswer } from './web.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const NO_HOST = ['ENOTFOUND', 'EAI_AGAIN']
const EVERYWHERE = ['0.0.0.0', '::']

export function baseUrlChecks(settings: Settings): Check[] {
  return [{ name: 'base_url', run: () => look(settings) }]
}

async function look(settings: Settings): Promise<Finding> {
  const lack = lacking(settings, 'BASE_URL', 'PORT', 'HOST')
  if (lack) return lack
  const { base_url, host, port } = settings.config
  const [answer, runs_here] = await Promise.all([ask(base_url + METADATA), isOctavo(host, port)])
  if ('error' in answer) return unanswered(answer.error, settings, runs_here)
  return judgeAnswer(answer, settings)
}

function unanswered(error: unknown, { config }: Settings, runs_here: boolean): Finding {
  const { base_url, port } = config
  const { protocol, hostname } = new URL(base_url)
  const code = codeOf(error)
  const is_loopback = LOOPBACK.test(hostname)
  if (NO_HOST.includes(code))
    return failed(
      `BASE_URL is ${base_url}, but its host is unknown (DNS). Every link in responses starts with BASE_URL.`,
      'Correct BASE_URL, or add the name to DNS.',
    )
  if (/^(ERR_SSL|EPROTO)/.test(code) && protocol === 'https:')
    return failed(
      `BASE_URL is ${base_url}, but the server there does not use TLS.`,
      'Start BASE_URL with http://, or add a proxy with a certificate.',
    )
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
    return failed(
      `BASE_URL is ${base_url}, and ${reasonOf(error)}, so clients will reject it.`,
      'Renew or replace the certificate of that proxy.',
    )
  if (!runs_here) return skipped(`Skipped: nothing responds at ${base_url}, and Octavo is not running here.`)
  const reason = isSlow(error) ? 'no response in time' : reasonOf(error)
  const says = `Octavo runs here on port ${port}, but BASE_URL ${base_url} does not lead to it: ${reason}.`
  // A published container port or a proxy in front of the server cannot always be reached from inside.
  if (is_loopback && !isContainer())
    return failed(says, `Set BASE_URL to the URL that clients use. On this machine that is http://localhost:${port}.`)
  return warning(says, 'If clients can reach it, ignore this warning. Otherwise correct BASE_URL or the proxy.')
}

function judgeAnswer({ status, text, headers }: WebAnswer, { config }: Settings): Finding {
  const { base_url, host } = config
  const { resource, resource_name } = recordOf(parseJson(text))
  if (status >= 300 && status < 400)
    return failed(
      `BASE_URL ${base_url} redirects to ${headers.get('location') ?? 'another URL'}, and clients do not follow redirects with a key.`,
      'Set BASE_URL to the target URL.',
    )
  if (resource_name !== 'Octavo')
    return failed(
      `BASE_URL ${base_url} leads to another program, which returns ${status}.`,
      'Set BASE_URL to the URL at which clients reach Octavo: scheme, host, port and any path before /api.',
    )
  if (resource !== `${base_url}/api`)
    return failed(
      `BASE_URL is ${base_url}, but the Octavo that runs there was started with ${String(resource).replace(/\/api$/, '')}.`,
      'Restart it so that it reads the new value, or correct BASE_URL if this is another installation.',
    )
  if (LOOPBACK.test(new URL(base_url).hostname) && EVERYWHERE.includes(host))
    return ok(`${base_url} leads to this Octavo. It works only on this machine: set BASE_URL before others use it.`)
  return ok(`${base_url} leads to this Octavo.`)
}
