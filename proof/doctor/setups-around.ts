// Problems around the server: the clock, ports, addresses, other servers.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startProvider } from '../../server/src/testing/provider.ts'
import { openValkey } from '../lib/valkey.ts'
import { openBucket } from './bucket.ts'
import { fakeTime } from './clock.ts'
import { SECRET, type Setup } from './setup.ts'

async function holdPort(): Promise<{ port: string; close(): Promise<unknown> }> {
  const server = createServer((_, response) => response.end('<html>another program</html>')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port: String(port),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const aroundSetups: readonly Setup[] = [
  {
    name: 'clock off',
    check: 'clock',
    status: 'failed',
    says: /^This machine's clock is (60 minutes|3 days) (ahead of|behind) the clock of the (database|object storage)\./,
    remedy: /time server.*timedatectl set-ntp true/s,
    async make(well) {
      const bucket = await openBucket(well)
      return {
        broken: [
          { env: { ...well, ...fakeTime('+3600') } },
          { env: { ...well, ...fakeTime('-259200') } },
          { env: { ...bucket.env, ...fakeTime('+3600') } },
        ],
        repair: async () => ({ env: { ...bucket.env, ...fakeTime('+0') } }),
        clear: () => bucket.close(),
      }
    },
  },
  {
    name: 'port taken',
    check: 'port',
    status: 'failed',
    says: /^Port \d+ \(PORT\) is used by another program/,
    remedy: /Stop that program, or set PORT to a free port.*ss -ltnp/s,
    async make(well) {
      const held = await holdPort()
      const env = { ...well, PORT: held.port }
      let is_closed = false
      const end = async (): Promise<void> => {
        if (!is_closed) await held.close()
        is_closed = true
      }
      return {
        broken: [{ env }],
        async repair() {
          await end()
          return { env }
        },
        clear: end,
      }
    },
  },
  {
    name: 'bad base URL',
    check: 'base_url',
    status: 'failed',
    says: /BASE_URL.*(host is unknown|does not use TLS|leads to another program)/,
    remedy: /(Correct|Set|Start) BASE_URL/,
    async make(well) {
      const held = await holdPort()
      const api = new URL(well.BASE_URL!)
      const wrong = [
        'http://octavo.invalid',
        `https://${api.host}`,
        `http://127.0.0.1:${held.port}`,
        `${well.BASE_URL}/octavo`,
      ]
      return {
        broken: wrong.map((BASE_URL) => ({ env: { ...well, BASE_URL } })),
        repair: async () => ({ env: well }),
        clear: () => held.close(),
      }
    },
  },
  {
    name: 'Valkey gone',
    check: 'valkey',
    status: 'warning',
    says: /^Valkey at 127\.0\.0\.1:\d+ \(VALKEY_URL\) cannot be reached: connection refused/,
    remedy: /Start it, correct VALKEY_URL.*valkey-cli -h 127\.0\.0\.1 -p \d+ ping/s,
    async make(well) {
      const valkey = await openValkey()
      await valkey.start()
      await valkey.kill()
      const env = { ...well, VALKEY_URL: valkey.url }
      return {
        broken: [{ env }],
        async repair() {
          await valkey.start()
          return { env }
        },
        clear: () => valkey.kill(),
      }
    },
  },
  {
    name: 'provider refusing',
    check: 'provider_chat',
    status: 'failed',
    says: /^http:\/\/127\.0\.0\.1:\d+\/v1 refuses \(401\): it does not accept the key in CHAT_API_KEY\.$/,
    remedy: /Set CHAT_API_KEY to a valid key for that server/,
    async make(well) {
      const provider = await startProvider()
      provider.behave('writer', 'is_locked')
      const env = { ...well, CHAT_BASE_URL: provider.url, CHAT_MODEL: 'writer', CHAT_API_KEY: SECRET }
      return {
        broken: [{ env }],
        async repair() {
          provider.behave('writer', 'well')
          return { env }
        },
        clear: () => provider.close(),
      }
    },
  },
]
