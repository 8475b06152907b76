// Every way in which a server can misbehave, over real HTTP: each ends in its own error, in time, and is paid for once.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProvider, type TestProvider } from '../../testing/provider.ts'
import { type Behaviour, stubVector } from '../../testing/provider-answers.ts'
import type { Provider, RemoteModel } from '../catalogue.ts'
import {
  type Embedder,
  type Generation,
  type Generator,
  ModelOutputInvalid,
  ModelRefused,
  ModelTimeout,
  ModelUnavailable,
  type Reranker,
} from '../model.ts'
import { openCompatible, type ProviderBounds } from './compatible.ts'

const SECRET = 'sk-very-secret'
const schema = {
  name: 'lease',
  schema: {
    type: 'object',
    properties: { quote: { type: 'string' }, rooms: { type: 'integer', minimum: 1 } },
    required: ['quote', 'rooms'],
    additionalProperties: false,
  },
}
const LINE = 'The landlord lets the workshop at 4 Quay Street to the tenant for three years.'
const asked = (more: Partial<Generation> = {}): Generation => ({
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: LINE },
  ],
  max_output_tokens: 200,
  signal: new AbortController().signal,
  ...more,
})

const ENTRY: RemoteModel = {
  id: 'stub/model',
  provider: 'stub',
  model: 'model',
  kind: 'generator',
  capabilities: ['generate'],
  context_tokens: 8_192,
  dimensions: null,
  max_batch: 4,
  price: { input: 0, output: 0 },
  licence: null,
  languages: [],
  version: '1.0',
  supports_schema: true,
  timeout_seconds: 5,
  max_concurrency: null,
}

interface CompatibleScene {
  stub: TestProvider
  provider: Provider
  generator: (model: string, more?: Partial<RemoteModel>, bounds?: Partial<ProviderBounds>) => Generator
  embedder: (model: string, more?: Partial<RemoteModel>) => Embedder
  reranker: (model: string) => Reranker
}

async function startScene(t: TestContext): Promise<CompatibleScene> {
  const stub = await startProvider()
  t.after(() => stub.close())
  const provider: Provider = {
    id: 'stub',
    base_url: stub.url,
    api_key: SECRET,
    locality: 'local',
    headers: { 'x-team': 'blue' },
  }
  const entryOf = (kind: RemoteModel['kind'], model: string, more: Partial<RemoteModel> = {}): RemoteModel => ({
    ...ENTRY,
    id: `stub/${model}`,
    model,
    kind,
    dimensions: kind === 'embedder' ? 8 : null,
    ...more,
  })
  return {
    stub,
    provider,
    generator: (model, more, bounds) =>
      openCompatible(entryOf('generator', model, more), provider, bounds) as Generator,
    embedder: (model, more) => openCompatible(entryOf('embedder', model, more), provider) as Embedder,
    reranker: (model) => openCompatible(entryOf('reranker', model), provider) as Reranker,
  }
}

test('generates an answer with its token usage, whole and streamed', async (t) => {
  const { generator, stub } = await startScene(t)
  const model = generator('well')
  const pieces: string[] = []

  const whole = await model.generate(asked({ idempotency_key: 'call-1' }))
  const streamed = await model.generate(asked({ onText: (piece) => void pieces.push(piece) }))

  assert.equal(whole.text, `In short: ${LINE}`)
  assert.deepEqual(streamed, whole)
  assert.equal(pieces.join(''), whole.text)
  assert.ok(pieces.length > 3)
  assert.ok(whole.spent.input_tokens > 10 && whole.spent.output_tokens > 10 && !whole.spent.is_estimate)
  const [{ headers, body }] = stub.asked as [TestProvider['asked'][number]]
  assert.deepEqual(
    [headers.authorization, headers['x-team'], headers['idempotency-key']],
    [`Bearer ${SECRET}`, 'blue', 'call-1'],
  )
  assert.deepEqual([body.model, body.max_tokens, body.messages?.length], ['well', 200, 2])
})

test('generates a value that satisfies the schema, whole and streamed', async (t) => {
  const { generator, stub } = await startScene(t)

  for (const more of [{}, { onText() {} }]) {
    const { value } = await generator('well').generate(asked({ schema, ...more }))
    assert.deepEqual(value, { quote: LINE, rooms: 1 })
  }
  assert.deepEqual(stub.asked[0]?.body.response_format?.json_schema?.schema, schema.schema)
  assert.equal(stub.asked[0]?.body.response_format?.json_schema?.strict, true)
})

