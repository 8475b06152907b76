import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createPlain, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeCertificate, trustCertificate } from '../testing/certificate.ts'
import { type EgressOptions, egressFetch, operatorFetch } from './egress.ts'
import { EgressFailed, EgressRefused } from './errors.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']
const options = { allow_cidrs: LOOPBACK, allows_http: true, max_bytes: 1_000, total_ms: 5_000 } satisfies EgressOptions

async function listen(t: TestContext, server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const serve = (t: TestContext, answer: RequestListener): Promise<number> => listen(t, createHttp(answer))

/** Says `bytes` to whoever connects. */
const say = (
  t: TestContext,
  bytes: string,
  goOn: (socket: Socket) => void = (socket) => socket.end(),
): Promise<number> =>
  listen(
    t,
    createPlain((socket) =>
      socket.once('data', () => {
        socket.write(bytes)
        goOn(socket)
      }),
    ),
  )

const read = async (url: string, more: Partial<EgressOptions> = {}): Promise<string> =>
  String(await buffer((await egressFetch(url, { ...options, ...more })).body))

test('returns the status, headers and bytes of the response', async (t) => {
  const port = await serve(t, (request, response) => {
    response.writeHead(404, {
      'x-seen': `${request.method} ${request.url} ${request.headers.host} ${request.headers['accept-encoding']}`,
    })
    response.end('not here')
  })

  const answer = await egressFetch(`http://127.0.0.1:${port}/a?b=c#d`, options)

  assert.equal(answer.status, 404)
  assert.equal(answer.headers['x-seen'], `GET /a?b=c 127.0.0.1:${port} identity`)
  assert.equal(String(await buffer(answer.body)), 'not here')
})

test('sends a body', async (t) => {
  const port = await serve(t, (request, response) => void request.pipe(response))

  assert.equal(
    await read(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    }),
    'hello',
  )
})

test('refuses a URL that is not https or contains a password before any lookup', async () => {
  const lookup = (): never => assert.fail('asked')
  const strict = { ...options, allows_http: false, lookup }

  for (const url of [
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'example.com',
    '',
    'https://',
    'data:,x',
  ])
    await assert.rejects(egressFetch(url, strict), EgressRefused, url)
  for (const url of ['https://me@example.com/', 'https://me:secret@example.com/', 'https://:x@example.com/'])
    await assert.rejects(egressFetch(url, strict), /user name or a password/, url)
})

test('refuses internal addresses without connecting, even if only one of several is internal', async (t) => {
  let connections = 0
  const server = createPlain(() => connections++)
  const port = await listen(t, server)
  const closed = { ...options, allow_cidrs: [] }
  const answers = (...addresses: string[]) => ({ ...closed, lookup: async () => addresses })

  for (const host of ['127.0.0.1', '127.1', '0x7f000001', '017700000001', '2130706433', '[::ffff:127.0.0.1]', '0'])
    await assert.rejects(egressFetch(`http://${host}:${port}/`, closed), EgressRefused, host)
  for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['127.1'], []])
    await assert.rejects(
      egressFetch(`http://name.test:${port}/`, answers(...addresses)),
      EgressRefused,
      String(addresses),
    )

  assert.equal(connections, 0)
})

test('sends no byte if the connected address differs from the requested one', async (t) => {
  let bytes = 0
  const port = await listen(
    t,
    createPlain((socket) => void socket.on('data', (chunk) => (bytes += chunk.length))),
  )
  const only = { ...options, allow_cidrs: ['0.0.0.0'] }

  for (const scheme of ['http', 'https'])
    await assert.rejects(egressFetch(`${scheme}://0.0.0.0:${port}/`, only), EgressRefused)

  await sleep(50)
  assert.equal(bytes, 0)
})

test('names the host and not its address, with the same message as for an unknown host', async () => {
  const absent = Object.assign(new Error('absent'), { code: 'ENOTFOUND' })
  const message = "'db.corp.test' does not have a public address."

  await assert.rejects(
    egressFetch('https://db.corp.test/', { ...options, allow_cidrs: [], lookup: async () => ['10.1.2.3'] }),
    { message },
  )
  await assert.rejects(egressFetch('https://db.corp.test/', { ...options, lookup: () => Promise.reject(absent) }), {
    message,
  })
})

