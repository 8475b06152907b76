// The ports of the server: free, or held by an Octavo that is well.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { recordOf } from '@octavo/base/unknown.ts'
import { type Check, codeOf, type Finding, failed, ok, reasonOf } from './finding.ts'
import { lacking, type Settings } from './settings.ts'
import { ask, parseJson } from './web.ts'

/** Needs no key, and says what runs here and by which address. */
export const METADATA = '/.well-known/oauth-protected-resource/api'

export function portChecks(settings: Settings): Check[] {
  const { config } = settings
  const main = { setting: 'PORT', host: config.host, port: config.port, page: METADATA }
  const management = {
    setting: 'MANAGEMENT_PORT',
    host: config.management_host,
    port: config.management_port,
    page: '/livez',
  }
  return [
    { name: 'port', run: async () => lacking(settings, 'PORT', 'HOST') ?? look(main) },
    {
      name: 'management_port',
      run: async () => lacking(settings, 'MANAGEMENT_PORT', 'MANAGEMENT_HOST') ?? look(management),
    },
  ]
}

interface PortPlace {
  setting: string
  host: string
  port: number
  /** A path that only Octavo answers. */
  page: string
}

async function look({ setting, host, port, page }: PortPlace): Promise<Finding> {
  if (port === 0) return ok(`${setting} is 0: Octavo picks a free port.`)
  const error = await tryToListen(host, port)
  if (error === null) return ok(`${port} is free.`)
  const code = codeOf(error)
  const host_setting = setting.replace('PORT', 'HOST')
  if (code === 'EACCES')
    return failed(
      `This user may not open port ${port} (${setting}): it is below 1024.`,
      `Set ${setting} to 1024 or higher, and put a proxy in front of it.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return failed(
      `'${host}' (${host_setting}) is not an address of this machine.`,
      `Set ${host_setting} to 127.0.0.1, to 0.0.0.0 for all addresses, or to an address of this machine.`,
    )
  if (code !== 'EADDRINUSE')
    return failed(`Port ${port} (${setting}) cannot be opened: ${reasonOf(error)}.`, `Set ${setting} to another port.`)
  if (await isOctavo(host, port, page)) return ok(`Port ${port} is used by a running Octavo.`)
  return failed(
    `Port ${port} (${setting}) is used by another program, or by an Octavo that does not respond.`,
    `Stop that program, or set ${setting} to a free port. To find the program:`,
    `ss -ltnp 'sport = :${port}'`,
  )
}

async function tryToListen(host: string, port: number): Promise<unknown> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return null
  } catch (error) {
    return error
  } finally {
    server.close()
  }
}

/** Where one connects to what listens there. */
const nearest = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

export async function isOctavo(host: string, port: number, page: string = METADATA): Promise<boolean> {
  const answer = await ask(`http://${nearest(host)}:${port}${page}`, { timeout_ms: 2_000 })
  if ('error' in answer) return false
  const value = recordOf(parseJson(answer.text))
  return page === '/livez' ? value.status === 'ok' : value.resource_name === 'Octavo'
}