test('describes the schema in the prompt if the server does not support schemas', async (t) => {
  const { generator, stub } = await startScene(t)
  stub.say('plain', () => '{"quote":"a","rooms":2}')
  stub.say('rejects_schema', () => '{"quote":"a","rooms":2}')

  const plain = await generator('plain', { supports_schema: false }).generate(asked({ schema }))
  const rejecting = await generator('rejects_schema').generate(asked({ schema }))

  assert.deepEqual(plain.value, { quote: 'a', rooms: 2 })
  assert.deepEqual(stub.asked[0]?.body.response_format, { type: 'json_object' })
  assert.match(JSON.stringify(stub.asked[0]?.body.messages), /JSON Schema.*additionalProperties/)
  assert.deepEqual([rejecting.value, stub.calls('rejects_schema')], [plain.value, 2])
})

test('drops parameters that a model rejects and remembers it for later calls', async (t) => {
  const { generator, stub } = await startScene(t)
  const model = generator('is_particular')

  await model.generate(asked({ onText() {} }))
  assert.equal(stub.calls(), 4)
  await model.generate(asked({ onText() {} }))

  const { temperature, max_tokens, max_completion_tokens } = stub.asked.at(-1)!.body
  assert.deepEqual([stub.calls(), temperature, max_tokens, max_completion_tokens], [5, undefined, undefined, 200])
})

