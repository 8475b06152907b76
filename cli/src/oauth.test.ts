// The login does not trust the answers of a server: a page elsewhere, or times that make no sense.

import assert from 'node:assert/strict'
import { chmodSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { requestDeviceCode } from './oauth.ts'
import { Person } from './testing/run.ts'

type Fields = Record<string, unknown>

/** A server that answers requests for a device code with these fields, and has no tokens. */
async function startServer(fieldsFor: (url: string) => Fields): Promise<string> {
  const server = createServer((request, response) => {
    const answers: Record<string, Fields> = {
      '/.well-known/oauth-authorization-server': { issuer: url, device_authorization_endpoint: url },
      '/oauth/device-authorization': { device_code: 'd', user_code: 'BCDF-GHJK', ...fieldsFor(url) },
    }
    const answer = answers[request.url ?? '']
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}

const pages = (url: string): Fields => ({ verification_uri: `${url}/oauth/device`, expires_in: 600 })

test('login refuses a page at another address', async () => {
  const elsewhere = (url: string): string[] => ['file:///etc/passwd', `${url}.evil.example/`, '/oauth/device']
  for (const field of ['verification_uri', 'verification_uri_complete'])
    for (const at of [0, 1, 2]) {
      const url = await startServer((own) => ({ ...pages(own), [field]: elsewhere(own)[at] }))

      await assert.rejects(requestDeviceCode(url), /points to a sign-in page at another address/)
    }
})

test('login neither shows nor opens a page at another address', async () => {
  const person = new Person()
  after(() => person.leave())
  for (const opener of ['xdg-open', 'open'])
    chmodSync(person.file(opener, `#!/bin/sh\ntouch '${join(person.home, 'opened')}'\n`), 0o700)
  const env = { PATH: `${person.home}:${process.env['PATH']}` }
  const page = 'https://evil.example/'
  const url = await startServer((own) => ({ ...pages(own), interval: 1, verification_uri_complete: page }))

  const { exit, err } = await person.run(['login', url, '--open'], { env })

  assert.equal(exit, 4, err)
  assert.match(err.replaceAll(/\s+/g, ' '), /another address\. Check .* or use an API key: octavo login --key http/)
  assert.doesNotMatch(err, /enter the code/)
  assert.equal(existsSync(join(person.home, 'opened')), false)
})

test('login polls every 1 to 60 seconds', async () => {
  const intervals = [undefined, 'soon', -3, 0, 7, 1e9, null]
  const found: number[] = []
  for (const interval of intervals) {
    const url = await startServer((own) => ({ ...pages(own), interval }))
    found.push((await requestDeviceCode(url)).interval_seconds)
  }
  assert.deepEqual(found, [5, 5, 1, 1, 7, 60, 5])
})

test('login refuses a code without an end', async () => {
  for (const expires_in of [undefined, null, 'never', 1e300]) {
    const url = await startServer((own) => ({ ...pages(own), expires_in }))

    await assert.rejects(requestDeviceCode(url), { code: 'unexpected_answer' })
  }
})