test('a temporary lookup failure is retryable', async () => {
  const later = Object.assign(new Error('later'), { code: 'EAI_AGAIN' })

  await assert.rejects(
    egressFetch('https://name.test/', { ...options, lookup: () => Promise.reject(later) }),
    EgressFailed,
  )
})

test('resolves a name once and connects to the address it checked', async (t) => {
  const port = await serve(
    t,
    (request, response) => void response.end(`${request.headers.host} at ${request.socket.localAddress}`),
  )
  const asked: string[] = []
  const lookup = async (name: string): Promise<string[]> => [asked.push(name) === 1 ? '127.0.0.2' : '127.0.0.1']
  const elsewhere = createHttp((_request, response) => void response.end('second answer'))
  elsewhere.listen(port, '127.0.0.2')
  await once(elsewhere, 'listening')
  t.after(() => elsewhere.close())

  assert.equal(await read(`http://name.test:${port}/`, { allow_cidrs: ['127.0.0.2'], lookup }), 'second answer')
  assert.deepEqual(asked, ['name.test'])
})

test('tries the next address if one does not respond', async (t) => {
  const port = await serve(t, (_request, response) => void response.end('here'))

  assert.equal(await read(`http://name.test:${port}/`, { lookup: async () => ['127.0.0.9', '127.0.0.1'] }), 'here')
})

test('reports a redirect as an error, regardless of its target', async (t) => {
  let hits = 0
  const port = await serve(t, (request, response) => {
    if (request.url === '/target') hits++
    response.writeHead(302, { location: `http://127.0.0.1:${port}/target` }).end()
  })

  await assert.rejects(read(`http://127.0.0.1:${port}/`), {
    name: 'Error',
    status: 302,
    message: /redirect \(302\), which Octavo does not follow/,
  })
  assert.equal(hits, 0)
})

test('server errors and rate limits are retryable, other statuses are returned', async (t) => {
  const port = await serve(t, ({ url = '' }, response) => void response.writeHead(Number(url.slice(1))).end())

  for (const status of [500, 503, 429, 408])
    await assert.rejects(
      read(`http://127.0.0.1:${port}/${status}`),
      (error) => error instanceof EgressFailed && error.status === status,
    )
  for (const status of [200, 204, 403, 404, 410]) {
    const answer = await egressFetch(`http://127.0.0.1:${port}/${status}`, options)
    answer.body.destroy()
    assert.equal(answer.status, status)
  }
})

test('refuses too many bytes, whether announced, unannounced or announced wrongly', async (t) => {
  const announced = await serve(
    t,
    (_request, response) => void response.writeHead(200, { 'content-length': '1001' }).write('x'),
  )
  const unannounced = await serve(t, (_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(600)), 5)
    response.on('close', () => clearInterval(timer))
  })
  const lying = await say(t, `HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${'x'.repeat(5_000)}`)
  const untilClosed = await say(t, `HTTP/1.0 200 OK\r\n\r\n${'x'.repeat(5_000)}`)

  for (const port of [announced, unannounced, untilClosed])
    await assert.rejects(
      read(`http://127.0.0.1:${port}/`),
      (error) => error instanceof EgressRefused && /1000 bytes/.test(error.message),
    )
  assert.equal(await read(`http://127.0.0.1:${lying}/`), 'x'.repeat(10))
})