test('sends an image with the message', async (t) => {
  const { generator, stub } = await startScene(t)
  const image = { media_type: 'image/png', bytes: Uint8Array.from([1, 2, 3]) }

  await generator('well').generate(asked({ messages: [{ role: 'user', text: 'Read it.', image }] }))

  assert.deepEqual(stub.asked[0]?.body.messages?.[0]?.content, [
    { type: 'text', text: 'Read it.' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
  ])
})

test('repairs JSON between code fences without another call', async (t) => {
  const { generator, stub } = await startScene(t)

  const { value } = await generator('fences_json').generate(asked({ schema }))

  assert.deepEqual(value, { quote: LINE, rooms: 1 })
  assert.equal(stub.calls(), 1)
})

test('asks again with the reason if the answer does not fit the schema, and counts both calls', async (t) => {
  const { generator, stub } = await startScene(t)
  stub.behave('m', 'ignores_schema', 'well')

  const { value, spent } = await generator('m').generate(asked({ schema }))
  const once = await generator('well').generate(asked({ schema }))

  assert.equal((value as { rooms: number }).rooms, 1)
  assert.ok(spent.input_tokens > 2 * once.spent.input_tokens, JSON.stringify(spent))
  assert.match(
    JSON.stringify(stub.asked[1]?.body.messages),
    /That answer cannot be used: the value must have required property/,
  )
})

test('gives up after the second invalid answer and counts both calls', async (t) => {
  const { generator, stub } = await startScene(t)

  for (const model of ['breaks_json', 'ignores_schema'])
    await assert.rejects(generator(model).generate(asked({ schema })), (error) => {
      assert.ok(error instanceof ModelOutputInvalid)
      assert.equal(stub.calls(model), 2)
      return error.spent.input_tokens > 60 && error.spent.output_tokens > 5
    })
})

interface CompatibleCase {
  type: new (...given: never[]) => Error
  why?: ModelUnavailable['why']
  calls?: number
  /** Whether something is to be paid. */
  is_paid?: boolean
  is_paid_in_pieces?: boolean
  within_ms?: number
}

const cases: Partial<Record<Behaviour, CompatibleCase>> = {
  throttles: { type: ModelUnavailable, why: 'throttled', calls: 3, within_ms: 2_500 },
  throttles_until: { type: ModelUnavailable, why: 'throttled', calls: 1 },
  fails: { type: ModelUnavailable, why: 'down', calls: 3, within_ms: 2_500 },
  hangs: { type: ModelTimeout },
  drips: { type: ModelTimeout },
  falls_silent: { type: ModelTimeout, is_paid_in_pieces: true },
  is_huge: { type: ModelOutputInvalid, is_paid: true },
  is_empty: { type: ModelOutputInvalid, is_paid: true },
  refuses: { type: ModelRefused, is_paid: true },
  filters: { type: ModelRefused, is_paid: true },
  rejects_as_unsafe: { type: ModelRefused, calls: 1 },
  redirects: { type: ModelUnavailable, why: 'down', calls: 1 },
  rejects: { type: ModelOutputInvalid, calls: 1 },
  is_locked: { type: ModelUnavailable, why: 'down', calls: 1 },
}

for (const [
  behaviour,
  { type, why, calls, is_paid = false, is_paid_in_pieces = is_paid, within_ms = 1_500 },
] of Object.entries(cases)) {
  for (const in_pieces of [false, true]) {
    test(`a server that ${behaviour} fails with its error before the deadline${in_pieces ? ', in pieces' : ''}`, async (t) => {
      const { generator, stub } = await startScene(t)
      const model = generator(
        behaviour,
        { timeout_seconds: why ? 5 : 1 },
        { silence_ms: behaviour === 'falls_silent' ? 300 : 1_500 },
      )
      const started = performance.now()

      await assert.rejects(model.generate(asked(in_pieces ? { onText() {} } : {})), (error) => {
        assert.ok(error instanceof type, String(error))
        if (why) assert.equal((error as ModelUnavailable).why, why)
        const { spent } = error as ModelRefused
        const paid = in_pieces ? is_paid_in_pieces : is_paid
        assert.equal(spent.input_tokens > 0, paid, JSON.stringify(spent))
        const told = [error.message, (error.cause as Error | undefined)?.message, JSON.stringify(error)].join(' ')
        assert.doesNotMatch(told, /secret|127\.0\.0\.1|sk-|Quay/)
        return true
      })

      assert.ok(performance.now() - started < within_ms, `${performance.now() - started} ms`)
      if (calls) assert.equal(stub.calls(), calls)
      for (let left = 100; left > 0 && stub.open_connections() > 0; left--) await sleep(10)
      assert.equal(stub.open_connections(), 0)
    })
  }
}

test('a stream that breaks off counts as down, charges the received text and is not retried', async (t) => {
  const { generator, stub } = await startScene(t)
  let heard = ''

  await assert.rejects(generator('closes').generate(asked({ onText: (piece) => void (heard += piece) })), (error) => {
    assert.ok(error instanceof ModelUnavailable && error.why === 'down')
    return error.spent.output_tokens > 3 && error.spent.is_estimate === true
  })
  assert.equal(heard, `In short: ${LINE}`.slice(0, 36))
  assert.equal(stub.calls(), 1)

  await assert.rejects(generator('closes').generate(asked()), { why: 'down' })
  assert.equal(stub.calls(), 4, 'nothing was heard: it is asked again')
})

test('a malformed response is invalid output; a malformed stream counts as down', async (t) => {
  const { generator, stub } = await startScene(t)

  await assert.rejects(
    generator('is_garbled').generate(asked()),
    (error) => error instanceof ModelOutputInvalid && error.spent.input_tokens > 0,
  )
  assert.equal(stub.calls(), 1)
  await assert.rejects(generator('is_garbled').generate(asked({ onText() {} })), { why: 'down' })
})

test('retries hide transient failures', async (t) => {
  const { generator, stub } = await startScene(t)
  stub.behave('m', 'fails', 'throttles', 'well')

  assert.equal((await generator('m').generate(asked())).text, `In short: ${LINE}`)
  assert.equal(stub.calls(), 3)
})

test("waits for Retry-After before calling a model again, but still calls the server's other models", async (t) => {
  const { generator, stub } = await startScene(t)
  const model = generator('throttles_until')

  for (let i = 0; i < 3; i++)
    await assert.rejects(model.generate(asked()), (error) => {
      const { retry_after_ms } = error as ModelUnavailable
      return retry_after_ms !== null && retry_after_ms > 25_000 && retry_after_ms <= 30_000
    })

  assert.equal(stub.calls(), 1)
  await generator('well').generate(asked())
})

test('repeated failures open the circuit for all models of a server', async (t) => {
  const { generator, stub } = await startScene(t)
  const model = generator('fails')
  for (let i = 0; i < 2; i++) await assert.rejects(model.generate(asked()))

  await assert.rejects(generator('well').generate(asked()), { why: 'circuit_open' })
  assert.equal(stub.calls(), 5)
})

test('estimates usage if the server reports none or implausible numbers', async (t) => {
  const { generator, embedder } = await startScene(t)

  for (const model of ['lies', 'says_no_usage'])
    for (const more of [{}, { onText() {} }]) {
      const { spent } = await generator(model).generate(asked(more))
      assert.ok(spent.is_estimate && spent.input_tokens > 15 && spent.input_tokens < 50, JSON.stringify(spent))
      assert.ok(spent.output_tokens > 10 && spent.output_tokens < 40, JSON.stringify(spent))
    }
  const { spent } = await embedder('lies').embed(['one two three'], { signal: asked().signal, as: 'text' })
  assert.deepEqual(spent, { input_tokens: 3, output_tokens: 0, is_estimate: true })
})

test('responses of many megabytes are not held in memory', async (t) => {
  const { generator } = await startScene(t)
  const model = generator('is_huge')
  await assert.rejects(model.generate(asked()))
  const before = process.memoryUsage.rss()

  for (let i = 0; i < 6; i++)
    await assert.rejects(model.generate(asked(i % 2 ? { onText() {} } : {})), ModelOutputInvalid)

  assert.ok(process.memoryUsage.rss() - before < 150e6, `${(process.memoryUsage.rss() - before) / 1e6} MB`)
})

test('a signal ends the call with its reason and closes the connection', async (t) => {
  const { generator, stub } = await startScene(t)
  const reason = new Error('cancelled')

  for (const [model, more] of [
    ['hangs', {}],
    ['drips', {}],
    ['falls_silent', { onText() {} }],
  ] as const) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    await assert.rejects(generator(model).generate(asked({ signal: controller.signal, ...more })), reason, model)
  }
  for (let left = 100; left > 0 && stub.open_connections() > 0; left--) await sleep(10)
  assert.equal(stub.open_connections(), 0)
})

