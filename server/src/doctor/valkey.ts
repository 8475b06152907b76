// Valkey is optional: without it each process keeps the limits for itself. So its absence is a warning, and only where it was asked for.

import { messageOf } from '@octavo/base/unknown.ts'
import { Redis } from 'iovalkey'
import { type Check, codeOf, type Finding, ok, reasonOf, skipped, warning } from './finding.ts'
import { lacking, type Settings } from './settings.ts'

const TIMEOUT_MS = 2_000
const MEANWHILE = 'Until it responds, each process applies rate limits separately.'

export function valkeyChecks(settings: Settings): Check[] {
  return [{ name: 'valkey', run: () => look(settings) }]
}

async function look(settings: Settings): Promise<Finding> {
  const lack = lacking(settings, 'VALKEY_URL')
  if (lack) return lack
  const { valkey_url, valkey_timeout_ms, api_processes } = settings.config
  if (valkey_url === null && api_processes > 1)
    return warning(
      `VALKEY_URL is not set, so each of the ${api_processes} API processes (API_PROCESSES) applies rate limits by itself: a client gets up to ${api_processes} times its rate.`,
      'Set VALKEY_URL, or divide the limits of the tiers.',
    )
  if (valkey_url === null)
    return skipped('Not used: VALKEY_URL is not set, so each process applies rate limits separately.')
  const { hostname, port, protocol } = new URL(valkey_url)
  const [host, number] = [hostname || '127.0.0.1', port || '6379']
  const client = new Redis(valkey_url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let cause: unknown = null
  client.on('error', (error) => {
    cause ??= error
  })
  try {
    await client.connect()
    const took_ms = await timePing(client)
    if (took_ms > valkey_timeout_ms)
      return warning(
        `Valkey at ${host}:${number} takes ${took_ms} ms to respond, and a request waits only ${valkey_timeout_ms} ms for it. ${MEANWHILE}`,
        `Move Valkey closer to Octavo, or set VALKEY_TIMEOUT_MS to more than ${took_ms}.`,
      )
    return ok(`Valkey at ${host}:${number} responds.`)
  } catch (error) {
    return explain(cause ?? error, { host, port: number, is_tls: protocol === 'rediss:' })
  } finally {
    client.disconnect()
  }
}

/** The shortest of some: it is about the way there, not about a moment in which the machine was busy. */
async function timePing(client: Redis): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const began_ms = performance.now()
    await client.ping()
    times.push(performance.now() - began_ms)
  }
  return Math.round(Math.min(...times))
}

function explain(error: unknown, { host, port, is_tls }: { host: string; port: string; is_tls: boolean }): Finding {
  const message = messageOf(error)
  if (/WRONGPASS|NOAUTH|NOPERM|invalid password/i.test(message))
    return warning(
      `Valkey at ${host}:${port} rejects the user or the password in VALKEY_URL. ${MEANWHILE}`,
      'Correct VALKEY_URL: redis://<user>:<password>@<host>:<port>/0.',
    )
  const reason = codeOf(error) ? reasonOf(error) : 'no response in time'
  return warning(
    `Valkey at ${host}:${port} (VALKEY_URL) cannot be reached: ${reason}. ${MEANWHILE}`,
    'Start it, correct VALKEY_URL, or remove VALKEY_URL if you run one process. To test it:',
    `valkey-cli -h ${host} -p ${port}${is_tls ? ' --tls' : ''} ping`,
  )
}
