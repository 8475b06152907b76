import assert from 'node:assert/strict'
import { PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { BodyBytes } from './body-bytes.ts'

/** A request that ends when the test says so. */
function openRequest() {
  const releases: (() => void)[] = []
  return { atEnd: (release: () => void) => void releases.push(release), end: () => releases.map((one) => one()) }
}

async function codeOf(body: Readable): Promise<string> {
  return buffer(body).then(
    (bytes) => `${bytes.length} bytes`,
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
}

const bodyOf = (bytes: number): Readable => new PassThrough().end(Buffer.alloc(bytes))

test('a tenant holds no more body bytes than its share until its requests end', async () => {
  const bodies = new BodyBytes({ tenant_bytes: 100, process_bytes: 250 })
  const [first, second, third] = [openRequest(), openRequest(), openRequest()]

  assert.equal(await codeOf(bodies.count(bodyOf(80), 'a', first)), '80 bytes')
  assert.equal(await codeOf(bodies.count(bodyOf(30), 'a', second)), 'service_unavailable')
  assert.equal(await codeOf(bodies.count(bodyOf(80), 'b', second)), '80 bytes')
  first.end()
  assert.equal(await codeOf(bodies.count(bodyOf(80), 'a', third)), '80 bytes')
})

test('all tenants together hold no more body bytes than the process limit', async () => {
  const bodies = new BodyBytes({ tenant_bytes: 100, process_bytes: 150 })

  assert.equal(await codeOf(bodies.count(bodyOf(90), 'a', openRequest())), '90 bytes')
  assert.equal(await codeOf(bodies.count(bodyOf(90), 'b', openRequest())), 'service_unavailable')
})

test('an announced body that does not arrive reserves no bytes and is cut off', async () => {
  const bodies = new BodyBytes({ tenant_bytes: 100, process_bytes: 100, interval_ms: 300, min_bytes: 10 })
  const silent = codeOf(bodies.count(new PassThrough(), 'a', openRequest()))

  assert.equal(await codeOf(bodies.count(bodyOf(100), 'a', openRequest())), '100 bytes')
  assert.equal(await silent, 'invalid_request')
})