test('fewer bytes than announced are a failure', async (t) => {
  const port = await say(t, 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort')

  await assert.rejects(read(`http://127.0.0.1:${port}/`), EgressFailed)
})

test('refuses a compressed response', async (t) => {
  const port = await serve(
    t,
    (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  )

  await assert.rejects(read(`http://127.0.0.1:${port}/`), EgressRefused)
})

test('limits the time for lookup, connection, headers and body', async (t) => {
  const silent = await listen(t, createPlain())
  const dripping = await serve(t, (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const quick = { connect_ms: 100, total_ms: 300 }

  for (const [url, more] of [
    ['http://name.test/', { lookup: () => new Promise<string[]>(() => {}) }],
    [`https://127.0.0.1:${silent}/`, {}],
    [`http://127.0.0.1:${silent}/`, {}],
    [`http://127.0.0.1:${dripping}/`, {}],
  ] as const) {
    const started = performance.now()
    await assert.rejects(
      read(url, { ...quick, ...more }),
      (error) => error instanceof EgressFailed && /in time/.test(error.message),
      url,
    )
    assert.ok(performance.now() - started < 1_500, url)
  }
})

test('a body that is not read in time fails, and a late reader gets the error', async (t) => {
  const port = await serve(t, (_request, response) => void response.write('x'))
  const { body } = await egressFetch(`http://127.0.0.1:${port}/`, { ...options, total_ms: 100 })
  const other = await egressFetch(`http://127.0.0.1:${port}/`, { ...options, total_ms: 100 })

  await sleep(200)

  await assert.rejects(buffer(body), EgressFailed)
  await assert.rejects(pipeline(other.body, async (bytes) => void (await buffer(bytes))))
})

test('a signal ends the request with its reason, before and during the response', async (t) => {
  const port = await serve(t, (_request, response) => void response.write('x'))
  const reason = new Error('cancelled')
  const controller = new AbortController()
  const { body } = await egressFetch(`http://127.0.0.1:${port}/`, { ...options, signal: controller.signal })
  setTimeout(() => controller.abort(reason), 50)

  await assert.rejects(buffer(body), reason)
  await assert.rejects(egressFetch(`http://127.0.0.1:${port}/`, { ...options, signal: controller.signal }), reason)
})

test('abandoning a body closes its connection', async (t) => {
  const server = createHttp((_request, response) => void response.write('x'))
  const port = await listen(t, server)
  const { body } = await egressFetch(`http://127.0.0.1:${port}/`, options)

  body.destroy()

  for (let left = 50; left > 0 && (await connectionsOf(server)) > 0; left--) await sleep(10)
  assert.equal(await connectionsOf(server), 0)
})

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))

test('fails if the server does not listen or does not speak HTTP', async (t) => {
  const odd = await say(t, 'SSH-2.0-OpenSSH_9.6\r\n')
  const resetting = await say(t, '', (socket) => void socket.resetAndDestroy())
  const headers = await say(t, `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`)

  await assert.rejects(read('http://127.0.0.1:1/'), /does not accept connections/)
  for (const port of [odd, resetting, headers]) await assert.rejects(read(`http://127.0.0.1:${port}/`), EgressFailed)
})

test('over TLS the certificate must match the name, wherever it resolves', async (t) => {
  const certificate = makeCertificate('name.test')
  let indicated: string | false | undefined
  const server = createHttps(certificate, (request, response) => {
    indicated = (request.socket as unknown as { servername: string }).servername
    response.end('secret')
  })
  const port = await listen(t, server)
  const lookup = async (): Promise<string[]> => ['127.0.0.1']

  await assert.rejects(
    read(`https://name.test:${port}/`, { lookup }),
    (error) => error instanceof EgressFailed && /certificate/.test(error.message),
  )
  trustCertificate(t, certificate)
  assert.equal(await read(`https://name.test:${port}/`, { lookup, allows_http: false }), 'secret')
  assert.equal(indicated, 'name.test')
  assert.equal(await read(`https://name.test.:${port}/`, { lookup }), 'secret')
  await assert.rejects(read(`https://other.test:${port}/`, { lookup }), /certificate/)
})

test('an address that the operator configured may be internal, within the same limits', async (t) => {
  const port = await serve(t, ({ url }, response) => void response.end('x'.repeat(url === '/large' ? 2_000 : 2)))
  const bounds = { max_bytes: 1_000, total_ms: 5_000 }

  assert.equal(String(await buffer((await operatorFetch(`http://127.0.0.1:${port}/`, bounds)).body)), 'xx')
  await assert.rejects(operatorFetch(`http://127.0.0.1:${port}/large`, bounds), EgressRefused)
  for (const lookup of [
    async () => [],
    () => Promise.reject(Object.assign(new Error('absent'), { code: 'ENOTFOUND' })),
  ])
    await assert.rejects(operatorFetch('http://reader.test/', { ...bounds, lookup }), EgressFailed)
})