test('an error thrown by the listener reaches the caller', async (t) => {
  const { generator } = await startScene(t)
  const trouble = new Error('full')

  await assert.rejects(
    generator('well').generate(
      asked({
        onText() {
          throw trouble
        },
      }),
    ),
    trouble,
  )
})

test("limits concurrent calls to the operator's setting", async (t) => {
  const { generator, stub } = await startScene(t)
  const model = generator('hangs', { max_concurrency: 2, timeout_seconds: 1 })

  const calls = Array.from({ length: 6 }, () => model.generate(asked()).catch((error: unknown) => error))
  await sleep(300)
  assert.equal(stub.calls(), 2)
  const errors = await Promise.all(calls)

  // Five timeouts in a row: the rest need not try.
  assert.ok(
    errors.every(
      (error) => error instanceof ModelTimeout || (error instanceof ModelUnavailable && error.why === 'circuit_open'),
    ),
  )
})

test('returns unit vectors in the order of the texts, in batches', async (t) => {
  const { embedder, stub } = await startScene(t)
  const texts = Array.from({ length: 10 }, (_, i) => `text number ${i} of ${'many '.repeat(i)}`)

  for (const model of ['well', 'shuffles']) {
    const { vectors, spent } = await embedder(model).embed(texts, { signal: asked().signal, as: 'passage' })

    for (const [i, vector] of vectors.entries()) {
      const raw = stubVector(texts[i]!, 8)
      const length = Math.hypot(...raw)
      assert.ok(
        vector.every((one, j) => Math.abs(one - raw[j]! / length) < 1e-6),
        `${model} ${i}`,
      )
    }
    assert.ok(spent.input_tokens > 50)
    assert.equal(stub.calls(model), 3)
  }
})

test('rejects vectors with the wrong dimensions and counts their cost', async (t) => {
  const { embedder, stub } = await startScene(t)
  const asking = { signal: asked().signal, as: 'text' } as const

  await assert.rejects(embedder('has_wrong_dimensions').embed(['a', 'b'], asking), (error) => {
    assert.match((error as Error).message, /a vector does not have 8 dimensions/)
    return error instanceof ModelOutputInvalid && error.spent.input_tokens > 0
  })
  await assert.rejects(embedder('is_garbled').embed(['a'], asking), ModelOutputInvalid)
  stub.behave('m', 'well', 'is_locked')
  await assert.rejects(embedder('m', { max_batch: 1 }).embed(['a', 'b'], asking), (error) => {
    assert.ok(error instanceof ModelUnavailable)
    return error.spent.input_tokens > 0
  })
})

test('returns scores in the order of the texts', async (t) => {
  const { reranker } = await startScene(t)
  const asking = { signal: asked().signal }

  const { scores, spent } = await reranker('well').rerank('red fox', ['a cat', 'a red fox', 'a red cat'], asking)

  assert.deepEqual(scores, [0, 1, 0.5])
  assert.ok(spent.input_tokens > 0)
  assert.deepEqual(await reranker('well').rerank('x', [], asking), {
    scores: [],
    spent: { input_tokens: 0, output_tokens: 0 },
  })
  await assert.rejects(reranker('has_wrong_dimensions').rerank('x', ['a', 'b'], asking), ModelOutputInvalid)
})
