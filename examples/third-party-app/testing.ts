// Registers the application and starts it, for tests.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import { freePort } from '../../server/src/testing/port.ts'

export async function startThirdPartyApp(
  t: { after(end: () => void): void },
  owner: Octavo,
  octavo_url: string,
  env: Record<string, string> = {},
): Promise<{ url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { id, secret } = await owner.oauthClients.create({
    name: 'Leases app',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [`${url}/callback`],
    scopes: ['documents:read'],
  })
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], {
    env: {
      PATH: process.env['PATH'],
      OCTAVO_URL: octavo_url,
      CLIENT_ID: id,
      CLIENT_SECRET: secret ?? '',
      PORT: `${port}`,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => child.kill())
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(100)) {
    const isReady = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isReady) return { url }
  }
  throw new Error('The application did not start.')
}
