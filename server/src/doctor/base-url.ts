// Whether the address that clients are given leads here.

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
      `BASE_URL is ${base_url}, and no such host is known here (DNS). Every link that clients are given begins with it.`,
      'Correct BASE_URL, or enter the name into DNS.',
    )
  if (/^(ERR_SSL|EPROTO)/.test(code) && protocol === 'https:')
    return failed(
      `BASE_URL is ${base_url}, but what listens there does not speak TLS.`,
      'Begin BASE_URL with http://, or put a proxy with a certificate there.',
    )
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
    return failed(
      `BASE_URL is ${base_url}, and ${reasonOf(error)}: clients will refuse it.`,
      'Renew or replace the certificate of the proxy that answers there.',
    )
  if (!runs_here)
    return skipped(`Not looked at: nothing answers at ${base_url}, and Octavo does not run here at the moment.`)
  const reason = isSlow(error) ? 'it does not answer in time' : reasonOf(error)
  const says = `Octavo runs here on port ${port}, but BASE_URL ${base_url} does not lead to it: ${reason}.`
  // A published port of a container, or a proxy before the house, cannot always be reached from behind.
  if (is_loopback && !isContainer())
    return failed(says, `Set BASE_URL to what clients use. On this machine that is http://localhost:${port}.`)
  return warning(
    says,
    'If clients reach it, all is well: from here it cannot be seen. Else correct BASE_URL or the proxy.',
  )
}

function judgeAnswer({ status, text, headers }: WebAnswer, { config }: Settings): Finding {
  const { base_url, host } = config
  const { resource, resource_name } = (parseJson(text) ?? {}) as { resource?: string; resource_name?: string }
  if (status >= 300 && status < 400)
    return failed(
      `BASE_URL ${base_url} answers with a redirect to ${headers.get('location') ?? 'elsewhere'}, which clients do not follow with a key.`,
      'Set BASE_URL to the address that it leads to.',
    )
  if (resource_name !== 'Octavo')
    return failed(
      `BASE_URL ${base_url} leads to another program: it answers with ${status} where Octavo would say who it is.`,
      'Set BASE_URL to the address at which clients reach Octavo: scheme, host, port and the path before /api, if there is one.',
    )
  if (resource !== `${base_url}/api`)
    return failed(
      `BASE_URL is ${base_url}, but the Octavo that answers there was started with ${resource?.replace(/\/api$/, '')}.`,
      'Start it again, so that it takes the new value; or correct BASE_URL if this is another installation.',
    )
  if (LOOPBACK.test(new URL(base_url).hostname) && EVERYWHERE.includes(host))
    return ok(`${base_url} leads to this Octavo. It works on this machine only: set BASE_URL before others use it.`)
  return ok(`${base_url} leads to this Octavo.`)
}
